"""Rising to `rate` while it warms up, then falling with the root of the step: Noam's curve, its top said outright."""

from __future__ import annotations

from dataclasses import dataclass

from nutgraf.training.schedules import Schedule


@dataclass(frozen=True)
class Config:
    """rate: the highest. warm_up: steps until it is reached."""

    rate: float = 1e-3
    warm_up: int = 4000

    def __post_init__(self) -> None:
        if self.rate <= 0 or self.warm_up < 1:
            raise ValueError("rate is above 0, and warm_up at least 1")


class InverseSquareRoot(Schedule):
    """The rate falls to half of its highest after four times the warm-up."""

    def __init__(self, config: Config, width: int) -> None:
        self.config = config

    def __call__(self, step: int) -> float:
        """The learning rate of a step."""
        return self.config.rate * min(step / self.config.warm_up, float((self.config.warm_up / step) ** 0.5))
