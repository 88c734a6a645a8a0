"""Stretches of sources that a model reads beside a sentence of a summary."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise, product

from nutgraf.text.document import Document

Passages = tuple[str, ...]
"""Runs of neighboring sentences, in order."""


class Premises:
    """Windows of the sources, as long as a model reads."""

    def __init__(self, document: Document, count: Callable[[str], int], neighbours: int | None) -> None:
        """Describe windows of `neighbours` sentences around each of the evidence; None for as many as fit."""
        self._document = document
        self._neighbours = len(document.sentences) if neighbours is None else neighbours
        self._length = cache(lambda place: count(document.printed[place]))

    def __call__(self, evidence: Sequence[int], room: int) -> list[Passages]:
        """Return windows around each sentence of the evidence and around all; without any, over all sentences."""
        if not evidence:
            return [self._passages(one) for one in self._covering(room)]
        seeds = [*((one,) for one in evidence), tuple(evidence)]
        return list(dict.fromkeys(self._passages(self._grown(one, room)) for one in seeds))

    def _grown(self, seeds: Sequence[int], room: int) -> list[int]:
        """Return sentences with those around them, the nearest first, as long as there is room."""
        found, first = set(seeds), sorted(seeds)
        left = room - sum(map(self._length, found))
        for distance in range(1, self._neighbours + 1):
            before = len(found)
            for seed, step in product(first, (-1, 1)):
                place, nearer = seed + step * distance, seed + step * (distance - 1)
                fits = nearer in found and self._beside(place, nearer) and self._length(place) <= left
                if fits and place not in found:
                    left -= self._length(place)
                    found.add(place)
            if len(found) == before:
                break
        return sorted(found)

    def _covering(self, room: int) -> Iterator[list[int]]:
        """Yield all sentences in groups that there is room for."""
        group: list[int] = []
        for place in range(len(self._document.sentences)):
            if group and self._length(place) + sum(map(self._length, group)) > room:
                yield group
                group = []
            group.append(place)
        if group:
            yield group

    def _passages(self, places: Sequence[int]) -> Passages:
        """Return sentences as runs of neighbors in one source."""
        printed = self._document.printed
        breaks = [
            at
            for at, (one, other) in enumerate(pairwise(places), 1)
            if other != one + 1 or not self._beside(other, one)
        ]
        bounds = pairwise([0, *breaks, len(places)])
        return tuple(" ".join(printed[place] for place in places[start:end]) for start, end in bounds)

    def _beside(self, place: int, other: int) -> bool:
        """Return True if there is a sentence at a place, in the same source as another one."""
        sentences = self._document.sentences
        if not 0 <= place < len(sentences):
            return False
        return self._document.part_of(sentences[place].start) == self._document.part_of(sentences[other].start)


def halves(passages: Passages) -> tuple[Passages, Passages]:
    """Part passages in two: between passages, at white space in the middle of a single one, or else in its middle."""
    if len(passages) > 1:
        return passages[: len(passages) // 2], passages[len(passages) // 2 :]
    text = passages[0]
    middle = text.find(" ", len(text) // 2)
    at = middle if middle > 0 else text.rfind(" ", 0, len(text) // 2)
    at = at if at > 0 else len(text) // 2
    return (text[:at].rstrip(),), (text[at:].lstrip(),)
