"""The curve of a training as `curve.png`, where matplotlib is installed."""

from __future__ import annotations

from nutgraf.training.callbacks import Callback
from nutgraf.training.context import Context
from nutgraf.training.curve import draw
from nutgraf.training.events import TrainingState
from nutgraf.training.reports import CURVE, LOG


class Curve(Callback):
    """Draws losses, learning rate and repetition from the log at the end."""

    context: Context

    def end(self, state: TrainingState, reason: str) -> None:
        """Draw the curve. Raises OutputError."""
        if self.context.machine.main:
            draw(self.context.folder / LOG, self.context.folder / CURVE, self.context.title)
