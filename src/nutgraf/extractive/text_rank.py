"""TextRank for sentences (Mihalcea and Tarau 2004) with BM25 weights (Barrios et al. 2016).

It is computed as gensim does for the published Multi-News baselines. Its peculiarities are kept, because published
figures depend on them: a term matches only if it occurs equally often in both sentences; terms in more than half of the
sentences get a quarter of the mean idf; the weight between two sentences is that of the earlier one against the later
one.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from nutgraf.extractive import Integers, Ranking, Ratings, SentenceRanker, boosted
from nutgraf.presets.ranges import ProperShare
from nutgraf.text.counts import TermCounts, term_counts
from nutgraf.text.document import Document
from nutgraf.text.graph import DENSE, pagerank
from nutgraf.text.vectors import Array, Matrix, Rows, count_cells, rows_from, scale_columns

BLOCK = 2048
"""Number of sentences per block; weights within a block are stored."""

SMALL = DENSE
"""Number of sentences up to which the matrix is dense."""

LEAST = 0.001
"""Smallest weight of an edge."""


@dataclass(frozen=True)
class Config:
    """TextRank for sentences."""

    damping: ProperShare = 0.85
    """Damping factor of PageRank."""

    k1: float = 1.5
    """Term frequency saturation of BM25."""

    b: float = 0.75
    """Length normalization of BM25."""


class TextRank(SentenceRanker):
    """Rates sentences by PageRank on their BM25 similarities; sentences without a content word come last."""

    config: Config

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank by PageRank; equal sentences share one node."""
        nodes, held = _nodes(term_counts(document))
        ratings = np.zeros(len(nodes))
        if held.shape[0]:
            ranks = pagerank(self._weights(held), damping=self.config.damping)
            ratings = np.where(nodes >= 0, ranks[nodes], 0.0)
        return Ranking.by(boosted(ratings, boosts))

    def _weights(self, held: Rows) -> Matrix | Array:
        """Symmetric BM25 weights: [nodes × nodes]."""
        count = held.shape[0]
        frequencies = np.bincount(held.indices, minlength=held.shape[1])
        idf = np.log(count - frequencies + 0.5) - np.log(frequencies + 0.5)
        idf = np.maximum(0.0, np.where(idf < 0, 0.25 * idf.mean(), idf))
        sizes = np.diff(held.indptr)
        k1, b = self.config.k1, self.config.b
        factors = (k1 + 1) / (1 + k1 * (1 - b + b * sizes / sizes.mean()))
        return _pairs(held, idf, factors) if count <= BLOCK else _Weights(held, idf, factors)


def _nodes(terms: TermCounts) -> tuple[Integers, Rows]:
    """Node of each sentence, -1 for one without a term of three letters, and what each node holds.

    A node holds pairs of a term and its number of occurrences: [nodes × pairs], zeros and ones.
    """
    matrix = terms.matrix
    long = (np.fromiter(map(len, terms.columns), dtype=np.int64, count=len(terms.columns)) > 2)[matrix.indices]
    times, rows = matrix.data[long].astype(np.int64), matrix.rows[long]
    numbers, pairs = np.unique(matrix.indices[long] * (times.max(initial=0) + 1) + times, return_inverse=True)
    borders = (pairs.itemsize * np.searchsorted(rows, np.arange(matrix.shape[0] + 1))).tolist()
    held, known, firsts, found = pairs.tobytes(), dict[bytes, int](), list[int](), list[int]()
    for row, (start, end) in enumerate(pairwise(borders)):
        number = known.setdefault(held[start:end], len(firsts)) if start < end else -1
        found.append(number)
        if number == len(firsts):
            firsts.append(row)
    nodes, is_first = np.array(found, dtype=np.int64), np.zeros(len(found), dtype=bool)
    is_first[firsts] = True
    kept = is_first[rows]
    return nodes, count_cells(nodes[rows[kept]], pairs[kept], (len(firsts), len(numbers)))


class _Weights:
    """Matrix of weights that can be multiplied by vectors: w_ij = factor_j · Σ idf of the shared terms, i < j.

    A book has too many pairs of sentences to store. Within blocks of `BLOCK` sentences the weights are stored, those
    below `LEAST` as zeros; between blocks a product goes through the terms, where such small weights count as they are.
    """

    def __init__(self, held: Rows, idf: Array, factors: Array) -> None:
        self.shape = (held.shape[0], held.shape[0])
        self._factors = factors
        starts = range(0, held.shape[0], BLOCK)
        blocks = [held.between(start, start + BLOCK) for start in starts]
        self._held = [block.scipy for block in blocks]
        self._inner = [
            _pairs(block, idf, factors[start : start + BLOCK]) for block, start in zip(blocks, starts, strict=True)
        ]
        self._idf = idf

    @property
    def T(self) -> _Weights:  # noqa: N802 - its name in numpy, which `pagerank` asks for
        """The matrix itself: the weights are symmetric."""
        return self

    def __matmul__(self, vector: Array) -> Array:
        if vector.ndim > 1:
            return np.stack([self @ column for column in vector.T], axis=1)
        blocks = range(len(self._held))
        values, factors = (np.split(one, [BLOCK * block for block in blocks[1:]]) for one in (vector, self._factors))
        result = [self._inner[block] @ values[block] for block in blocks]
        earlier, later = np.zeros(len(self._idf)), np.zeros(len(self._idf))
        for block in blocks[1:]:
            earlier += self._held[block - 1].T @ values[block - 1]
            result[block] += factors[block] * (self._held[block] @ (self._idf * earlier))
        for block in reversed(blocks[:-1]):
            later += self._held[block + 1].T @ (factors[block + 1] * values[block + 1])
            result[block] += self._held[block] @ (self._idf * later)
        return np.concatenate(result)


def _pairs(held: Rows, idf: Array, factors: Array) -> Matrix | Array:
    if held.shape[0] <= SMALL:
        return _few_pairs(held, idf, factors)
    from scipy import sparse

    weights = sparse.csr_matrix(scale_columns(held, idf).scipy @ held.scipy.T)
    rows, columns = rows_from(weights).rows, weights.indices
    weights.data *= factors[np.maximum(rows, columns)]
    weights.data[(rows == columns) | (weights.data < LEAST)] = 0.0
    weights.eliminate_zeros()
    return weights


def _few_pairs(held: Rows, idf: Array, factors: Array) -> Array:
    places, shared = np.arange(len(factors)), np.bincount(held.indices, minlength=held.shape[1]) > 1
    dense = held.toarray()[:, shared]  # what one node has alone makes no edge
    weights: Array = (dense * idf[shared]) @ dense.T * factors[np.maximum.outer(places, places)]
    weights[(weights < LEAST) | np.eye(len(factors), dtype=bool)] = 0.0
    return weights
