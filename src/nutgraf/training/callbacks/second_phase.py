"""Keeps what the first phase of a training came to, so that both phases can be compared."""

from __future__ import annotations

from nutgraf.training.callbacks import Callback
from nutgraf.training.context import Context
from nutgraf.training.events import TrainingState


class SecondPhase(Callback):
    """Keeps the best checkpoint of the first phase as `checkpoints/first`."""

    context: Context

    def phase_over(self, state: TrainingState) -> None:
        """Keep the best weights, or the last where there was no validation."""
        if self.context.machine.main:
            self.context.store.keep_first("best" if state.best_step else "last")
        self.context.machine.wait()
