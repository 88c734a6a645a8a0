"""Surroundings: the odds of an utterance beside those of the utterances around it.

What looks like a decision is one more surely if nothing near looks more like one, and if somebody then promises to
carry it out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from nutgraf.meetings.evidence import KINDS, Evidence, Kind

NEXT, NEAR, WIDE = 3, 8, 20
"""Numbers of utterances before and after one that are beside it, on its subject, and in its part of a meeting."""

NOTHING = -9.0
"""Log odds of where no utterance is."""

Odds = Mapping[Kind, Sequence[float]]
"""Log odds of each utterance, by what it may be."""


def surroundings(first: Odds, kind: Kind) -> list[Evidence]:
    """Evidence of each utterance for a kind, by the odds of all that their own evidence gives.

    Args:
        first: These odds.
        kind: Decision, action or question.
    """
    return [_around(first, kind, number) for number in range(len(first[kind]))]


def _around(first: Odds, kind: Kind, number: int) -> Evidence:
    own, all_odds = first[kind][number], first[kind]
    found: Evidence = {
        "own": own,
        "rank": _rank(all_odds, number, WIDE),
        "wide rank": _rank(all_odds, number, 3 * WIDE),
    }
    found["peak beside"] = float(own > max(_near(all_odds, number, NEXT), default=NOTHING))
    found["peak"] = float(own > max(_near(all_odds, number, NEAR), default=NOTHING))
    found["before"] = _best(all_odds[max(0, number - NEAR) : number])
    found["after"] = _best(all_odds[number + 1 : number + 1 + NEAR])
    for other in KINDS:
        found[f"{other} just before"] = _best(first[other][max(0, number - NEXT) : number])
        found[f"{other} just after"] = _best(first[other][number + 1 : number + 1 + NEXT])
        if other != kind:
            found[f"also {other}"] = _best([first[other][number]])
    return found


def _rank(odds: Sequence[float], number: int, size: int) -> float:
    """Logarithm of the rank of an utterance among those around it."""
    return math.log1p(sum(other > odds[number] for other in _near(odds, number, size)))


def _near(odds: Sequence[float], number: int, size: int) -> list[float]:
    """Odds of the utterances around one."""
    return [*odds[max(0, number - size) : number], *odds[number + 1 : number + 1 + size]]


def _best(odds: Sequence[float]) -> float:
    """Highest chance of some utterances, rare as each of the three is."""
    return 1 / (1 + math.exp(-1 - max(odds, default=NOTHING)))
