"""Luhn's method (*The Automatic Creation of Literature Abstracts*, 1958): clusters of significant words.

A word is significant if it is frequent, but no stop word. Within a sentence, significant words with at most four others
between them make a cluster; its score is (significant words)² / (all words), and the best cluster is the sentence's.

Luhn sets the frequency by eye. Here a word is significant if it stands at least twice and makes up at least a
thousandth of the content words; inflected forms count as one word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nutgraf.extractive import Ranking, Ratings, SentenceRanker, boosted
from nutgraf.presets.ranges import NonNegativeInt, PositiveInt, ShareBelowOne
from nutgraf.text.document import Document


@dataclass(frozen=True)
class Config:
    """Luhn's method."""

    min_count: PositiveInt = 2
    """Number of times that a significant word stands in the text at least."""

    min_share: ShareBelowOne = 0.001
    """Share of the content words that a significant word makes up at least."""

    max_gap: NonNegativeInt = 4
    """Maximum number of other words between two significant words of a cluster."""


class Luhn(SentenceRanker):
    """Rates a sentence by its densest cluster of significant words."""

    config: Config

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank by the best cluster."""
        significant = self._significant_words(document)
        ratings = [self._score([word in significant for word in sentence]) for sentence in document.words]
        return Ranking.by(boosted(np.array(ratings, dtype=np.float64), boosts))

    def _significant_words(self, document: Document) -> set[str]:
        counts = Counter(term for sentence in document.terms for term in sentence)
        least = max(self.config.min_count, self.config.min_share * counts.total())
        vocabulary = sorted({word for sentence in document.words for word in sentence})
        return {
            word
            for word, terms in zip(vocabulary, document.terms_of([word] for word in vocabulary), strict=True)
            if terms and counts[terms[0]] >= least
        }

    def _score(self, significant: Sequence[bool]) -> float:
        """Score of the best cluster; 0 without a significant word."""
        clusters: list[list[int]] = []
        for place in (place for place, one in enumerate(significant) if one):
            if clusters and place - clusters[-1][-1] - 1 <= self.config.max_gap:
                clusters[-1].append(place)
            else:
                clusters.append([place])
        return max((len(one) ** 2 / (one[-1] - one[0] + 1) for one in clusters), default=0.0)
