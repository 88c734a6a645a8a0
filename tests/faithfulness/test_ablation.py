"""Source ablation: the sentences that one of a summary rests on, by readers whose answers are known by hand."""

from __future__ import annotations

import numpy as np
import pytest

from nutgraf.errors import InputError
from nutgraf.faithfulness.ablation import Reader, ablate, fit, held_out_r2, logits, subsets
from nutgraf.text.document import Document

TEN = Document.of(" ".join(f"This is sentence number {number} of ten." for number in range(10)))


def log_sigmoid(values):
    return -np.logaddexp(0, -np.asarray(values, dtype=float))


def reader(*summary, sentences=range(10), rows=5):
    """A network for which the logit of each of the summary's sentences is its bias and the weights of what is read."""

    def log_probs(masks):
        assert len(masks) <= rows
        return np.stack(
            [
                log_sigmoid(np.full(len(masks), bias) + sum(weight * masks[:, at] for at, weight in weights.items()))
                for bias, weights in summary
            ],
            axis=1,
        )

    return Reader(tuple(sentences), log_probs, rows)


def weights_of(sentence):
    return {TEN.text[one.origin.start : one.origin.end].split()[4]: one.weight for one in sentence.weights}


def test_a_sentence_that_rests_on_two_has_these_two_weights():
    [sentence] = ablate([reader((-7, {2: 3.0, 5: -2.0}))], TEN, ["It is so."], [1]).sentences
    assert weights_of(sentence) == {"2": pytest.approx(3, abs=0.05), "5": pytest.approx(-2, abs=0.05)}
    assert [one.text for one in sentence.weights] == [
        "This is sentence number 2 of ten.",
        "This is sentence number 5 of ten.",
    ]
    assert sentence.r2 > 0.99
    assert sentence.log_prob == pytest.approx(log_sigmoid(-6))


def test_all_sentences_of_a_summary_are_measured_in_the_same_passes():
    found = ablate([reader((-3, {1: 2.0}), (-4, {8: 5.0}))], TEN, ["One.", "Two."], [1, 1])
    assert [list(weights_of(one)) for one in found.sentences] == [["1"], ["8"]]
    assert found.passes == 33


def test_the_penalty_counts_for_each_token():
    [sentence] = ablate([reader((-70, {2: 30.0}))], TEN, ["A sentence of ten tokens."], [10]).sentences
    assert weights_of(sentence) == {"2": pytest.approx(30, abs=0.5)}


def test_seeds_are_reproduced():
    drawn = [subsets(50, 32, seed) for seed in (1, 1, 2)]
    assert (drawn[0] == drawn[1]).all()
    assert (drawn[0] != drawn[2]).any()
    assert drawn[0].shape == (32, 50)
    assert 0.4 < drawn[0].mean() < 0.6


@pytest.mark.parametrize(("sentences", "expected"), [(1, 1), (2, 3), (3, 7), (4, 15), (5, 31), (6, 32)])
def test_few_sentences_have_few_subsets_and_none_is_empty(sentences, expected):
    masks = subsets(sentences, 32, seed=0)
    assert masks.shape == (expected, sentences)
    assert masks.any(1).all()
    assert sentences > 5 or len({tuple(row) for row in masks.tolist()}) == expected


def test_of_one_sentence_nothing_can_be_left_out():
    found = ablate([reader((0, {0: 9.0}), sentences=[0])], TEN, ["One."], [1])
    assert found.sentences[0].weights == ()
    assert found.sentences[0].r2 is None
    assert found.passes == 2


def test_more_sentences_than_ablations():
    hundred = Document.of(" ".join(f"This is sentence number {number} of many." for number in range(100)))
    network = reader((-9, {70: 6.0}), sentences=range(100))
    [sentence] = ablate([network], hundred, ["One."], [1]).sentences
    assert sentence.weights[0].text == "This is sentence number 70 of many."
    assert sentence.r2 > 0.9


def test_a_sentence_is_looked_into_in_the_window_that_makes_it_most_probable():
    first, last = range(5), range(5, 10)
    found = ablate(
        [reader((-9, {0: 1.0}), (-2, {1: 4.0}), sentences=first), reader((-5, {3: 4.0}), (-8, {}), sentences=last)],
        TEN,
        ["In the last.", "In the first."],
        [1, 1],
    )
    assert [list(weights_of(one)) for one in found.sentences] == [["8"], ["1"]]
    assert found.stretches == 2
    assert found.passes == 2 + 31 + 31
    assert "64 forward passes of 2 windows" in found.notices[0]


def test_r2_tells_that_a_network_is_not_linear():
    masks = subsets(8, 32, seed=0)
    odd = (masks.sum(1) % 2).astype(float)
    assert held_out_r2(masks, odd) < 0.2
    assert held_out_r2(masks, masks[:, 3] * 2.0) > 0.99
    assert held_out_r2(masks[:7], masks[:7, 3] * 2.0) is None
    noise = reader((0, {}), sentences=range(8))
    assert ablate([noise], TEN, ["One."], [1]).notices[1].endswith("for sentence 1.")


def test_the_lasso_shrinks_a_coefficient_by_its_penalty():
    # Two subsets: a feature of mean 1/2 and deviation 1/2, values 0 and 1: coefficient 0.5 - 0.01, weight 0.98.
    weights, bias = fit(np.array([[False], [True]]), np.array([0.0, 1.0]))
    assert weights == pytest.approx([0.98])
    assert bias == pytest.approx(0.01)


def test_logits_of_probabilities():
    assert logits(np.log([0.5, 0.75])) == pytest.approx([0, np.log(3)])
    assert logits(np.array([-800.0, 0.0])) == pytest.approx([-800, 16.1], abs=0.1)


@pytest.mark.parametrize("count", [1, 33])
def test_more_than_32_subsets_or_only_one_are_refused(count):
    with pytest.raises(InputError, match=f"from 2 to 32 subsets, not {count}"):
        ablate([reader((0, {}))], TEN, ["One."], [1], count)
