"""Which sentences of different texts say the same: those that share most of the weight of their words and numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from nutgraf.collation.mentions import Mention
from nutgraf.text.vectors import Array, Rows, count_matrix, scale_columns

SAME = 0.18
"""Likeness from which on two sentences say the same."""

ALONE = 0.1
"""Likeness up to which a sentence says what no other text does."""

BLOCK = 1000
"""Sentences that are compared with all others at once."""

COMMON = 300
"""Number of sentences from which on a word is no reason to compare them; short inputs have no such words."""


class Partner(NamedTuple):
    """The sentence of another text that is most like one; `likeness` is from 0 to 1."""

    sentence: int
    likeness: float


def with_numbers(terms: Sequence[Sequence[str]], found: Sequence[Mention]) -> list[list[str]]:
    """Return the terms of sentences, each once, and a term for each number, however it is written."""
    told: list[list[str]] = [list(sentence) for sentence in terms]
    for one in found:
        told[one.sentence] += one.terms
    return [list(dict.fromkeys(sentence)) for sentence in told]


def partners(terms: Sequence[Sequence[str]], parts: Sequence[int]) -> list[Mapping[int, Partner]]:
    """Find for each sentence the one of each other text that is most like it; those that share nothing are left out.

    The likeness is the share of both sentences' weight that they have in common (Dice), a term weighing
    ln(1 + N/df) in N sentences of which df have it.

    Args:
        terms: Different terms of each sentence.
        parts: Text of each sentence.
    """
    columns = {term: place for place, term in enumerate(dict.fromkeys(one for sentence in terms for one in sentence))}
    counts = count_matrix(terms, columns)
    frequencies = np.bincount(counts.indices, minlength=len(columns))
    weighted = scale_columns(counts, np.log1p(len(terms) / np.maximum(frequencies, 1)))
    weights = weighted.sums(weighted.data)
    kept = frequencies[counts.indices] <= COMMON
    one, other = (_kept(rows, kept) for rows in (counts, weighted))
    return _best(one, other, weights, np.asarray(parts))


def _best(counts: object, weighted: object, weights: Array, parts: np.ndarray) -> list[Mapping[int, Partner]]:
    found: list[dict[int, Partner]] = []
    across = weighted.T.tocsr()  # type: ignore[attr-defined]
    for start in range(0, len(parts), BLOCK):
        shared = (counts[start : start + BLOCK] @ across).tocoo()  # type: ignore[index]
        mine, its = shared.row + start, shared.col
        likeness = 2 * shared.data / (weights[mine] + weights[its])
        chosen = parts[mine] != parts[its]
        mine, its, likeness = mine[chosen], its[chosen], likeness[chosen]
        order = np.lexsort((its, -likeness, parts[its], mine))
        mine, its, likeness = mine[order], its[order], likeness[order]
        first = np.ones(len(mine), dtype=bool)
        first[1:] = (mine[1:] != mine[:-1]) | (parts[its[1:]] != parts[its[:-1]])
        block: list[dict[int, Partner]] = [{} for _ in range(start, min(start + BLOCK, len(parts)))]
        for one, other, value in zip(mine[first].tolist(), its[first].tolist(), likeness[first].tolist(), strict=True):
            block[one - start][int(parts[other])] = Partner(other, value)
        found += block
    return found


def _kept(rows: Rows, kept: np.ndarray) -> object:
    from scipy import sparse

    matrix = sparse.csr_matrix((rows.data * kept, rows.indices, rows.indptr), shape=rows.shape)
    matrix.eliminate_zeros()
    return matrix


def grouped(found: Sequence[Mapping[int, Partner]]) -> list[list[int]]:
    """Group the sentences that say the same, each group with at least two texts; a sentence is in one group at most.

    A sentence that most other texts say is the center of a group; then those that are most like the others.
    """
    near = [{part: one for part, one in others.items() if one.likeness >= SAME} for others in found]
    order = sorted(
        (index for index, others in enumerate(near) if others),
        key=lambda index: (-len(near[index]), -sum(one.likeness for one in near[index].values()), index),
    )
    taken: set[int] = set()
    groups = []
    for center in order:
        group = [center, *(one.sentence for one in near[center].values() if one.sentence not in taken)]
        if center not in taken and len(group) > 1:
            taken.update(group)
            groups.append(sorted(group))
    return groups


def alone(found: Sequence[Mapping[int, Partner]]) -> list[int]:
    """Return the sentences that are like none of another text."""
    return [
        index
        for index, others in enumerate(found)
        if all(partner.likeness <= ALONE for partner in others.values())
    ]
