"""Headings of plain text: by words for parts, by numbers, by capitals, by lines; and what is none."""

from __future__ import annotations

import textwrap
from dataclasses import replace

import pytest

from nutgraf.text.divisions import divide
from nutgraf.text.document import Document, Heading, Section, join
from nutgraf.text.headings import chinese, is_matter, roman

TALE = (
    "The harbour master looked at the sea for a long time and then went home to his supper. Nobody knew what he had "
    "seen there, and he never told anybody about it."
)
FRENCH = (
    "Le capitaine regarda longtemps la mer, puis il rentra chez lui pour dîner. Personne ne sut jamais ce qu'il avait "
    "vu ce soir-là."
)
GERMAN = (
    "Der Hafenmeister sah lange auf das Meer und ging dann nach Hause zum Abendessen. Niemand wusste, was er dort "
    "gesehen hatte."
)
RUSSIAN = "Капитан долго смотрел на море, а потом пошёл домой ужинать. Никто не узнал, что он там увидел в тот вечер."
WRAPPED = textwrap.fill(f"{TALE} {TALE}", 70)


def outline(*paragraphs: str) -> list[tuple[int, str]]:
    return [(one.level, one.title) for one in divide(Document.of("\n\n".join(paragraphs)), "section").parts]


@pytest.mark.parametrize(
    ("paragraphs", "expected"),
    [
        (
            ["THE TIDE", "ACT I", "SCENE I. A quay.", TALE, "SCENE II. Bays.", TALE, "ACT II", "SCENE I. Hills.", TALE],
            [(1, "ACT I"), (2, "SCENE I. A quay."), (2, "SCENE II. Bays."), (1, "ACT II"), (2, "SCENE I. Hills.")],
        ),
        (
            ["I.", "THE RED LAMP.", WRAPPED, "II.", "THE BLUE DOOR.", WRAPPED],
            [(1, "I: THE RED LAMP."), (1, "II: THE BLUE DOOR.")],
        ),
        (
            ["CHAPTER ONE", WRAPPED, WRAPPED, "CHAPTER TWO", WRAPPED],
            [(1, "CHAPTER ONE"), (1, "CHAPTER TWO")],
        ),
        (
            ["LE PHARE", "CHAPITRE PREMIER", FRENCH, "CHAPITRE II", FRENCH],
            [(1, "CHAPITRE PREMIER"), (1, "CHAPITRE II")],
        ),
        (["1. Kapitel", GERMAN, "Zweites Kapitel", GERMAN], [(1, "1. Kapitel"), (1, "Zweites Kapitel")]),
        (
            ["Глава 1. Порты", "Статья 1. Понятия", RUSSIAN, "Статья 2. Предмет", RUSSIAN],
            [(1, "Статья 1. Понятия"), (1, "Статья 2. Предмет")],
        ),
        (
            [
                "ARTICLE I\nTERMS",
                f"Section 1.01 Defined Terms. {TALE}",
                "ARTICLE II\nLOANS",
                f"Section 2.01 Loans. {TALE}",
                f"Section 2.02 Fees. {TALE}",
            ],
            [
                (1, "ARTICLE I: TERMS"),
                (2, "Section 1.01 Defined Terms"),
                (1, "ARTICLE II: LOANS"),
                (2, "Section 2.01 Loans"),
                (2, "Section 2.02 Fees"),
            ],
        ),
        (
            ["Article 1. All members are equal.", "Article 2. The club has a house.", "Article 3. It is open daily."],
            [(1, "Article 1"), (1, "Article 2"), (1, "Article 3")],
        ),
        (
            ["§ 12-101. Short title.", TALE, "§ 12-102. Repealed.", "§ 12-103. Fees.", TALE],
            [(1, "§ 12-101. Short title."), (1, "§ 12-102"), (1, "§ 12-103. Fees.")],
        ),
        (
            ["1. Scope", TALE, "2. Method", "2.1 Boats", TALE, "2.2 Nets", TALE, "3. Results", TALE],
            [(1, "1. Scope"), (1, "2. Method"), (2, "2.1 Boats"), (2, "2.2 Nets"), (1, "3. Results")],
        ),
        (["THE YEAR", "SPRING", TALE, "SUMMER", TALE, "AUTUMN", TALE], [(1, "SPRING"), (1, "SUMMER"), (1, "AUTUMN")]),
        (
            ["1. RENT", f"1.1 {TALE}", "2. REVIEW", "2.1 The rent changes in May.", f"2.2 {TALE}", "3. END", TALE],
            [(1, "1. RENT"), (1, "2. REVIEW"), (1, "3. END")],
        ),
        (["On ports", "What they give", TALE, "What they take", TALE], [(1, "What they give"), (1, "What they take")]),
        (
            ["My book", "Chapter 1: Ice ... 3\nChapter 2: Fog ... 9", "Chapter 1: Ice", TALE, "Chapter 2: Fog", TALE],
            [(1, "Chapter 1: Ice"), (1, "Chapter 2: Fog")],
        ),
    ],
    ids=lambda value: value[0] if isinstance(value[0], str) else "",
)  # fmt: skip
def test_headings_of_plain_text(paragraphs: list[str], expected: list[tuple[int, str]]) -> None:
    assert outline(*paragraphs) == expected


