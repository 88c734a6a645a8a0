"""Rising to `rate` while it warms up, then falling in a line to nothing."""

from __future__ import annotations

from dataclasses import dataclass

from nutgraf.training.schedules import Schedule


@dataclass(frozen=True)
class Config:
    """rate: the highest. warm_up: steps until it is reached. end: the step at which it is `last` times the highest, and
    stays so."""

    rate: float = 5e-4
    warm_up: int = 1000
    end: int = 50_000
    last: float = 0.0

    def __post_init__(self) -> None:
        if self.rate <= 0 or not 0 <= self.warm_up < self.end or not 0 <= self.last <= 1:
            raise ValueError("rate is above 0, warm_up before end, and last from 0 to 1")


class Linear(Schedule):
    """Up, then down."""

    def __init__(self, config: Config, width: int) -> None:
        self.config = config

    def __call__(self, step: int) -> float:
        """The learning rate of a step."""
        config = self.config
        if step < config.warm_up:
            return config.rate * step / config.warm_up
        left = max(0.0, (config.end - step) / (config.end - config.warm_up))
        return config.rate * (config.last + (1 - config.last) * left)
