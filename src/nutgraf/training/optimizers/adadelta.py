"""Adadelta (Zeiler 2012)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import nn
from torch.optim import Optimizer

from nutgraf.presets.ranges import above, at_least, check_ranges
from nutgraf.training.optimizers import OptimizerFactory


@dataclass(frozen=True)
class Config:
    """Adadelta. The learning rate multiplies its steps; Zeiler's own are those of a rate of 1."""

    rho: float = 0.95
    """Decay of the running means of squared gradients and squared steps."""

    eps: float = 1e-6
    """Term added to both means, for numerical stability."""

    def __post_init__(self) -> None:
        check_ranges(self, rho=at_least(0).below(1), eps=above(0))


class Adadelta(OptimizerFactory):
    """Makes Adadelta optimizers."""

    state_names = ("square_avg", "acc_delta")

    config: Config

    def create(self, parameters: Sequence[nn.Parameter]) -> Optimizer:
        """Return an Adadelta optimizer that works on all parameters together."""
        return torch.optim.Adadelta(parameters, lr=0.0, rho=self.config.rho, eps=self.config.eps, foreach=True)
