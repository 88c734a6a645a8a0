"""Adadelta (Zeiler 2012)."""

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
    """Adadelta. The learning rate multiplies its steps; Zeiler's own are those of a rate of 1."""

    rho: ShareBelowOne = 0.95
    """Decay of the running means of squared gradients and squared steps."""

    eps: PositiveFloat = 1e-6
    """Term added to both means, for numerical stability."""


class Adadelta(OptimizerFactory):
    """Makes Adadelta optimizers."""

    state_names = ("square_avg", "acc_delta")

    config: Config

    def create(self, parameters: Sequence[nn.Parameter]) -> Optimizer:
        """Return an Adadelta optimizer that works on all parameters together."""
        return torch.optim.Adadelta(parameters, lr=0.0, foreach=True, **vars(self.config))
