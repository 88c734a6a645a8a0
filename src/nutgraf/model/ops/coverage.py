"""Exact coverage over all steps of a text: the recurrence of `model/coverage.py`, whose `step` is the plain formula."""

from __future__ import annotations

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor
from torch.autograd.function import once_differentiable


def coverage_walk(
    scores: Float[Tensor, "batch heads steps source"], weight: Float[Tensor, " heads"], per_head: bool
) -> Float[Tensor, "batch heads steps source"]:
    """Return the weights of all steps from the scores without coverage."""
    return _Walk.apply(scores, weight, not per_head)


class _Walk(torch.autograd.Function):
    """The exact recurrence. Its gradient walks back from the last step, with that of the coverage after each step."""

    @staticmethod
    def forward(ctx: Any, scores: Tensor, weight: Tensor, mean: bool) -> Tensor:
        weights = torch.empty_like(scores)
        each = weight[:, None]
        covered = torch.zeros_like(scores[:, :1, 0] if mean else scores[:, :, 0])
        for step in range(scores.shape[2]):
            here = torch.softmax(torch.addcmul(scores[:, :, step], each, covered), -1)
            weights[:, :, step] = here
            covered += here.mean(1, keepdim=True) if mean else here
        ctx.save_for_backward(weights, weight)
        ctx.mean = mean
        return weights

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None]:
        weights, weight = ctx.saved_tensors
        each, share = weight[:, None], 1 / len(weight) if ctx.mean else 1.0
        of_scores = torch.empty_like(weights)
        of_covered = torch.zeros_like(weights[:, :1, 0] if ctx.mean else weights[:, :, 0])
        for step in reversed(range(weights.shape[2])):
            of_weights = torch.add(gradient[:, :, step], of_covered, alpha=share)
            here = torch.ops.aten._softmax_backward_data(of_weights, weights[:, :, step], -1, weights.dtype)
            of_scores[:, :, step] = here
            pulled = here * each
            of_covered += pulled.sum(1, keepdim=True) if ctx.mean else pulled
        attended = weights.mean(1, keepdim=True) if ctx.mean else weights
        covered = attended.cumsum(2).sub_(attended)
        return of_scores, (of_scores * covered).sum((0, 2, 3)), None
