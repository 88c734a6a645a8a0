"""Gradient descent, plain, with momentum (Polyak 1964), or with Nesterov's momentum (Nesterov 1983)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import nn
from torch.optim import Optimizer

from nutgraf.presets.ranges import ShareBelowOne
from nutgraf.training.optimizers import OptimizerFactory


@dataclass(frozen=True)
class Config:
    """Gradient descent. The defaults are those of Gehring et al. (2017), with a rate of 0.25."""

    momentum: ShareBelowOne = 0.99
    """Momentum; 0 is plain gradient descent."""

    nesterov: bool = True
    """Use Nesterov's momentum."""

    def __post_init__(self) -> None:
        if self.nesterov and not self.momentum:
            raise ValueError("nesterov needs a momentum")


class Sgd(OptimizerFactory):
    """Makes optimizers of stochastic gradient descent."""

    config: Config

    @property
    def state_names(self) -> tuple[str, ...]:
        """Names of what torch keeps for each parameter; nothing without momentum."""
        return ("momentum_buffer",) if self.config.momentum else ()

    def create(self, parameters: Sequence[nn.Parameter]) -> Optimizer:
        """Return a fused SGD optimizer."""
        return torch.optim.SGD(parameters, lr=0.0, fused=True, **vars(self.config))
