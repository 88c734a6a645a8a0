"""Adam (Kingma and Ba 2015)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import nn
from torch.optim import Optimizer

from nutgraf.presets.ranges import PositiveFloat, ShareBelowOne
from nutgraf.training.optimizers import OptimizerFactory


@dataclass(frozen=True)
class Config:
    """Adam. The defaults are those of the CopyTransformer (Fabbri et al. 2019)."""

    betas: tuple[ShareBelowOne, ShareBelowOne] = (0.9, 0.998)
    """Decay of the running means of gradients and of their squares."""

    eps: PositiveFloat = 1e-9
    """Term added to the root of the mean square, for numerical stability."""


class Adam(OptimizerFactory):
    """Makes Adam optimizers."""

    state_names = ("exp_avg", "exp_avg_sq")

    config: Config

    def create(self, parameters: Sequence[nn.Parameter]) -> Optimizer:
        """Return a fused Adam optimizer."""
        return torch.optim.Adam(parameters, lr=0.0, fused=True, **vars(self.config))
