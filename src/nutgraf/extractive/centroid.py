"""Centroid (Radev, Jing, Styś and Tam, *Centroid-Based Summarization of Multiple Documents*, 2004).

The centroid is the sum of the tf·idf vectors of all sentences, without terms that weigh little in it. As published,
each sentence is rated by its likeness to the centroid (`scope = "sentence"`). By default the summary as a whole is
rated: the next sentence is the one that brings the sum of the selected vectors nearest to the centroid (Ghalandari,
*Revisiting the Centroid-based Method*, 2017, Sec. 3), which avoids repetition by itself. Likeness is the cosine, as in
Rossiello, Basile and Semeraro 2017.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from nutgraf.extractive import Ranking, Ratings, SentenceSelector, bonus_of, boosted
from nutgraf.extractive.greedy import LAST, select_greedily
from nutgraf.extractive.partial_summary import Mask, PartialSummary
from nutgraf.text.document import Document
from nutgraf.text.vectors import Array, count_matrix, scale_columns, term_columns


@dataclass(frozen=True)
class Config:
    """Centroid."""

    scope: Literal["summary", "sentence"] = "summary"
    """What is compared with the centroid: the "summary" with each further sentence, or the "sentence" alone."""

    topic_threshold: float = 0.1
    """Smallest weight of a term in the centroid, relative to the largest one."""

    def __post_init__(self) -> None:
        if not 0 <= self.topic_threshold <= 1:
            raise ValueError("topic_threshold lies between 0 and 1")


class Centroid(SentenceSelector):
    """Selects sentences that together resemble the whole text."""

    config: Config

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank by the cosine of each sentence with the centroid."""
        return Ranking.by(boosted(_Likeness(document, self.config.topic_threshold).increase(), boosts))

    def pick(self, document: Document, summary: PartialSummary, boosts: Ratings | None = None) -> Ranking:
        """Add the sentence that brings the summary nearest to the centroid, or the next one by rank."""
        likeness = _Likeness(document, self.config.topic_threshold)
        increase = likeness.increase()
        ranking = Ranking.by(boosted(increase, boosts))
        if self.config.scope == "sentence":
            for index in ranking.order:
                summary.add(index)
        else:
            select_greedily(summary, likeness, bonus_of(increase, boosts))
        return ranking


class _Likeness:
    """Cosine of the centroid and the sum of the vectors selected so far."""

    def __init__(self, document: Document, topic_threshold: float) -> None:
        counts = count_matrix(document.terms, term_columns(document.terms))
        frequencies = np.bincount(counts.indices, minlength=counts.shape[1])
        self._vectors = scale_columns(counts, np.log1p(counts.shape[0] / np.maximum(frequencies, 1)))
        self._columns = self._vectors.T.tocsr()
        centroid = np.asarray(self._vectors.sum(axis=0)).ravel()
        if centroid.size:
            centroid[centroid < topic_threshold * centroid.max()] = 0.0
        norm = float(np.linalg.norm(centroid)) or 1.0
        self._onto = np.asarray(self._vectors @ centroid) / norm
        self._squares = np.asarray(self._vectors.multiply(self._vectors).sum(axis=1)).ravel()
        self._summary_onto = self._summary_square = self._cosine = 0.0
        self._products = np.zeros(counts.shape[0])

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
