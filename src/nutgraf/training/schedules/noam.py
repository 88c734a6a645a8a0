"""Rising while it warms up, then falling with the root of the step (Vaswani et al. 2017, Sec. 5.3).

rate = factor · width^-0.5 · min(step^-0.5, step · warm_up^-1.5)
"""

from __future__ import annotations

from dataclasses import dataclass

from nutgraf.training.schedules import Schedule


@dataclass(frozen=True)
class Config:
    """factor, warm_up: in steps. The defaults are those of the CopyTransformer (Fabbri et al. 2019)."""

    factor: float = 2.0
    warm_up: int = 8000

    def __post_init__(self) -> None:
        if self.factor <= 0 or self.warm_up < 1:
            raise ValueError("factor is above 0, and warm_up at least 1")


class Noam(Schedule):
    """The Transformer's."""

    def __init__(self, config: Config, width: int) -> None:
        self.config, self.width = config, width

    def __call__(self, step: int) -> float:
        """The learning rate of a step."""
        warm_up = self.config.warm_up
        return self.config.factor * float(self.width**-0.5 * min(step**-0.5, step * warm_up**-1.5))
