"""Overlapping marks over a text, cut into pieces that do not overlap.

HTML can only nest, marks may cross: a phrase begins in one sentence's origin and a cut ends in its middle. So every
mark is broken where another one begins or ends, and each piece knows all the marks that cover it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from nutgraf.text.tokenize import Span, token_spans


class Mark(NamedTuple):
    """A mark on the characters from `start` to `end`: its kind, and its number among those of that kind."""

    start: int
    end: int
    kind: str
    key: int = 0


class Piece(NamedTuple):
    """Characters that are all covered by the same marks, in the order in which these were given."""

    start: int
    end: int
    marks: tuple[Mark, ...]

    def keys(self, kind: str) -> tuple[int, ...]:
        """Which marks of a kind cover this piece."""
        return tuple(mark.key for mark in self.marks if mark.kind == kind)


def split(start: int, end: int, marks: Iterable[Mark]) -> list[Piece]:
    """Cut `start` to `end` wherever a mark begins or ends.

    The pieces are not empty, follow each other without a gap and cover the whole; what lies outside, and marks of no
    length, are left out. Takes O(n log n), times the number of marks that lie over one place.
    """
    inside = [(max(start, mark.start), min(end, mark.end), mark) for mark in marks]
    inside = [one for one in inside if one[0] < one[1]]
    opening, closing = defaultdict[int, list[int]](list), defaultdict[int, list[int]](list)
    for number, (begin, stop, _) in enumerate(inside):
        opening[begin].append(number)
        closing[stop].append(number)
    pieces, active, at = list[Piece](), set[int](), start
    for border in sorted({start, end, *opening, *closing} if start < end else ()):
        if at < border:
            pieces.append(Piece(at, border, tuple(inside[number][2] for number in sorted(active))))
        active.difference_update(closing.get(border, ()))
        active.update(opening.get(border, ()))
        at = border
    return pieces


def merge(spans: Iterable[Span]) -> list[Span]:
    """The same characters in as few spans as possible, in order."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if start >= end:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


class PhraseFinder:
    """Finds phrases in a text, word by word: "art" is not found in "party", "swing  bridge" is in "Swing bridge"."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self._by_first: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        for phrase in phrases:
            words = tuple(word for word, _ in _words(phrase))
            if words:
                self._by_first[words[0]].add(words)

    def __call__(self, text: str) -> list[Span]:
        """Spans of everything found, overlapping ones merged."""
        found = _words(text)
        words = tuple(word for word, _ in found)
        return merge(
            (span[0], found[place + len(phrase) - 1][1][1])
            for place, (word, span) in enumerate(found)
            for phrase in self._by_first.get(word, ())
            if words[place : place + len(phrase)] == phrase
        )


def _words(text: str) -> Sequence[tuple[str, Span]]:
    return [(text[start:end].casefold(), (start, end)) for start, end in token_spans(text)]
