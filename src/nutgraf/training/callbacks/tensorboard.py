"""TensorBoard's files in `tensorboard/`, where TensorBoard is installed (`pip install tensorboard`)."""

from __future__ import annotations

from typing import Any

from nutgraf.training.callbacks import Callback
from nutgraf.training.context import Context
from nutgraf.training.events import Progress, Report, TrainingState, Validation
from nutgraf.training.reports import BOARD


class TensorBoard(Callback):
    """Writes losses, learning rate, speed and scores."""

    _writer: Any = None
    context: Context

    def begin(self, state: TrainingState) -> None:
        """Open the files, without what came after the checkpoint."""
        if not self.context.machine.main:
            return
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            return
        self._writer = SummaryWriter(str(self.context.folder / BOARD), purge_step=state.step + 1)

    def report(self, report: Report) -> None:
        """Write the numbers of a report."""
        if isinstance(report, Progress):
            values = {
                "loss/training": report.loss,
                "learning rate": report.learning_rate,
                "tokens per second": report.tokens_per_second,
            }
        elif isinstance(report, Validation):
            values = {"loss/validation": report.loss, **report.scores}
        else:
            return
        if self._writer is not None:
            for name, value in values.items():
                self._writer.add_scalar(name, value, report.step)
            self._writer.flush()
