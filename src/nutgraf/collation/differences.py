"""Numbers and dates of several texts that differ about the same thing.

A number that another text has, too, agrees with it. Of the others, those that are about the same thing are looked for:
by the words around them, by what is counted, by how near their values are, and by how many numbers of their kind the
texts leave to choose from. What speaks for a pair is added up in logarithms, as odds are.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from nutgraf.collation.days import Day
from nutgraf.collation.likeness import Pairs
from nutgraf.collation.mentions import Mention
from nutgraf.collation.records import Kind
from nutgraf.text.vectors import Array

LEAST = 0.3
"""Score from which on two numbers that differ are about the same thing."""

SURE = 2.5
"""Score from which on two equal numbers are; how unlikely they are to be equal by chance counts for them."""

UNLIKELY = 0.03
"""Chance below which a number that another text has anywhere is the same."""

WEIGHTS = np.array([2.4, 1.0, 1.5, 0.0, 1.3, 0.2])
"""Weights of `likeness.FEATURES`."""

CONSTANT = 0.7
"""Score of two numbers around which no word is the same."""

FLOOR, FAR = 0.1, 1.0
"""Cosine of the sentences, or of the words around the numbers, below which this counts against a pair."""

CHOICE, TEN_EACH = 0.5, 100
"""How much the logarithm of the number of pairs of sentences speaks against one of them, beyond ten sentences each."""

OTHERS, RIVALS = 0.6, 0.3
"""The same for the numbers of the kind that are left, and for those among them that would do nearly as well."""

LONE = 1.5
"""What speaks for two measures that are the only ones of their kind that two short texts leave."""

SLIP = 2.5
"""What speaks for two numbers of the same figures in another order: 48 and 84 are seldom so by chance."""

NEAR, PER_RATIO, FARTHEST = 1.5, 2.8, -6.0
"""What speaks for two nearly equal numbers, what it loses with the logarithm of their ratio, and the least of it."""

SMALL = 12
"""Largest number that is so common that two of them are near each other by chance."""

WEEKDAYS = -1.0
"""What speaks for two days of the week: news name several of them for what happened one after the other."""

ORDERS = -0.3
"""What speaks for two places in an order: much is the third of something."""

COUNTED = frozenset({"count", "order", "share", "age"})
"""Kinds of numbers behind which stands what is counted."""

BESIDE = 0.25
"""Cosine of the words around two numbers from which on they are more than by chance the same."""

OTHER_NOUNS = 0.3
"""What speaks against two numbers that count different things, by the words behind them."""

OTHER_DAYS, OTHER_PEOPLE = 1.5, 2.5
"""What speaks against two days of the week, and two ages, beside which hardly a word is the same."""

RELATED, STRANGE = 0.06, 0.7
"""Share of their sentences that two texts about one event have in common, and how much it counts if they have fewer."""

MOMENTS = frozenset({"weekday", "date", "time of day", "year"})
"""What several events of a text may have in common, so that one that agrees need not be about the same event."""


class Pair(NamedTuple):
    """Two mentions of different texts that are about the same thing; `score` says how much speaks for it."""

    first: int
    second: int
    score: float


class Found(NamedTuple):
    """Pairs of mentions that are about the same thing.

    Attributes:
        differing: Those that differ, the surest first; a mention is in one of them for each other text.
        agreeing: Those that agree.
    """

    differing: list[Pair]
    agreeing: list[Pair]


def differences(
    found: Sequence[Mention],
    parts: Sequence[int],
    lengths: Sequence[int],
    shared: Mapping[tuple[int, int], int],
    pairs: Pairs,
) -> Found:
    """Find the mentions of different texts that are about the same thing.

    Args:
        found: The mentions.
        parts: Text of each.
        lengths: Sentences of each text.
        shared: Sentences of one text that another says, too, for each pair of texts that share any.
        pairs: Pairs of them that may be about the same thing.
    """
    agreeing, open_ = [], []
    for pair, features in zip(_scored(pairs), pairs.features, strict=True):
        one, other = found[pair.first], found[pair.second]
        if not one.agrees(other):
            texts = parts[pair.first], parts[pair.second]
            size, common = lengths[texts[0]] * lengths[texts[1]], min(shared.get(texts, 0), shared.get(texts[::-1], 0))
            gain = _closeness(one, other) - _strangeness(one.kind, features) - _unrelated(size, common)
            open_.append(pair._replace(score=pair.score + gain))
        elif pair.score - math.log(max(_chance(one), _chance(other))) >= SURE:
            agreeing.append(pair)
    explained = _elsewhere(found, parts)
    for pair in agreeing:
        explained |= {(pair.first, parts[pair.second]), (pair.second, parts[pair.first])}
    open_ = [
        pair
        for pair in open_
        if (pair.first, parts[pair.second]) not in explained and (pair.second, parts[pair.first]) not in explained
    ]
    return Found(_one_each(_beside_others(open_, found, parts, lengths, shared, explained), parts), agreeing)


def _scored(pairs: Pairs) -> list[Pair]:
    scores = pairs.features @ WEIGHTS + CONSTANT
    return [Pair(*one) for one in zip(pairs.first.tolist(), pairs.second.tolist(), scores.tolist(), strict=True)]


def _strangeness(kind: Kind, features: Array) -> float:
    """Return what the words around two numbers speak against a pair."""
    sentence, _, near, noun, head, headless = features
    loss = FAR * (sentence < FLOOR and near < FLOOR and not head)
    if kind in COUNTED and not headless and not noun:
        loss += OTHER_NOUNS
    if kind == "age" and (near < BESIDE or (not headless and not noun)):
        loss += OTHER_PEOPLE
    if kind == "weekday" and near < BESIDE:
        loss += OTHER_DAYS
    return float(loss)


def _unrelated(size: int, common: int) -> float:
    """Return what two texts speak against a pair: the pairs of their sentences, and few statements that they share."""
    choice = CHOICE * max(0.0, math.log(size / TEN_EACH))
    return choice + STRANGE * max(0.0, math.log(RELATED * math.sqrt(size) / (common + 0.5)))


def _beside_others(
    pairs: Sequence[Pair],
    found: Sequence[Mention],
    parts: Sequence[int],
    lengths: Sequence[int],
    shared: Mapping[tuple[int, int], int],
    explained: set[tuple[int, int]],
) -> list[Pair]:
    """Return the pairs with what their rivals take from them, and what they gain if they have none."""
    kinds = Counter((one.key, part) for one, part in zip(found, parts, strict=True))
    settled = Counter((found[at].key, parts[at], other) for at, other in explained if found[at].kind not in MOMENTS)
    likely: dict[tuple[int, int], float] = defaultdict(float)
    for pair in pairs:
        for at, other in (pair[:2], pair[1::-1]):
            likely[at, parts[other]] += math.exp(pair.score)

    def judged(pair: Pair) -> Pair:
        score, both = pair.score, (pair[:2], pair[1::-1])
        left = [
            max(1, kinds[found[at].key, parts[at]] - settled[found[at].key, parts[at], parts[other]])
            for at, other in both
        ]
        score -= OTHERS * sum(map(math.log, left))
        score -= RIVALS * sum(math.log(likely[at, parts[other]]) - pair.score for at, other in both)
        texts = parts[pair.first], parts[pair.second]
        if found[pair.first].kind == "measure" and left == [1, 1] and texts in shared:
            score += LONE * min(1.0, TEN_EACH / (lengths[texts[0]] * lengths[texts[1]]))
        return pair._replace(score=score)

    return list(map(judged, pairs))


def _one_each(pairs: Sequence[Pair], parts: Sequence[int]) -> list[Pair]:
    """Return the pairs that are sure enough; a mention has one partner in each other text, the surest."""
    taken: set[tuple[int, int]] = set()
    chosen = []
    for pair in sorted(pairs, key=lambda pair: (-pair.score, pair)):
        both = {(pair.first, parts[pair.second]), (pair.second, parts[pair.first])}
        if pair.score >= LEAST and taken.isdisjoint(both):
            taken |= both
            chosen.append(pair)
    return chosen


def _elsewhere(found: Sequence[Mention], parts: Sequence[int]) -> set[tuple[int, int]]:
    """Return which numbers that are hardly equal by chance stand in which other texts, whatever their sentences say."""
    holders: dict[float, set[int]] = defaultdict(set)
    for at, one in enumerate(found):
        for value in one.values:
            holders[value].add(parts[at])
    return {
        (at, part)
        for at, one in enumerate(found)
        if _chance(one) < UNLIKELY
        for value in one.values
        for part in holders[value]
        if part != parts[at]
    }


def _chance(one: Mention) -> float:
    """Return how often a text has such a number anyway, about something else."""
    if one.day is not None:
        return 0.03 if one.day.month else 0.15
    if one.numbers:
        return 0.02
    largest = max(one.values)
    return min(0.12, max(1e-4, 1.5 / largest)) if largest > SMALL else 0.12


def _closeness(one: Mention, other: Mention) -> float:
    """Return what speaks for a pair by its values: two reports of one thing seldom differ by much."""
    if one.day and other.day:
        return _apart(one.day, other.day)
    if one.quantity is None or other.quantity is None:
        return 0.0
    slip = SLIP if one.digits == other.digits and len(set(one.digits)) > 1 else 0.0
    if one.kind == "time of day":
        return slip + 0.5 - min(abs(mine - its) for mine in one.amounts for its in other.amounts) / 60
    if one.kind == "order":
        slip += ORDERS
    if one.kind == "year":
        return slip - min(3.0, abs(one.size - other.size) / 10)
    ratio = abs(math.log(one.size / other.size)) if min(one.size, other.size) > 0 else math.inf
    score = max(FARTHEST, NEAR - PER_RATIO * ratio)
    largest = max(*one.values, *other.values)
    if one.quantity.fraction or (one.kind in ("count", "order") and largest <= SMALL):
        return min(score, -1.5)
    return slip + (score if largest > SMALL else min(score, 0.0))


def _apart(one: Day, other: Day) -> float:
    """Return what speaks for two days being said of one thing, by the days between them."""
    if not one.month:
        return WEEKDAYS
    if one.day == other.day and one.day:
        return 0.0
    days = abs(30.4 * (one.month - other.month) + one.day - other.day)
    return 0.4 - min(days, 365 - days) / 25