@pytest.mark.parametrize(
    "paragraphs",
    [
        [TALE, TALE],
        ["The Lamp", "The lamp is lit\nThe night is long\nThe sea is wide", "The keeper sings\nAn old, old song"],
        [TALE, "1. Milk\n2. Eggs\n3. Flour", TALE],
        ["You need this:", "1. A rope of nine metres.\n2. Two men who are sober.\n3. A lamp.", TALE],
        [TALE, "Section 12 of the Act says that nobody may tie up a boat.", "Article 5 was read aloud twice.", TALE],
        [TALE, "Item\t2025\t2026", "Staff\t210\t225", TALE, "Item\t2026\t2027", "Van\t31\t34", TALE],
        ["Halden, 3 May 2024", "Dear Mrs Quill,", TALE, TALE, "Yours sincerely,", "Tom Brandt"],
        [f"HALDEN (Wire) - {TALE}", TALE, TALE],
    ],
)
def test_what_has_no_headings_has_no_sections(paragraphs: list[str]) -> None:
    assert outline(*paragraphs) == []


def test_text_before_the_first_heading_is_a_part_without_a_title_and_a_line_alone_is_the_title() -> None:
    text = f"The Harbour Act\n\n{TALE}\n\nArticle 1 Boats\n\n{TALE}\n\nArticle 2 Nets\n\n{TALE}"
    found = divide(Document.of(text), "section")
    assert found.title == "The Harbour Act"
    assert [one.title for one in found.parts] == ["", "Article 1 Boats", "Article 2 Nets"]
    [(start, end)] = found.parts[0].spans
    assert text[start:end].strip() == TALE


def test_a_heading_above_all_others_is_the_title() -> None:
    text = f"Act\n\nBoats\n\n{TALE}\n\nNets\n\n{TALE}"
    places = [(text.index(title), title, level) for title, level in (("Act", 1), ("Boats", 2), ("Nets", 2))]
    headings = tuple(Heading(title, start, start + len(title), level) for start, title, level in places)
    found = divide(replace(Document.of(text), headings=headings), "section")
    assert (found.title, [(one.level, one.title) for one in found.parts]) == ("Act", [(1, "Boats"), (1, "Nets")])


def test_names_of_sections_are_headings_where_the_format_has_no_others() -> None:
    text = f"{TALE}\n\n{TALE}"
    sections = [Section("Boats", 0, len(TALE)), Section("Nets", len(TALE) + 2, len(text))]
    found = divide(Document.of(text, sections=sections), "section")
    assert [(one.title, one.spans) for one in found.parts] == [
        ("Boats", ((0, len(TALE) + 2),)),
        ("Nets", ((len(TALE) + 2, len(text)),)),
    ]


def test_several_documents_are_parts_with_their_sections_in_them() -> None:
    law = Document.of(f"Article 1 Boats\n\n{TALE}\n\nArticle 2 Nets\n\n{TALE}", "law")
    found = divide(join([law, Document.of(TALE, "tale")]), "section")
    assert [(one.level, one.title) for one in found.parts] == [
        (1, "law"),
        (2, "Article 1 Boats"),
        (2, "Article 2 Nets"),
        (1, "tale"),
    ]


def test_numerals() -> None:
    assert [roman(one) for one in ("I", "IV", "XIX", "XL")] == [1, 4, 19, 40]
    assert [chinese(one) for one in ("三", "十", "十二", "二十三", "一百零五", "12")] == [3, 10, 12, 23, 105, 12]


def test_what_is_no_text_of_a_book() -> None:
    assert is_matter("CONTENTS.")
    assert not is_matter("Chapter 1")
