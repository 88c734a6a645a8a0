"""Graph sampling: weighted PageRank over the complete graph of sentences.

Baseline A2 of Sarkhel et al. 2020 (MLS), Sec. 3.

An edge has the cosine of two tf-idf vectors as its weight (idf over the document's own sentences, without stop words,
without stemming). The matrix of cosines V·Vᵀ is never built: the walk multiplies by Vᵀ, then by V.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nutgraf.extractive import Ranking, Ratings, SentenceRanker, boosted
from nutgraf.presets.ranges import ProperShare
from nutgraf.text.document import Document
from nutgraf.text.vectors import Array, Matrix, count_terms, tfidf


@dataclass(frozen=True)
class Config:
    """Graph sampling."""

    damping: ProperShare = 0.85
    """Damping factor of PageRank."""


class GraphSample(SentenceRanker):
    """Rates sentences by PageRank on the graph of their cosines."""

    config: Config

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank by PageRank."""
        stop = document.stop_words
        ratings = _cosine_pagerank(
            tfidf(count_terms([[word for word in sentence if word not in stop] for sentence in document.words])).scipy,
            self.config.damping,
        )
        return Ranking.by(boosted(ratings, boosts))


def _cosine_pagerank(vectors: Matrix, damping: float, tolerance: float = 1e-9, rounds: int = 200) -> Array:
    """PageRank on the graph with weights V·Vᵀ without its diagonal; the ranks sum to 1."""
    count = vectors.shape[0]
    if not count:
        return np.zeros(0)
    transposed = vectors.T.tocsr()
    own = np.asarray(vectors.multiply(vectors).sum(axis=1)).ravel()
    strengths = vectors @ (transposed @ np.ones(count)) - own
    isolated = strengths <= 1e-12
    strengths[isolated] = 1.0
    ranks = np.full(count, 1.0 / count)
    for _ in range(rounds):
        flow = np.where(isolated, 0.0, ranks / strengths)
        arrived = vectors @ (transposed @ flow) - own * flow
        moved = (1 - damping) / count + damping * (arrived + ranks[isolated].sum() / count)
        if np.abs(moved - ranks).sum() < tolerance:
            return np.asarray(moved)
        ranks = moved
    return ranks
