"""Learning-rate schedules. One file, one schedule."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
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

    def follow(self, losses: Mapping[int, float]) -> None:
        """Hear the losses of all validations so far, by step; they may change the rates of later steps.

        Called after each validation and after a resume, in every process.
        """


schedules: Family[Schedule] = Family(__name__, Schedule)
