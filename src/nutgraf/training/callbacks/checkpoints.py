"""Checkpoints: written in the store, and the choice of the weights that the model folder holds.

The best checkpoint of the first of two phases is kept as `checkpoints/first`, so that both can be compared.
"""

from __future__ import annotations

from nutgraf.model_folder import WEIGHTS
from nutgraf.training.callbacks import Callback
from nutgraf.training.context import Context
from nutgraf.training.events import Chosen, TrainingState


class Checkpoints(Callback):
    """Commits checkpoints; the best one's weights are the folder's."""

    context: Context

    def before_save(self, state: TrainingState) -> None:
        """Note how many updates the average of the weights has, for a resume."""
        average = self.context.validator.average
        state.ema_steps = 0 if average is None else average.steps

    def save(self, state: TrainingState) -> None:
        """Write a checkpoint, and take its weights for the folder's if they are the best."""
        context = self.context
        context.store.save(context.network, context.optimizer, state, context.validator.average)
        if state.best_step == state.step:
            context.store.last_is_best()
            context.chosen.take(state.chosen)

    def resume(self, state: TrainingState) -> None:
        """Bring the folder's weights into line with the checkpoint that was restored."""
        if state.best_step:
            self.context.chosen.take(Chosen("best", state.best_step, state.scores))
        if self.context.machine.main:
            self.context.store.choose_best(state)

    def phase_over(self, state: TrainingState) -> None:
        """Keep the best weights of the first phase, or the last where there was no validation."""
        if self.context.machine.main:
            self.context.store.keep_first("best" if state.best_step else "last")
        self.context.machine.wait()

    def end(self, state: TrainingState, reason: str) -> None:
        """Take the last weights where no validation chose any."""
        if not self.context.config.validate_every or not state.best_step:
            self.context.chosen.take(state.chosen)
            if self.context.machine.main:
                self.context.store.choose(self.context.store.places / "last" / WEIGHTS)
        self.context.machine.wait()
