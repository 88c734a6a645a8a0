"""A constant learning rate after a linear warm-up."""

from __future__ import annotations

from dataclasses import dataclass

from nutgraf.presets.ranges import NonNegativeInt, PositiveFloat
from nutgraf.training.schedules import Schedule


@dataclass(frozen=True)
class Config:
    """Constant learning rate."""

    learning_rate: PositiveFloat = 5e-4
    """Learning rate after the warm-up."""

    warmup_steps: NonNegativeInt = 0
    """Steps of linear warm-up; 0: none."""


class Constant(Schedule):
    """Linear warm-up, then a constant learning rate."""

    config: Config

    def __call__(self, step: int) -> float:
        """Return the learning rate of a step."""
        return self.config.learning_rate * min(1.0, step / max(1, self.config.warmup_steps))
