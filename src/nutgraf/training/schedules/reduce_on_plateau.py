"""A learning rate that is lowered where validations bring no gain (SEASS, Zhou et al. 2017; their code).

It is torch's ReduceLROnPlateau as a function of the step and of the validations before it, so that a training that was
stopped goes on with the rates that it would have had.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from nutgraf.presets.ranges import PositiveFloat, PositiveInt, ProperShare
from nutgraf.training.schedules import Schedule


@dataclass(frozen=True)
class Config:
    """Learning rate lowered on a plateau."""

    learning_rate: PositiveFloat = 1e-3
    """Learning rate at first."""

    factor: ProperShare = 0.5
    """Factor of each reduction."""

    bad_validations: PositiveInt = 3
    """Validations without a better loss, since the best one or the last reduction, after which the rate is reduced."""


class ReduceOnPlateau(Schedule):
    """Multiplies the learning rate by a factor each time that several validations have brought no gain."""

    config: Config
    _losses: Mapping[int, float] = {}

    def follow(self, losses: Mapping[int, float]) -> None:
        """Hear the losses of all validations so far; see `Schedule`."""
        self._losses = dict(losses)

    def __call__(self, step: int) -> float:
        """Return the learning rate of a step, which follows from the validations before it."""
        best, bad, rate = math.inf, 0, self.config.learning_rate
        for loss in (loss for at, loss in self._losses.items() if at < step):
            best, bad = (loss, 0) if loss < best else (best, bad + 1)
            if bad == self.config.bad_validations:
                rate, bad = rate * self.config.factor, 0
        return rate
