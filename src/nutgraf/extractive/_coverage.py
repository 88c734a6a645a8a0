"""Concepts of the sentences of a text, and the weight of those that a selection covers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import sparse

from nutgraf.text.document import Document
from nutgraf.text.vectors import INDEX, Array, Matrix, term_columns

Integers = npt.NDArray[np.int64]


def bigrams(document: Document) -> tuple[Integers, Integers]:
    """Sentence and number of each bigram of stems, in the order of the text, but for those of two stop words."""
    stop, stem = document.stop_words, document.stem
    words, numbers = term_columns(document.words), dict[str, int]()
    number_of = np.array([numbers.setdefault(stem(word), len(numbers)) for word in words], dtype=np.int64)
    is_common = np.array([word in stop for word in words], dtype=bool)
    found = np.array([words[word] for sentence in document.words for word in sentence], dtype=np.int64)
    stems, common = number_of[found], is_common[found]
    sentence_of = np.repeat(np.arange(len(document.words)), [len(sentence) for sentence in document.words])
    kept = (sentence_of[:-1] == sentence_of[1:]) & ~(common[:-1] & common[1:])
    return sentence_of[:-1][kept], (stems[:-1] * max(1, len(numbers)) + stems[1:])[kept]


def incidence(sentence_of: Integers, labels: Integers, shape: tuple[int, int]) -> Matrix:
    """Incidence matrix of the concepts in the sentences: [sentences × concepts], zeros and ones."""
    count, width = shape
    cells = np.sort(sentence_of * width + labels)
    cells = cells[np.diff(cells, prepend=-1) > 0]
    starts = np.searchsorted(cells, np.arange(count + 1) * width).astype(INDEX)
    return sparse.csr_matrix((np.ones(len(cells)), (cells % max(1, width)).astype(INDEX), starts), shape=shape)


def distinct(labels: Integers, places: Integers, count: int) -> Integers:
    """Number of different places of each of `count` labels."""
    pairs = np.unique(np.stack([labels, places]), axis=1)
    return np.bincount(pairs[0], minlength=count)


class Coverage:
    """Weight of the concepts covered so far, each counted once.

    Args:
        holds: Incidence matrix of the concepts in the sentences: [sentences × concepts].
        weights: Weight of each concept.
        factors: Factor of what each sentence adds; by default 1.
    """

    def __init__(self, holds: Matrix, weights: Array, factors: Array | None = None) -> None:
        self._holds = holds
        self._weights = weights.copy()
        self._factors = np.ones(holds.shape[0]) if factors is None else factors

    def copy(self) -> Coverage:
        """Return a copy that covers the same and is changed independently."""
        return Coverage(self._holds, self._weights, self._factors)

    def singles(self) -> Array:
        """Weight of the concepts of each sentence."""
        return np.asarray((self._holds @ self._weights) * self._factors)

    def gains_of(self, indices: Sequence[int]) -> Array:
        """Weights of the concepts that sentences would add."""
        starts, ends = self._holds.indptr[indices], self._holds.indptr[np.add(indices, 1)]
        sizes = ends - starts
        cells = np.arange(sizes.sum()) + np.repeat(starts - np.cumsum(sizes) + sizes, sizes)
        weights = self._weights[self._holds.indices[cells]]
        sums = np.bincount(np.repeat(np.arange(len(sizes)), sizes), weights, minlength=len(sizes))
        return np.asarray(sums * self._factors[indices])

    def weights_in(self, index: int) -> Array:
        """Weight of each concept of a sentence, in the order of `concepts`; 0 if it is covered."""
        return np.asarray(self._weights[self.concepts(index)])

    def add(self, index: int) -> None:
        """Cover the concepts of a sentence; they weigh nothing from now on."""
        self._weights[self.concepts(index)] = 0.0

    def concepts(self, index: int) -> npt.NDArray[np.int32]:
        """Numbers of the concepts of a sentence."""
        start, end = self._holds.indptr[index : index + 2]
        return self._holds.indices[start:end]
