"""Adam (Kingma and Ba 2015)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import nn
from torch.optim import Optimizer

from nutgraf.training.optimizers import OptimizerFactory


@dataclass(frozen=True)
class Config:
    """Adam. The defaults are those of the CopyTransformer (Fabbri et al. 2019)."""

    betas: tuple[float, ...] = (0.9, 0.998)
    """Decay of the running means of gradients and of their squares."""

    eps: float = 1e-9
    """Term added to the root of the mean square, for numerical stability."""

    def __post_init__(self) -> None:
        if len(self.betas) != 2 or not all(0 <= beta < 1 for beta in self.betas) or self.eps <= 0:
            raise ValueError("betas are two numbers from 0 and below 1, and eps is above 0")


class Adam(OptimizerFactory):
    """Makes Adam optimizers."""

    state_names = ("exp_avg", "exp_avg_sq")

    config: Config

    def create(self, parameters: Sequence[nn.Parameter]) -> Optimizer:
        """Return a fused Adam optimizer."""
        first, second = self.config.betas
        return torch.optim.Adam(parameters, lr=0.0, betas=(first, second), eps=self.config.eps, fused=True)
