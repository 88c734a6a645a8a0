"""Latent semantic analysis (Steinberger and Ježek 2004).

*Using Latent Semantic Analysis in Text Summarization and Summary Evaluation* decomposes the terms × sentences matrix A
into U·Σ·Vᵀ. A sentence's rating is its length in the space of topics, weighted by their singular values:
√(Σ_i v_i²·σ_i²). Topics are those whose singular value is at least half of the largest one.

The paper leaves the weights in A open; ours are tf·idf with idf = ln(1 + N/df).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse.linalg import svds

from nutgraf.extractive import Ranking, Ratings, SentenceRanker, boosted
from nutgraf.presets.ranges import PositiveInt, Share
from nutgraf.text.counts import term_counts
from nutgraf.text.document import Document
from nutgraf.text.vectors import Array, Matrix, weighted_counts

SMALL = 200
"""Number of sentences or terms up to which all singular values are computed."""


@dataclass(frozen=True)
class Config:
    """Latent semantic analysis."""

    max_topics: PositiveInt = 20
    """Maximum number of topics."""

    min_singular_value: Share = 0.5
    """Singular value of a topic at least, relative to the largest one."""


class Lsa(SentenceRanker):
    """Rates sentences by their length in the space of the main topics."""

    config: Config

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank by length in the space of topics."""
        return Ranking.by(boosted(self._lengths(weighted_counts(term_counts(document).matrix).scipy), boosts))

    def _lengths(self, vectors: Matrix) -> Array:
        if not vectors.nnz:
            return np.zeros(vectors.shape[0])
        sentences, values = _decompose(vectors, self.config.max_topics)
        # Singular values that differ by rounding only are on the same side of the bound.
        kept = values >= self.config.min_singular_value * values[0] - 1e-9 * values[0]
        return np.asarray(np.sqrt(np.square(sentences[:, kept] * values[kept]).sum(axis=1)))


def _decompose(vectors: Matrix, topics: int) -> tuple[Array, Array]:
    """Left singular vectors [sentences × topics] and singular values, largest first."""
    if min(vectors.shape) <= max(SMALL, topics):
        left, values, _ = np.linalg.svd(vectors.toarray(), full_matrices=False)
        return left[:, :topics], values[:topics]
    left, values, _ = svds(vectors, k=topics, v0=np.ones(min(vectors.shape)))
    largest_first = np.argsort(-values, kind="stable")
    return left[:, largest_first], values[largest_first]
