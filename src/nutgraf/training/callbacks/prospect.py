"""Says at the beginning what a training takes, as far as that is known."""

from __future__ import annotations

from nutgraf.training.callbacks import Callback
from nutgraf.training.events import Notice, TrainingState


class Prospect(Callback):
    """Reports size, examples, steps per epoch, and what ends the training."""

    def begin(self, state: TrainingState) -> None:
        """Report what was found so far, and what is to come."""
        for text in self.context.opening:
            self.context.report(Notice(0, text))
        self.context.report(Notice(state.step, self.context.prospect(state)))
