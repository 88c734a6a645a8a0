"""Attention with a matrix that is zero but in a few blocks, without making a matrix of all words by all words.

`Blocks` are such a matrix: for phrases, H[i, j] is the score of the phrase that holds both words i and j; where several
do, their maximum or their sum. So H is zero but for blocks on its diagonal, one for each stretch of words whose phrases
overlap. No two stretches share a word: a row of H has its cells in one block, and no cell is counted twice. Two words
of a block that no single phrase holds both are zero in H too, and not covered.

`attend_biased` is softmax(QKᵀ/√d + B) V for a B that is zero outside the covered cells. A fused kernel attends without
B and returns L, the logarithm of each row's sum of e^S, S = QKᵀ/√d. With p = e^(S − L), the weights without B, and
sums over the cells c of a row that B covers,

    r = 1 + Σ_c p_c (e^B_c − 1)      out' = (out + Σ_c p_c (e^B_c − 1) v_c) / r      L' = L + ln r

are what B makes of that row. Backward, the fused kernel is given out' and L', which is right for all cells but the
covered ones: there it takes e^(S − L') for the weight, which is e^(S + B − L'), and what is missing is added. Exponents
are taken relative to the row's largest, so that none overflows.

Where B pushes nearly all of a row's weight away, r is the small difference of large numbers. Such rows are computed by
the plain formula; for the fused kernel their L' is infinite, and their weights vanish.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn import functional as F

from nutgraf.model.ops.attention import attend, fused_backward, kernel, unseen
from nutgraf.model.records import Phrases, at_least_single

Overlap = Literal["max", "sum"]

LIMITS = tuple(8 * 4**power for power in range(12))
"""Sizes of blocks: those up to a limit share a tensor, padded to the longest of them."""

LEAST = 1 / 8
"""Share of a row's weight below which the row is computed by the plain formula."""

kernel_backward = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward


@dataclass(frozen=True)
class Blocks:
    """Blocks of H of about one size."""

    example: Int[Tensor, " block"]
    """Number of the source."""

    position: Int[Tensor, "block size"]
    """Words of the block; a block that is shorter than the others repeats its last word."""

    score: Float[Tensor, "block size size"]
    """Cells of H, zero where the block is padded."""

    @cached_property
    def covered(self) -> Bool[Tensor, "block 1 size size"]:
        """Cells that some phrase covers, for any number of heads."""
        return (self.score > 0)[:, None]

    def rows(self, heads: Int[Tensor, " chosen"]) -> tuple[Tensor, Tensor, Tensor]:
        """Return the index of the blocks' words [block, chosen, size, …] in [batch, heads, source, …]."""
        return self.example[:, None, None], heads[:, None], self.position[:, None]


def blocks_of(
    phrases: Phrases, length: int, overlap: Overlap, padding: Bool[Tensor, "batch source"] | None
) -> list[Blocks]:
    """Return H, its blocks by growing size; padding belongs to no phrase."""
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
        at = torch.arange(int(size[here].max()), device=first.device)
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


def dense(blocks: Sequence[Blocks], batch: int, length: int) -> Float[Tensor, "batch source source"]:
    """Return H with its zeros."""
    matrix = blocks[0].score.new_zeros(batch, length, length)
    for block in blocks:
        at = block.example[:, None, None], block.position[:, :, None], block.position[:, None, :]
        matrix.index_put_(at, block.score, accumulate=True)
    return matrix


def _merge(
    cells: Float[Tensor, "place size size"], block: Int[Tensor, " place"], blocks: int, overlap: Overlap
) -> Float[Tensor, "block size size"]:
    matrix = cells.new_zeros(blocks, *cells.shape[1:])
    if overlap == "sum":
        return matrix.index_add_(0, block, cells)
    return matrix.scatter_reduce_(0, block[:, None, None].expand_as(cells), cells, "amax")


def attend_biased(
    query: Float[Tensor, "batch heads source head_dim"],
    key: Float[Tensor, "batch heads source head_dim"],
    value: Float[Tensor, "batch heads source head_dim"],
    padding: Bool[Tensor, "batch source"] | None,
    heads: Int[Tensor, " chosen"],
    blocks: Sequence[Blocks],
    biases: Sequence[Float[Tensor, "_ chosen _ _"]],
) -> Float[Tensor, "batch heads source head_dim"]:
    """Return softmax(QKᵀ/√d + B) V by the fastest way; B has `biases` in the covered cells of some heads."""
    if query.device.type != "cpu":
        return attend_biased_densely(query, key, value, padding, heads, blocks, biases)
    # In half precision the scores of the covered cells would not be those that the kernel has summed up.
    with torch.autocast("cpu", enabled=False):
        return _Biased.apply(query, key, value, padding, heads, blocks, *biases)


