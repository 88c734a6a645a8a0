"""The curve of a training as `curve.png`: losses, learning rate, and repetition where it was measured."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nutgraf.runtime.files import atomic_write
from nutgraf.training.callbacks import Callback
from nutgraf.training.context import Context
from nutgraf.training.events import TrainingState
from nutgraf.training.reports import CURVE, LOG, REFERENCES, REPETITION, read_log

Lines = Sequence[dict[str, Any]]

FEW = 30
"""Points of a line up to which each of them is marked: so that one is seen, and where in a short training they are."""


class Curve(Callback):
    """Draws losses, learning rate and repetition from the log at the end."""

    context: Context

    def end(self, state: TrainingState, reason: str) -> None:
        """Draw the curve. Raises OutputError."""
        if self.context.machine.main:
            draw(self.context.folder / LOG, self.context.folder / CURVE, self.context.title)


def draw(log: Path, picture: Path, title: str) -> None:
    """Draw a log as a PNG; nothing where it is empty, or without matplotlib. Raises OutputError."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return
    lines = read_log(log)
    training = [line for line in lines if line["kind"] == "progress"]
    validation = [line for line in lines if line["kind"] == "validation"]
    if not training and not validation:
        return
    measured = [line for line in validation if REPETITION in line["scores"]]
    heights = [3, 1] if measured else [3]
    figure = Figure(figsize=(8, 1.5 * sum(heights)), layout="constrained")
    above, *below = figure.subplots(len(heights), sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    _draw_losses(above, training, validation)
    for axes in below:
        _draw_repetition(axes, measured)
    above.set_title(title)
    (above, *below)[-1].set_xlabel("step")
    with atomic_write(picture) as temporary:
        figure.savefig(temporary, format="png", dpi=120)


def _draw_losses(axes: Any, training: Lines, validation: Lines) -> None:
    """Draw losses, the best one, the learning rate, and the beginning of the second phase."""
    marker = "." if len(training) <= FEW else ""
    steps = [one["step"] for one in training]
    axes.plot(steps, [one["loss"] for one in training], color="0.7", lw=1, marker=marker, label="training")
    axes.plot([one["step"] for one in validation], [one["loss"] for one in validation], "o-", ms=3, label="validation")
    for best in [one for one in validation if one["best"]][-1:]:
        axes.annotate(f"{best['loss']:.3f}", (best["step"], best["loss"]), (0, 8), textcoords="offset points")
    for first in [one["step"] for one in [*training, *validation] if one.get("phase") == 2][:1]:
        axes.axvline(first, color="0.4", ls="--", lw=1, label="second phase")
    axes.set_ylabel("loss of a word")
    axes.legend()
    axes.grid(alpha=0.3)
    rate = axes.twinx()
    rate.plot(steps, [one["learning_rate"] for one in training], ":", color="tab:orange", lw=1, marker=marker)
    rate.set_ylabel("learning rate (dotted)")


def _draw_repetition(axes: Any, measured: Lines) -> None:
    """Draw repetition beside that of the references."""
    steps = [one["step"] for one in measured]
    axes.plot(steps, [one["scores"][REPETITION] for one in measured], "o-", ms=3, color="tab:red", label="summaries")
    axes.plot(steps, [one["scores"][REFERENCES] for one in measured], "--", lw=1, color="0.4", label="references")
    axes.set(ylabel="repeated trigrams", ylim=(0, None))
    axes.legend()
    axes.grid(alpha=0.3)
