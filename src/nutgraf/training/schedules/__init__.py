"""Learning-rate schedules. One file, one schedule."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from nutgraf.presets.family import Family


class Schedule(ABC):
    """A learning-rate schedule, made with its `Config` and the network's `d_model`."""

    def __init__(self, config: Any, d_model: int) -> None:
        """Keep the options and the width of the network."""
        self.config, self.d_model = config, d_model

    @abstractmethod
    def __call__(self, step: int) -> float:
        """Return the learning rate of a step, 0 or above; the first step is 1, and a step always has the same rate."""


schedules: Family[Schedule] = Family(__name__, Schedule)
