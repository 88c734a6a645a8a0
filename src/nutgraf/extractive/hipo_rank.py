"""HipoRank (Dong, Mircea and Cheung, *Discourse-Aware Unsupervised Summarization of Long Scientific Documents*, 2021).

The sentences of a section vote on each other, and all sections vote on each sentence, by their similarity (Sec. 3.2).
Votes are directed (Sec. 3.3): one for a sentence nearer to a border of its section than the voter weighs `lambda2`,
one for a sentence farther from it `lambda1`; likewise for sections and the borders of the document. Where both are
equally near, the weight is `lambda2`, as in the authors' program. The distance from a border is min(x, α·(n − 1 − x))
for place x of n, from 0.

The paper's vectors are those of language models; ours are tf-idf, and a section's is the mean of its sentences'. The
edge between a sentence and its own section counts, too. A text without sections is one section.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from nutgraf.extractive import Integers, Ranking, Ratings, SentenceRanker, boosted, border_distances, sections_of
from nutgraf.presets.ranges import NonNegativeFloat
from nutgraf.text.counts import term_counts
from nutgraf.text.document import Document
from nutgraf.text.vectors import Array, Rows, normalize_rows, products_below, rows_from, tfidf


@dataclass(frozen=True)
class Config:
    """HipoRank."""

    lambda1: float = 0.0
    """Weight of a vote for a sentence or section that is farther from a border than the voter."""

    lambda2: float = 1.0
    """Weight of a vote for a sentence or section that is nearer to a border than the voter."""

    alpha: NonNegativeFloat = 1.0
    """Distance from the end relative to distance from the beginning; below 1 ends count as nearer."""

    mu: NonNegativeFloat = 0.5
    """Weight of the votes of sections beside those of sentences."""

    def __post_init__(self) -> None:
        if self.lambda1 > self.lambda2:
            raise ValueError("lambda1 must not be above lambda2")


class HipoRank(SentenceRanker):
    """Rates sentences by centrality in their section and among all sections."""

    config: Config

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank by μ·inter + intra."""
        if not document.sentences:
            return Ranking.by(np.zeros(0))
        vectors = tfidf(term_counts(document).matrix)
        labels, parts = sections_of(document)
        ratings = self.config.mu * self._inter(vectors, labels, parts)
        borders = np.searchsorted(labels, np.arange(labels[-1] + 2))
        for start, end in pairwise(borders.tolist()):
            ratings[start:end] += self._intra(vectors.between(start, end))
        return Ranking.by(boosted(ratings, boosts))

    def _intra(self, vectors: Rows) -> Array:
        """Mean weight of the edges to each sentence from the others of its section."""
        count = vectors.shape[0]
        if count == 1:
            return np.zeros(1)
        distances = border_distances(np.zeros(count, dtype=np.int64), self.config.alpha)
        nearer = products_below(vectors, distances, vectors, distances)
        every = vectors @ vectors.column_sums() - vectors.sums(vectors.data**2)
        return np.asarray(self._directed(nearer, every) / (count - 1))

    def _inter(self, vectors: Rows, labels: Integers, parts: Integers) -> Array:
        """Mean weight of the edges to each sentence from all sections."""
        from scipy import sparse

        shape = (len(parts), len(labels))
        members = sparse.csr_matrix((np.ones(len(labels)), (labels, np.arange(len(labels)))), shape=shape)
        sections = normalize_rows(rows_from(members @ vectors.scipy))
        distances = border_distances(parts, self.config.alpha)
        nearer = products_below(vectors, distances[labels], sections, distances)
        every = vectors @ sections.column_sums()
        return self._directed(nearer, every) / len(parts)

    def _directed(self, nearer: Array, every: Array) -> Array:
        """Weigh the votes of those nearer to a border by λ1, of the others by λ2."""
        return np.asarray(self.config.lambda1 * nearer + self.config.lambda2 * (every - nearer))
