"""How the learning rate goes on. One file, one schedule."""

from __future__ import annotations

from abc import ABC, abstractmethod

from nutgraf.presets.family import Family


class Schedule(ABC):
    """Made with its `Config` and the network's width."""

    @abstractmethod
    def __call__(self, step: int) -> float:
        """The learning rate of a step; the first is 1."""


schedules: Family[Schedule] = Family(__name__, Schedule)
