"""Paragraphs of texts whose lines were wrapped, or not."""

from __future__ import annotations

import random
import textwrap
from pathlib import Path

import pytest

import nutgraf
from nutgraf.text.paragraphs import paragraph_spans
from nutgraf.text.tokenize import flatten, sentence_spans

SENTENCES = Path(__file__).parent / "sentences"
PROSE = [
    "The county council of Port Halden agreed on Tuesday to close the old swing bridge for five weeks while Danish "
    "engineers replace three of the steel rollers that were cracked by a salt barge in March. The work costs two "
    "million crowns, of which the state pays half.",
    "Buses will go by Leith until the bridge opens again, and the post is to be carried by the small ferry that "
    "Captain Moen runs from the fish quay at six. Islanders asked why no spare rollers had been bought four years "
    "ago, when Inspector Lind and the engineers of the Harbour Board had warned of the cracks.",
    "The board answered that a roller costs as much as a new boat, and that the rollers of the bridge on Unst had "
    "lasted for sixty years. Nobody knows how the barge could pass the lights of the pier without being seen.",
    "A second report is expected in May, after divers of the Norwegian company have looked at the piers below the "
    "water, which are older than the bridge.",
]
TITLES = [
    "Old Swing Bridge To Be Closed For Five Weeks In Port Halden",
    "Captain Moen Carries the Post from the Fish Quay",
    "How a Salt Barge Cracked Three Rollers and Nobody Saw It Coming",
    "Norwegian Divers Look at the Piers of Leith",
    "Harbour Board: A Roller Costs as Much as a New Boat, Says Report",
    "Islanders Ask Questions about Spare Rollers",
    "Buses Go by Leith until the Bridge Opens Again in Spring",
]


def paragraphs(text: str) -> list[str]:
    return [flatten(text[start:end]) for start, end in paragraph_spans(text)]


def sentences(text: str) -> list[str]:
    return [flatten(text[start:end]) for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    ("name", "options", "summary"),
    [
        (
            "one_long",
            {},
            "The county council agreed on Tuesday to close the old swing bridge for five weeks while Danish engineers "
            "replace three of the steel rollers that were cracked by a salt barge in March. The work costs 2.1 million "
            "crowns, of which the state pays half.",
        ),
        (
            "wrap2",
            {},
            "Mara Lind (born 26 June 1968) is a former lighthouse keeper and sailing teacher who worked as a keeper "
            "from 1986 to 2005 on a number of islands in the northern sea. She moved to Port Halden in 1990 "
            "where she remained for three years before transferring to Leith.",
        ),
        (
            "dup",
            {"sentences": 2},
            "Rural development comes first in every plan of the ministry. Conan was created by the writer Robert "
            "Howard in 1932 in a series of fantasy tales in a magazine.",
        ),
    ],
)
def test_a_summary_has_the_sentences_of_the_text(name: str, options: dict[str, int], summary: str) -> None:
    text = (SENTENCES / f"{name}.txt").read_text(encoding="utf-8")
    assert str(nutgraf.load()(text, **options)) == summary


@pytest.mark.parametrize("width", [60, 72, 80])
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_sentences_of_wrapped_prose_are_those_of_the_prose(width: int, gap: str) -> None:
    wrapped = gap.join(textwrap.fill(paragraph, width) for paragraph in PROSE)
    assert sentences(wrapped) == sentences("\n\n".join(PROSE))


@pytest.mark.parametrize("width", [60, 72, 80])
@pytest.mark.parametrize("unwrapped", range(len(PROSE)))
def test_a_paragraph_that_was_not_wrapped_changes_no_sentence(width: int, unwrapped: int) -> None:
    lines = [one if at == unwrapped else textwrap.fill(one, width) for at, one in enumerate(PROSE)]
    assert sentences("\n".join(lines)) == sentences("\n\n".join(PROSE))


def test_a_line_that_grew_in_an_editor_changes_no_sentence() -> None:
    """Every third line of each paragraph holds its following line, too."""
    edited = []
    for paragraph in PROSE:
        first, second, third, *rest = textwrap.wrap(paragraph, 48)
        edited.append("\n".join([first, f"{second} {third}", *rest]))
    assert sentences("\n\n".join(edited)) == sentences("\n\n".join(PROSE))


def test_lines_that_people_broke_vary_and_are_joined() -> None:
    draw = random.Random(0)
    lines, line, width = [], "", 70
    for word in " ".join(PROSE).split():
        if len(line) + len(word) > width:
            lines.append(line)
            line, width = word, draw.randint(60, 78)
        else:
            line = f"{line} {word}".strip()
    assert sentences("\n".join([*lines, line])) == sentences(" ".join(PROSE))


def test_titles_one_a_line_stay_apart() -> None:
    assert paragraphs("\n".join(TITLES)) == TITLES


def test_titles_beside_wrapped_prose_stay_apart() -> None:
    wrapped = "\n\n".join(textwrap.fill(paragraph, 72) for paragraph in PROSE)
    assert paragraphs(f"{wrapped}\n\n" + "\n".join(TITLES))[-len(TITLES) :] == TITLES


@pytest.mark.parametrize(
    "lines",
    [
        ["Yours sincerely,", "John Smith", "Director of Ferries", "Port Halden Harbour Board", "12 Quay Street"],
        ["Contents", "Chapter one", "Chapter two", "Chapter three", "The second voyage of the Marguerite"],
        ["Ship        Seats   Built", "Isles         120    1987", "Marguerite     80    1968"],
    ],
)
def test_short_lines_of_an_address_a_table_or_its_contents_stay_apart(lines: list[str]) -> None:
    assert paragraphs("\n".join(lines)) == [flatten(line) for line in lines]


@pytest.mark.parametrize(
    "text", ["The non-\nEuropean states left.", "The Paris-\nLondon line.", "Pages 12-\n15 are lost."]
)
def test_a_line_that_ends_with_a_hyphen_goes_on_in_a_capital_or_a_number(text: str) -> None:
    assert [*paragraph_spans(text)] == [(0, len(text))]


def test_an_abbreviation_at_the_end_of_a_full_line_ends_no_paragraph() -> None:
    assert sentences("The post was carried by the small ferry of Mr.\nMoen.") == [
        "The post was carried by the small ferry of Mr. Moen."
    ]


def test_chinese_lines_are_joined_at_their_width_and_titles_are_not() -> None:
    prose = "议会星期二同意将旧的旋转桥关闭五个星期，由丹麦工程师更换三月被运盐驳船撞裂的三个钢制滚轮。" * 4
    lines = [prose[at : at + 36] for at in range(0, len(prose), 36)]
    assert paragraphs("\n".join(lines)) == [prose]
    titles = [
        "旧旋转桥将关闭五个星期",
        "摩恩船长从鱼码头运送邮件直到春天桥梁重新开放",
        "三个滚轮被撞裂",
        "潜水员检查桥墩的水下部分",
        "港务局的答复",
    ]
    assert paragraphs("\n".join(titles)) == titles


STANZA = """\
The tide comes in at half past four
And lifts the boats along the shore
The keeper lights his lamp and sings
Of salted rope and copper rings
"""


def test_lines_of_verse_stay_apart_though_a_width_explains_them() -> None:
    assert paragraphs(f"{STANZA}\n{STANZA}\nThe song is old.\n") == [*STANZA.splitlines() * 2, "The song is old."]


def test_lines_of_a_log_stay_apart() -> None:
    lines = [f"[09:0{number}] and then the boat left the pier again" for number in range(4)]
    assert paragraphs("\n".join(lines)) == lines
