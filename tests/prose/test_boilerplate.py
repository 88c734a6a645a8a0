"""Phrases by kind: a pattern is tried only on a sentence that has one of its words, and compiled only then."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nutgraf.prose.boilerplate import Phrases, phrases

WRITTEN = r"""
# Water

[tide]
water | ^(?:high|low) water|spring water
ebb | ebbs? two

[boat]
ferry ferries | (?:old )?ferr(?:y|ies)\b
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("low water at noon", [("tide", 0)]),
        ("at low water", []),
        ("the spring water, and old ferries", [("tide", 4), ("boat", 22)]),
        ("offspring water", []),
        ("an ebb two hours long", [("tide", 3)]),
        ("two ebbs two", []),  # "ebbs" is not among the words of the line
        ("the quay", []),
        ("", []),
    ],
)
def test_the_kinds_of_a_text_in_the_order_of_the_lines(text: str, expected: list[tuple[str, int]]) -> None:
    assert list(Phrases(WRITTEN).find(text)) == expected


def test_a_pattern_is_compiled_once_and_when_first_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile_ = re.compile
    monkeypatch.setattr(re, "compile", lambda pattern: compiled.append(pattern) or compile_(pattern))
    table = Phrases(WRITTEN)
    list(table.find("the quay"))
    assert compiled == []
    for _ in range(2):
        list(table.find("the ferry"))
    assert len(compiled) == 1


@given(st.text(alphabet="low water fery ebstwo,.", max_size=40))
def test_it_finds_what_the_patterns_find(text: str) -> None:
    patterns = {"water": r"^(?:high|low)\swater|(?<!\w)spring\swater", "ferry": r"(?<!\w)(?:old\s)?ferry\b"}
    found = {kind for kind, _ in Phrases(WRITTEN).find(text)}
    words = re.findall(r"\w+", text)
    assert ("tide" in found) == (
        ("water" in words and re.search(patterns["water"], text) is not None)
        or ("ebb" in words and re.search(r"(?<!\w)ebbs?\stwo", text) is not None)
    )
    assert ("boat" in found) == ("ferry" in words and re.search(patterns["ferry"], text) is not None)


def test_every_line_can_be_compiled_and_has_words() -> None:
    table = phrases()
    for number, (_, pattern) in enumerate(table._lines):
        assert table._pattern(number).groups == 0, pattern
    assert all(word == word.lower() and re.fullmatch(r"\w+", word) for word in table._numbers)
