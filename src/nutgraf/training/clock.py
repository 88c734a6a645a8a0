"""How fast a training goes, and how long it will take."""

from __future__ import annotations

import sys
import time

import torch

from nutgraf.training.config import Config
from nutgraf.training.keeping import Position
from nutgraf.training.reports import Progress


class Clock:
    """Counts what happened since the last report. steps_an_epoch: of a pass over the data; whoever knows says so.

    The sums that a report's loss is made of stand in the position, so a report after a resume says what it would have
    said without one.
    """

    def __init__(self, position: Position, config: Config) -> None:
        self.config, self.steps_an_epoch = config, 0.0
        self._before, self._began = position.seconds, time.monotonic()
        self.first = position.step
        self._tokens, self._since = 0, self._began

    @property
    def seconds(self) -> float:
        """Of work, those before a resume among them."""
        return self._before + time.monotonic() - self._began

    def add(self, at: Position, loss: float, words: int, tokens: int) -> None:
        """A step was made; `loss` is the sum over its wanted words."""
        at.loss_since, at.words_since = at.loss_since + loss, at.words_since + words
        self._tokens += tokens

    def report(self, at: Position, rate: float, phase: int | None = None) -> Progress:
        """How it goes; the next report counts from here."""
        passed = max(1e-9, time.monotonic() - self._since)
        loss, speed = at.loss_since / max(1, at.words_since), self._tokens / passed
        at.loss_since, at.words_since = 0.0, 0
        self._tokens, self._since = 0, time.monotonic()
        return Progress(at.step, at.epochs, loss, rate, speed, at.seconds, self.left(at), phase)

    def seconds_a_step(self, at: Position) -> float:
        """The mean since the run began, validation and all else included."""
        return (time.monotonic() - self._began) / max(1, at.step - self.first)

    def left(self, at: Position) -> float | None:
        """Seconds until the first of the ends that are known, and those of a second phase after it."""
        config, pace = self.config, self.seconds_a_step(at)
        last = config.second_phase_steps * pace
        if at.second is not None and config.second_phase_steps:
            return max(0.0, last - (at.step - at.second) * pace)
        ends = []
        if config.max_steps is not None:
            ends.append((config.max_steps - config.second_phase_steps - at.step) * pace)
        if config.max_epochs is not None:
            ends.append((config.max_epochs - at.epochs) * self.steps_an_epoch * pace)
        if config.max_hours is not None:
            ends.append(config.max_hours * 3600 - at.seconds)
        return max(0.0, min(ends)) + last if ends else None

    def prospect(self, at: Position, device: torch.device) -> str:
        """What an epoch takes, once some steps are made."""
        pace = self.seconds_a_step(at)
        memory = peak_memory(device)
        return (
            f"A step takes {pace:.3g} s, an epoch about {spoken(pace * self.steps_an_epoch)}"
            f"{f'; {memory / 1e9:.1f} GB of memory so far' if memory else ''}."
        )


def peak_memory(device: torch.device) -> int:
    """The most bytes that this process has had: on the GPU where it trains on one, else altogether."""
    if device.type == "cuda":
        return torch.cuda.max_memory_allocated(device)
    try:
        import resource
    except ImportError:  # not a Unix
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def spoken(seconds: float) -> str:
    """A time as people say it: 45 s, 12 min, 3 h 20 min."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