def attend_biased_densely(
    query: Float[Tensor, "batch heads source head_dim"],
    key: Float[Tensor, "batch heads source head_dim"],
    value: Float[Tensor, "batch heads source head_dim"],
    padding: Bool[Tensor, "batch source"] | None,
    heads: Int[Tensor, " chosen"],
    blocks: Sequence[Blocks],
    biases: Sequence[Float[Tensor, "_ chosen _ _"]],
) -> Float[Tensor, "batch heads source head_dim"]:
    """Return the same by the plain formula: with a bias of all words by all words for the heads that have one."""
    batch, _, length, _ = query.shape
    bias = biases[0].new_zeros(batch, len(heads), length, length)
    number = torch.arange(len(heads), device=query.device)[:, None, None]
    for block, values in zip(blocks, biases, strict=True):
        at = block.example[:, None, None, None], number, block.position[:, None, :, None], block.position[:, None, None]
        bias.index_put_(at, values * block.covered, accumulate=True)
    if padding is not None:
        bias = bias.masked_fill(padding[:, None, None, :], -math.inf)
    some = query[:, heads], key[:, heads], value[:, heads]
    biased = F.scaled_dot_product_attention(*some, bias.to(query.dtype))
    return attend(query, key, value, padding).index_copy(1, heads, biased)


def average_with_blocks(
    context: Float[Tensor, "batch heads source head_dim"],
    value: Float[Tensor, "batch heads source head_dim"],
    heads: Int[Tensor, " chosen"],
    blocks: Sequence[Blocks],
    weights: Sequence[Float[Tensor, "_ chosen _ _"]],
) -> Float[Tensor, "batch heads source head_dim"]:
    """Return the mean of `context` and S V in the rows with covered cells; S has its weights in these cells."""
    averaged = context
    for block, weight in zip(blocks, weights, strict=True):
        at = block.rows(heads)
        within = weight @ value[at].to(weight.dtype)
        change = (within - context[at]) / 2 * block.covered.any(-1, keepdim=True)
        averaged = averaged.index_put(at, change.to(context.dtype), accumulate=True)
    return averaged


def replace_by_blocks(
    context: Float[Tensor, "batch heads source head_dim"],
    value: Float[Tensor, "batch heads source head_dim"],
    heads: Int[Tensor, " chosen"],
    blocks: Sequence[Blocks],
    weights: Sequence[Float[Tensor, "_ chosen _ _"]],
) -> Float[Tensor, "batch heads source head_dim"]:
    """Return S V for the heads that have blocks, `context` for the others; see `average_with_blocks`."""
    replaced = context.index_fill(1, heads, 0)
    for block, weight in zip(blocks, weights, strict=True):
        at = block.rows(heads)
        within = (weight @ value[at].to(weight.dtype)).to(context.dtype)
        replaced = replaced.index_put(at, within, accumulate=True)
    return replaced


