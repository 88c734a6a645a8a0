"""Likeness of a summary to the whole text: the cosine of tf·idf vectors, and what each further sentence adds to it."""

from __future__ import annotations

import numpy as np

from nutgraf.extractive import Mask
from nutgraf.extractive.greedy import LAST
from nutgraf.text.counts import term_counts
from nutgraf.text.document import Document
from nutgraf.text.vectors import Array, weighted_counts


class Likeness:
    """Cosine of the centroid and the sum of the vectors selected so far.

    Args:
        document: The text.
        topic_threshold: Smallest weight of a term in the centroid, relative to the largest one.
    """

    def __init__(self, document: Document, topic_threshold: float) -> None:
        self._vectors = weighted_counts(term_counts(document).matrix).scipy
        self._columns = self._vectors.T.tocsr()
        centroid = np.asarray(self._vectors.sum(axis=0)).ravel()
        if centroid.size:
            centroid[centroid < topic_threshold * centroid.max()] = 0.0
        norm = float(np.linalg.norm(centroid)) or 1.0
        self._onto = np.asarray(self._vectors @ centroid) / norm
        self._squares = np.asarray(self._vectors.multiply(self._vectors).sum(axis=1)).ravel()
        self._summary_onto = self._summary_square = self._cosine = 0.0
        self._products = np.zeros(self._vectors.shape[0])

    def increase(self) -> Array:
        """Increase of the cosine by each sentence; negative where it falls."""
        squares = self._summary_square + 2 * self._products + self._squares
        lengths = np.sqrt(np.where(squares > 0, squares, 1.0))
        return np.asarray((self._summary_onto + self._onto) / lengths - self._cosine)

    def gains(self, candidates: Mask) -> Array:
        """Increase of the cosine; sentences without a content word come last."""
        return np.where(self._squares > 0, self.increase(), LAST)

    def add(self, index: int) -> None:
        """Select a sentence."""
        self._summary_onto += self._onto[index]
        self._summary_square += 2 * self._products[index] + self._squares[index]
        near = self._vectors[index] @ self._columns
        self._products[near.indices] += near.data
        if self._summary_square > 0:
            self._cosine = self._summary_onto / self._summary_square**0.5
