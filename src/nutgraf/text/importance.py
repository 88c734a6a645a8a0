"""Importance of sentences: how near each is to the middle of all sentences.

As in PG-MMR (Lebanoff, Song and Liu 2018, and their program): the cosine of a sentence's tf-idf vector with the mean
vector, scaled to [0, 1]. Terms are one to three stems in a row; those of more than 0.7 of the sentences are left out.
Their document frequencies are counted in a whole test set; ours in the one text, since nobody summarizes a test set.
"""

from __future__ import annotations

import numpy as np

from nutgraf.text.document import Document
from nutgraf.text.vectors import ROUNDING, Array, count_terms, normalize_rows, scale_columns

LONGEST = 3
"""Stems in the longest term."""

LARGEST_SHARE = 0.7
"""Share of the sentences that a term may stand in."""


def importance(document: Document) -> Array:
    """Return the importance of each sentence, from 0 to 1; all are 1 where none is nearer to the mean than another."""
    likeness = _likeness([_ngrams(stems) for stems in document.terms])
    spread = np.ptp(likeness) if likeness.size else 0.0
    if spread <= ROUNDING:
        return np.ones(len(likeness))
    scaled: Array = (likeness - likeness.min()) / spread
    return scaled


def _likeness(sentences: list[list[str]]) -> Array:
    """Return the cosine of each sentence's tf-idf vector with their mean; idf = ln((1 + N)/(1 + df)) + 1."""
    counts = count_terms(sentences)
    frequencies = np.bincount(counts.indices, minlength=counts.shape[1])
    weights = np.log((1 + counts.shape[0]) / (1 + frequencies)) + 1
    weights[frequencies > LARGEST_SHARE * counts.shape[0]] = 0.0
    vectors = normalize_rows(scale_columns(counts, weights))
    mean = vectors.column_sums()
    norm = np.linalg.norm(mean)
    likeness: Array = vectors @ mean / (norm if norm > 0 else 1.0)
    return likeness


def _ngrams(stems: list[str]) -> list[str]:
    return [
        " ".join(stems[start : start + length])
        for length in range(1, LONGEST + 1)
        for start in range(len(stems) - length + 1)
    ]
