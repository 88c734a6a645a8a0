"""Penalties by hand."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from nutgraf.decoding.ranking import Ranking  # noqa: E402

COVERED = torch.tensor([[0.25, 1.5, 2.0], [0.5, 1.0, 0.0]])


def test_the_summary_coverage_penalty() -> None:
    """5 · (max(0.25, 1) + max(1.5, 1) + max(2, 1) − 3) = 7.5."""
    assert Ranking(coverage=5.0).penalty(COVERED).tolist() == [7.5, 0.0]


def test_the_length_penalty_of_gnmt() -> None:
    """((5 + 7) / 6)^1 = 2; with α = 0 there is none."""
    log_prob, none = torch.tensor([-3.0]), torch.zeros(1)
    assert Ranking(length=1.0).score(log_prob, none, 7).tolist() == [-1.5]
    assert Ranking().score(log_prob, none, 7).tolist() == [-3.0]


def test_the_mean_log_probability_of_a_word() -> None:
    """−3 / 7, and with α = 2 the same of 49."""
    log_prob, none = torch.tensor([-3.0]), torch.zeros(1)
    for alpha, length in ((1.0, 7), (2.0, 49)):
        assert Ranking(alpha, form="power").score(log_prob, none, 7).tolist() == pytest.approx([-3 / length])


def test_a_stepwise_penalty_is_divided_by_the_length_too() -> None:
    log_prob, penalty = torch.tensor([-3.0]), torch.tensor([1.0])
    assert Ranking(1.0, 5.0, stepwise=True).score(log_prob, penalty, 7).tolist() == [-2.0]
    assert Ranking(1.0, 5.0, stepwise=False).score(log_prob, penalty, 7).tolist() == [-2.5]
