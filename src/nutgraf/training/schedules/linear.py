"""Linear warm-up, then linear decay."""

from __future__ import annotations

from dataclasses import dataclass

from nutgraf.presets.ranges import above, at_least, check_ranges
from nutgraf.training.schedules import Schedule


@dataclass(frozen=True)
class Config:
    """Linear decay."""

    learning_rate: float = 5e-4
    """Highest learning rate, at the end of the warm-up."""

    warmup_steps: int = 1000
    """Steps of linear warm-up."""

    end_step: int = 50_000
    """Step at which the decay ends; the learning rate is constant from there on."""

    end_factor: float = 0.0
    """Share of the highest learning rate that is left at `end_step`."""

    def __post_init__(self) -> None:
        warmup_steps, end_factor = at_least(0).below(self.end_step), at_least(0).at_most(1)
        check_ranges(self, learning_rate=above(0), warmup_steps=warmup_steps, end_factor=end_factor)


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
