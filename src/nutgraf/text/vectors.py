"""Sentence vectors: counts, tf-idf, cosine, and a space into which other sentences can be embedded.

Rows have length 1, or 0 if a sentence has no known term; a product of rows is therefore their cosine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from scipy import sparse

Term = TypeVar("Term", bound=Hashable)
Terms = Sequence[str]
Matrix = Any  # scipy.sparse.csr_matrix, which has no types
Array = npt.NDArray[np.float64]

INDEX = np.int32
"""Type of the indices of a sparse matrix; scipy looks at all of any larger ones, and converts them."""

ROUNDING = 1e-9
"""Rounding error of a norm or a cosine."""


def term_columns(sentences: Iterable[Sequence[Term]]) -> dict[Term, int]:
    """Columns of terms, in order of first occurrence."""
    return {term: column for column, term in enumerate(dict.fromkeys(chain.from_iterable(sentences)))}


def count_matrix(sentences: Sequence[Sequence[Term]], columns: Mapping[Term, int]) -> Matrix:
    """Count each term in each sentence: [sentences × terms]; terms without a column are left out."""
    found = np.array([columns.get(term, -1) for sentence in sentences for term in sentence], dtype=INDEX)
    rows = np.repeat(np.arange(len(sentences)), [len(sentence) for sentence in sentences])
    known = found >= 0
    sizes = np.bincount(rows[known], minlength=len(sentences))
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(INDEX)
    matrix = sparse.csr_matrix((np.ones(starts[-1]), found[known], starts), shape=(len(sentences), len(columns)))
    matrix.sum_duplicates()
    return matrix


def document_frequencies(collection: Iterable[Iterable[Terms]]) -> tuple[int, dict[str, int]]:
    """Return N, and the number of documents that contain each term.

    A document is given as the terms of its sentences.
    """
    total, frequencies = 0, Counter[str]()
    for document in collection:
        total += 1
        frequencies.update({term for sentence in document for term in sentence})
    return total, dict(frequencies)


def rows_of(matrix: Matrix) -> npt.NDArray[np.int64]:
    """Row of each stored cell of a matrix in CSR format."""
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))


def scale_rows(matrix: Matrix, factors: Array) -> Matrix:
    """Multiply each row of a matrix in CSR format by its factor; a fraction of the cost of a diagonal matrix."""
    return _with_data(matrix, matrix.data * factors[rows_of(matrix)])


def scale_columns(matrix: Matrix, factors: Array) -> Matrix:
    """Multiply each column of a matrix in CSR format by its factor."""
    return _with_data(matrix, matrix.data * factors[matrix.indices])


def _with_data(matrix: Matrix, data: Array) -> Matrix:
    return sparse.csr_matrix((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def normalize_rows(matrix: Matrix) -> Matrix:
    """Scale rows to length 1; zero rows stay zero."""
    norms = np.sqrt(np.bincount(rows_of(matrix), matrix.data**2, minlength=matrix.shape[0]))
    norms[norms == 0] = 1.0
    return scale_rows(matrix, 1.0 / norms)


def tfidf(sentences: Sequence[Terms]) -> Matrix:
    """tf-idf vectors of sentences with idf = ln(1 + N/df) over these sentences.

    [sentences × terms], rows normalized.
    """
    return normalize_rows(weighted_counts(sentences))


def weighted_counts(sentences: Sequence[Terms]) -> Matrix:
    """The vectors of `tfidf`, as long as they are."""
    counts = count_matrix(sentences, term_columns(sentences))
    return scale_columns(counts, _idf(counts))


def _idf(counts: Matrix) -> Array:
    frequencies = np.bincount(counts.indices, minlength=counts.shape[1])
    return np.log1p(counts.shape[0] / np.maximum(frequencies, 1))


class SentenceSpace:
    """tf-idf space of a document's sentences, reduced to `dimensions` by a singular value decomposition; 0 keeps all.

    With fewer sentences or terms the reduction would only rotate the axes and change no cosine, so it is skipped.
    Deterministic: long documents use a randomized decomposition (Halko et al. 2011) with a fixed seed.
    """

    def __init__(self, sentences: Sequence[Terms], dimensions: int = 0) -> None:
        self._columns = term_columns(sentences)
        counts = count_matrix(sentences, self._columns)
        self._weights = _idf(counts)
        vectors = normalize_rows(scale_columns(counts, self._weights))
        reduced = 0 < dimensions < min(vectors.shape)
        self._axes = _principal_axes(vectors, dimensions) if reduced else None
        self.vectors = self._turn(vectors)

    def embed(self, sentences: Sequence[Terms]) -> Matrix | Array:
        """Vectors of any sentences in this space: [sentences × dimensions], rows normalized."""
        return self._turn(normalize_rows(scale_columns(count_matrix(sentences, self._columns), self._weights)))

    def _turn(self, vectors: Matrix) -> Matrix | Array:
        if self._axes is None:
            return vectors
        turned = np.asarray(vectors @ self._axes)
        norms = np.linalg.norm(turned, axis=1, keepdims=True)
        return turned / np.where(norms > 0, norms, 1.0)


def _principal_axes(matrix: Matrix, dimensions: int, spare: int = 20, rounds: int = 2) -> Array:
    """Right singular vectors of the largest singular values: [terms × dimensions]."""
    generator = np.random.default_rng(0)
    basis = np.asarray(matrix @ generator.standard_normal((matrix.shape[1], dimensions + spare)))
    for _ in range(rounds):
        basis = np.asarray(matrix @ (matrix.T @ np.linalg.qr(basis)[0]))
    orthogonal = np.linalg.qr(basis)[0]
    _, _, axes = np.linalg.svd(np.asarray((matrix.T @ orthogonal).T), full_matrices=False)
    return axes[:dimensions].T


class RedundancyFilter:
    """Largest cosine of each sentence, a row of `vectors`, with one that was selected, and which it makes a repetition.

    Attributes:
        similarity: The cosines.
    """

    def __init__(self, vectors: Matrix, bound: float = 1.0) -> None:
        """Select no sentence yet; one whose cosine reaches a `bound` below 1 repeats another."""
        self.similarity = np.zeros(vectors.shape[0])
        self._vectors, self._bound = vectors, bound

    def repeats(self, sentence: int) -> bool:
        """Return True if `sentence` is too similar to a selected one."""
        return self._bound < 1 and 0 < self.similarity[sentence] >= self._bound

    def add(self, sentence: int) -> None:
        """Select `sentence`."""
        start, end = self._vectors.indptr[sentence : sentence + 2]
        row = np.zeros(self._vectors.shape[1])
        row[self._vectors.indices[start:end]] = self._vectors.data[start:end]
        np.maximum(self.similarity, self._vectors @ row, out=self.similarity)


def products_below(rows: Matrix, keys: Array, others: Matrix, other_keys: Array) -> Array:
    """Sum the products of each row with the other rows whose key is smaller: Σ_j [other_key_j < key_i]·v_i·u_j.

    Time grows with the number of nonzero cells, not with the number of pairs.

    Args:
        rows: Sparse vectors v: [n × terms].
        keys: n numbers.
        others: Sparse vectors u: [m × terms].
        other_keys: m numbers.

    Returns:
        n sums.
    """
    columns = np.concatenate([rows.indices, others.indices])
    cell_keys = np.concatenate([keys[rows_of(rows)], other_keys[rows_of(others)]])
    added = np.concatenate([np.zeros(rows.nnz), others.data])
    order = np.lexsort((np.arange(len(columns)), cell_keys, columns))  # of equal keys, those of `rows` come first
    columns, added = columns[order], added[order]
    before = np.cumsum(added) - added
    sums = np.empty(len(order))
    sums[order] = before - before[np.searchsorted(columns, columns)]
    return np.asarray(
        np.bincount(rows_of(rows), rows.data * sums[: rows.nnz], minlength=rows.shape[0]), dtype=np.float64
    )
