"""Candidates by hand: N a noun, A an adjective, a small letter the beginning of a sentence."""

import numpy as np
import pytest

from nutgraf.keyphrases._candidates import (
    NOUN_PHRASE,
    RUN,
    ExtractorConfig,
    filter_by_length,
    group_by_form,
    match_spans,
    top_scoring,
)


def test_a_noun_phrase_is_adjectives_and_then_nouns():
    assert match_spans(NOUN_PHRASE, "aAN.ANAN") == [(0, 3), (4, 6), (6, 8)]
    assert match_spans(NOUN_PHRASE, "AA.A") == []


def test_a_run_mixes_them():
    assert match_spans(RUN, "aAN.ANAN") == [(0, 3), (4, 8)]


@pytest.mark.parametrize("pattern", [NOUN_PHRASE, RUN])
def test_a_small_letter_begins_anew(pattern):
    assert match_spans(pattern, "nNnNaN") == [(0, 2), (2, 4), (4, 6)]


def test_too_long_is_dropped_or_trimmed_to_the_last_words():
    spans = [(0, 3), (4, 5), (7, 9)]
    assert filter_by_length(spans, ExtractorConfig(ngram_range=(2, 2)), "drop") == [(7, 9)]
    assert filter_by_length(spans, ExtractorConfig(ngram_range=(2, 2)), "trim") == [(1, 3), (7, 9)]


def test_what_is_spelled_alike_is_gathered():
    assert group_by_form([(0, 2), (2, 3), (4, 6)], ["a", "b", "a", ".", "a", "b"]) == {
        ("a", "b"): [(0, 2), (4, 6)],
        ("a",): [(2, 3)],
    }


def test_the_strongest_have_a_norm_of_one_and_ties_keep_their_order():
    chosen = top_scoring(np.arange(4), [3.0, 4.0, 3.0 + 1e-15, 0.0], top=3)
    assert list(chosen) == [1, 0, 2]
    assert chosen[1] == pytest.approx(4 / 34**0.5)


def test_a_group_counts_once_with_its_best_score():
    # group 5 has 1 and 4, group 6 has 3: 4/5 and 3/5
    assert top_scoring(np.array([5, 6, 5]), [1.0, 3.0, 4.0], top=2) == {5: pytest.approx(0.8), 6: pytest.approx(0.6)}


def test_what_scores_nothing_is_no_key_phrase():
    assert top_scoring(np.arange(2), [0.0, 2.0], top=5) == {1: 1.0}
    assert top_scoring(np.arange(1), [0.0], top=5) == {}
