"""SumBasic (Nenkova and Vanderwende, *The Impact of Frequency on Summarization*, 2005).

A sentence weighs the mean probability of its content words. The heaviest sentence among those that contain the most
probable word is selected, and the probabilities of its words are squared, so that the next one tells something else.

A highlighted sentence need not contain the most probable word.
"""

from __future__ import annotations

import numpy as np

from nutgraf.extractive import Mask, PartialSummary, Ranking, Ratings, SentenceSelector, bonus_of, boosted
from nutgraf.extractive.greedy import select_greedily
from nutgraf.presets.family import NoOptions
from nutgraf.text.counts import term_counts
from nutgraf.text.document import Document
from nutgraf.text.vectors import Array


class SumBasic(SentenceSelector):
    """Selects sentences with frequent words, each time with other ones."""

    config: NoOptions

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank by the mean probability of the words."""
        return Ranking.by(boosted(_Probabilities(document).weights(), boosts))

    def pick(self, document: Document, summary: PartialSummary, boosts: Ratings | None = None) -> Ranking:
        """Add the heaviest sentence with the most probable word, until the length is reached."""
        probabilities = _Probabilities(document, None if boosts is None else boosts > 1)
        weights = probabilities.weights()
        select_greedily(summary, probabilities, bonus_of(weights, boosts))
        return Ranking.by(boosted(weights, boosts))


class _Probabilities:
    """Probabilities of the words, squared where they were selected."""

    def __init__(self, document: Document, highlighted: Mask | None = None) -> None:
        self._counts = term_counts(document).matrix.scipy
        totals = np.asarray(self._counts.sum(axis=0)).ravel()
        self._probabilities = totals / max(totals.sum(), 1.0)
        self._sizes = np.maximum(np.asarray(self._counts.sum(axis=1)).ravel(), 1.0)
        self._rows = np.repeat(np.arange(len(self._sizes)), np.diff(self._counts.indptr))
        self._highlighted = np.zeros(len(self._sizes), dtype=bool) if highlighted is None else highlighted

    def weights(self) -> Array:
        """Mean probability of the words of each sentence."""
        return np.asarray((self._counts @ self._probabilities) / self._sizes)

    def gains(self, candidates: Mask) -> Array:
        """Weights; sentences without the most probable word of all candidates come after those with it."""
        return np.where(self._holders(candidates) | self._highlighted, self.weights(), self.weights() - 1)

    def _holders(self, candidates: Mask) -> Mask:
        """Tell which sentences contain the most probable word; of equal words, the first in the text."""
        holders = np.zeros(len(self._sizes), dtype=bool)
        terms = self._counts.indices[candidates[self._rows]]
        if terms.size:
            top = terms[self._probabilities[terms].argmax()]
            holders[self._rows[self._counts.indices == top]] = True
        return holders

    def add(self, index: int) -> None:
        """Select a sentence."""
        start, end = self._counts.indptr[index : index + 2]
        self._probabilities[self._counts.indices[start:end]] **= 2
