"""Temporal attention: what a place got before makes it less likely to get more.

Sankaran et al. 2016; Nallapati et al. 2016 (words-lvt2k-temp-att), Sec. 3; Paulus, Xiong and Socher 2018, Eq. 2–4.

    e′ₜᵢ = exp(eₜᵢ) at the first step, exp(eₜᵢ) / Σ over τ < t of exp(e_τᵢ) at all others
    aₜᵢ = e′ₜᵢ / Σⱼ e′ₜⱼ

It is softmax(eₜᵢ − log Σ exp(e_τᵢ)), and computed so: no exponential is taken of a score as it is.
"""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor


def accumulated(
    past: Float[Tensor, "batch queries source"] | None, scores: Float[Tensor, "batch queries source"]
) -> Float[Tensor, "batch queries source"]:
    """Return the logarithm of the sum of exponentiated scores; `past` is that of all earlier steps, None at first."""
    return scores if past is None else torch.logaddexp(past, scores)


def temporal_scores(scores: Float[Tensor, "batch steps source"]) -> Float[Tensor, "batch steps source"]:
    """Return log e′ of all steps at once from their scores."""
    earlier = torch.logcumsumexp(scores, 1)[:, :-1]
    return torch.cat([scores[:, :1], scores[:, 1:] - earlier], 1)