class _Biased(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        padding: Tensor | None,
        heads: Tensor,
        blocks: Sequence[Blocks],
        *biases: Tensor,
    ) -> Tensor:
        out, log_sum = kernel(query, key, value, attn_mask=unseen(padding, query.dtype))
        starved: list[_Rows] = []
        corrected = []
        for number, (block, bias) in enumerate(zip(blocks, biases, strict=True)):
            at = block.rows(heads)
            block_query, block_key, block_value = (
                at_least_single(query[at]),
                at_least_single(key[at]),
                at_least_single(value[at]),
            )
            plain = block_query @ block_key.mT / math.sqrt(query.shape[-1]) - log_sum[at][..., None]
            plain = plain.masked_fill(~block.covered, -math.inf)
            biased = plain + bias
            top = biased.amax(-1, keepdim=True).clamp_min(0)
            kept, more = torch.exp(-top), torch.exp(biased - top) - torch.exp(plain - top)
            total = kept + more.sum(-1, keepdim=True)
            poor = total < LEAST * kept
            if bool(poor.any()):
                total = total.masked_fill(poor, math.inf)
                starved += _rows(number, poor.squeeze(-1), block, heads)
            before = at_least_single(out[at])
            after, shift = (before * kept + more @ block_value) / total, top + total.log()
            # A block's padding repeats its last word and adds zero to it.
            out.index_put_(at, (after - before).to(out.dtype), accumulate=True)
            log_sum.index_put_(at, shift.squeeze(-1), accumulate=True)
            corrected += [block_query, block_key, block_value, after, (plain - shift).exp(), (biased - shift).exp()]
        for rows in starved:
            out[rows.place] = rows.attend(*rows.given(query, key, value, biases), padding).to(out.dtype)
        ctx.save_for_backward(query, key, value, padding, heads, out, log_sum, *biases, *corrected)
        ctx.blocks, ctx.starved = blocks, starved
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        query, key, value, padding, heads, out, log_sum, *others = ctx.saved_tensors
        biases, corrected = others[: len(ctx.blocks)], others[len(ctx.blocks) :]
        by_query, by_key, by_value = _backward(gradient, query, key, value, out, log_sum, padding)
        by_biases = []
        for number, block in enumerate(ctx.blocks):
            block_query, block_key, block_value, after, taken, weight = corrected[6 * number : 6 * number + 6]
            at = block.rows(heads)
            block_gradient = at_least_single(gradient[at])
            # The softmax's derivative: how the loss changes with a weight, less the mean of that over the row.
            slope = block_gradient @ block_value.mT - (block_gradient * after).sum(-1, keepdim=True)
            missing = weight - taken
            by_score = missing * slope / math.sqrt(query.shape[-1])
            by_query.index_put_(at, (by_score @ block_key).to(query.dtype), accumulate=True)
            by_key.index_put_(at, (by_score.mT @ block_query).to(key.dtype), accumulate=True)
            by_value.index_put_(at, (missing.mT @ block_gradient).to(value.dtype), accumulate=True)
            by_biases.append(weight * slope)
        for rows in ctx.starved:
            given = [one.detach().requires_grad_() for one in rows.given(query, key, value, biases)]
            with torch.enable_grad():
                attended = rows.attend(*given, padding=padding)
            changes = torch.autograd.grad(attended, given, at_least_single(gradient[rows.place]))
            by_query[rows.place] += changes[0]
            by_key[rows.head] += changes[1]
            by_value[rows.head] += changes[2]
            by_biases[rows.number][rows.cells] += changes[3]
        return by_query, by_key, by_value, None, None, None, *by_biases


@dataclass(frozen=True)
class _Rows:
    """Rows of one head of one source that are computed by the plain formula.

    `head` is (source, head); B, in its `covered` columns, is `cells` of the tensor of blocks `number`.
    """

    head: tuple[int, int]
    position: Int[Tensor, " row"]
    columns: Int[Tensor, "row size"]
    covered: Bool[Tensor, "row size"]
    number: int
    cells: tuple[Tensor, int, Tensor]

    @property
    def place(self) -> tuple[int, int, Tensor]:
        """Index of the rows in [batch, heads, source, head_dim]."""
        return *self.head, self.position

    def given(
        self, query: Tensor, key: Tensor, value: Tensor, biases: Sequence[Tensor]
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return the queries of the rows, all keys and values, and B in its covered cells."""
        return query[self.place], key[self.head], value[self.head], biases[self.number][self.cells]

    def attend(self, query: Tensor, key: Tensor, value: Tensor, bias: Tensor, padding: Tensor | None) -> Tensor:
        """Attend by the plain formula."""
        scores = at_least_single(query) @ at_least_single(key).mT / math.sqrt(query.shape[-1])
        scores = scores.scatter_add(1, self.columns, at_least_single(bias) * self.covered)
        if padding is not None:
            scores = scores.masked_fill(padding[self.head[0]], -math.inf)
        return torch.softmax(scores, -1) @ at_least_single(value)


def _rows(
    number: int, chosen: Bool[Tensor, "block chosen size"], block: Blocks, heads: Int[Tensor, " chosen"]
) -> Iterator[_Rows]:
    """Return the chosen rows of the blocks, those of one head of one source together."""
    at, head, row = chosen.nonzero().unbind(1)
    of = block.example[at] * len(heads) + head
    for each in sorted(set(of.tolist())):
        example, which = divmod(each, len(heads))
        here = of == each
        own, line = at[here], row[here]
        yield _Rows(
            (example, int(heads[which])),
            block.position[own, line],
            block.position[own],
            block.covered[own, 0, line],
            number,
            (own, which, line),
        )


def _backward(
    gradient: Tensor,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    out: Tensor,
    log_sum: Tensor,
    padding: Tensor | None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the gradients of query, key and value, as plain attention has them."""
    if query.dtype == torch.bfloat16:
        return fused_backward(gradient, query, key, value, out, log_sum, padding)
    seen = unseen(padding, query.dtype)
    by_query, by_key, by_value = kernel_backward(gradient, query, key, value, out, log_sum, 0.0, False, attn_mask=seen)
    return by_query, by_key, by_value
