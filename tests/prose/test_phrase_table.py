"""A table of phrases: which kind begins a text, and which stands in it first."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nutgraf.prose.boilerplate import PhraseTable

PATTERNS = {
    "tide": r"""
        (?:high|low)\swater\b|springs?\b
        no\.?\s\d
        e(?:bbs?|-?tide)?\stwo
    """,
    "boat": r"""
        (?:old\s)?ferr(?:y|ies)\b|tugs?\b
        [%*]
    """,
    "harbour": r"quay\b|at\sthe\squay|low\sbridge",
}


@pytest.mark.parametrize("key", [1, 3, 7])
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("low water at noon", "tide"),
        ("low bridge ahead", "harbour"),
        ("old ferry", "boat"),
        ("ferries wait", "boat"),
        ("no 7 is late", "tide"),
        ("no. 7 is late", "tide"),
        ("e-tide two", "tide"),
        ("ebb two", "tide"),
        ("e two", "tide"),
        ("* a note", "boat"),
        ("at the quay", "harbour"),
        ("the ferry", ""),
        ("", ""),
    ],
)
def test_the_kind_that_a_text_begins_with(text: str, kind: str, key: int) -> None:
    assert PhraseTable(PATTERNS, key).match(text) == kind


def test_the_first_phrase_of_a_text_and_only_where_a_word_begins() -> None:
    table = PhraseTable(PATTERNS, key=4)
    assert table.search("the tug waits at the quay for low water") == (4, "boat")
    assert table.search("at the quay, no 7") == (0, "harbour")
    assert table.search("wellsprings") is None


@given(st.text(alphabet="low water fery 7tugs*,.-", max_size=40), st.integers(0, 8))
def test_it_finds_what_one_pattern_of_all_finds(text: str, key: int) -> None:
    kinds = {
        kind: "|".join(line.strip() for line in written.strip().splitlines()) for kind, written in PATTERNS.items()
    }
    together = "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in kinds.items())
    table, begun, inside = PhraseTable(PATTERNS, key), re.match(together, text), re.search(rf"\b(?:{together})", text)
    assert table.match(text) == (begun.lastgroup if begun else "")
    assert table.search(text) == ((inside.start(), inside.lastgroup) if inside else None)
