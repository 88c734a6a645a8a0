"""Sentence vectors: counts, tf-idf, cosine, and a space into which other sentences can be embedded.

Rows have length 1, or 0 if a sentence has no known term; a product of rows is therefore their cosine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Term = TypeVar("Term", bound=Hashable)
Terms = Sequence[str]
Matrix = Any  # scipy.sparse.csr_matrix, which has no types
Array = npt.NDArray[np.float64]
Integers = npt.NDArray[np.integer[Any]]

INDEX = np.int32
"""Type of the indices of a sparse matrix; scipy looks at all of any larger ones, and converts them."""

ROUNDING = 1e-9
"""Rounding error of a norm or a cosine."""


class Rows:
    """A sparse matrix in compressed rows (CSR), on NumPy alone.

    It does what a short text needs: scipy takes longer to check a small matrix than to multiply it, and a quarter of a
    second to import. `scipy` is the same matrix for everything else.

    Attributes:
        data: The stored cells, row by row.
        indices: Column of each.
        indptr: Place of the first cell of each row, and of the end of the last.
        shape: Number of rows and columns.
    """

    def __init__(self, data: Array, indices: Integers, indptr: Integers, shape: tuple[int, int]) -> None:
        self.data, self.indices, self.indptr, self.shape = data, indices, indptr, shape

    @property
    def nnz(self) -> int:
        """Number of stored cells."""
        return len(self.data)

    @cached_property
    def rows(self) -> Integers:
        """Row of each stored cell."""
        return np.repeat(np.arange(self.shape[0]), np.diff(self.indptr))

    def __matmul__(self, vector: Array) -> Array:
        """Product with a vector."""
        return self.sums(self.data * vector[self.indices])

    def sums(self, cells: Array) -> Array:
        """Sum of some numbers, one per stored cell, over each row."""
        return np.asarray(np.bincount(self.rows, cells, minlength=self.shape[0]), dtype=np.float64)

    def column_sums(self) -> Array:
        """Sum of each column."""
        return np.asarray(np.bincount(self.indices, self.data, minlength=self.shape[1]), dtype=np.float64)

    def cells_of(self, index: int) -> slice:
        """Places of the stored cells of a row."""
        return slice(self.indptr[index], self.indptr[index + 1])

    def between(self, start: int, end: int) -> Rows:
        """Return some consecutive rows."""
        start, end = min(start, self.shape[0]), min(end, self.shape[0])
        starts = self.indptr[start : end + 1]
        cells = slice(starts[0], starts[-1])
        return Rows(self.data[cells], self.indices[cells], starts - starts[0], (end - start, self.shape[1]))

    def of(self, data: Array) -> Rows:
        """Return a matrix with other numbers in the stored cells."""
        made = Rows(data, self.indices, self.indptr, self.shape)
        made.__dict__["rows"] = self.rows
        return made

    def toarray(self) -> Array:
        """Return all cells, those not stored as zeros: [rows × columns]."""
        dense = np.zeros(self.shape)
        dense[self.rows, self.indices] = self.data
        return dense

    @cached_property
    def scipy(self) -> Matrix:
        """The matrix as one of `scipy.sparse`, which multiplies matrices and takes long ones apart."""
        from scipy import sparse

        return sparse.csr_matrix((self.data, self.indices, self.indptr), shape=self.shape)


def term_columns(sentences: Iterable[Sequence[Term]]) -> dict[Term, int]:
    """Columns of terms, in order of first occurrence."""
    return {term: column for column, term in enumerate(dict.fromkeys(chain.from_iterable(sentences)))}


def count_matrix(sentences: Sequence[Sequence[Term]], columns: Mapping[Term, int]) -> Rows:
    """Count each term in each sentence: [sentences × terms]; terms without a column are left out."""
    found = np.array([columns.get(term, -1) for sentence in sentences for term in sentence], dtype=np.int64)
    rows = np.repeat(np.arange(len(sentences)), [len(sentence) for sentence in sentences])
    known = found >= 0
    return count_cells(rows[known], found[known], (len(sentences), len(columns)))


def count_cells(rows: Integers, columns: Integers, shape: tuple[int, int]) -> Rows:
    """Count how often each cell is named: a matrix of that shape, each row in ascending order of its columns."""
    width = max(1, shape[1])
    cells = np.sort(rows * width + columns)
    is_first = np.ones(len(cells), dtype=bool)
    is_first[1:] = cells[1:] != cells[:-1]
    firsts = np.flatnonzero(is_first)
    counts = (np.append(firsts[1:], len(cells)) - firsts).astype(np.float64)
    cells = cells[firsts]
    starts = np.searchsorted(cells, np.arange(shape[0] + 1) * width).astype(INDEX)
    return Rows(counts, (cells % width).astype(INDEX), starts, shape)


def document_frequencies(collection: Iterable[Iterable[Terms]]) -> tuple[int, dict[str, int]]:
    """Return N, and the number of documents that contain each term.

    A document is given as the terms of its sentences.
    """
    total, frequencies = 0, Counter[str]()
    for document in collection:
        total += 1
        frequencies.update({term for sentence in document for term in sentence})
    return total, dict(frequencies)


def rows_from(matrix: Matrix) -> Rows:
    """Return a matrix of scipy in CSR format as `Rows`."""
    return Rows(matrix.data, matrix.indices, matrix.indptr, matrix.shape)


def scale_rows(matrix: Rows, factors: Array) -> Rows:
    """Multiply each row by its factor."""
    return matrix.of(matrix.data * factors[matrix.rows])


def scale_columns(matrix: Rows, factors: Array) -> Rows:
    """Multiply each column by its factor."""
    return matrix.of(matrix.data * factors[matrix.indices])


def normalize_rows(matrix: Rows) -> Rows:
    """Scale rows to length 1; zero rows stay zero."""
    norms = np.sqrt(matrix.sums(matrix.data**2))
    norms[norms == 0] = 1.0
    return scale_rows(matrix, 1.0 / norms)


def tfidf(counts: Rows) -> Rows:
    """tf-idf vectors of sentences with idf = ln(1 + N/df) over these sentences.

    [sentences × terms], rows normalized.
    """
    return normalize_rows(weighted_counts(counts))


def weighted_counts(counts: Rows) -> Rows:
    """The vectors of `tfidf`, as long as they are."""
    return scale_columns(counts, _idf(counts))


def count_terms(sentences: Sequence[Terms]) -> Rows:
    """Count the terms of sentences, in columns in order of first occurrence: [sentences × terms]."""
    return count_matrix(sentences, term_columns(sentences))


def _idf(counts: Rows) -> Array:
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
        self._axes = _principal_axes(vectors.scipy, dimensions) if reduced else None
        self.vectors = self._turn(vectors)

    def embed(self, sentences: Sequence[Terms]) -> Matrix | Array:
        """Vectors of any sentences in this space: [sentences × dimensions], rows normalized."""
        return self._turn(normalize_rows(scale_columns(count_matrix(sentences, self._columns), self._weights)))

    def _turn(self, vectors: Rows) -> Matrix | Array:
        if self._axes is None:
            return vectors.scipy
        turned = np.asarray(vectors.scipy @ self._axes)
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

    def __init__(self, vectors: Rows, bound: float = 1.0) -> None:
        """Select no sentence yet; one whose cosine reaches a `bound` below 1 repeats another."""
        self.similarity = np.zeros(vectors.shape[0])
        self._vectors, self._bound = vectors, bound

    def repeats(self, sentence: int) -> bool:
        """Return True if `sentence` is too similar to a selected one."""
        return self._bound < 1 and 0 < self.similarity[sentence] >= self._bound

    def add(self, sentence: int) -> None:
        """Select `sentence`."""
        cells, row = self._vectors.cells_of(sentence), np.zeros(self._vectors.shape[1])
        row[self._vectors.indices[cells]] = self._vectors.data[cells]
        np.maximum(self.similarity, self._vectors @ row, out=self.similarity)


def products_with_earlier(rows: Rows) -> Array:
    """Sum the products of each row with the rows before it."""
    order = np.argsort(rows.indices, kind="stable")
    columns, values = rows.indices[order], rows.data[order]
    before = np.cumsum(values) - values
    sums = np.empty(len(order))
    sums[order] = before - before[np.searchsorted(columns, columns)]
    return rows.sums(rows.data * sums)


def products_below(rows: Rows, keys: Array, others: Rows, other_keys: Array) -> Array:
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
    cell_keys = np.concatenate([keys[rows.rows], other_keys[others.rows]])
    added = np.concatenate([np.zeros(rows.nnz), others.data])
    order = np.lexsort((np.arange(len(columns)), cell_keys, columns))  # of equal keys, those of `rows` come first
    columns, added = columns[order], added[order]
    before = np.cumsum(added) - added
    sums = np.empty(len(order))
    sums[order] = before - before[np.searchsorted(columns, columns)]
    return rows.sums(rows.data * sums[: rows.nnz])
