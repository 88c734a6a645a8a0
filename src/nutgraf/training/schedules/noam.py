"""The schedule of the Transformer: linear warm-up, then inverse square root decay (Vaswani et al. 2017, Sec. 5.3).

learning rate = factor · d_model^-0.5 · min(step^-0.5, step · warmup_steps^-1.5)
"""

from __future__ import annotations

from dataclasses import dataclass

from nutgraf.presets.ranges import PositiveFloat, PositiveInt
from nutgraf.training.schedules import Schedule


@dataclass(frozen=True)
class Config:
    """The Transformer's schedule. The defaults are those of the CopyTransformer (Fabbri et al. 2019)."""

    factor: PositiveFloat = 2.0
    """Factor of the whole curve."""

    warmup_steps: PositiveInt = 8000
    """Steps of linear warm-up."""


class Noam(Schedule):
    """Linear warm-up, then inverse square root decay, scaled by the width of the network."""

    config: Config

    def __call__(self, step: int) -> float:
        """Return the learning rate of a step."""
        warmup_steps = self.config.warmup_steps
        return self.config.factor * float(self.d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5))
