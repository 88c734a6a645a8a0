"""Greedy selection: the next sentence is the one that adds most to those selected.

Where the length is measured in words, a gain may be divided by a power of the sentence's length (Lin and Bilmes,
*Multi-document Summarization via Budgeted Maximization of Submodular Functions*, 2010, Algorithm 1). For monotone
submodular objectives the better of this selection and the best single sentence is worth at least (1 − 1/e)/2 of the
optimum, with exponent 1 (Khuller, Moss and Naor 1999; Leskovec et al. 2007), and gains need to be computed only for
sentences whose earlier gain is largest, as gains never grow (Minoux 1978).

A step takes a sentence with all that it requires (see `closure`): its gain is the sum of their gains, its length that
of them all. Sums count twice what these sentences have in common; as a rule they are two. By rank, too, a step takes
the sentence whose rating and those of all that it requires have the highest mean.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from nutgraf.extractive import Mask, PartialSummary, Ranking
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
        gains, chosen = objective.gains(candidates), np.flatnonzero(candidates)
        if lift is None:
            lift = _lift(bonus, gains, costs, chosen)
        scores = summary.totals(gains)[chosen] / summary.costs(costs)[chosen] + summary.totals(lift)[chosen]
        best = int(np.round(scores, DIGITS).argmax())
        if scores[best] == -np.inf:
            return
        for index in summary.add(int(chosen[best])):
            objective.add(index)


def select_by_rank(summary: PartialSummary, ranking: Ranking) -> None:
    """Select sentences in the order of a ranking until no other one may be."""
    order = list(ranking.order)
    ratings, ones = np.full(len(ranking.ratings), -np.inf), np.ones(len(ranking.ratings))
    ratings[order] = ranking.ratings[order]
    places = {index: place for place, index in enumerate(order)}
    means = dict[int, float]()
    queue = list[tuple[float, int, int]]()

    def put(indices: Sequence[int]) -> None:
        chosen = np.asarray(indices, dtype=np.int64)
        found = summary.totals(ratings)[chosen] / summary.costs(ones)[chosen]
        for index, mean in zip(indices, found.tolist(), strict=True):
            means[index] = mean
            heapq.heappush(queue, (-mean, places[index], index))

    put([index for index in np.flatnonzero(summary.candidates()).tolist() if index in places])
    while queue and not summary.full:
        mean, _, index = heapq.heappop(queue)
        if -mean == means[index] > -np.inf and summary.add(index):
            put([one for one in summary.smaller if one in places])


def maximize(
    summary: PartialSummary,
    objective: Callable[[], SubmodularObjective],
    *,
    cost_exponent: float = 1.0,
    bonus: Array | None = None,
) -> float:
    """Select greedily by gain over a power of the length, or begin with the best single sentence.

    The second happens if that sentence, with what it requires, is worth more than all that the first way selects.

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
    worth = summary.totals(singles if bonus is None else singles + bonus)
    trial = summary.empty_copy()
    value = extend(trial, first, singles, cost_exponent, bonus)
    candidates = summary.candidates()
    best = int(np.where(candidates, worth, -np.inf).argmax()) if candidates.any() else None
    if best is None or worth[best] <= value:
        for index in trial.selected:
            summary.add(index)
        return value
    second = objective()
    for index in summary.add(best):
        second.add(index)
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
    costs, candidates = _costs(summary, cost_exponent), summary.candidates()
    lift = _lift(bonus, bounds, costs, np.flatnonzero(candidates))
    extra = np.zeros(len(costs)) if bonus is None else bonus
    queue: list[Entry] = []

    def put(indices: Sequence[int], gains: Array, when: int) -> None:
        places = np.asarray(indices, dtype=np.int64)
        scores, values = gains / charged[places], gains
        if bonus is not None:
            scores, values = scores + lifted[places], gains + extras[places]
        for index, score, value in zip(indices, np.round(scores, DIGITS).tolist(), values.tolist(), strict=True):
            heapq.heappush(queue, (-score, index, when, value))

    charged, lifted, extras = summary.costs(costs), summary.totals(lift), summary.totals(extra)
    put(np.flatnonzero(candidates).tolist(), summary.totals(bounds)[candidates], -1)
    value, batch = 0.0, FEWEST
    while queue and not summary.full:
        _, index, when, gain = heapq.heappop(queue)
        if not candidates[index]:
            continue
        if when == len(summary.selected):
            members = summary.add(index)
            for member in members:
                objective.add(member)
            value, batch = value + (gain if members else 0.0), FEWEST if members else batch
            candidates, smaller = summary.candidates(), [one for one in summary.smaller if candidates[one]]
            if smaller:
                charged, lifted, extras = summary.costs(costs), summary.totals(lift), summary.totals(extra)
                put(smaller, summary.totals_of(smaller, _looked_up(bounds)), -1)
            continue
        others = (heapq.heappop(queue)[1] for _ in range(min(batch - 1, len(queue))))
        stale = [index, *(other for other in others if candidates[other])]
        batch = min(2 * batch, MOST)
        put(stale, summary.totals_of(stale, objective.gains_of), len(summary.selected))
    return value


def _looked_up(values: Array) -> Callable[[Sequence[int]], Array]:
    return lambda indices: np.asarray(values[list(indices)])


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
