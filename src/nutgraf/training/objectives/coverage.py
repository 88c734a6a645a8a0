"""Coverage loss: attention to a place that was attended to before (See, Liu and Manning 2017, Eq. 12, 13).

    loss = Σₜ Σᵢ min(aₜᵢ, cₜᵢ)        cₜ = a₁ + … + aₜ₋₁

The attention is the one that the network copies with; a decoder of several heads tells which of them, or their mean.
The loss waits for the second phase of a training: from the start it keeps a network from learning where to attend.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from nutgraf.errors import PresetError
from nutgraf.model.network import Network
from nutgraf.model.records import Batch, Trace
from nutgraf.training.objectives import Objective


@dataclass(frozen=True)
class Config:
    """Coverage loss (See et al. 2017)."""

    weight: float = 1.0
    """Factor of the loss; 1 in See et al. 2017."""


class Coverage(Objective):
    """Penalizes repeated attention."""

    config: Config
    acts = True

    def enter(self, phase: int) -> None:
        """Act from phase 2 on."""
        self.acts = phase > 1

    def __call__(self, network: Network, batch: Batch, trace: Trace) -> Float[Tensor, ""]:
        """Return the loss, summed over the target tokens of the batch.

        Raises PresetError if the network does not show its cross-attention.
        """
        if not self.acts:
            return torch.zeros((), device=batch.source.device)
        if trace.cross_attention is None:
            raise PresetError(
                "[training.objectives.coverage] needs a network that tells where it looks: one with [model.coverage], "
                "or with a head that copies."
            )
        covered = trace.cross_attention.cumsum(1) - trace.cross_attention
        again = torch.minimum(trace.cross_attention, covered).sum(-1)
        return self.config.weight * again.masked_fill(batch.labels_mask, 0.0).sum()
