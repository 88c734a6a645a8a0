"""Concepts of the sentences of a text, the weight of those that a selection covers, and what they tell a reader."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from nutgraf.extractive import Integers
from nutgraf.text.counts import numbered_words
from nutgraf.text.cues import cue_phrases, is_third_person
from nutgraf.text.document import Document
from nutgraf.text.tokenize import Span, is_word, token_spans
from nutgraf.text.vectors import Array, Rows, count_cells

Named = Sequence[tuple[tuple[str, ...], int]]
"""Content words, lowercased, and number of each concept of a sentence."""

NAMED = 2
"""Number of concepts that a reason names."""


def bigrams(document: Document) -> tuple[Integers, Integers]:
    """Sentence and number of each bigram of stems, in the order of the text, but for those of two stop words."""
    stop, stem = document.stop_words, document.stem
    found, size = numbered_words(document), len(numbered_words(document).words)
    stems_of = list(map(stem, found.words))
    numbers = {known: number for number, known in enumerate(dict.fromkeys(stems_of))}
    number_of = np.fromiter(map(numbers.__getitem__, stems_of), dtype=np.int64, count=size)
    is_common = np.fromiter(map(stop.__contains__, found.words), dtype=bool, count=size)
    stems, common, sentence_of = number_of[found.numbers], is_common[found.numbers], found.sentence_of
    kept = (sentence_of[:-1] == sentence_of[1:]) & ~(common[:-1] & common[1:])
    return sentence_of[:-1][kept], (stems[:-1] * max(1, len(numbers)) + stems[1:])[kept]


def incidence(sentence_of: Integers, labels: Integers, shape: tuple[int, int]) -> Rows:
    """Incidence matrix of the concepts in the sentences: [sentences × concepts], zeros and ones."""
    counts = count_cells(sentence_of, labels, shape)
    return counts.of(np.ones(counts.nnz))


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

    def __init__(self, holds: Rows, weights: Array, factors: Array | None = None) -> None:
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

    def gain_of_all(self, indices: Sequence[int]) -> float:
        """Weight of the concepts that sentences would add together; what they share counts for the first."""
        gain, before = 0.0, list[Array]()
        for index in indices:
            before.append(self.weights_in(index))
            gain += float(before[-1].sum() * self._factors[index])
            self.add(index)
        for index, weights in zip(reversed(indices), reversed(before), strict=True):
            self._weights[self.concepts(index)] = weights
        return gain

    def weights_in(self, index: int) -> Array:
        """Weight of each concept of a sentence, in the order of `concepts`; 0 if it is covered."""
        return np.asarray(self._weights[self.concepts(index)])

    def add(self, index: int) -> None:
        """Cover the concepts of a sentence; they weigh nothing from now on."""
        self._weights[self.concepts(index)] = 0.0

    def concepts(self, index: int) -> npt.NDArray[np.integer[Any]]:
        """Numbers of the concepts of a sentence."""
        return self._holds.indices[self._holds.cells_of(index)]


def coverage_reason(
    coverage: Coverage, index: int, shared: Named, text: str, language: str, units: str
) -> Iterator[str]:
    """Yield the reason that a sentence shares concepts with others, if it does."""
    quoted = _weightiest(coverage, index, shared, text, language)
    if quoted:
        yield f"shares {quoted} with other {units}"


def other_reason(coverage: Coverage, index: int, concepts: Named, text: str, language: str) -> str:
    """The reason of a sentence that has no other one: the concepts that it adds, or that there is room for it."""
    quoted = _weightiest(coverage, index, concepts, text, language)
    return f"adds {quoted}" if quoted else "fills the remaining length"


def _weightiest(coverage: Coverage, index: int, concepts: Named, text: str, language: str) -> str:
    """The weightiest concepts of a sentence that are not covered, quoted; "" if there are none."""
    weights = dict(zip(coverage.concepts(index).tolist(), coverage.weights_in(index).tolist(), strict=True))
    ranked = sorted((-weights[number] * len(words), number, words) for words, number in concepts if weights[number] > 0)
    named: list[tuple[str, ...]] = []
    for _, _, words in ranked:
        if len(named) < NAMED and words and not any(set(words) & set(other) for other in named):
            named.append(words)
    if not named:
        return ""
    spans = [(start, end) for start, end in token_spans(text, language=language) if is_word(text[start:end])]
    return " and ".join(f"“{_printed(words, text, spans)}”" for words in named)


def position_reason(document: Document, index: int) -> Iterator[str]:
    """Yield the reason that a sentence opens or ends its section or document, if it does."""
    sentences, start = document.sentences, document.sentences[index].start
    for span, name in (
        *((section, f"section “{section.name}”") for section in document.sections if section.name),
        *((part, "document" if len(document.parts) > 1 else "text") for part in document.parts),
    ):
        if not span.start <= start < span.end:
            continue
        if index == 0 or sentences[index - 1].start < span.start:
            yield f"opens the {name}"
            return
        if index + 1 == len(sentences) or sentences[index + 1].start >= span.end:
            yield f"ends the {name}"
            return


def cue_reason(text: str, language: str) -> Iterator[str]:
    """Yield the reason that a sentence has a cue phrase, if it has one."""
    found = cue_phrases(text, language)
    if found:
        yield f"announces something: “{found[0]}”"


def narration_reason(words: Sequence[str], language: str) -> Iterator[str]:
    """Yield the reason that a sentence is told in the third person, if it is."""
    if is_third_person(words, language):
        yield "told in the third person"


def _printed(words: tuple[str, ...], text: str, spans: Sequence[Span]) -> str:
    """The passage of a text that consists of these words, lowercased here; the words themselves if there is none.

    spans: the words of the text.
    """
    found = [text[start:end].lower() for start, end in spans]
    for first, word in enumerate(found):
        if word == words[0] and tuple(found[first : first + len(words)]) == words:
            return text[spans[first][0] : spans[first + len(words) - 1][1]]
    return " ".join(words)
