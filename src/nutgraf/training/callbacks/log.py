"""The log of a training: `log.jsonl`, a line for each report."""

from __future__ import annotations

from nutgraf.runtime.files import AppendOnlyFile
from nutgraf.training.callbacks import Callback
from nutgraf.training.context import Context
from nutgraf.training.events import Report, TrainingState
from nutgraf.training.reports import LOG, line_of


class Log(Callback):
    """Writes the log; a checkpoint keeps its length, and what was written after the last one is cut off."""

    _file: AppendOnlyFile | None = None
    context: Context

    def begin(self, state: TrainingState) -> None:
        """Open the log, up to where the checkpoint ends."""
        if self.context.machine.main:
            self._file = AppendOnlyFile(self.context.folder / LOG, state.log_bytes)

    def report(self, report: Report) -> None:
        """Write a line. Raises OutputError."""
        if self._file is not None:
            self._file.append(line_of(report))

    def before_save(self, state: TrainingState) -> None:
        """Put its length into the checkpoint, once all of it is on the disk. Raises OutputError."""
        if self._file is not None:
            self._file.flush()
            state.log_bytes = self._file.length
