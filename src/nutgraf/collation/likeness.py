"""Mentions in different texts that may be about the same thing, and what their words say for it.

Mentions meet by words that few others have, so that time grows with their number and not with that of the pairs.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nutgraf.collation.mentions import Mention
from nutgraf.text.vectors import Array, count_matrix, scale_columns, term_columns

Ints = npt.NDArray[np.int64]
Matrix = Any  # scipy.sparse.csr_matrix, which has no types

FEATURES = ("sentence", "context", "near", "noun", "head", "headless")
"""What speaks for a pair: the cosines of the sentences, of the sentences with those around them, of the words around
the numbers, and of those behind them; whether the first one behind is the same; whether one of them has none."""

AROUND = 0.5
"""Weight of the words of the sentences before and after the one in which a number stands."""

COUNTED = 3
"""Words behind a number that may say what is counted."""

BLOCK = 500
"""Mentions that are compared with all others at once."""

AT_ONCE = 20_000
"""Pairs of mentions whose cosines are computed at once."""

MOST_PARTNERS = 20
"""Most mentions with which one is compared; those whose words are most like its own."""

COMMON = 300
"""Number of mentions from which on a word brings no two of them together; it still counts where others did."""


HARDLY = 1e-3
"""Weight of a rare kind of numbers where mentions meet, so that any word counts for more."""


class Pairs(NamedTuple):
    """Pairs of mentions of different texts: the first, the second, and their features, [pairs × FEATURES]."""

    first: Ints
    second: Ints
    features: Array


def pairs_of(found: Sequence[Mention], terms: Sequence[Sequence[str]], parts: Sequence[int]) -> Pairs:
    """Pair the mentions of different texts that may be about the same thing.

    Args:
        found: The mentions.
        terms: Terms of each sentence.
        parts: Text of each sentence.
    """
    columns = term_columns([*terms, *(one.near for one in found)])
    counts = count_matrix(terms, columns)
    frequencies = np.maximum(np.bincount(counts.indices, minlength=len(columns)), 1)
    weights = np.log1p(len(terms) / frequencies)
    sentences = scale_columns(counts, weights).scipy
    at = np.array([one.sentence for one in found], dtype=np.int64)
    of_part = np.asarray(parts, dtype=np.int64)
    own = sentences[at]
    context = own + AROUND * (_beside(sentences, of_part, at, -1) + _beside(sentences, of_part, at, 1))
    vectors = [own, context]
    for words in ([one.near for one in found], [one.behind[:COUNTED] for one in found]):
        vectors.append(scale_columns(count_matrix(words, columns), weights).scipy)
    unit = [_normalized(matrix.tocsr()) for matrix in vectors]
    heads = np.array([columns[one.behind[0]] if one.behind else -1 for one in found], dtype=np.int64)
    first, second = _meeting(unit[1], of_part[at], _codes([one.key for one in found]))
    cosines = [_products(one, first, second) for one in unit]
    headless = (heads[first] < 0) | (heads[second] < 0)
    same = ~headless & (heads[first] == heads[second])
    return Pairs(first, second, np.column_stack([*cosines, same, headless]))


def _products(rows: Matrix, first: Ints, second: Ints) -> Array:
    """Return the products of some pairs of rows, few of which are looked at at once."""
    spans = [slice(start, start + AT_ONCE) for start in range(0, len(first), AT_ONCE)]
    found = [np.asarray(rows[first[span]].multiply(rows[second[span]]).sum(1)).ravel() for span in spans]
    return np.concatenate([np.zeros(0), *found])


def _meeting(vectors: Matrix, parts: Ints, keys: Ints) -> tuple[Ints, Ints]:
    """Return the pairs of mentions of one kind and of different texts that share a word few others have."""
    from scipy import sparse

    frequent = np.bincount(vectors.indices, minlength=vectors.shape[1]) > COMMON
    narrow = vectors.copy()
    narrow.data = narrow.data * ~frequent[narrow.indices]
    narrow.eliminate_zeros()
    narrow = sparse.hstack([narrow, _rare(keys)]).tocsr()
    across = narrow.T.tocsr()
    found = [np.zeros((2, 0), dtype=np.int64)]
    for start in range(0, len(parts), BLOCK):
        products = (narrow[start : start + BLOCK] @ across).tocoo()
        one, other = products.row + np.int64(start), products.col.astype(np.int64)
        chosen = (one < other) & (parts[one] != parts[other]) & (keys[one] == keys[other])
        one, other, product = one[chosen], other[chosen], products.data[chosen]
        order = np.lexsort((other, -product, one))
        one, other = one[order], other[order]
        best = np.arange(len(one)) - np.searchsorted(one, one) < MOST_PARTNERS
        found.append(np.stack([one[best], other[best]]))
    both = np.concatenate(found, axis=1)
    return both[0], both[1]


def _rare(keys: Ints) -> Matrix:
    """Return a column for each kind of number, with hardly any weight, for the mentions of kinds that few have."""
    from scipy import sparse

    rare = np.flatnonzero(np.bincount(keys)[keys] <= COMMON)
    cells = np.full(len(rare), HARDLY)
    return sparse.csr_matrix((cells, (rare, keys[rare])), shape=(len(keys), int(keys.max(initial=0)) + 1))


def _beside(sentences: Matrix, parts: Ints, at: Ints, step: int) -> Matrix:
    """Return the vectors of the sentences before or after some, none beyond the text."""
    beside = np.clip(at + step, 0, len(parts) - 1)
    within = (parts[beside] == parts[at]) & (beside != at)
    return sentences[beside].multiply(within[:, None])


def _normalized(matrix: Matrix) -> Matrix:
    norms = np.sqrt(np.asarray(matrix.multiply(matrix).sum(1)).ravel())
    norms[norms == 0] = 1.0
    matrix.data = matrix.data / np.repeat(norms, np.diff(matrix.indptr))
    return matrix


def _codes(keys: Sequence[Hashable]) -> Ints:
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(key, len(known)) for key in keys], dtype=np.int64)
