"""Rising to `rate` while it warms up, and then always that."""

from __future__ import annotations

from dataclasses import dataclass

from nutgraf.training.schedules import Schedule


@dataclass(frozen=True)
class Config:
    """rate: the one there is. warm_up: steps until it is reached; 0: at once."""

    rate: float = 5e-4
    warm_up: int = 0

    def __post_init__(self) -> None:
        if self.rate <= 0 or self.warm_up < 0:
            raise ValueError("rate is above 0, and warm_up at least 0")


class Constant(Schedule):
    """One rate."""

    def __init__(self, config: Config, width: int) -> None:
        self.config = config

    def __call__(self, step: int) -> float:
        """The learning rate of a step."""
        return self.config.rate * min(1.0, step / max(1, self.config.warm_up))
