"""A constant learning rate after a linear warm-up."""

from __future__ import annotations

from dataclasses import dataclass

from nutgraf.training.schedules import Schedule


@dataclass(frozen=True)
class Config:
    """Constant learning rate."""

    learning_rate: float = 5e-4
    """Learning rate after the warm-up."""

    warmup_steps: int = 0
    """Steps of linear warm-up; 0: none."""

    def __post_init__(self) -> None:
        if self.learning_rate <= 0 or self.warmup_steps < 0:
            raise ValueError("learning_rate is above 0, and warmup_steps at least 0")


class Constant(Schedule):
    """Linear warm-up, then a constant learning rate."""

    config: Config

    def __call__(self, step: int) -> float:
        """Return the learning rate of a step."""
        return self.config.learning_rate * min(1.0, step / max(1, self.config.warmup_steps))
