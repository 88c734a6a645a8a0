"""ROUGE-N, L, W, S and SU: hits of one hypothesis with one reference."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from nutgraf.metrics._rouge_count import ngram_hits, ngram_total, skip_hits, skip_total
from nutgraf.metrics._rouge_lcs import lcs_length, union_hits
from nutgraf.metrics._rouge_text import TextPair
from nutgraf.metrics._rouge_weighted import weighted_hits, weighted_length

DIGITS = 5
"""Digits to which the script rounds."""


class Match(NamedTuple):
    """Hits, and the units of each text that could be hit.

    Attributes:
        hits: Number or weight of the hits.
        hypothesis: Units of the hypothesis.
        reference: Units of the reference.
        length: Divisor by which the script compares several references.
        rounded: True if the script rounds that quotient.
        root: Exponent of the shares.
    """

    hits: float
    hypothesis: float
    reference: float
    length: float
    rounded: bool = True
    root: float = 1.0

    @property
    def precision(self) -> float:
        """Share of the hypothesis that is hit."""
        return self._share_of(self.hypothesis)

    @property
    def recall(self) -> float:
        """Share of the reference that is hit."""
        return self._share_of(self.reference)

    @property
    def merit(self) -> float:
        """Value by which the best of several references is chosen, the first among equals."""
        merit = self._share_of(self.length)
        return round(merit, DIGITS) if self.rounded else merit

    def _share_of(self, units: float) -> float:
        return float((self.hits / units) ** self.root) if units else 0.0


Variant = Callable[[TextPair], Match]


def parse(name: str, weight: float, like: str) -> Variant:
    """Return the variant of a name: 1, 2 and so on, L, Lsum, W, S*, S4, SU*, SU4 and so on."""
    if found := re.fullmatch(r"[1-9]\d*", name):
        return NGrams(int(name))
    if like == "rouge-score":
        if name in ("L", "Lsum"):
            return whole_text if name == "L" else by_sentence
        raise ValueError(f"the package rouge-score has no variant {name!r}; it has 1, 2 and so on, L, Lsum.")
    if name in ("L", "Lsum"):
        return by_sentence
    if name == "W":
        return Weighted(weight)
    if found := re.fullmatch(r"S(U?)(\*|\d+)", name):
        return SkipBigrams(None if found[2] == "*" else int(found[2]), bool(found[1]))
    raise ValueError(f"there is no variant {name!r}; there are 1, 2 and so on, L, Lsum, W, S*, SU*, S4, SU4 and so on.")


@dataclass(frozen=True)
class NGrams:
    """ROUGE-N, across sentence boundaries."""

    n: int

    def __call__(self, pair: TextPair) -> Match:
        return _counted(
            ngram_hits(pair, self.n),
            ngram_total(len(pair.hypothesis.words), self.n),
            ngram_total(len(pair.reference.words), self.n),
        )


@dataclass(frozen=True)
class SkipBigrams:
    """ROUGE-S and SU, across sentence boundaries."""

    gap: int | None
    """Maximum number of words between two; None for any number."""

    unigrams: bool
    """Count single words as well."""

    def __call__(self, pair: TextPair) -> Match:
        return _counted(
            skip_hits(pair, self.gap, self.unigrams),
            skip_total(len(pair.hypothesis.words), self.gap, self.unigrams),
            skip_total(len(pair.reference.words), self.gap, self.unigrams),
        )


def by_sentence(pair: TextPair) -> Match:
    """ROUGE-L of summaries: union of each reference sentence's common subsequences with the hypothesis's sentences.

    No word counts more often than it occurs in either text.
    """
    on_path = union_hits(pair.hypothesis.sentences, pair.reference.sentences, pair.shared)
    counts = pair.hypothesis.counts
    hits = sum(min(places, counts[word]) for word, places in on_path.items())
    ours, theirs = len(pair.hypothesis.words), len(pair.reference.words)
    return Match(hits, ours, theirs, theirs, rounded=False)


def whole_text(pair: TextPair) -> Match:
    """ROUGE-L of the package rouge-score: one common subsequence of both texts."""
    ours, theirs = pair.hypothesis.words, pair.reference.words
    return _counted(lcs_length(ours, theirs), len(ours), len(theirs))


@dataclass(frozen=True)
class Weighted:
    """ROUGE-W."""

    weight: float

    def __call__(self, pair: TextPair) -> Match:
        length = weighted_length(pair.reference, self.weight)
        return Match(
            weighted_hits(pair, self.weight),
            len(pair.hypothesis.words) ** self.weight,
            length**self.weight,
            length,
            rounded=False,
            root=1 / self.weight,
        )


def _counted(hits: int, hypothesis: int, reference: int) -> Match:
    return Match(hits, hypothesis, reference, reference)
