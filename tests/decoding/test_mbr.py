"""Minimum Bayes risk over three summaries whose ROUGE-1 is computed by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

pytest.importorskip("torch")

from nutgraf.decoding.mbr import Config, Weights, expected_gains, source_weights
from nutgraf.decoding.ranking import Hypothesis, by_score
from nutgraf.decoding.search import Config as Search
from nutgraf.errors import PresetError
from nutgraf.presets import configure
from nutgraf.systems._gains import ExpectedGain, gains
from nutgraf.text.document import Document

TEXTS = [["The red fox runs."], ["Red fox", "runs!"], ["The hen"]]
"""Of 4, 3 and 2 words; the first two share 3, the first and the last 1, the second and the last none."""

ROUGE_1 = np.array([[1, 6 / 7, 1 / 3], [6 / 7, 1, 0], [1 / 3, 0, 1]])


def hypothesis(name: int, probability: float, complete: bool = True) -> Hypothesis:
    """One of a single token, by which it is known again."""
    return Hypothesis((name,), math.log(probability), 0.0, complete, (probability,), (1.0,), (7 * name,), (0.5,))


def by_expected_gain(found: list[Hypothesis], gains: np.ndarray, weights: Weights) -> list[Hypothesis]:
    return by_score(found, expected_gains(gains, [one.log_prob for one in found], weights).tolist())


def names(found: list[Hypothesis]) -> list[int]:
    return [one.ids[0] for one in found]


def test_gains_are_rouge_of_each_by_each() -> None:
    assert gains(TEXTS, ("1",)) == pytest.approx(ROUGE_1, abs=1e-5)


def test_the_gain_is_the_mean_of_several_variants() -> None:
    """The first two share the bigrams "red fox" and "fox runs", of 3 and of 2: F = 4/5."""
    assert gains(TEXTS, ("1", "2"))[0, 1] == pytest.approx((6 / 7 + 4 / 5) / 2, abs=1e-5)


def test_other_scripts_have_a_gain() -> None:
    assert gains([["雨が降る"], ["雨が止む"]], ("1",))[0, 1] == pytest.approx(2 / 4)


def test_expected_gain_of_samples_is_a_mean() -> None:
    expected = expected_gains(ROUGE_1, [-1.0, -2.0, -3.0], "uniform")
    assert expected.tolist() == pytest.approx([46 / 63, 13 / 21, 4 / 9])


def test_expected_gain_of_beams_is_weighted_by_probability() -> None:
    """Of 0.01, 0.03 and 0.01 the shares are 1/5, 3/5 and 1/5."""
    expected = expected_gains(ROUGE_1, np.log([0.01, 0.03, 0.01]).tolist(), "probability")
    assert expected.tolist() == pytest.approx([(1 + 18 / 7 + 1 / 3) / 5, (6 / 7 + 3) / 5, (1 / 3 + 1) / 5])


def test_a_summary_that_comes_often_counts_each_time() -> None:
    """Beside three hens, a hen is expected to gain (1/3 + 3)/5, the first fox (1 + 6/7 + 3/3)/5."""
    texts = [*TEXTS, TEXTS[2], TEXTS[2]]
    expected = expected_gains(gains(texts, ("1",)), [0.0] * 5, "uniform")
    assert expected[[0, 2]].tolist() == pytest.approx([20 / 35, 10 / 15], abs=1e-5)


def test_probabilities_too_small_for_a_number_still_have_shares() -> None:
    assert expected_gains(np.eye(2), [-2000.0, -2000.0 - math.log(3)], "probability").tolist() == pytest.approx(
        [0.75, 0.25]
    )


def test_the_hypothesis_itself_is_chosen_with_all_that_is_known_of_it() -> None:
    found = [hypothesis(2, 0.5), hypothesis(0, 0.3), hypothesis(1, 0.2)]
    order = [2, 0, 1]
    ranked = by_expected_gain(found, ROUGE_1[np.ix_(order, order)], "uniform")
    assert ranked == [found[1], found[2], found[0]]


def test_by_probability_the_most_probable_may_win_by_itself() -> None:
    found = [hypothesis(0, 0.1), hypothesis(1, 0.1), hypothesis(2, 0.8)]
    assert names(by_expected_gain(found, ROUGE_1, "probability")) == [2, 0, 1]


def test_what_the_network_did_not_end_comes_last() -> None:
    found = [hypothesis(0, 0.5, complete=False), hypothesis(1, 0.3), hypothesis(2, 0.2)]
    assert names(by_expected_gain(found, ROUGE_1, "uniform")) == [1, 2, 0]


def test_among_equals_the_better_score_stays_first() -> None:
    found = [hypothesis(name, 0.25) for name in (3, 1, 2)]
    assert names(by_expected_gain(found, np.ones((3, 3)), "uniform")) == [3, 1, 2]


@pytest.mark.parametrize(
    ("ratings", "weights"),
    [([3, 1, 2], [2 / 3, 0, 1 / 3]), ([-1, -3, -2], [2 / 3, 0, 1 / 3]), ([5, 5], [0.5, 0.5]), ([0], [1])],
)
def test_sentences_weigh_as_much_as_they_are_rated_above_the_lowest(ratings: list[float], weights: list[float]) -> None:
    assert source_weights(np.array(ratings, float)).tolist() == pytest.approx(weights)


def test_sentences_of_the_source_count_beside_the_hypotheses() -> None:
    """The lead of three sentences is rated 1, 1/2 and 1/3, which is 2/3, 1/6 and 0 above the lowest: 4/5, 1/5 and 0.

    "The hen" has 1 of 2 and 3 words of the first in common, F = 2/5; the other two hypotheses have none of it.
    """
    source = Document.of("A hen sat. It slept. The red fox runs.")
    config = configure(
        Config,
        {"variants": ["1"], "weights": "uniform", "source_share": 0.75, "source_ranker": {"kind": "lead"}},
        "mbr",
    )
    scores = ExpectedGain(config, sampled=False).scores(TEXTS, [0.0, 0.0, 0.0], source)
    by_hypotheses = [46 / 63, 13 / 21, 4 / 9]
    by_source = [0, 0, 4 / 5 * 2 / 5]
    wanted = [own / 4 + 3 / 4 * other for own, other in zip(by_hypotheses, by_source, strict=True)]
    assert scores == pytest.approx(wanted, abs=1e-5)


def test_without_a_sentence_that_is_read_the_hypotheses_decide() -> None:
    gain = ExpectedGain(Config(variants=("1",), weights="uniform", source_share=0.75), sampled=False)
    for source in (None, Document.of("")):
        assert gain.scores(TEXTS, [0.0, 0.0, 0.0], source) == pytest.approx([46 / 63, 13 / 21, 4 / 9], abs=1e-5)


def test_new_bigrams_are_a_gain() -> None:
    """Of "The red fox runs", "red fox", "fox runs" are in the source, "the red" is not; "The hen" is new."""
    source = Document.of("One red fox runs.")
    config = Config(variants=("1",), weights="uniform", novelty_weight=0.3)
    scores = ExpectedGain(config, sampled=False).scores(TEXTS, [0.0, 0.0, 0.0], source)
    assert scores == pytest.approx([46 / 63 + 0.3 / 3, 13 / 21, 4 / 9 + 0.3], abs=1e-5)
    assert ExpectedGain(config, sampled=False).scores(TEXTS, [0.0, 0.0, 0.0], None)[2] == pytest.approx(4 / 9, abs=1e-5)


def test_samples_weigh_the_same_and_beams_as_much_as_they_are_probable() -> None:
    assert (Config().weights_of(sampled=True), Config().weights_of(sampled=False)) == ("uniform", "probability")
    assert Config(weights="uniform").weights_of(sampled=False) == "uniform"


@pytest.mark.parametrize("wrong", [{"variants": ["9x"]}, {"variants": []}, {"weights": "much"}, {"novelty_weight": -1}])
def test_options_that_cannot_be(wrong: dict[str, object]) -> None:
    with pytest.raises(PresetError, match=r"decoding\.mbr"):
        configure(Search, {"mbr": wrong}, "decoding")
