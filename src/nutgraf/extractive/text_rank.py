"""TextRank for sentences (Mihalcea and Tarau 2004) with BM25 weights (Barrios et al. 2016).

It is computed as gensim does for the published Multi-News baselines. Its peculiarities are kept, because published
figures depend on them: a term matches only if it occurs equally often in both sentences; terms in more than half of the
sentences get a quarter of the mean idf; the weight between two sentences is that of the earlier one against the later
one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from nutgraf.extractive import Ranking, Ratings, SentenceRanker, boosted
from nutgraf.presets.ranges import ProperShare
from nutgraf.text.document import Document
from nutgraf.text.graph import pagerank
from nutgraf.text.vectors import Array, Matrix, count_matrix, rows_of, scale_columns, term_columns

BLOCK = 2048
"""Number of sentences per block; weights within a block are stored."""

SMALL = 64
"""Number of sentences up to which a dense matrix is made sooner than a sparse one."""

Bag = tuple[tuple[str, int], ...]
"""Terms of a sentence with their numbers of occurrences, sorted."""

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
        bags = [_bag(sentence) for sentence in document.terms]
        nodes = {bag: number for number, bag in enumerate(dict.fromkeys(bag for bag in bags if bag))}
        ratings = np.zeros(len(bags))
        if nodes:
            ranks = pagerank(self._weights(list(nodes)), damping=self.config.damping)
            ratings = np.array([ranks[nodes[bag]] if bag else 0.0 for bag in bags])
        return Ranking.by(boosted(ratings, boosts))

    def _weights(self, bags: Sequence[Bag]) -> Matrix | Array:
        """Symmetric BM25 weights: [nodes × nodes]."""
        held = count_matrix(bags, term_columns(bags))
        count = held.shape[0]
        frequencies = np.bincount(held.indices, minlength=held.shape[1])
        idf = np.log(count - frequencies + 0.5) - np.log(frequencies + 0.5)
        idf = np.maximum(0.0, np.where(idf < 0, 0.25 * idf.mean(), idf))
        sizes = np.diff(held.indptr)
        k1, b = self.config.k1, self.config.b
        factors = (k1 + 1) / (1 + k1 * (1 - b + b * sizes / sizes.mean()))
        return _pairs(held, idf, factors) if count <= BLOCK else _Weights(held, idf, factors)


def _bag(terms: Sequence[str]) -> Bag:
    """Terms of three letters or more, each with its number of occurrences."""
    counts: dict[str, int] = {}
    for term in terms:
        if len(term) > 2:
            counts[term] = counts.get(term, 0) + 1
    return tuple(sorted(counts.items()))


class _Weights:
    """Matrix of weights that can be multiplied by vectors: w_ij = factor_j · Σ idf of the shared terms, i < j.

    A book has too many pairs of sentences to store. Within blocks of `BLOCK` sentences the weights are stored, those
    below `LEAST` as zeros; between blocks a product goes through the terms, where such small weights count as they are.
    """

    def __init__(self, held: Matrix, idf: Array, factors: Array) -> None:
        self.shape = (held.shape[0], held.shape[0])
        self._factors = factors
        self._held = [held[start : start + BLOCK] for start in range(0, held.shape[0], BLOCK)]
        self._inner = [
            _pairs(rows, idf, factors[start : start + BLOCK])
            for rows, start in zip(self._held, range(0, held.shape[0], BLOCK), strict=True)
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


def _pairs(held: Matrix, idf: Array, factors: Array) -> Matrix | Array:
    if held.shape[0] <= SMALL:
        return _few_pairs(held.toarray(), idf, factors)
    weights = sparse.csr_matrix(scale_columns(held, idf) @ held.T)
    rows, columns = rows_of(weights), weights.indices
    weights.data *= factors[np.maximum(rows, columns)]
    weights.data[(rows == columns) | (weights.data < LEAST)] = 0.0
    weights.eliminate_zeros()
    return weights


def _few_pairs(held: Array, idf: Array, factors: Array) -> Array:
    places = np.arange(len(factors))
    weights: Array = (held * idf) @ held.T * factors[np.maximum.outer(places, places)]
    weights[(weights < LEAST) | np.eye(len(factors), dtype=bool)] = 0.0
    return weights
