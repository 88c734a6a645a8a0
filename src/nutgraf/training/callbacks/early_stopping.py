"""Early stopping: training ends when validations bring no gain any more."""

from __future__ import annotations

from nutgraf.presets.family import NoOptions
from nutgraf.training.callbacks import Callback, Context
from nutgraf.training.events import TrainingState


class EarlyStopping(Callback):
    """Ends a training, or its first phase, after `training.patience` validations without a better loss."""

    def __init__(self, config: NoOptions, context: Context) -> None:
        super().__init__(config, context)
        self.patience = context.config.patience

    def reason(self, state: TrainingState) -> str:
        """Return a reason if the patience is used up."""
        if self.patience and state.bad_validations >= self.patience:
            return f"{state.bad_validations} validations in a row brought no gain"
        return ""
