"""The highlighting matrix H of a batch, without its zeros (Liu et al., *Key Phrase Aware Transformer*, Sec. 5.2.2).

H[i, j] is the score of the phrase that holds both words i and j; where several do, their maximum or their sum. So H is
zero but for blocks on its diagonal, one for each stretch of words whose phrases overlap. No two stretches share a word:
a row of H has its cells in one block, and no cell is counted twice.

Two words of a block that no single phrase holds both are zero in H too, and not covered.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from nutgraf.model.records import Phrases

Overlap = Literal["max", "sum"]

LIMITS = tuple(8 * 4**power for power in range(12))
"""Blocks of up to so many words lie in one tensor, padded to the longest of them; longer ones in the next."""


@dataclass(frozen=True)
class Blocks:
    """Blocks of H of about one size.

    example: which source. position: its words there; a block that is shorter than the others repeats its last word.
    score: the block of H, zero where it is padded.
    """

    example: Int[Tensor, " block"]
    position: Int[Tensor, "block size"]
    score: Float[Tensor, "block size size"]

    @cached_property
    def covered(self) -> Bool[Tensor, "block 1 size size"]:
        """C: the cells that some phrase covers, for any number of heads."""
        return (self.score > 0)[:, None]

    def rows(self, heads: Int[Tensor, " chosen"]) -> tuple[Tensor, Tensor, Tensor]:
        """What takes the blocks' words [block, chosen, size, …] out of [batch, heads, source, …]."""
        return self.example[:, None, None], heads[:, None], self.position[:, None]


def blocks_of(
    phrases: Phrases, length: int, overlap: Overlap, padding: Bool[Tensor, "batch source"] | None
) -> list[Blocks]:
    """H, its blocks by growing size. Padding belongs to no phrase; a place without words is none."""
    full = phrases.end > phrases.start
    # Positions on one line, all sources one after the other.
    first, order = (phrases.example * length + phrases.start)[full].sort()
    after = (phrases.example * length + phrases.end)[full][order]
    score = phrases.score[full][order]
    if not len(first):
        return []
    reach = after.cummax(0).values
    opens = torch.ones_like(first, dtype=torch.bool)
    opens[1:] = first[1:] >= reach[:-1]
    block = opens.cumsum(0) - 1
    begin, size = first[opens], reach[opens.roll(-1)] - first[opens]
    group = torch.bucketize(size, torch.tensor(LIMITS, device=size.device))
    found = []
    for number in sorted(set(group.tolist())):
        here, own = group == number, group[block] == number
        longest = int(size[here].max())
        at = torch.arange(longest, device=first.device)
        offset = (first - begin[block])[own, None]
        inside = (at >= offset) & (at < offset + (after - first)[own, None])
        cells = (inside[:, :, None] & inside[:, None, :]) * score[own, None, None]
        matrix = _merge(cells, here.cumsum(0)[block[own]] - 1, int(here.sum()), overlap)
        example = begin[here] // length
        position = (begin[here] % length)[:, None] + torch.minimum(at, size[here, None] - 1)
        if padding is not None:
            seen = ~padding[example[:, None], position]
            matrix = matrix * (seen[:, :, None] & seen[:, None, :])
        found.append(Blocks(example, position, matrix))
    return found


def dense(blocks: list[Blocks], batch: int, length: int) -> Float[Tensor, "batch source source"]:
    """H with its zeros."""
    matrix = blocks[0].score.new_zeros(batch, length, length)
    for one in blocks:
        at = one.example[:, None, None], one.position[:, :, None], one.position[:, None, :]
        matrix.index_put_(at, one.score, accumulate=True)
    return matrix


def _merge(
    cells: Float[Tensor, "place size size"], block: Int[Tensor, " place"], blocks: int, overlap: Overlap
) -> Float[Tensor, "block size size"]:
    matrix = cells.new_zeros(blocks, *cells.shape[1:])
    if overlap == "sum":
        return matrix.index_add_(0, block, cells)
    return matrix.scatter_reduce_(0, block[:, None, None].expand_as(cells), cells, "amax")
