"""LexRank (Erkan and Radev 2004), with the settings of the summaries that Multi-News and KPAT compare with.

Sentences whose idf-modified cosine (Eq. 1) reaches a threshold are neighbours, each sentence of itself too. The walk
over this graph has no damping, so its stationary distribution on each connected component is known in closed form:
proportional to the number of neighbours. Scores are relative to the component's mean.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from nutgraf.extractive import Extractive, Ranking, Ratings
from nutgraf.text.document import Document
from nutgraf.text.vectors import count_matrix, document_frequencies, normalize_rows, vocabulary


@dataclass(frozen=True)
class Config:
    """threshold: the cosine from which two sentences are neighbours."""

    threshold: float = 0.03

    def __post_init__(self) -> None:
        if not 0 < self.threshold < 1:
            raise ValueError("threshold lies between 0 and 1")


class LexRank(Extractive):
    """Rates sentences by their degree in the similarity graph. Without `fit`, idf comes from the input's sentences."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self._total = 0
        self._frequencies: dict[str, int] = {}

    def fit(self, documents: Iterable[Document]) -> None:
        """Learn document frequencies."""
        self._total, self._frequencies = document_frequencies(document.terms for document in documents)

    def rank(self, document: Document, emphasis: Ratings | None = None) -> Ranking:
        """Rank by degree, relative to the connected component's mean."""
        count = len(document.sentences)
        total, frequencies = self._total, self._frequencies
        if not total:
            total, frequencies = document_frequencies([sentence] for sentence in document.terms)
        columns = vocabulary(document.terms)
        idf = [math.log(total / frequencies[term]) if term in frequencies else 1.0 for term in columns]
        vectors = normalize_rows(count_matrix(document.terms, columns) @ sparse.diags(idf, shape=(len(columns),) * 2))
        neighbours = _neighbours(vectors, self.config.threshold)
        degrees = np.diff(neighbours.indptr).astype(np.float64)
        components, labels = connected_components(neighbours, directed=False)
        ratings = np.zeros(count)
        if components:
            sizes = np.bincount(labels, minlength=components)
            ratings = degrees * sizes[labels] / np.bincount(labels, weights=degrees, minlength=components)[labels]
        return Ranking.by(ratings if emphasis is None else ratings * emphasis)


def _neighbours(vectors: sparse.csr_matrix, threshold: float, block: int = 2048) -> sparse.csr_matrix:
    """The adjacency matrix, each sentence beside itself; by blocks of rows, so that no dense n × n is made."""
    count = vectors.shape[0]
    blocks = [sparse.csr_matrix((0, count), dtype=bool)]
    for start in range(0, count, block):
        cosines = vectors[start : start + block] @ vectors.T
        near = sparse.csr_matrix(cosines > threshold)
        own = sparse.eye(near.shape[0], count, k=start, dtype=bool, format="csr")
        blocks.append(sparse.csr_matrix(near + own))
    return sparse.csr_matrix(sparse.vstack(blocks))
