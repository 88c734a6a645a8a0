"""Greedy selection: the next sentence is the one that adds most to those selected.

Where the length is measured in words, a gain may be divided by a power of the sentence's length (Lin and Bilmes,
*Multi-document Summarization via Budgeted Maximization of Submodular Functions*, 2010, Algorithm 1). For monotone
submodular objectives the better of this selection and the best single sentence is worth at least (1 − 1/e)/2 of the
optimum, with exponent 1 (Khuller, Moss and Naor 1999; Leskovec et al. 2007), and gains need to be computed only for
sentences whose earlier gain is largest, as gains never grow (Minoux 1978).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from nutgraf.extractive import Mask, PartialSummary
from nutgraf.text.vectors import Array

LAST = -1e6
"""Gain of a sentence without content words, which comes after all that have any."""

DIGITS = 10
"""Decimals in which gains are compared, so that equal sentences stay equal whatever was rounded."""

FEWEST, MOST = 32, 256
"""Number of gains that are computed together at first in each step, and at most; it doubles while the best sentence is
not known."""

Entry = tuple[float, int, int, float]
"""Negative score, sentence, number of sentences selected when its gain was computed, and the gain."""


class Objective(Protocol):
    """Value of a selection, of which only gains are asked."""

    def gains(self, candidates: Mask) -> Array:
        """Gain of each sentence beside those selected; −∞ for what is never to be selected next."""

    def add(self, index: int) -> None:
        """Select a sentence."""


class SubmodularObjective(Protocol):
    """Value of a selection whose gains never grow while it does."""

    def singles(self) -> Array:
        """Value of each sentence alone."""

    def gains_of(self, indices: Sequence[int]) -> Array:
        """Gains of some sentences beside those selected."""

    def add(self, index: int) -> None:
        """Select a sentence."""


def select_greedily(
    summary: PartialSummary, objective: Objective, bonus: Array | None = None, cost_exponent: float = 0.0
) -> None:
    """Select sentences until no other one may be; of equal gains the first in document order.

    Args:
        summary: What is selected; it grows.
        objective: Gains.
        bonus: What each sentence adds besides, whatever is selected: the part of the highlights; see `extend`.
        cost_exponent: Power of the length by which gains are divided; without effect on a length in sentences.
    """
    costs, lift = _costs(summary, cost_exponent), None
    while (candidates := summary.candidates()).any():
        gains = objective.gains(candidates)
        if lift is None:
            lift = _lift(bonus, gains, costs, np.flatnonzero(candidates))
        scores = np.where(candidates, gains / costs + lift, -np.inf)
        best = int(np.round(scores, DIGITS).argmax())
        if scores[best] == -np.inf:
            return
        if summary.add(best):
            objective.add(best)


def maximize(
    summary: PartialSummary,
    objective: Callable[[], SubmodularObjective],
    *,
    cost_exponent: float = 1.0,
    bonus: Array | None = None,
) -> float:
    """Select greedily by gain over a power of the length, or begin with the best single sentence.

    The second happens if that sentence is worth more than all that is selected in the first way.

    Args:
        summary: An empty summary; it is filled.
        objective: Makes the objective of an empty selection.
        cost_exponent: Power of the length; without effect on a length in sentences.
        bonus: See `select_greedily`.

    Returns:
        The value of the selection.
    """
    first = objective()
    singles = first.singles()
    worth = singles if bonus is None else singles + bonus
    trial = summary.empty_copy()
    value = extend(trial, first, singles, cost_exponent, bonus)
    candidates = summary.candidates()
    best = int(np.where(candidates, worth, -np.inf).argmax()) if candidates.any() else None
    if best is None or worth[best] <= value:
        for index in trial.selected:
            summary.add(index)
        return value
    second = objective()
    summary.add(best)
    second.add(best)
    return float(worth[best]) + extend(summary, second, singles, cost_exponent, bonus)


def extend(
    summary: PartialSummary,
    objective: SubmodularObjective,
    bounds: Array,
    cost_exponent: float = 0.0,
    bonus: Array | None = None,
) -> float:
    """Add sentences greedily until no other one may be added; without a bonus only what is tried is judged.

    Args:
        summary: What is selected; it grows.
        objective: Value, to which what is selected was added.
        bounds: Numbers that no gain exceeds, such as the values of the sentences alone.
        cost_exponent: See `maximize`.
        bonus: See `select_greedily`. It is not divided by the length of its sentence, but by what turns the largest
            bound into the largest bound for its length: long sentences are highlighted as much as short ones.

    Returns:
        The sum of the gains.
    """
    costs = _costs(summary, cost_exponent)
    candidates = np.flatnonzero(summary.unjudged_candidates() if bonus is None else summary.candidates())
    extra = np.zeros(len(costs)) if bonus is None else bonus
    lift = _lift(bonus, bounds, costs, candidates)
    scores = np.round(bounds[candidates] / costs[candidates] + lift[candidates], DIGITS)
    queue: list[Entry] = [
        (-score, index, -1, 0.0) for score, index in zip(scores.tolist(), candidates.tolist(), strict=True)
    ]
    heapq.heapify(queue)
    value, batch = 0.0, FEWEST
    while queue and not summary.full:
        _, index, when, gain = heapq.heappop(queue)
        if not summary.fits(index):
            continue
        if when == len(summary.selected):
            if summary.add(index):
                objective.add(index)
                value, batch = value + gain, FEWEST
            continue
        stale = [index, *(heapq.heappop(queue)[1] for _ in range(min(batch - 1, len(queue))))]
        batch = min(2 * batch, MOST)
        gains = objective.gains_of(stale)
        scores = np.round(gains / costs[stale] + lift[stale], DIGITS)
        for index, score, gain in zip(stale, scores.tolist(), (gains + extra[stale]).tolist(), strict=True):
            heapq.heappush(queue, (-score, index, len(summary.selected), gain))
    return value


def _costs(summary: PartialSummary, exponent: float) -> Array:
    """Power of the length of each sentence; 1 where the length is one in sentences."""
    return np.asarray(np.maximum(summary.lengths, 1) ** (exponent if summary.charges_length else 0.0), dtype=np.float64)


def _lift(bonus: Array | None, bounds: Array, costs: Array, candidates: npt.NDArray[np.int64]) -> Array:
    """Bonus of each sentence, times the ratio of the largest bound for its length to the largest bound."""
    if bonus is None:
        return np.zeros(len(costs))
    bounds, costs = bounds[candidates], costs[candidates]
    largest = float(bounds.max()) if bounds.size else 0.0
    return np.asarray(bonus * (float((bounds / costs).max()) / largest if largest > 0 else 1.0))
