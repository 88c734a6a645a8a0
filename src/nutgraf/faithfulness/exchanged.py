"""Figures of two things, exchanged: "2.1 in dark streets and 1.5 in lit ones" said the other way round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from nutgraf.faithfulness.opposites import base_stem
from nutgraf.text.tokenize import Span, is_word, token_spans

FAR = 6
"""Words within which a figure belongs to a word."""

MOST_FIGURES = 20
"""Most figures of a sentence that are compared."""

LEAST_APART = 3
"""Words between two figures; those of a score ("3-2") stand together."""


@dataclass(frozen=True)
class Figures:
    """The words of a sentence outside brackets.

    Attributes:
        stems: Stems of the words, in order.
        places: Place of each content word and each figure that stands once.
        spans: Characters of each word.
    """

    stems: Sequence[str]
    places: Mapping[str, int]
    spans: Sequence[Span]

    @classmethod
    def of(cls, text: str, start: int, end: int, small: Collection[str]) -> Figures:
        """Read the sentence between two characters of a text; `small` are stop words."""
        read = [(text[slice(*span)].lower(), span) for span in _outside_brackets(text, start, end)]
        stems = [base_stem(word) for word, _ in read]
        counts = Counter(stems)
        told = enumerate(zip(stems, read, strict=True))
        places = {stem: place for place, (stem, (word, _)) in told if counts[stem] == 1 and word not in small}
        return cls(stems, places, [span for _, span in read])

    @property
    def figures(self) -> list[str]:
        """Figures that stand once."""
        return [stem for stem in self.places if stem[0].isdigit()]

    def is_nearer(self, word: str, one: str, other: str) -> bool:
        """Return True for a word that stands nearer to one figure than to another, and not far from it.

        Of two that are as near, the word belongs to the one before it.
        """
        near, far = (abs(self.places[word] - self.places[figure]) for figure in (one, other))
        nearer = near < far or (near == far and self.places[one] < self.places[word])
        return nearer and near <= FAR

    def apart(self, one: str, other: str) -> int:
        """Return the number of words from one figure to another."""
        return abs(self.places[one] - self.places[other])

    def beside(self, word: str) -> set[tuple[str, str]]:
        """Return the words before and after a word, each with its side."""
        place = self.places[word]
        before, after = self.stems[max(0, place - 1) : place], self.stems[place + 1 : place + 2]
        return {("before", one) for one in before} | {("after", one) for one in after}


def exchanged(own: Figures, theirs: Figures) -> tuple[Span, Span] | None:
    """Return where two figures stand that another sentence has the other way round; None where there are none.

    In the other sentence each figure stands near one of two words with the same word beside them ("dark streets", "lit
    streets"), in this one near the other of the two.

    Args:
        own: A sentence of a summary.
        theirs: A sentence of its sources.
    """
    figures = [one for one in own.figures if one in theirs.places][:MOST_FIGURES]
    words = [word for word in own.places if word in theirs.places and not word[0].isdigit()]
    for one, other in combinations(figures, 2):
        if min(own.apart(one, other), theirs.apart(one, other)) >= LEAST_APART:
            sides = (
                [word for word in words if theirs.is_nearer(word, this, that) and own.is_nearer(word, that, this)]
                for this, that in ((one, other), (other, one))
            )
            if any(theirs.beside(first) & theirs.beside(second) for first, second in product(*sides)):
                return own.spans[own.places[one]], own.spans[own.places[other]]
    return None


def _outside_brackets(text: str, start: int, end: int) -> Iterator[Span]:
    depth = 0
    for span in token_spans(text, start, end):
        mark = text[slice(*span)]
        depth = max(0, depth + (mark == "(") - (mark == ")"))
        if not depth and is_word(mark):
            yield span
