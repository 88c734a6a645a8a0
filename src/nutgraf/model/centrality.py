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

`plain_outdegree` and `plain_indegree` are these formulas; `ops/centrality.py` computes the same without making the
weights of every head at once.
"""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from nutgraf.model.ops.attention import softmax_weights
from nutgraf.model.ops.centrality import indegree, outdegree, reciprocal
from nutgraf.model.records import SelfAttentionGraph

__all__ = ["indegree", "outdegree", "plain_indegree", "plain_outdegree", "weights_of"]


def weights_of(graph: SelfAttentionGraph) -> Float[Tensor, "batch source source"]:
    """Return A, whose rows at padding are zero."""
    weights = softmax_weights(graph.query, graph.key, graph.key_padding_mask).mean(1)
    mask = graph.key_padding_mask
    return weights if mask is None else weights.masked_fill(mask[..., None], 0)


def plain_outdegree(graph: SelfAttentionGraph) -> Float[Tensor, "batch source"]:
    """Return the outdegree by the formula above."""
    weights = weights_of(graph)
    return weights.sum(1) / weights.sum((1, 2)).clamp_min(1)[:, None]


def plain_indegree(
    graph: SelfAttentionGraph, iterations: int = 1, damping: float = 1.0
) -> Float[Tensor, "batch source"]:
    """Return the indegree by the formula above."""
    weights = weights_of(graph)
    present = weights.sum(2)
    inverse = reciprocal(weights.sum(1))
    score = equal = present / present.sum(1, keepdim=True).clamp_min(1)
    transition = weights * inverse[:, None] + equal[..., None] * (inverse == 0)[:, None]
    for step in range(iterations):
        walked = torch.einsum("bij,bj->bi", transition, score)
        score = walked if step == 0 else damping * walked + (1 - damping) * score
    return score
