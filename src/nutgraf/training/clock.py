"""Time: how fast a training goes, how long it will take, and what is reported when."""

from __future__ import annotations

import time
from collections.abc import Iterator

import torch

from nutgraf.runtime import hardware
from nutgraf.runtime.durations import spoken
from nutgraf.training.config import Config
from nutgraf.training.events import Notice, Progress, Report, TrainingState
from nutgraf.training.limits import reported_phase
from nutgraf.training.machine import Machine


class Clock:
    """Time of a training, and the reports that are due.

    The sums that a report's loss is made of stand in the state, so a report after a resume says what it would have said
    without one.
    """

    def __init__(self, state: TrainingState, config: Config, machine: Machine) -> None:
        self.config, self.machine, self.steps_an_epoch = config, machine, 0.0
        self._before, self._began = state.seconds, time.monotonic()
        self._first, self._threads = state.step, str(machine.threads)
        self._tokens, self._since = 0, self._began
        self._saved_at = self._began

    @property
    def seconds(self) -> float:
        """Seconds of work, those before a resume among them."""
        return self._before + time.monotonic() - self._began

    @property
    def is_checkpoint_due(self) -> bool:
        """True if `training.checkpoint_minutes` have passed since the last checkpoint."""
        minutes = self.config.checkpoint_minutes
        return bool(minutes) and (time.monotonic() - self._saved_at) / 60 >= minutes

    def saved(self) -> None:
        """Note that a checkpoint was written."""
        self._saved_at = time.monotonic()

    def add(self, tokens: int) -> None:
        """Note that a step was made."""
        self._tokens += tokens

    def reports(self, state: TrainingState, learning_rate: float) -> Iterator[Report]:
        """Yield the reports that are due after a step; the next one counts from here."""
        if state.step % self.config.log_every:
            return
        passed = max(1e-9, time.monotonic() - self._since)
        loss, speed = state.loss_sum / max(1, state.loss_tokens), self._tokens / passed
        state.loss_sum, state.loss_tokens = 0.0, 0
        self._tokens, self._since = 0, time.monotonic()
        left, phase = self.left(state), reported_phase(self.config, state)
        yield Progress(state.step, state.epochs, loss, learning_rate, speed, state.seconds, left, phase)
        if str(self.machine.threads) != self._threads:
            self._threads = str(self.machine.threads)
            yield Notice(state.step, f"Computing with {self._threads}, the quickest at present.")
        if state.step == self._first + self.config.log_every:
            yield Notice(state.step, self.prospect(state))

    def seconds_a_step(self, state: TrainingState) -> float:
        """Return the mean time of a step since the run began, validation and all else included."""
        return (time.monotonic() - self._began) / max(1, state.step - self._first)

    def left(self, state: TrainingState) -> float | None:
        """Return the seconds until the first end that is known, with those of a second phase; None if none is."""
        config, pace = self.config, self.seconds_a_step(state)
        last = config.second_phase_steps * pace
        if state.second_phase_from is not None and config.second_phase_steps:
            return max(0.0, last - (state.step - state.second_phase_from) * pace)
        ends = []
        if config.max_steps is not None:
            ends.append((config.max_steps - config.second_phase_steps - state.step) * pace)
        if config.max_epochs is not None:
            ends.append((config.max_epochs - state.epochs) * self.steps_an_epoch * pace)
        if config.max_hours is not None:
            ends.append(config.max_hours * 3600 - state.seconds)
        return max(0.0, min(ends)) + last if ends else None

    def prospect(self, state: TrainingState) -> str:
        """Return what a step and an epoch take, in words, and the most memory used: the GPU's, if it trains on one."""
        pace, device = self.seconds_a_step(state), self.machine.device
        memory = torch.cuda.max_memory_allocated(device) if device.type == "cuda" else hardware.peak_memory()
        return (
            f"A step takes {pace:.3g} s, an epoch about {spoken(pace * self.steps_an_epoch)}"
            f"{f'; {memory / 1e9:.1f} GB of memory so far' if memory else ''}."
        )
