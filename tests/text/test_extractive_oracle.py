"""The extractive oracle, by hand."""

from __future__ import annotations

from nutgraf.text.extractive_oracle import oracle_sentences

SENTENCES = [["a", "b"], ["c", "d", "e"], ["a", "b", "c"], ["x"]]


def test_the_oracle_takes_what_raises_rouge_most() -> None:
    """Summary a b c d: unigrams 4, bigrams 3.

    "a b": 2·2/(2+4) + 2·1/(1+3) = 1.167; "c d e": 2·2/7 + 2·1/5 = 0.971; "a b c": 2·3/7 + 2·2/5 = 1.657.
    Then with "c d e": 2·4/(5+4) + 2·3/(4+3) = 1.746, more; with "a b" nothing is new; "x" costs.
    """
    assert oracle_sentences(SENTENCES, ["a", "b", "c", "d"], 3) == [1, 2]
    assert oracle_sentences(SENTENCES, ["a", "b", "c", "d"], 1) == [2]


def test_the_oracle_stops_where_nothing_is_gained_and_takes_the_first_of_equals() -> None:
    assert oracle_sentences([["a"], ["a"], ["b"]], ["a"], 3) == [0]
    assert oracle_sentences([["x"]], ["a"], 3) == []
