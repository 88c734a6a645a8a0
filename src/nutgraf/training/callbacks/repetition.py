"""Warns where summaries repeat themselves more and more.

Coverage that acts from the first step on can draw all attention to where it costs nothing. Such a network repeats
itself, while its loss may still look well. So at each validation that writes summaries, the share of repeated trigrams
is compared with that of the references.
"""

from __future__ import annotations

from collections.abc import Sequence

from nutgraf.training.callbacks import Callback
from nutgraf.training.context import Context
from nutgraf.training.events import Notice, Report, TrainingState, Validation
from nutgraf.training.reports import LOG, REFERENCES, REPETITION, read_log

FAR, RISEN = 0.1, 0.05
"""Differences to the references, and to its own lowest value, at which the share of repeated trigrams is reported."""


class Repetition(Callback):
    """Reports a warning when the share of repeated trigrams rises."""

    _shares: Sequence[float] = ()
    context: Context

    def begin(self, state: TrainingState) -> None:
        """Read the measurements before a resume from the log."""
        if self.context.machine.main:
            lines = read_log(self.context.folder / LOG)
            self._shares = [line["scores"][REPETITION] for line in lines if REPETITION in line.get("scores", {})]

    def report(self, report: Report) -> None:
        """Compare the repetition of a validation with earlier ones."""
        if not isinstance(report, Validation) or REPETITION not in report.scores:
            return
        share, usual = report.scores[REPETITION], report.scores[REFERENCES]
        rises = self._shares and share > max(self._shares[-1], min(self._shares) + RISEN)
        if rises and share > usual + FAR:
            self.context.report(Notice(report.step, warning(share, usual, min(self._shares))))
        self._shares = [*self._shares, share]


def warning(share: float, usual: float, lowest: float) -> str:
    """Return the warning, with what may help."""
    return (
        f"Of the trigrams that the network writes, {share:.0%} stand in the same summary already, after {lowest:.0%} "
        f"at best; in the references {usual:.0%} do. The training may be collapsing: coverage in a second phase "
        "(section [model.coverage], objective coverage, training.second_phase_steps) or a lower rate may help."
    )
