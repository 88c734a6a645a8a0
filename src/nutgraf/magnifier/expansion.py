"""Expansion of prototype sentences. Sarkhel et al. 2020 (MLS), Sec. 2.2.

A sentence s is expanded into a run E of n consecutive sentences of the document, n = 3, later 2, that maximizes
    score(E) = sim(s, E) · overlap(s, E),
where sim is the mean cosine between s and the sentences of E, and overlap the share of the words of s that occur in E.
The paper searches with a beam; there are only p − n + 1 runs, so we score all of them exactly.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence

import numpy as np
import numpy.typing as npt
from scipy import sparse

from nutgraf.magnifier.kernels import Values, Words
from nutgraf.text.document import Document
from nutgraf.text.vectors import Matrix, SentenceSpace, count_matrix, term_columns

Flags = npt.NDArray[np.bool_]
Spans = npt.NDArray[np.intp]
"""Runs of sentences, [runs × 2]: index of the first sentence, and of the one after the last."""

KEPT = 32
"""Number of best runs stored per sentence; only if all of them are used are the runs scored again."""


class Expansions:
    """Scores runs of a document's sentences against the sentences of a prototype."""

    def __init__(
        self,
        document: Document,
        prototype: Sequence[Words],
        sizes: Sequence[int],
        dimensions: int,
        lengths: Sequence[int] | None = None,
    ) -> None:
        """Embed the document and the prototype.

        Args:
            document: The document.
            prototype: The prototype's sentences as words.
            sizes: Lengths of runs, in the order in which they are tried.
            dimensions: Maximum dimensions of the sentence vectors; 0 for no limit.
            lengths: Length of each sentence of the document in the unit of the budget; by default in words.
        """
        space = SentenceSpace(document.terms, dimensions)
        self._document = _by_columns(space.vectors)
        self._prototype = space.embed(document.terms_of(prototype))
        columns = term_columns(prototype)
        holds = _presence(count_matrix(document.words, columns).scipy)
        self._counts = count_matrix(prototype, columns).scipy
        self._starts = np.array([document.part_of(sentence.start) for sentence in document.sentences])
        self._words_before = np.concatenate(([0], np.cumsum(document.lengths if lengths is None else lengths)))
        self._sizes = [size for size in sizes if size <= len(document.sentences)]
        self._unions = {size: _by_columns(_union(holds, size)) for size in self._sizes}
        self._ranked: dict[tuple[int, int], list[int]] = {}

    def best(self, sentence: int, used: Flags, room: int, count: int = 1) -> list[range]:
        """Best runs for a sentence of the prototype, by descending score.

        Runs have the first size for which any run is free, that is, contains no `used` sentence and has at most `room`
        words; the list is empty if there is none.
        """
        for size in self._sizes:
            runs = self._free(sentence, size, used, room, count)
            if runs:
                return runs
        return []

    def barred(self, runs: Spans, used: Flags, room: int) -> Flags:
        """For each run, True if it is no longer free or has more than `room` words."""
        before = np.concatenate(([0], np.cumsum(used)))
        starts, ends = runs.T
        taken, words = before[ends] > before[starts], self._words_before[ends] - self._words_before[starts]
        return taken | (words > room)

    def _free(self, sentence: int, size: int, used: Flags, room: int, count: int) -> list[range]:
        for complete in (False, True):
            ranked = self._rank(sentence, size, complete)
            found = []
            for start in ranked:
                end = start + size
                if not used[start:end].any() and self._words_before[end] - self._words_before[start] <= room:
                    found.append(range(start, end))
                    if len(found) == count:
                        return found
            if found or len(ranked) < KEPT:
                return found
        return []

    def _rank(self, sentence: int, size: int, complete: bool) -> list[int]:
        if complete:
            return _order(self.scores(sentence, size), None)
        key = (sentence, size)
        if key not in self._ranked:
            self._ranked[key] = _order(self.scores(sentence, size), KEPT)
        return self._ranked[key]

    def scores(self, sentence: int, size: int) -> Values:
        """score(E) of every run of `size` sentences; 0 for runs that cross from one document to the next."""
        cosines = _dense(_row(self._prototype, sentence) @ self._document)
        sums = np.convolve(cosines, np.ones(size), mode="valid")
        row = self._counts[sentence]
        overlap = _dense(row @ self._unions[size]) / max(1.0, row.sum())
        inside = self._starts[: len(sums)] == self._starts[size - 1 :]
        return np.maximum(sums / size, 0.0) * overlap * inside


def ngrams(words: Words) -> list[tuple[str, ...]]:
    """Bigrams and trigrams of a sentence."""
    return [*itertools.pairwise(words), *zip(words, words[1:], words[2:], strict=False)]


def repeated(sentences: Iterable[Sequence[tuple[str, ...]]], known: Collection[tuple[str, ...]] = ()) -> int:
    """Count bigrams and trigrams that would be repeated: those in `known`, and those that occur twice.

    Chen and Bansal 2018.
    """
    seen: set[tuple[str, ...]] = set()
    count = 0
    for sentence in sentences:
        for ngram in sentence:
            count += ngram in known or ngram in seen
            seen.add(ngram)
    return count


def _order(scores: Values, count: int | None) -> list[int]:
    """Runs with a positive score, by descending score; ties in document order."""
    positive = np.flatnonzero(scores > 0)
    if count is not None and len(positive) > 4 * count:
        floor = np.partition(scores[positive], -count)[-count]
        positive = positive[scores[positive] >= floor]
    ranked: list[int] = positive[np.argsort(-scores[positive], kind="stable")].tolist()
    return ranked if count is None else ranked[:count]


def _presence(counts: Matrix) -> Matrix:
    held = counts.copy()
    held.data[:] = 1.0
    return held


def _union(holds: Matrix, size: int) -> Matrix:
    """Words that occur in each run of `size` sentences."""
    runs = holds.shape[0] - size + 1
    total = holds[:runs]
    for shift in range(1, size):
        total = total + holds[shift : shift + runs]
    return _presence(sparse.csr_matrix(total))


def _by_columns(matrix: Matrix) -> Matrix:
    """Transposed matrix, so that a product with a sentence visits only the columns of its words."""
    return matrix.T.tocsr() if sparse.issparse(matrix) else matrix.T


def _row(vectors: Matrix, index: int) -> Matrix:
    return vectors[index] if sparse.issparse(vectors) else vectors[index : index + 1]


def _dense(row: Matrix) -> Values:
    return np.asarray(row.todense() if sparse.issparse(row) else row).ravel()
