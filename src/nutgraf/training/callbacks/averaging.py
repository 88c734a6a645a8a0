"""Mean of the weights of the last validations, where it has a lower loss than the best of them.

Vaswani et al. 2017, Sec. 6.1.
"""

from __future__ import annotations

from nutgraf.checkpoint import load_weights, write_tensors
from nutgraf.model_folder import WEIGHTS
from nutgraf.training.callbacks import Callback
from nutgraf.training.context import Context
from nutgraf.training.events import Chosen, Notice, TrainingState, Validation
from nutgraf.training.limits import reported_phase
from nutgraf.training.store import average
from nutgraf.training.validation import scored


class Averaging(Callback):
    """Averages the weights of the last `training.average_checkpoints` validations."""

    context: Context

    @property
    def count(self) -> int:
        """Number of weights of which the mean is taken; 0: none is."""
        return self.context.config.average_checkpoints

    def save(self, state: TrainingState) -> None:
        """Keep the weights of a validation."""
        if self.count and state.validated_step == state.step:
            self.context.store.remember(state.step, self.count)

    def resume(self, state: TrainingState) -> None:
        """Copy the weights of a checkpoint whose training was killed before it could."""
        if self.context.machine.main:
            self.save(state)

    def end(self, state: TrainingState, reason: str) -> None:
        """Take the mean for the folder's weights if its validation loss is the lowest."""
        paths = self.context.store.recent(state.step, state.second_phase_from or 0) if self.count else []
        if reason == "stopped" or len(paths) < 2:
            return
        mean, context = average(paths), self.context
        load_weights(context.network, mean, "the mean")
        loss = context.validator.loss(state.step)
        better = state.best_loss is None or loss < state.best_loss
        if better:
            scores = context.validator.scores()
            steps = tuple(int(path.stem) for path in paths)
            context.chosen.take(Chosen("mean", state.step, scored(loss, scores), steps))
            phase = reported_phase(context.config, state)
            context.report(Validation(state.step, state.epochs, loss, True, state.seconds, scores, phase))
            if context.machine.main:
                write_tensors(context.folder / WEIGHTS, mean, context.chosen.to_json())
        outcome = (
            "they are the folder's now"
            if better
            else f"the best of them alone has {state.best_loss:.4f} and stays the folder's"
        )
        context.report(
            Notice(state.step, f"The mean of the last {len(paths)} weights has a loss of {loss:.4f}; {outcome}.")
        )
