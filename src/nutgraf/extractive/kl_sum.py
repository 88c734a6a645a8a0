"""KLSum (Haghighi and Vanderwende, *Exploring Content Models for Multi-Document Summarization*, 2009, Sec. 3.2).

The summary is the one whose words are distributed most as the input's are: the Kullback-Leibler divergence of the
input's distribution from the summary's is smallest. Sentences are added greedily. The distributions are of content
words; the summary's is smoothed by adding `smoothing` to every count, which the paper leaves open.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nutgraf.extractive import Mask, PartialSummary, Ranking, Ratings, SentenceSelector, bonus_of, boosted
from nutgraf.extractive.greedy import LAST, select_greedily
from nutgraf.presets.ranges import PositiveFloat
from nutgraf.text.counts import term_counts
from nutgraf.text.document import Document
from nutgraf.text.vectors import Array


@dataclass(frozen=True)
class Config:
    """KLSum."""

    smoothing: PositiveFloat = 0.01
    """Number added to the count of each word in the summary."""


class KlSum(SentenceSelector):
    """Selects sentences whose words are distributed as the input's."""

    config: Config

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank by how much nearer each sentence alone comes to the input than an empty summary."""
        return Ranking.by(boosted(_Divergence(document, self.config.smoothing).decrease(), boosts))

    def pick(self, document: Document, summary: PartialSummary, boosts: Ratings | None = None) -> Ranking:
        """Add the sentence that makes the divergence smallest, until the length is reached."""
        divergence = _Divergence(document, self.config.smoothing)
        decrease = divergence.decrease()
        select_greedily(summary, divergence, bonus_of(decrease, boosts))
        return Ranking.by(boosted(decrease, boosts))


class _Divergence:
    """Divergence of the input from the sentences selected so far."""

    def __init__(self, document: Document, smoothing: float) -> None:
        self._counts = term_counts(document).matrix.scipy
        totals = np.asarray(self._counts.sum(axis=0)).ravel()
        self._input = totals / max(totals.sum(), 1.0)
        self._sizes = np.asarray(self._counts.sum(axis=1)).ravel()
        self._rows = np.repeat(np.arange(len(self._sizes)), np.diff(self._counts.indptr))
        self._summary = np.full(len(totals), smoothing)
        self._total = smoothing * len(totals)

    def decrease(self) -> Array:
        """Decrease of the divergence by each sentence; negative where it grows."""
        if not self._counts.nnz:
            return np.zeros(len(self._sizes))
        terms = self._counts.indices
        ratios = np.log1p(self._counts.data / self._summary[terms])
        nearer = np.bincount(self._rows, weights=self._input[terms] * ratios, minlength=len(self._sizes))
        return np.asarray(nearer - np.log1p(self._sizes / self._total))

    def gains(self, candidates: Mask) -> Array:
        """Decrease of the divergence; sentences without a content word come last."""
        return np.where(self._sizes > 0, self.decrease(), LAST)

    def add(self, index: int) -> None:
        """Select a sentence."""
        start, end = self._counts.indptr[index : index + 2]
        self._summary[self._counts.indices[start:end]] += self._counts.data[start:end]
        self._total += self._sizes[index]
