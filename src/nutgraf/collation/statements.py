"""Sentences of different texts that say the same: those that share most of the weight of their words and numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nutgraf.collation.mentions import Mention
from nutgraf.text.vectors import Array, Integers, Matrix, Rows, count_cells, count_terms, scale_columns

SAME = 0.42
"""Likeness from which on two sentences say the same."""

ALONE = 0.1
"""Likeness up to which a sentence says what no other text does."""

MENTIONED = 0.5
"""Largest share of the weight of such a sentence that another text may have anywhere."""

FEW, BY_FEW = 2, 0.6
"""Words in common that are few, and the likeness from which on they suffice."""

RELATED = 0.22
"""Likeness from which on two sentences are at least about the same thing."""

BLOCK = 500
"""Sentences that are compared with all others at once."""

COMMON = 300
"""Number of sentences from which on a word is no reason to compare them; short inputs have no such words."""


class Partner(NamedTuple):
    """The sentence of another text that is most like one.

    Attributes:
        sentence: Its index.
        likeness: How much both have in common, from 0 to 1.
        words: Number of words and numbers that they have in common.
    """

    sentence: int
    likeness: float
    words: int

    @property
    def says_the_same(self) -> bool:
        """True if both say the same."""
        return self.likeness >= (SAME if self.words > FEW else BY_FEW)


def with_numbers(terms: Sequence[Sequence[str]], found: Sequence[Mention]) -> list[list[str]]:
    """Return the terms of sentences, each once, and a term for each number, however it is written."""
    told: list[list[str]] = [list(sentence) for sentence in terms]
    for one in found:
        told[one.sentence] += one.terms
    return [list(dict.fromkeys(sentence)) for sentence in told]


def partners(terms: Sequence[Sequence[str]], parts: Sequence[int]) -> list[Mapping[int, Partner]]:
    """Find for each sentence the one of each other text that is most like it, if any is by more than `ALONE`.

    The likeness is the share of both sentences' weight that they have in common (Dice), a term weighing
    ln(1 + N/df) in N sentences of which df have it.

    Args:
        terms: Different terms of each sentence.
        parts: Text of each sentence.
    """
    counts, weighted = _weighted(terms)
    weights = weighted.sums(weighted.data)
    kept = np.bincount(counts.indices, minlength=counts.shape[1])[counts.indices] <= COMMON
    one, other = (_kept(rows, kept) for rows in (counts, weighted))
    return _best(one, other, weights, np.asarray(parts))


def _weighted(terms: Sequence[Sequence[str]]) -> tuple[Rows, Rows]:
    """Return which terms each sentence has, and their weights: [sentences × terms]."""
    counts = count_terms(terms)
    frequencies = np.bincount(counts.indices, minlength=counts.shape[1])
    return counts, scale_columns(counts, np.log1p(len(terms) / np.maximum(frequencies, 1)))


def _best(counts: Matrix, weighted: Matrix, weights: Array, parts: Integers) -> list[Mapping[int, Partner]]:
    found: list[Mapping[int, Partner]] = []
    across = weighted.T.tocsr()
    for start in range(0, len(parts), BLOCK):
        shared = (counts[start : start + BLOCK] @ across).tocoo()
        mine, its = shared.row + start, shared.col
        likeness = 2 * shared.data / (weights[mine] + weights[its])
        chosen = (likeness > ALONE) & (parts[mine] != parts[its])
        mine, its, likeness = mine[chosen], its[chosen], likeness[chosen]
        order = np.lexsort((its, -likeness, parts[its], mine))
        first = np.ones(len(order), dtype=bool)
        sorted_mine, sorted_parts = mine[order], parts[its[order]]
        first[1:] = (sorted_mine[1:] != sorted_mine[:-1]) | (sorted_parts[1:] != sorted_parts[:-1])
        mine, its, likeness = (some[order[first]] for some in (mine, its, likeness))
        words = np.asarray(counts[mine].multiply(counts[its]).sum(1)).ravel()
        block: list[dict[int, Partner]] = [{} for _ in range(start, min(start + BLOCK, len(parts)))]
        for one, *partner in zip(*(some.tolist() for some in (mine, its, likeness, words)), strict=True):
            block[one - start][int(parts[partner[0]])] = Partner(partner[0], partner[1], int(partner[2]))
        found += block
    return found


def _kept(rows: Rows, kept: npt.NDArray[np.bool_]) -> Matrix:
    matrix = rows.of(rows.data * kept).scipy
    matrix.eliminate_zeros()
    return matrix


def grouped(found: Sequence[Mapping[int, Partner]]) -> list[list[int]]:
    """Group the sentences that say the same, each group with at least two texts; a sentence is in one group at most.

    A sentence that most other texts say is the center of a group; then those that are most like the others. What is
    like the center, but not like the others of the group, stays out.
    """
    near = [{part: one for part, one in others.items() if one.says_the_same} for others in found]
    order = sorted(
        (index for index, others in enumerate(near) if others),
        key=lambda index: (-len(near[index]), -sum(one.likeness for one in near[index].values()), index),
    )
    taken: set[int] = set()
    groups = []
    for center in order:
        if center in taken:
            continue
        group = [center]
        for part, one in sorted(near[center].items(), key=lambda item: -item[1].likeness):
            if one.sentence not in taken and all(part in near[member] for member in group):
                group.append(one.sentence)
        if len(group) > 1:
            taken.update(group)
            groups.append(sorted(group))
    return groups


def alone(terms: Sequence[Sequence[str]], parts: Sequence[int], found: Sequence[Mapping[int, Partner]]) -> list[int]:
    """Return the sentences that are like none of another text, and most of whose words no other text has anywhere.

    Args:
        terms: Different terms of each sentence.
        parts: Text of each sentence.
        found: Partners of each sentence.
    """
    counts, weighted = _weighted(terms)
    texts = np.asarray(parts, dtype=np.int64)
    cells = np.unique(np.stack([counts.indices, texts[counts.rows]]), axis=1)
    having = count_cells(cells[0], cells[1], (counts.shape[1], int(texts.max(initial=0)) + 1)).scipy
    elsewhere = (weighted.scipy @ having).toarray()
    elsewhere[np.arange(len(texts)), texts] = 0
    most = elsewhere.max(axis=1, initial=0.0) <= MENTIONED * weighted.sums(weighted.data)
    return [index for index, others in enumerate(found) if not others and most[index]]
