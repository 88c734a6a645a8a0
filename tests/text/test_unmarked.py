"""Markdown that is read in place: what is said, where it stands, and what only names it."""

from __future__ import annotations

import random

import pytest

from nutgraf.text.markdown import unmarked


def said(text: str) -> list[str]:
    found = unmarked(text)
    return text.split("\n\n") if found is None else found.text.split("\n\n")


def names(text: str) -> list[str]:
    found = unmarked(text)
    return [] if found is None else [text[start:end] for start, end in found.names]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**Four** boats *left*.", "Four boats left."),
        ("Fiona **Lang**'s un**load**ing.", "Fiona Lang's unloading."),
        ("See [the log](https://a.b/c_(d) 'Log') and ![a boat](boat.png).", "See the log and ."),
        (r"It cost \$5 at AT&amp;T.", "It cost $5 at AT&T."),
        ("- Four boats left.\n- One\n  stayed.", "Four boats left.\n\nOne\nstayed."),
        ("1. Four boats left.\n\n---\n\n> One stayed.", "Four boats left.\n\nOne stayed."),
        ("| Ship | Seats |\n|---|---:|\n| **Isles** | 120 |\n| a \\| b | c<br>d |", "Isles, 120\n\na | b, c d"),
        ("- [ ] Four boats left.[^1]\n- [x] One stayed.", "Four boats left.\n\nOne stayed."),
        ("One boat ~~or two~~ left.", "One boat  left."),
        ("```markdown\n# Storm\n\nFour *boats* left.\n```", "Four boats left."),
    ],
)
def test_marks_are_not_said(text: str, expected: str) -> None:
    found = unmarked(text)
    assert found is not None
    assert found.text == expected


@pytest.mark.parametrize(
    "text",
    [
        "Four boats left. Two came back.",
        "He said ``we shall not'' and ``never''.\nA line\n    indented\n\nThe norm of 2, and x",
        "Boats left\nBoats came back",
        "",
    ],
)
def test_a_text_without_marks_is_left_alone(text: str) -> None:
    assert unmarked(text) is None


@pytest.mark.parametrize("text", ["5 * 3 * 2 boats", "snake_case_words", "L_2 norms", "a < b", "2 ** 3 | 4"])
def test_what_only_looks_like_marks_stays(text: str) -> None:
    assert said(text) == [text]


@pytest.mark.parametrize(
    ("text", "named", "rest"),
    [
        ("## The *storm* ##\nFour boats left.", ["The *storm*"], ["Four boats left."]),
        ("**Timeline:**\n\n- Four boats left.", ["Timeline:"], ["Four boats left."]),
        ("Key points:\nFour boats left.", ["Key points:"], ["Four boats left."]),
        ("1. **Aftermath**\n   - One stayed.", ["Aftermath"], ["One stayed."]),
        ("**Impact**: One stayed.", ["Impact:"], ["One stayed."]),
        ("| Ship | Seats |\n|---|---|\n| Isles | 120 |", ["Ship | Seats"], ["Isles, 120"]),
    ],
)
def test_what_names_others_is_apart(text: str, named: list[str], rest: list[str]) -> None:
    given = [one.replace("**", "") for one in names(text)]
    assert (given, [one.strip() for one in said(text)]) == (named, rest)


@pytest.mark.parametrize(
    "text",
    [
        "**Four boats sank.**",  # a sentence
        "**Four of the boats sank at noon**",  # more words than a label has
        "**3 May:** Four boats left.",  # a date in a label is a claim
        "**May:** Four boats left.",
        "**Fiona Lang:** We shall not turn back.",  # a name
        "Impact: One stayed.",  # no marks
    ],
)
def test_what_may_claim_something_is_no_label(text: str) -> None:
    assert names(text) == []
    assert said(text) == [text.replace("**", "")]


def test_every_character_says_where_it_stands() -> None:
    """Whatever the text: what is said once stands in it, in order."""
    pieces = ["word", "Ann", "5", " ", "\n", "\n\n", "*", "**", "_", "# ", "- ", "1. ", "> ", "|", "\n|---|---|\n"]
    pieces += ["| a | b |\n", "\t", "    ", "`", "```\n", "[", "](", ")", "<b>", "<br>", "&amp;", "\\*", ":", "---\n"]
    pieces += ["\r\n", "\u00a0", "\u2028", "\x00", "é", "🚀", "<!--", "-->", "![", "a \\| b"]
    draw = random.Random(0)
    for _ in range(400):
        text = "".join(draw.choices(pieces, k=draw.randint(1, 30)))
        found = unmarked(text)
        if found is None:
            continue
        assert len(found.text) == len(found.starts) == len(found.ends)
        assert list(found.starts) == sorted(found.starts)
        for one, start, end in zip(found.text, found.starts, found.ends, strict=True):
            assert end - start != 1 or one == "\n" or text[start] == one
        assert all(0 <= start < end <= len(text) for start, end in found.names)


def test_emphasis_around_a_sentence_belongs_to_it() -> None:
    text = "- **Four boats left.** *One* stayed."
    found = unmarked(text)
    assert found is not None
    assert [text[slice(*found.with_emphasis(*span))] for span in ((0, 16), (17, 28))] == [
        "**Four boats left.**",
        "*One* stayed.",
    ]


def test_nothing_is_lost_in_lists_that_are_too_deep_for_the_parser() -> None:
    deep = "\n".join("  " * depth + f"- Boat {depth} left." for depth in range(130))
    assert unmarked(deep) is None
    ten = unmarked("\n".join("  " * depth + f"- Boat {depth} left." for depth in range(10)))
    assert ten is not None
    assert ten.text.count("left.") == 10


def test_what_is_struck_out_and_the_text_of_a_footnote_are_only_named() -> None:
    text = "Four boats left.[^1] ~~One stayed.~~\n\n[^1]: Minutes of 12 March."
    assert said(text) == ["Four boats left."]
    assert names(text) == ["One stayed.", "[^1]: Minutes of 12 March."]


def test_a_tilde_alone_strikes_nothing_out() -> None:
    assert said("It cost ~~ 5 crowns.") == ["It cost ~~ 5 crowns."]
