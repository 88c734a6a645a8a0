"""LexRank (Erkan and Radev 2004), with the settings of the summaries that Multi-News and KPAT compare with.

Sentences whose idf-modified cosine (Eq. 1) reaches a threshold are neighbours; each sentence is a neighbour of itself.
The random walk on this graph has no damping, so its stationary distribution on each connected component has a closed
form: proportional to the number of neighbours. Scores are relative to the mean of the component.

The paper itself has a walk that begins anew with probability 0.15 (its Eq. 5 and Sec. 3.2): `damping = 0.85`, with
thresholds from 0.1 to 0.3. Its scores sum to 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from nutgraf.extractive import Integers, Ranking, Ratings, boosted
from nutgraf.extractive._frequencies import FrequencyRanker
from nutgraf.presets.ranges import PositiveInt, PositiveShare, ProperShare
from nutgraf.text.counts import term_counts
from nutgraf.text.document import Document
from nutgraf.text.graph import DENSE, undirected_pagerank
from nutgraf.text.vectors import Array, Matrix, Rows, normalize_rows, scale_columns


@dataclass(frozen=True)
class Config:
    """LexRank."""

    threshold: ProperShare = 0.03
    """Smallest cosine of two neighbours."""

    damping: PositiveShare = 1.0
    """Probability of following an edge rather than beginning anew: 0.85 in the paper; 1 as in the published baselines,
    where each connected component is rated by itself."""

    window: PositiveInt = 2048
    """Number of sentences that are compared with each other. A longer text is rated in windows of equal length, none of
    them longer, as the number of pairs grows with the square of the length."""


class LexRank(FrequencyRanker):
    """Rates sentences by their degree in the similarity graph.

    Without `fit`, idf is computed from the input's sentences.
    """

    config: Config

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank by degree, relative to the mean of the connected component, or by the damped walk."""
        total, frequencies = self.frequencies(document)
        counts = term_counts(document)
        idf = np.array([math.log(total / frequencies[term]) if term in frequencies else 1.0 for term in counts.columns])
        vectors = normalize_rows(scale_columns(counts.matrix, idf))
        return Ranking.by(boosted(self._rates(vectors), boosts))

    def _rates(self, vectors: Rows) -> Array:
        count = vectors.shape[0]
        borders = np.linspace(0, count, math.ceil(count / self.config.window) + 1).astype(int)
        rated = [self._rates_within(vectors.between(start, end)) for start, end in pairwise(borders.tolist())]
        return np.concatenate([ratings * self._share(len(ratings), count) for ratings in rated] or [np.zeros(0)])

    def _share(self, size: int, count: int) -> float:
        """Factor of the ratings of a window: those of a walk sum to 1, the others have a mean of 1."""
        return size / count if self.config.damping < 1 else 1.0

    def _rates_within(self, vectors: Rows) -> Array:
        near = _neighbours(vectors, self.config.threshold)
        if self.config.damping < 1:
            return undirected_pagerank(near, damping=self.config.damping)
        degrees, labels = np.asarray(near @ np.ones(vectors.shape[0])), _components(near)
        return np.asarray(degrees * np.bincount(labels)[labels] / np.bincount(labels, weights=degrees)[labels])


def _neighbours(vectors: Rows, threshold: float) -> Matrix | Array:
    """The graph as a matrix of zeros and ones; a sentence that is like none, itself included, is its own neighbour."""
    if vectors.shape[0] <= DENSE:
        dense = vectors.toarray()
        found = (dense @ dense.T > threshold).astype(np.float64)
        lone = np.flatnonzero(~found.any(axis=1))
        found[lone, lone] = 1.0
        return found
    from scipy import sparse

    near = vectors.scipy @ vectors.scipy.T
    near.data = (near.data > threshold).astype(np.float64)
    near.eliminate_zeros()
    lone = np.flatnonzero(np.diff(near.indptr) == 0)
    return near + sparse.csr_matrix((np.ones(len(lone)), (lone, lone)), shape=near.shape)


def _components(near: Matrix | Array) -> Integers:
    """Connected component of each sentence."""
    if not isinstance(near, np.ndarray):
        from scipy.sparse.csgraph import connected_components

        return np.asarray(connected_components(near, directed=False)[1], dtype=np.int64)
    labels = np.arange(len(near))
    while True:
        lowest = np.where(near, labels, len(near)).min(axis=1)
        if (lowest == labels).all():
            return labels
        labels = lowest
