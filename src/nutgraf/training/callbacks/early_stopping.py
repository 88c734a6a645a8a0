"""Early stopping: training ends when validations bring no gain any more."""

from __future__ import annotations

from nutgraf.training.callbacks import Callback
from nutgraf.training.context import Context
from nutgraf.training.events import TrainingState


class EarlyStopping(Callback):
    """Ends a training, or its first phase, after `training.patience` validations without a better loss."""

    context: Context

    def reason(self, state: TrainingState) -> str:
        """Return a reason if the patience is used up."""
        patience = self.context.config.patience
        if patience and state.bad_validations >= patience:
            return f"{state.bad_validations} validations in a row brought no gain"
        return ""
