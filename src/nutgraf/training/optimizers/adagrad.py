"""Adagrad (Duchi, Hazan and Singer 2011)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import nn
from torch.optim import Optimizer

from nutgraf.presets.ranges import NonNegativeFloat
from nutgraf.training.optimizers import OptimizerFactory


@dataclass(frozen=True)
class Config:
    """Adagrad. The defaults are those of the pointer-generator (See, Liu and Manning 2017), with a rate of 0.15."""

    initial_accumulator_value: NonNegativeFloat = 0.1
    """Initial value of the sum of squared gradients."""

    eps: NonNegativeFloat = 1e-10
    """Term added to the root of the sum, for numerical stability."""

    def __post_init__(self) -> None:
        if self.initial_accumulator_value + self.eps == 0:
            raise ValueError("initial_accumulator_value or eps is above 0")


class Adagrad(OptimizerFactory):
    """Makes Adagrad optimizers."""

    state_names = ("sum",)

    config: Config

    def create(self, parameters: Sequence[nn.Parameter]) -> Optimizer:
        """Return an Adagrad optimizer, fused on a CPU."""
        fused = all(one.device.type == "cpu" for one in parameters) or None
        return torch.optim.Adagrad(parameters, lr=0.0, fused=fused, **vars(self.config))
