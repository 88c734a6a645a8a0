"""Reduction: sentences by the sum of their similarities to all others, the degree in the graph of the first TextRank.

The similarity is that of Mihalcea and Tarau (*TextRank: Bringing Order into Texts*, 2004, Sec. 4.1): the number of
shared words over ln |s| + ln |t|. TextRank walks on this graph; Reduction, known by this name from the program sumy,
adds up the edges. A word that stands more than once is shared as often as it can be paired. Two sentences of one
content word each, whose logarithms are zero, are divided by ln 2.

Sums go through the terms, once for each length of a sentence, so that no matrix of all pairs is needed.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy import sparse

from nutgraf.extractive import Ranking, Ratings, SentenceRanker, boosted
from nutgraf.presets.family import NoOptions
from nutgraf.text.counts import term_counts
from nutgraf.text.document import Document
from nutgraf.text.vectors import Array, Matrix


class Reduction(SentenceRanker):
    """Rates sentences by their weighted degree in the graph of shared words."""

    config: NoOptions

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank by the sum of similarities."""
        counts = term_counts(document).matrix.scipy
        sizes = np.array([len(sentence) for sentence in document.terms], dtype=np.int64)
        return Ranking.by(boosted(_degrees(counts, sizes), boosts))


def _degrees(counts: Matrix, sizes: npt.NDArray[np.int64]) -> Array:
    """Sum of the similarities of each row to all others; `sizes` are lengths in terms."""
    lengths, groups = np.unique(sizes, return_inverse=True)
    members = sparse.csr_matrix(
        (np.ones(len(sizes)), (groups, np.arange(len(sizes)))), shape=(len(lengths), len(sizes))
    )
    totals = sparse.csr_matrix(members @ counts)
    logarithms = np.log(np.maximum(sizes, 1))
    degrees = np.zeros(len(sizes))
    for group, length in enumerate(lengths.tolist()):
        shared = counts @ totals[group].toarray().ravel()
        degrees += shared / np.maximum(logarithms + math.log(max(length, 1)), math.log(2))
    own = np.asarray(counts.multiply(counts).sum(axis=1)).ravel()
    return np.asarray(degrees - own / np.maximum(2 * logarithms, math.log(2)))
