"""Linear warm-up, then linear decay."""

from __future__ import annotations

from dataclasses import dataclass

from nutgraf.presets.ranges import NonNegativeInt, PositiveFloat, Share
from nutgraf.training.schedules import Schedule


@dataclass(frozen=True)
class Config:
    """Linear decay."""

    learning_rate: PositiveFloat = 5e-4
    """Highest learning rate, at the end of the warm-up."""

    warmup_steps: NonNegativeInt = 1000
    """Steps of linear warm-up."""

    end_step: int = 50_000
    """Step at which the decay ends; the learning rate is constant from there on."""

    end_factor: Share = 0.0
    """Share of the highest learning rate that is left at `end_step`."""

    def __post_init__(self) -> None:
        if self.warmup_steps >= self.end_step:
            raise ValueError(f"warmup_steps = {self.warmup_steps} must be below end_step = {self.end_step}")


class Linear(Schedule):
    """Linear warm-up, then linear decay."""

    config: Config

    def __call__(self, step: int) -> float:
        """Return the learning rate of a step."""
        config = self.config
        if step < config.warmup_steps:
            return config.learning_rate * step / config.warmup_steps
        left = max(0.0, (config.end_step - step) / (config.end_step - config.warmup_steps))
        return config.learning_rate * (config.end_factor + (1 - config.end_factor) * left)
