"""A meter of repetition: whether what a network writes repeats itself more and more.

Coverage that acts from the first step on can pull all attention to where it costs nothing, and a network that has lost
its way says the same again and again, while its loss may still look well. So at each validation that summarizes, the
share of repeated trigrams is measured beside that of the references.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from nutgraf.training.reports import Notice, Report, Validation

OWN, REFERENCES = "repetition", "repetition_references"
"""Scores of a validation: the summaries' share of repeated trigrams, and the references'."""

FAR, RISEN = 0.1, 0.05
"""How far above the references', and above its own lowest, the share of repeated trigrams gives rise to a warning."""


class Meter:
    """Listens to a training and warns. report: how it speaks. before: the log of what was trained already."""

    def __init__(self, report: Callable[[Report], None], before: Iterable[Mapping[str, Any]] = ()) -> None:
        self._report = report
        self._shares = [line["scores"][OWN] for line in before if OWN in line.get("scores", {})]

    def __call__(self, report: Report) -> None:
        """Look at a validation."""
        if not isinstance(report, Validation) or OWN not in report.scores:
            return
        share, usual = report.scores[OWN], report.scores[REFERENCES]
        if self._rises(share) and share > usual + FAR:
            self._report(Notice(report.step, warning(share, usual, min(self._shares))))
        self._shares.append(share)

    def _rises(self, share: float) -> bool:
        return bool(self._shares) and share > max(self._shares[-1], min(self._shares) + RISEN)


def warning(share: float, usual: float, lowest: float) -> str:
    """What to think of it."""
    return (
        f"Of the trigrams that the network writes, {share:.0%} stand in the same summary already, after {lowest:.0%} "
        f"at best; in the references {usual:.0%} do. The training may be collapsing: coverage in a second phase "
        "(section [model.coverage], objective coverage, training.second_phase_steps) or a lower rate may help."
    )
