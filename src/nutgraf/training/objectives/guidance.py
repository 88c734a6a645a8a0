"""Guidance: copying attention follows centrality. Xu et al. 2020 (SAGCopy), Sec. 4, Eq. 18.

    loss = λ · Σ over examples of KL(ā ‖ score)            ā: the mean over a summary's steps of the copying attention

It is a sum over examples beside a likelihood that is a sum over words, as in the first author's published code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from nutgraf.errors import PresetError
from nutgraf.model.network import Network
from nutgraf.model.records import Batch, Trace
from nutgraf.training.objectives import Objective

LEAST = 1e-9
"""Distance to 0 and 1 that probabilities keep under a logarithm."""


@dataclass(frozen=True)
class Config:
    """Guidance of cross-attention by centrality."""

    weight: float = 1.0
    """Factor λ of the loss."""

    direction: Literal["copying_centrality", "centrality_copying"] = "copying_centrality"
    """KL(ā ‖ score) for the mean attention ā, or the divergence the other way round."""

    over_steps: Literal["mean", "max"] = "mean"
    """Attention ā of a source word: its mean over the steps, or its highest at any step, made to sum to one."""


class Guidance(Objective):
    """Divergence of copying attention from centrality."""

    config: Config

    def __call__(self, network: Network, batch: Batch, trace: Trace) -> Float[Tensor, ""]:
        """Return the loss, summed over the examples of the batch. Raises PresetError for a head without centrality."""
        if trace.cross_attention is None or trace.centrality is None:
            raise PresetError(
                'The objective "guidance" needs a head that knows centrality: model.head.kind = "guided".'
            )
        copied = over_steps(trace.cross_attention, batch.labels_mask, self.config.over_steps)
        central = trace.centrality.to(copied.dtype)
        if self.config.direction == "centrality_copying":
            copied, central = central, copied
        return self.config.weight * divergence(copied, central).sum()


def over_steps(
    attention: Float[Tensor, "batch steps source"],
    mask: Bool[Tensor, "batch steps"],
    way: Literal["mean", "max"] = "mean",
) -> Float[Tensor, "batch source"]:
    """Return ā, one distribution over the source for all steps that are not padding, at least in single precision."""
    wide = attention.to(torch.promote_types(attention.dtype, torch.float32)).masked_fill(mask[..., None], 0)
    if way == "mean":
        return wide.sum(1) / (~mask).sum(1, keepdim=True).clamp_min(1)
    highest = wide.amax(1)
    return highest / highest.sum(-1, keepdim=True).clamp_min(LEAST)


def divergence(p: Float[Tensor, "batch source"], q: Float[Tensor, "batch source"]) -> Float[Tensor, " batch"]:
    """Return KL(p ‖ q) of each example; where p is 0, as on padding, nothing is added."""
    p_log, q_log = (one.clamp(LEAST, 1 - LEAST).log() for one in (p, q))
    return (p * (p_log - q_log)).sum(-1)
