"""Linear warm-up, then decay with the square root of the step: the curve of `noam`, given by its peak."""

from __future__ import annotations

from dataclasses import dataclass

from nutgraf.presets.ranges import PositiveFloat, PositiveInt
from nutgraf.training.schedules import Schedule


@dataclass(frozen=True)
class Config:
    """Inverse square root decay."""

    learning_rate: PositiveFloat = 1e-3
    """Highest learning rate, at the end of the warm-up."""

    warmup_steps: PositiveInt = 4000
    """Steps of linear warm-up."""


class InverseSquareRoot(Schedule):
    """Linear warm-up, then a learning rate that is halved whenever the steps quadruple."""

    config: Config

    def __call__(self, step: int) -> float:
        """Return the learning rate of a step."""
        return self.config.learning_rate * min(
            step / self.config.warmup_steps, float((self.config.warmup_steps / step) ** 0.5)
        )
