"""Counts of the words and terms in each sentence of a document, made once for all methods that ask."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from nutgraf.text.document import Document, kept
from nutgraf.text.language import term_table
from nutgraf.text.vectors import Rows, count_cells

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class NumberedWords:
    """The words of a document, as numbers.

    Attributes:
        words: Number of each word, in order of first occurrence.
        numbers: Number of each word of the text, in order.
        sentence_of: Sentence of each word of the text.
    """

    words: dict[str, int]
    numbers: Integers
    sentence_of: Integers


@dataclass(frozen=True, slots=True)
class TermCounts:
    """The terms of a document (`Document.terms`).

    Attributes:
        columns: Column of each term, in order of first occurrence.
        matrix: How often each stands in each sentence: [sentences × terms].
    """

    columns: dict[str, int]
    matrix: Rows


@kept
def numbered_words(document: Document) -> NumberedWords:
    """Return the words of a document as numbers."""
    flat = list(chain.from_iterable(document.words))
    words = {word: number for number, word in enumerate(dict.fromkeys(flat))}
    numbers = np.fromiter(map(words.__getitem__, flat), dtype=np.int64, count=len(flat))
    sizes = [len(sentence) for sentence in document.words]
    return NumberedWords(words, numbers, np.repeat(np.arange(len(sizes)), sizes))


@kept
def term_counts(document: Document) -> TermCounts:
    """Count the terms of a document."""
    found = numbered_words(document)
    terms = list(map(term_table(document.language, document.stop_words).__getitem__, found.words))
    columns = {term: column for column, term in enumerate(dict.fromkeys(filter(None, terms)))}
    column_of = np.fromiter(map({**columns, "": -1}.__getitem__, terms), dtype=np.int64, count=len(terms))
    places = column_of[found.numbers]
    is_term = places >= 0
    shape = (len(document.sentences), len(columns))
    return TermCounts(columns, count_cells(found.sentence_of[is_term], places[is_term], shape))
