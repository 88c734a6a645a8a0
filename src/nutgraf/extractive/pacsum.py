"""PacSum (Zheng and Lapata, *Sentence Centrality Revisited for Unsupervised Summarization*, 2019), on tf-idf.

Centrality in a directed graph (Eq. 4): a sentence is rated λ1·(similarity to the sentences before it) +
λ2·(similarity to those after it). Similarities are products of tf·idf vectors; what they have above the threshold
min + β·(max − min) counts (Eq. 9 and 10). The paper tunes λ1, λ2 and β on 1,000 examples, finds that similarity to what
came before lowers a sentence's worth, and does not print the values; the defaults here are ours.

The graph is one document's. Of several, sentences come in the order of First-k: all first ones, then all second ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nutgraf.extractive import Ranking, Ratings, SentenceRanker, boosted, parts_of, places_in
from nutgraf.presets.ranges import ShareBelowOne
from nutgraf.text.counts import term_counts
from nutgraf.text.document import Document
from nutgraf.text.vectors import Array, Matrix, Rows, products_with_earlier, rows_from, weighted_counts

BLOCK = 512
"""Number of rows of the graph in memory."""


@dataclass(frozen=True)
class Config:
    """PacSum."""

    beta: ShareBelowOne = 0.0
    """Threshold of similarities, from 0 for the smallest one to 1 for the largest."""

    lambda1: float = -0.3
    """Weight of the similarity to earlier sentences."""

    lambda2: float = 0.7
    """Weight of the similarity to later sentences."""


class Pacsum(SentenceRanker):
    """Rates sentences by what follows and what precedes them."""

    config: Config

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank by directed centrality."""
        order = np.argsort(places_in(parts_of(document)), kind="stable")  # First-k
        vectors = weighted_counts(term_counts(document).matrix)
        if len(document.parts) > 1:
            vectors = rows_from(vectors.scipy[order])
        earlier, later = _directed_sums(vectors, self.config.beta)
        ratings = np.zeros(len(order))
        ratings[order] = self.config.lambda1 * earlier + self.config.lambda2 * later
        return Ranking.by(boosted(ratings, boosts))


def _directed_sums(vectors: Rows, beta: float) -> tuple[Array, Array]:
    """Sum what each row's products with earlier and with later rows have above the threshold."""
    count = vectors.shape[0]
    smallest, largest = (0.0, 0.0) if not beta else _extremes(vectors)
    threshold = smallest + beta * (largest - smallest)
    if threshold == 0:
        earlier = products_with_earlier(vectors)
        return earlier, vectors @ vectors.column_sums() - vectors.sums(vectors.data**2) - earlier
    earlier, later = np.zeros(count), np.zeros(count)
    for start, strip in _strips(vectors.scipy):
        strip.data = np.maximum(strip.data - threshold, 0.0)
        before = _below_diagonal(strip, start)
        earlier[start : start + BLOCK] = np.asarray(before.sum(axis=1)).ravel()
        later += np.asarray(before.sum(axis=0)).ravel()
    return earlier, later


def _extremes(vectors: Rows) -> tuple[float, float]:
    """Smallest and largest product of two different rows."""
    count = vectors.shape[0]
    smallest, largest, nonzero = np.inf, 0.0, 0
    for start, strip in _strips(vectors.scipy):
        values = _below_diagonal(strip, start).data
        nonzero += int(np.count_nonzero(values))
        if values.size:
            smallest, largest = min(smallest, values.min()), max(largest, values.max())
    return (float(smallest) if 2 * nonzero == count * (count - 1) and nonzero else 0.0), float(largest)


def _below_diagonal(strip: Matrix, start: int) -> Matrix:
    from scipy import sparse

    return sparse.tril(strip, k=start - 1)


def _strips(vectors: Matrix) -> Iterator[tuple[int, Matrix]]:
    """Yield blocks of rows of the matrix of all products, with the number of their first row."""
    columns = vectors.T.tocsr()
    return ((start, vectors[start : start + BLOCK] @ columns) for start in range(0, vectors.shape[0], BLOCK))
