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

import numpy as np

from nutgraf.extractive import Integers, Ranking, Ratings, boosted
from nutgraf.extractive._frequencies import FrequencyRanker
from nutgraf.presets.ranges import PositiveShare, ProperShare
from nutgraf.text.counts import term_counts
from nutgraf.text.document import Document
from nutgraf.text.graph import DENSE, undirected_pagerank
from nutgraf.text.vectors import Array, Matrix, Rows, normalize_rows, scale_columns

BLOCK = 512
"""Number of rows of the graph that are made at once."""

KEPT = 2 * 10**7
"""Number of edges that are kept in memory between the steps of a walk."""


@dataclass(frozen=True)
class Config:
    """LexRank."""

    threshold: ProperShare = 0.03
    """Smallest cosine of two neighbours."""

    damping: PositiveShare = 1.0
    """Probability of following an edge rather than beginning anew: 0.85 in the paper; 1 as in the published baselines,
    where each connected component is rated by itself."""


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
        if self.config.damping < 1:
            return undirected_pagerank(_Graph(vectors.scipy, self.config.threshold), damping=self.config.damping)
        degrees, labels = _degrees(vectors, self.config.threshold)
        return np.asarray(degrees * np.bincount(labels)[labels] / np.bincount(labels, weights=degrees)[labels])


class _Graph:
    """The graph as a matrix of zeros and ones that can be multiplied by vectors.

    Strips of rows are kept while they have `KEPT` edges at most, and are otherwise made anew for each product: a book
    has too many edges to store.
    """

    def __init__(self, vectors: Matrix, threshold: float) -> None:
        self.shape = (vectors.shape[0], vectors.shape[0])
        self._vectors, self._columns, self._threshold = vectors, vectors.T.tocsr(), threshold
        self._lone = np.diff(vectors.indptr) == 0
        self._strips: dict[int, Matrix] = {}
        self._edges = 0

    def __matmul__(self, vector: Array) -> Array:
        product = np.concatenate([self._strip(start) @ vector for start in range(0, self.shape[0], BLOCK)])
        product[self._lone] += vector[self._lone]  # a sentence without terms is its own neighbour, too
        return product

    def _strip(self, start: int) -> Matrix:
        if start in self._strips:
            return self._strips[start]
        from scipy import sparse

        strip = sparse.csr_matrix(self._vectors[start : start + BLOCK] @ self._columns > self._threshold)
        self._edges += strip.nnz
        if self._edges <= KEPT:
            self._strips[start] = strip
        return strip


def _degrees(vectors: Rows, threshold: float) -> tuple[Array, Integers]:
    """Number of neighbours of each sentence, itself included, and its connected component."""
    few = vectors.shape[0] <= DENSE
    return _degrees_at_once(vectors, threshold) if few else _degrees_by_blocks(vectors.scipy, threshold)


def _degrees_at_once(vectors: Rows, threshold: float) -> tuple[Array, Integers]:
    dense = vectors.toarray()
    near = dense @ dense.T > threshold
    degrees, labels = np.maximum(near.sum(axis=1), 1).astype(np.float64), np.arange(len(near))
    np.fill_diagonal(near, True)
    while True:
        lowest = np.where(near, labels, len(near)).min(axis=1, initial=len(near))
        if (lowest == labels).all():
            return degrees, labels
        labels = lowest


def _degrees_by_blocks(vectors: Matrix, threshold: float, block: int = BLOCK) -> tuple[Array, Integers]:
    """The same by blocks of rows, so that only a strip of the graph is in memory.

    A book's edges grow with the square of its sentences.
    """
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    count, columns = vectors.shape[0], vectors.T.tocsr()
    degrees, labels = np.ones(count), np.arange(count, dtype=np.int32)
    for start in range(0, count, block):
        near = sparse.csr_matrix(vectors[start : start + block] @ columns > threshold)
        found = np.diff(near.indptr)
        degrees[start : start + block] = np.maximum(found, 1)
        joined = (labels[np.arange(start, start + len(found)).repeat(found)], labels[near.indices])
        edges = sparse.csr_matrix((np.ones(near.nnz, dtype=bool), joined), shape=(count, count))
        labels = connected_components(edges, directed=False)[1][labels]
    return degrees, labels
