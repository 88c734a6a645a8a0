"""LexRank (Erkan and Radev 2004), with the settings of the summaries that Multi-News and KPAT compare with.

Sentences whose idf-modified cosine (Eq. 1) reaches a threshold are neighbours; each sentence is a neighbour of itself.
The random walk on this graph has no damping, so its stationary distribution on each connected component has a closed
form: proportional to the number of neighbours. Scores are relative to the mean of the component.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from nutgraf.extractive import Ranking, Ratings, SentenceRanker
from nutgraf.extractive._frequencies import DocumentFrequencies
from nutgraf.text.document import Document
from nutgraf.text.vectors import Array, Matrix, count_matrix, normalize_rows, term_columns


@dataclass(frozen=True)
class Config:
    """LexRank."""

    threshold: float = 0.03
    """Smallest cosine of two neighbours."""

    def __post_init__(self) -> None:
        if not 0 < self.threshold < 1:
            raise ValueError("threshold lies between 0 and 1")


class LexRank(SentenceRanker):
    """Rates sentences by their degree in the similarity graph.

    Without `fit`, idf is computed from the input's sentences.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self._frequencies = DocumentFrequencies()

    def fit(self, documents: Iterable[Document]) -> None:
        """Count document frequencies."""
        self._frequencies.fit(documents)

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank by degree, relative to the mean of the connected component."""
        total, frequencies = self._frequencies.of(document)
        columns = term_columns(document.terms)
        idf = [math.log(total / frequencies[term]) if term in frequencies else 1.0 for term in columns]
        vectors = normalize_rows(count_matrix(document.terms, columns) @ sparse.diags(idf, shape=(len(columns),) * 2))
        degrees, labels = _degrees(vectors, self.config.threshold)
        ratings = degrees * np.bincount(labels)[labels] / np.bincount(labels, weights=degrees)[labels]
        return Ranking.by(ratings if boosts is None else ratings * boosts)


def _degrees(vectors: Matrix, threshold: float, block: int = 512) -> tuple[Array, npt.NDArray[np.int32]]:
    """Number of neighbours of each sentence, itself included, and its connected component.

    Works by blocks of rows, so that only a strip of the graph is in memory: a book's edges grow with the square of its
    sentences.
    """
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
