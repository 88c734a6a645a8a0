"""The parts of a training that its callbacks are made with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from torch.optim import Optimizer

from nutgraf.decoding.search import Config as Decoding
from nutgraf.model.network import Network
from nutgraf.preparation.scoring import SummaryScorer
from nutgraf.training.config import Config
from nutgraf.training.events import Chosen, Report, TrainingState
from nutgraf.training.machine import Machine
from nutgraf.training.store import CheckpointStore
from nutgraf.training.validation import Validator


@dataclass(frozen=True)
class Context:
    """Parts of a training that callbacks are made with."""

    config: Config
    """Options of the training."""

    folder: Path
    """Model folder."""

    network: Network
    """Network in training."""

    optimizer: Optimizer
    """Its optimizer."""

    machine: Machine
    """Device and processes."""

    store: CheckpointStore
    """Checkpoints on disk."""

    report: Callable[[Report], None]
    """Tells all callbacks of the main process."""

    validator: Validator
    """Measures the network on the validation set."""

    prospect: Callable[[TrainingState], str]
    """Returns what the training takes, in words."""

    chosen: Chosen
    """Weights that the model folder holds; whoever changes them says so here."""

    opening: Sequence[str] = ()
    """Sentences that are reported first."""

    title: str = ""
    """Name of the preset."""

    card: dict[str, Any] = field(default_factory=dict)
    """Card of the model; callbacks add to it what becomes known in training."""

    scorer: SummaryScorer | None = None
    """Scores summaries of validation examples; None: none are written."""

    decoding: Decoding | None = None
    """Options of the search that writes them."""
