"""Maximal marginal relevance (Carbonell and Goldstein 1998): a rule of selection for every ranking.

The next sentence is the one with the largest λ·rating − (1 − λ)·(largest cosine with a selected sentence). Their query
is the ranking here: ratings are scaled to [0, 1], so that they can be weighed against cosines of tf-idf vectors.
"""

from __future__ import annotations

import numpy as np

from nutgraf.extractive import Mask, Ranking
from nutgraf.text.counts import term_counts
from nutgraf.text.document import Document
from nutgraf.text.vectors import Array, RedundancyFilter, tfidf


class MarginalRelevance:
    """Gains by maximal marginal relevance; sentences that a ranking leaves out are never selected.

    Args:
        ranking: Ratings of the sentences.
        document: The text.
        weight: λ, the weight of the rating; 1 looks at ratings only.
    """

    def __init__(self, ranking: Ranking, document: Document, weight: float) -> None:
        ratings = ranking.ratings
        spread = np.ptp(ratings) if ratings.size else 0.0
        scaled = (ratings - ratings.min()) / spread if spread > 0 else np.zeros_like(ratings)
        self._relevance = np.full(len(ratings), -np.inf)
        ranked = list(ranking.order)
        self._relevance[ranked] = weight * scaled[ranked]
        self._redundancy_weight = 1 - weight
        self._selected = RedundancyFilter(tfidf(term_counts(document).matrix))

    def gains(self, candidates: Mask) -> Array:
        """Marginal relevance of each sentence."""
        return self._relevance - self._redundancy_weight * self._selected.similarity

    def add(self, index: int) -> None:
        """Select a sentence."""
        self._selected.add(index)
