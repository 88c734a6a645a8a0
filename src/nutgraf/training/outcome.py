"""The result of a training, and the report of its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from nutgraf.preparation import Shards
from nutgraf.training.events import Notice
from nutgraf.training.loop import Loop

if TYPE_CHECKING:
    from nutgraf.decoding.search import Config as Decoding

FEWEST_TO_COMPARE = 100
"""Validation examples below which precisions are not compared: intervals would be too wide to tell anything."""

Comparison = Literal["possible", "few", "pointless"]


@dataclass(frozen=True)
class Outcome:
    """Result of a training."""

    folder: Path
    """The trained model."""

    data: Path
    """Prepared data that it was trained on."""

    step: int
    """Last step."""

    finished: bool
    """False if the user stopped it; it can be resumed then."""

    card: dict[str, Any]
    """Card of the model."""

    comparison: Comparison
    """Comparison of precisions: "few" if there are too few validation examples; "pointless" if the preset names the
    precision of decoding, the network writes nothing, or it is on a GPU."""


def conclude(
    loop: Loop, folder: Path, shards: Shards, checks: Shards | None, decoding: Decoding | None, card: dict[str, Any]
) -> Outcome:
    """Report the end of a training, and return its result.

    Args:
        loop: The loop, which has run.
        folder: The model folder.
        shards: Training examples.
        checks: Validation examples.
        decoding: Options of the search for summaries; None for a network that writes none.
        card: Card of the model.
    """
    if loop.machine.main:
        loop.callbacks.report(Notice(loop.state.step, _farewell(loop, folder, card)))
    loop.machine.wait()
    compared: Comparison = "few"
    if decoding is None or decoding.precision != "auto" or not loop.machine.main or loop.machine.device.type != "cpu":
        compared = "pointless"
    elif checks and len(checks) >= FEWEST_TO_COMPARE and checks.references(0):
        compared = "possible"
    return Outcome(folder, shards.folder, loop.state.step, not loop.stopped, card, compared)


def _farewell(loop: Loop, folder: Path, card: Mapping[str, Any]) -> str:
    step = loop.state.step
    if loop.stopped:
        message = f"Stopped at step {step:,} and saved; the same command with --resume goes on."
        best = card["weights"]["step"]
        return (
            message if best == step else f"{message} Until then {folder} holds the network of step {best:,}, the best."
        )
    scores = "".join(f", {name.replace('_', ' of ')} {value:.4g}" for name, value in card["scores"].items())
    return f"Training ends at step {step:,}: {loop.reason}. The network is in {folder}{scores}."
