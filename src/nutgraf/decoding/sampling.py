"""Sampling of next tokens: temperature, top-k and top-p.

Top-k: Fan, Lewis and Dauphin 2018. Top-p, the nucleus: Holtzman et al. 2020.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from nutgraf.presets.ranges import NonNegativeInt, PositiveFloat, PositiveShare


@dataclass(frozen=True)
class Config:
    """Sampling; `beam_size` summaries are drawn for each document, and the most probable are returned."""

    temperature: PositiveFloat = 1.0
    """Divisor of log probabilities; below 1 likely tokens become likelier."""

    top_k: NonNegativeInt = 0
    """Number of likeliest tokens to draw from; 0: all."""

    top_p: PositiveShare = 1.0
    """Probability of the likeliest tokens to draw from, together; 1: all."""

    seed: NonNegativeInt = 0
    """Seed; a document's draws depend on nothing else."""


class Sampler:
    """Draws tokens; each document has a random generator of its own, so that its neighbours change nothing."""

    def __init__(self, config: Config, documents: int) -> None:
        self.config = config
        self._generators = [np.random.default_rng(config.seed) for _ in range(documents)]

    def draw(
        self, log_probs: Float[Tensor, "batch beams extended"], documents: Sequence[int]
    ) -> Int[Tensor, "batch beams"]:
        """Return one token for each hypothesis; −∞ is never drawn where anything else may be."""
        uniform = np.stack([self._generators[one].random(log_probs.shape[1]) for one in documents])
        kept = nucleus(log_probs.double() / self.config.temperature, self.config.top_k, self.config.top_p)
        total = kept.cumsum(-1)
        wanted = torch.from_numpy(uniform).to(total.device)[..., None] * total[..., -1:]
        found = torch.searchsorted(total, wanted, right=True).clamp(max=total.shape[-1] - 1).squeeze(-1)
        missed = kept.gather(-1, found[..., None]).squeeze(-1) == 0
        return torch.where(missed, kept.argmax(-1), found)


def nucleus(logits: Float[Tensor, "*shape tokens"], top_k: int, top_p: float) -> Float[Tensor, "*shape tokens"]:
    """Return probabilities that are 0 outside the `top_k` likeliest tokens and outside the nucleus of `top_p`."""
    probs = torch.softmax(logits, -1).nan_to_num(0.0)
    if 0 < top_k < probs.shape[-1]:
        lowest = probs.topk(top_k).values[..., -1:]
        probs = probs.masked_fill(probs < lowest, 0.0)
    if top_p < 1:
        ordered, places = probs.sort(stable=True, dim=-1, descending=True)
        before = ordered.cumsum(-1) - ordered
        kept = before < top_p * ordered.sum(-1, keepdim=True)
        probs = torch.zeros_like(probs).scatter(-1, places, ordered * kept)
    return probs
