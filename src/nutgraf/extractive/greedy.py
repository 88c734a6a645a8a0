"""Greedy selection: the next sentence is the one that adds most to those selected.

Where the length is measured in words, a gain may be divided by a power of the sentence's length (Lin and Bilmes,
*Multi-document Summarization via Budgeted Maximization of Submodular Functions*, 2010, Algorithm 1). For monotone
submodular objectives the better of this selection and the best single sentence is worth at least (1 − 1/e)/2 of the
optimum, with exponent 1 (Khuller, Moss and Naor 1999; Leskovec et al. 2007), and gains need to be computed only for
sentences whose earlier gain is largest, as gains never grow (Minoux 1978).

A sentence is looked at when it has the best score. If it is then found to require others (`nutgraf.prose.closure`), it
is given the score of all of them together, for which it may be that another one comes first.
"""

from __future__ import annotations

import bisect
import heapq
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from nutgraf.extractive import Mask, PartialSummary, Ranking, Ratings, SentenceRanker, SentenceSelector
from nutgraf.text.document import Document
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
        """Gains of some sentences, each beside those selected."""

    def gain_of_all(self, indices: Sequence[int]) -> float:
        """Gain of some sentences together beside those selected."""

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
            lift = _lift(bonus, gains, costs, [] if bonus is None else _admitted(summary, candidates))
        added = _add_best(summary, candidates, gains, costs, lift)
        if not added:
            return
        for index in added:
            objective.add(index)


def _add_best(summary: PartialSummary, candidates: Mask, gains: Array, costs: Array, lift: Array) -> tuple[int, ...]:
    """Add the sentence that has the best score, together with what it requires; nothing if none may be added."""
    scores = np.where(candidates, np.round(gains / costs + lift, DIGITS), -np.inf)
    weighed = set[int]()
    while scores[best := int(scores.argmax())] > -np.inf:
        members = list(summary.together(best))
        if len(members) > 1 and best not in weighed and best not in summary.asked:
            weighed.add(best)
            scores[best] = np.round(gains[members].sum() / costs[members].sum() + lift[members].sum(), DIGITS)
        elif members and (added := summary.add(best)):
            return added
        else:
            scores[best] = -np.inf
    return ()


def select_by_rank(summary: PartialSummary, ranking: Ranking) -> None:
    """Select sentences in the order of a ranking until no other one may be.

    A sentence that requires others has the place of the mean of their ratings.
    """
    order, ratings = list(ranking.order), ranking.ratings
    places = {index: place for place, index in enumerate(order)}
    queue: list[tuple[float, int]] = [(place, index) for place, index in enumerate(order)]
    weighed = set[int]()
    while queue and not summary.full:
        _, index = heapq.heappop(queue)
        members = list(summary.together(index))
        if len(members) > 1 and index not in weighed and index not in summary.asked:
            weighed.add(index)
            later = bisect.bisect_left(
                order, -ratings[members].mean(), places[index] + 1, key=lambda one: -ratings[one]
            )
            heapq.heappush(queue, (later - 0.5, index))
        elif members and summary.add(index):
            weighed.difference_update(summary.freed)
            for one in summary.freed:
                if one in places:
                    heapq.heappush(queue, (places[one], one))


def select_by(method: SentenceRanker, document: Document, summary: PartialSummary, boosts: Ratings | None) -> Ranking:
    """Select sentences by another method, whether it selects a set or only ranks; see `SentenceSelector.pick`."""
    if isinstance(method, SentenceSelector):
        return method.pick(document, summary, boosts)
    ranking = method.rank(document, boosts)
    select_by_rank(summary, ranking)
    return ranking


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
    extra = np.zeros(len(singles)) if bonus is None else bonus
    trial = summary.empty_copy()
    value = extend(trial, first, singles, cost_exponent, bonus)
    second = objective()
    best = next(filter(summary.together, np.argsort(-singles - extra, kind="stable").tolist()), None)
    members = () if best is None else summary.together(best)
    worth = second.gain_of_all(members) + float(extra[list(members)].sum())
    if best is None or worth <= value:
        for index in trial.selected:
            summary.add(index)
        return value
    for index in summary.add(best):
        second.add(index)
    return worth + extend(summary, second, singles, cost_exponent, bonus)


def extend(
    summary: PartialSummary,
    objective: SubmodularObjective,
    bounds: Array,
    cost_exponent: float = 0.0,
    bonus: Array | None = None,
) -> float:
    """Add sentences greedily until no other one may be added; without a bonus only what is tried is looked at.

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
    lift = _lift(bonus, bounds, costs, [] if bonus is None else _admitted(summary, candidates))
    extra = np.zeros(len(costs)) if bonus is None else bonus
    queue: list[Entry] = []

    def put(indices: Sequence[int], gains: Array, when: int) -> None:
        places = np.asarray(indices, dtype=np.int64)
        scores = np.round(gains / costs[places] + lift[places], DIGITS).tolist()
        for index, score, value in zip(indices, scores, (gains + extra[places]).tolist(), strict=True):
            heapq.heappush(queue, (-score, index, when, value))

    put(first := np.flatnonzero(candidates).tolist(), bounds[first], -1)
    value, batch, weighed = 0.0, FEWEST, set[int]()
    while queue and not summary.full:
        _, index, when, gain = heapq.heappop(queue)
        if not candidates[index]:
            continue
        if when < len(summary.selected):
            others = (heapq.heappop(queue)[1] for _ in range(min(batch - 1, len(queue))))
            stale = [index, *(other for other in others if candidates[other])]
            batch = min(2 * batch, MOST)
            put(stale, objective.gains_of(stale), len(summary.selected))
            continue
        members = list(summary.together(index))
        if len(members) > 1 and index not in weighed and index not in summary.asked:
            weighed.add(index)
            united = objective.gain_of_all(members)
            score = round(float(united / costs[members].sum() + lift[members].sum()), DIGITS)
            heapq.heappush(queue, (-score, index, when, united + float(extra[members].sum())))
        elif members and (added := summary.add(index)):
            for one in added:
                objective.add(one)
            value, batch, candidates = value + gain, FEWEST, summary.candidates()
            weighed.clear()
            freed = [one for one in summary.freed if candidates[one]]
            put(freed, bounds[freed], -1)
    return value


def _costs(summary: PartialSummary, exponent: float) -> Array:
    """Power of the length of each sentence; 1 where the length is one in sentences."""
    return np.asarray(np.maximum(summary.lengths, 1) ** (exponent if summary.charges_length else 0.0), dtype=np.float64)


def _admitted(summary: PartialSummary, candidates: Mask) -> list[int]:
    """Candidates that are good enough, for which all of them are judged."""
    return list(filter(summary.admits, np.flatnonzero(candidates).tolist()))


def _lift(bonus: Array | None, bounds: Array, costs: Array, candidates: Sequence[int]) -> Array:
    """Bonus of each sentence, times the ratio of the largest bound for its length to the largest bound."""
    if bonus is None:
        return np.zeros(len(costs))
    bounds, costs = bounds[candidates], costs[candidates]
    largest = float(bounds.max()) if bounds.size else 0.0
    return np.asarray(bonus * (float((bounds / costs).max()) / largest if largest > 0 else 1.0))
