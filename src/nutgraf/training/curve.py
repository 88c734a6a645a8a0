"""How it went, as a picture: the losses of training and validation over the steps, and the learning rate."""

from __future__ import annotations

from pathlib import Path

from nutgraf.files import replacing
from nutgraf.training.reports import read_log


def draw(log: Path, picture: Path, title: str) -> None:
    """Draw what a log holds as a PNG; nothing where nothing was logged, or without matplotlib. Raises OutputError."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return
    lines = read_log(log)
    training = [line for line in lines if line["kind"] == "progress"]
    validation = [line for line in lines if line["kind"] == "validation"]
    if not training and not validation:
        return
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    axes.plot([one["step"] for one in training], [one["loss"] for one in training], color="0.7", lw=1, label="training")
    axes.plot([one["step"] for one in validation], [one["loss"] for one in validation], "o-", ms=3, label="validation")
    best = min(validation, key=lambda one: float(one["loss"]), default=None)
    if best is not None:
        axes.annotate(f"{best['loss']:.3f}", (best["step"], best["loss"]), (0, 8), textcoords="offset points")
    axes.set(xlabel="step", ylabel="loss of a word", title=title)
    rate = axes.twinx()
    rate.plot([one["step"] for one in training], [one["rate"] for one in training], ":", color="tab:orange", lw=1)
    rate.set_ylabel("learning rate (dotted)")
    axes.legend()
    axes.grid(alpha=0.3)
    with replacing(picture) as temporary:
        figure.savefig(temporary, format="png", dpi=120)
