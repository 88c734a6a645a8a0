"""An outlook on a training, at its beginning."""

from __future__ import annotations

from nutgraf.training.callbacks import Callback
from nutgraf.training.context import Context
from nutgraf.training.events import Notice, TrainingState


class Prospect(Callback):
    """Reports size, examples, steps per epoch, and what ends the training."""

    context: Context

    def begin(self, state: TrainingState) -> None:
        """Report the first notices, and then the outlook."""
        for text in self.context.opening:
            self.context.report(Notice(0, text))
        self.context.report(Notice(state.step, self.context.prospect(state)))
