"""Centrality of words in the graph of self-attention. Xu et al. 2020 (SAGCopy), Sec. 4.2–4.3, Eq. 13–16.

A[q, i] is the attention of word q to word i, the mean of all heads: a row sums to one. The columns of the paper's D sum
to one (Σᵢ D_ij = 1), so D is A transposed. With cᵢ = Σ_q A[q, i], all attention to word i, and n words,

    Outdegree      scoreᵢ = cᵢ / n
    T              T_ij = D_ij / Σ_k D_ik = A[j, i] / cᵢ
    Indegree-1     scoreᵢ = Σⱼ T_ji / n = Σⱼ A[i, j] / cⱼ / n
    Indegree-k     score ← score · T, k − 1 times more

So the outdegree of a word is the attention that it gets, and the indegree the attention that it pays, each part of it
divided by all that its receiver gets. With damping d < 1 the walk is lazy: score ← d · score · T + (1 − d) · score.
A word that gets no attention has no such parts; its row of T is 1/n, as of PageRank's nodes without links, and as it
would be if all words paid it the same. Padding neither gives nor gets, so scores always sum to one.

A is a mean over heads, whose own weights are made for some rows at a time, and again for gradients.
Every score is a few products of A with a vector, so that A's gradient has low rank, and is never made. The outdegree
needs no A; the indegree keeps it up to `KEPT` words, and beyond makes it anew for every product.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor
from torch.autograd.function import once_differentiable

from nutgraf.model.records import SelfAttentionGraph

KEPT = 2048
"""Words up to which A is kept, at least in single precision: 16 MiB an example."""

CELLS = 1 << 20
"""Cells of heads' weights that are made at a time: so few that they stay in the processor's cache."""

LEAST = 1e-30
"""Attention below which a word gets none: its reciprocal would leave the range of single precision."""


def outdegree(graph: SelfAttentionGraph) -> Float[Tensor, "batch source"]:
    """Return the outdegree centrality of each source word: its share of all attention (Eq. 16).

    Scores sum to 1 over each source, and are 0 at padding, at least in single precision.
    """
    with _at_least_single(graph.query):
        return _Outdegree.apply(graph.query, graph.key, graph.key_padding_mask)


def indegree(graph: SelfAttentionGraph, iterations: int = 1, damping: float = 1.0) -> Float[Tensor, "batch source"]:
    """Return the indegree centrality of each source word (Eq. 14), and TextRank's further steps (Eq. 15).

    Args:
        graph: The encoder's last self-attention.
        iterations: k of Indegree-k; Indegree-1 is one step of TextRank from equal scores.
        damping: Damping of all steps but the first, above 0; 1 is none.

    Returns:
        Scores that sum to 1 over each source, 0 at padding, at least in single precision.
    """
    with _at_least_single(graph.query):
        return _Indegree.apply(graph.query, graph.key, graph.key_padding_mask, iterations, damping)


def reciprocal(got: Float[Tensor, "batch source"]) -> Float[Tensor, "batch source"]:
    """Return 1/c, and 0 for words that get no attention."""
    return torch.where(got < LEAST, 0, 1 / got.clamp_min(LEAST))


def _dot(left: Float[Tensor, "batch source"], right: Float[Tensor, "batch source"]) -> Float[Tensor, "batch 1"]:
    return (left * right).sum(-1, keepdim=True)


def _at_least_single(given: Tensor) -> torch.autocast:
    """Return a context in which autocast lowers no precision."""
    return torch.autocast(given.device.type, enabled=False)


class _Edges:
    """The mean weights A, as products with vectors."""

    def __init__(self, query: Tensor, key: Tensor, padding: Tensor | None) -> None:
        self.batch, self.heads, self.words, width = query.shape
        precision = torch.promote_types(query.dtype, torch.float32)
        self.query = (query.to(precision) / math.sqrt(width)).flatten(0, 1)
        self.key = key.to(precision).flatten(0, 1)
        self.there = self.key.new_ones(self.batch, self.words) if padding is None else (~padding).to(precision)
        self.equal = self.there / self.there.sum(-1, keepdim=True).clamp_min(1)
        self.padding = padding
        self.kept: Tensor | None = None

    def keep(self) -> None:
        """Make and keep A if it is not too large."""
        if self.words > KEPT or self.kept is not None:
            return
        self.kept = self.query.new_empty(self.batch, self.words, self.words)
        for some, rows, weights in self.parts():
            torch.mean(weights, 1, out=self.kept[some, rows])

    def pay(self, price: Float[Tensor, "batch source"]) -> Float[Tensor, "batch source"]:
        """Return A · price, 0 at padding."""
        if self.kept is not None:
            return (self.kept @ price[..., None]).squeeze(-1) * self.there
        paid = torch.empty_like(price)
        for some, rows, weights in self.parts():
            paid[some, rows] = (weights.flatten(1, 2) @ price[some, :, None]).view(weights.shape[:3]).mean(1)
        return paid * self.there

    def get(self, given: Float[Tensor, "batch source"]) -> Float[Tensor, "batch source"]:
        """Return Aᵀ · given; `given` is 0 at padding."""
        if self.kept is not None:
            return (given[:, None] @ self.kept).squeeze(1)
        got = torch.zeros_like(given)
        for some, rows, weights in self.parts():
            each = given[some, None, rows].expand(-1, self.heads, -1).flatten(1) / self.heads
            got[some] += (each[:, None] @ weights.flatten(1, 2)).squeeze(1)
        return got

    def backward(
        self, left: Float[Tensor, "batch source rank"], right: Float[Tensor, "batch source rank"]
    ) -> tuple[Tensor, Tensor]:
        """Return the gradients of queries and keys, if that of A is left · rightᵀ."""
        by_query, by_key = torch.zeros_like(self.query), torch.zeros_like(self.key)
        right = torch.cat([right, torch.ones_like(right[..., :1])], -1)
        for some, rows, weights in self.parts():
            flat = slice(some.start * self.heads, some.stop * self.heads)
            of_rows = left[some, None, rows].expand(-1, self.heads, -1, -1) / self.heads
            mean = (weights @ right[some, None, :, :-1] * of_rows).sum(-1, keepdim=True)
            change = torch.cat([of_rows, -mean], -1) @ right[some, None].mT
            change = change.mul_(weights).flatten(0, 1)
            torch.bmm(change, self.key[flat], out=by_query[flat, rows])
            by_key[flat] += change.mT @ self.query[flat, rows]
        by_query /= math.sqrt(self.key.shape[-1])
        shape = (self.batch, self.heads, self.words, -1)
        return by_query.view(shape), by_key.view(shape)

    def parts(self) -> Iterator[tuple[slice, slice, Float[Tensor, "some heads rows source"]]]:
        """Yield some examples, some of their rows, and the weights of every head there."""
        room = self.query.new_empty(0)
        examples = max(1, CELLS // (self.heads * self.words**2))
        count = min(self.words, max(1, CELLS // (self.heads * self.words)))
        for first in range(0, self.batch, examples):
            some = slice(first, min(first + examples, self.batch))
            flat = slice(some.start * self.heads, some.stop * self.heads)
            for row in range(0, self.words, count):
                rows = slice(row, min(row + count, self.words))
                shape = (flat.stop - flat.start, rows.stop - rows.start, self.words)
                room = room if room.numel() >= math.prod(shape) else self.query.new_empty(math.prod(shape))
                scores = room[: math.prod(shape)].view(shape)
                torch.bmm(self.query[flat, rows], self.key[flat].mT, out=scores)
                weights = scores.view(some.stop - some.start, self.heads, *shape[1:])
                if self.padding is not None:
                    weights.masked_fill_(self.padding[some, None, None], torch.finfo(weights.dtype).min)
                yield some, rows, torch.softmax(weights, -1, out=weights)


class _Outdegree(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, query: Tensor, key: Tensor, padding: Tensor | None) -> Tensor:
        edges = _Edges(query, key, padding)
        ctx.save_for_backward(query, key, padding)
        return edges.get(edges.equal)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        with _at_least_single(gradient):
            edges = _Edges(*ctx.saved_tensors)
            of_query, of_key = edges.backward(edges.equal[..., None], gradient[..., None])
        return of_query, of_key, None


class _Indegree(torch.autograd.Function):
    """Indegree by steps.

    Step k multiplies A by x_k = score_{k−1} / c: score_k = d (A x_k + e uᵀ score_{k−1}) + (1 − d) score_{k−1}, where u
    is 1 at words that get no attention (1/c is 0 there), else 0, and e has the equal scores, with which the first step
    begins; it has d = 1. Backward, with g_k the gradient of score_k and 1 that of all words that are no padding,

        of x_k = d Aᵀ g_k        g_{k−1} = of x_k / c + d u eᵀ g_k + (1 − d) g_k        of c = −Σ_k of x_k ∘ x_k / c
        of A = Σ_k d g_k x_kᵀ + 1 (of c)ᵀ
    """

    @staticmethod
    def forward(ctx: Any, query: Tensor, key: Tensor, padding: Tensor | None, steps: int, damping: float) -> Tensor:
        edges = _Edges(query, key, padding)
        edges.keep()
        inverse = reciprocal(edges.get(edges.there))
        unseen = edges.there * (inverse == 0)
        scores = [edges.equal]
        for step in range(steps):
            share = damping if step else 1.0
            walked = edges.pay(scores[-1] * inverse) + edges.equal * _dot(scores[-1], unseen)
            scores.append(share * walked + (1 - share) * scores[-1])
        ctx.save_for_backward(query, key, padding, edges.kept, inverse, unseen, *scores[:-1])
        ctx.damping = damping
        return scores[-1]

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        query, key, padding, kept, inverse, unseen, *scores = ctx.saved_tensors
        with _at_least_single(gradient):
            edges = _Edges(query, key, padding)
            edges.kept = kept
            of_got, of_score = torch.zeros_like(inverse), gradient * edges.there
            left, right = [], []
            for step, score in reversed(list(enumerate(scores))):
                share = ctx.damping if step else 1.0
                left.append(share * of_score)
                right.append(score * inverse)
                of_price = edges.get(left[-1])
                of_got -= of_price * right[-1] * inverse
                of_score = of_price * inverse + unseen * _dot(left[-1], edges.equal) + (1 - share) * of_score
            left.append(edges.there)
            right.append(of_got)
            of_query, of_key = edges.backward(torch.stack(left, -1), torch.stack(right, -1))
        return of_query, of_key, None, None, None
