"""Submodular functions of coverage and diversity (Lin and Bilmes 2011).

From *A Class of Submodular Functions for Document Summarization*. The value of a selection S among the sentences V is
F(S) = L(S) + λ·R(S) (Eq. 2):

* coverage (Eq. 3 and 4): L(S) = Σ_i min(Σ_{j∈S} w_ij, α·Σ_{j∈V} w_ij), with α = a/|V| and w the cosines of tf-idf
  vectors;
* diversity (Eq. 6): R(S) = Σ_k √(Σ_{j∈P_k∩S} r_j), with r_j = Σ_i w_ij / |V| and clusters P_k of similar sentences.

F is maximized greedily, by gain over length^r. The matrix of all cosines is never stored: the value of each sentence
alone is computed by strips of it, and later gains only for sentences that may still be the best.

Clusters are made by spherical k-means, as many as a fifth of the sentences (Sec. 6.1) but 5 to 200, from centers that
lie evenly spread in the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from nutgraf.extractive import PartialSummary, Ranking, Ratings, SentenceSelector, bonus_of, boosted
from nutgraf.extractive.greedy import maximize
from nutgraf.presets.ranges import NonNegativeFloat, PositiveFloat, PositiveShare
from nutgraf.text.counts import term_counts
from nutgraf.text.document import Document
from nutgraf.text.vectors import Array, Matrix, normalize_rows, rows_from, tfidf

BLOCK = 512
"""Number of rows of cosines in memory."""

MIN_CLUSTERS, MAX_CLUSTERS = 5, 200
"""Bounds of the number of clusters; a text of fewer sentences than the lower one has a cluster for each."""


@dataclass(frozen=True)
class Config:
    """Coverage and diversity."""

    saturation: PositiveFloat = 5.0
    """a: a sentence is covered once its likeness to the summary is that to a of |V| average sentences."""

    diversity_weight: NonNegativeFloat = 6.0
    """λ, the weight of diversity."""

    cost_exponent: NonNegativeFloat = 0.3
    """r: gains are divided by length to this power; without effect on a length in sentences."""

    clusters_share: PositiveShare = 0.2
    """Number of clusters as a share of the number of sentences."""


class Submodular(SentenceSelector):
    """Selects sentences that cover the text and differ from each other."""

    config: Config

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank by the value of each sentence alone."""
        return Ranking.by(boosted(_Value(_Graph(document, self.config)).singles(), boosts))

    def pick(self, document: Document, summary: PartialSummary, boosts: Ratings | None = None) -> Ranking:
        """Maximize coverage and diversity."""
        graph = _Graph(document, self.config)
        bonus = bonus_of(graph.singles, boosts)
        maximize(summary, lambda: _Value(graph), cost_exponent=self.config.cost_exponent, bonus=bonus)
        return Ranking.by(boosted(graph.singles, boosts))


class _Graph:
    """Similarities, bounds and clusters, which selecting sentences does not change.

    Attributes:
        vectors: tf-idf vectors: [sentences × terms].
        caps: α·Σ_j w_ij, from which a sentence counts as covered.
        rewards: λ²·r_j, so that λ·R is a sum of their roots.
        clusters: Cluster of each sentence.
        singles: F of each sentence alone.
    """

    def __init__(self, document: Document, config: Config) -> None:
        self.vectors = tfidf(term_counts(document).matrix).scipy
        self.columns = self.vectors.T.tocsr()
        count = max(1, self.vectors.shape[0])
        strengths = self.vectors @ np.asarray(self.vectors.sum(axis=0)).ravel()
        self.caps = config.saturation / count * strengths
        self.rewards = config.diversity_weight**2 * strengths / count
        self.clusters = _cluster(self.vectors, _number_of_clusters(count, config.clusters_share))
        self.singles = np.sqrt(self.rewards)
        for start in range(0, self.vectors.shape[0], BLOCK):
            strip = self.vectors[start : start + BLOCK] @ self.columns
            strip.data = np.minimum(strip.data, self.caps[strip.indices])
            self.singles[start : start + BLOCK] += np.asarray(strip.sum(axis=1)).ravel()


class _Value:
    """F of the sentences selected so far."""

    def __init__(self, graph: _Graph) -> None:
        self._graph = graph
        self._covered = np.zeros(len(graph.caps))
        self._rewarded = np.zeros(len(graph.caps))

    def singles(self) -> Array:
        """F of each sentence alone."""
        return np.asarray(self._graph.singles)

    def gains_of(self, indices: Sequence[int]) -> Array:
        """Increase of F by each of some sentences."""
        chosen = np.asarray(indices)
        near = self._near(chosen)
        before, caps = self._covered[near.indices], self._graph.caps[near.indices]
        near.data = np.minimum(before + near.data, caps) - np.minimum(before, caps)
        rewards = self._rewarded[self._graph.clusters[chosen]]
        grown = np.sqrt(rewards + self._graph.rewards[chosen]) - np.sqrt(rewards)
        return np.asarray(np.asarray(near.sum(axis=1)).ravel() + grown)

    def gain_of_all(self, indices: Sequence[int]) -> float:
        """Increase of F by some sentences together."""
        trial, gain = copy(self), 0.0
        trial._covered, trial._rewarded = self._covered.copy(), self._rewarded.copy()
        for index in indices:
            gain += float(trial.gains_of([index])[0])
            trial.add(index)
        return gain

    def add(self, index: int) -> None:
        """Select a sentence."""
        near = self._near(np.array([index]))
        self._covered[near.indices] += near.data
        self._rewarded[self._graph.clusters[index]] += self._graph.rewards[index]

    def _near(self, indices: npt.NDArray[np.intp]) -> Matrix:
        return self._graph.vectors[indices] @ self._graph.columns


def _number_of_clusters(sentences: int, share: float) -> int:
    return min(sentences, MAX_CLUSTERS, max(MIN_CLUSTERS, round(share * sentences)))


def _cluster(vectors: Matrix, count: int, rounds: int = 10) -> npt.NDArray[np.intp]:
    """Spherical k-means: the cluster of each row."""
    rows = vectors.shape[0]
    if count < 2 or not vectors.nnz:
        return np.zeros(rows, dtype=np.intp)
    centers = vectors[np.linspace(0, rows - 1, count).astype(np.intp)]
    labels = np.zeros(rows, dtype=np.intp)
    for _ in range(rounds):
        before, dense = labels, centers.T.toarray()
        labels = np.concatenate([(vectors[at : at + BLOCK] @ dense).argmax(axis=1) for at in range(0, rows, BLOCK)])
        if np.array_equal(labels, before):
            break
        members = sparse.csr_matrix((np.ones(rows), (labels, np.arange(rows))), shape=(count, rows))
        centers = normalize_rows(rows_from(members @ vectors)).scipy
    return labels
