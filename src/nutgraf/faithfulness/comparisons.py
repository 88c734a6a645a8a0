"""Comparisons in English: "more of this than of that", and the same with the two sides exchanged."""

from __future__ import annotations

from collections.abc import Collection, Sequence

THAN = "than"

LEAST_SHARED = 0.8
"""Share of the content words that both sentences must have for one to be compared with the other."""


def turned(own: Sequence[str], theirs: Sequence[str], small: Collection[str]) -> int | None:
    """Return the place of the first word after "than" that the other sentence has before it, or None.

    >>> turned("ewes eat more than rams".split(), "rams eat more than ewes".split(), ("more", "than"))
    4

    Args:
        own: Lowercased words of a sentence.
        theirs: Those of the one that it follows.
        small: Stop words, which count on neither side.
    """
    if own.count(THAN) != 1 or theirs.count(THAN) != 1 or degrees(own) != degrees(theirs):
        return None
    first, second = own.index(THAN), theirs.index(THAN)
    before, after = _content(own[:first], small), _content(own[first:], small)
    their_before, their_after = _content(theirs[:second], small), _content(theirs[second:], small)
    shared = (before | after) & (their_before | their_after)
    if len(shared) < LEAST_SHARED * len(before | after):
        return None
    mine, other = after - before, their_after - their_before  # "farms" is on both sides of "hill farms than lake farms"
    if mine and other and mine <= their_before - their_after and other <= before - after:
        return next(place for place, word in enumerate(own) if place > first and word in mine)
    return None


def degrees(words: Sequence[str]) -> set[str]:
    """Return the words that say in which direction is compared."""
    return {
        word for word in words if word in ("more", "less", "fewer", "worse") or (len(word) > 4 and word.endswith("er"))
    }


def _content(words: Sequence[str], small: Collection[str]) -> set[str]:
    return {word for word in words if word not in small and word != THAN}
