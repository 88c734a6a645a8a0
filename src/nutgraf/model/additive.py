"""Additive attention over the source (Bahdanau et al. 2015; See, Liu and Manning 2017, Eq. 1–3, 11).

eᵢ = v · tanh(W_h hᵢ + W_s s + w_c cᵢ + b)        a = softmax(e), without padding        context = Σᵢ aᵢ hᵢ
"""

from __future__ import annotations

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from nutgraf.model.ops.additive_attention import ProjectedKeys, attend_additively, project


class AdditiveAttention(nn.Module):
    """Attention that compares states and source by a small network; it may know the coverage so far.

    w_c begins at zero, so that coverage changes nothing before it is learned.
    """

    def __init__(self, source: int, state: int, width: int, uses_coverage: bool) -> None:
        super().__init__()
        self.key_proj = nn.Linear(source, width)
        self.query_proj = nn.Linear(state, width, bias=False)
        self.score_weight = nn.Parameter(torch.empty(width).uniform_(-1, 1).mul_(math.sqrt(6 / (width + 1))))
        self.coverage_weight = nn.Parameter(torch.zeros(width)) if uses_coverage else None

    def project(
        self,
        states: Float[Tensor, "batch source width"],
        values: Float[Tensor, "batch source width"],
        padding: Bool[Tensor, "batch source"] | None,
    ) -> ProjectedKeys:
        """Return the keys of the source, which all steps share; `padding` is None where nothing is padded."""
        return project(self.key_proj(states), values, padding, self.score_weight)

    def forward(
        self,
        state: Float[Tensor, "batch queries state"],
        keys: ProjectedKeys,
        covered: Float[Tensor, "batch queries source"] | None,
        scale: Float[Tensor, "batch queries source"] | None = None,
        addend: Float[Tensor, "batch queries source"] | None = None,
    ) -> tuple[
        Float[Tensor, "batch queries width"],
        Float[Tensor, "batch queries source"],
        Float[Tensor, "batch queries source"],
    ]:
        """Return the context of each state, its attention, and the scores e before `scale` and `addend`."""
        coverage_weight = None if covered is None else self.coverage_weight
        query = self.query_proj(state)
        return attend_additively(query, keys, self.score_weight, covered, coverage_weight, addend, scale)
