"""The parts of a training that its callbacks are made with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from torch.optim import Optimizer

from nutgraf.decoding.search import Config as Decoding
from nutgraf.model.network import Network
from nutgraf.preparation.scoring import SelectionScorer, SummaryScorer
from nutgraf.training.config import Config
from nutgraf.training.events import Chosen, Report, TrainingState
from nutgraf.training.machine import Machine
from nutgraf.training.store import CheckpointStore
from nutgraf.training.validation import Validator


@dataclass(frozen=True)
class Context:
    """Parts of a training that callbacks are made with.

    Attributes:
        config: Options of the training.
        folder: Model folder.
        network: Network in training.
        optimizer: Its optimizer.
        machine: Device and processes.
        store: Checkpoints on disk.
        report: Tells all callbacks of the main process.
        validator: Measures the network on the validation set.
        prospect: Returns what the training takes, in words.
        chosen: Weights that the model folder holds; whoever changes them says so here.
        opening: Sentences that are reported first.
        title: Name of the preset.
        card: Card of the model; callbacks add to it what becomes known in training.
        scorer: Scores summaries of validation examples; None: none are written.
        decoding: Options of the search that writes them.
        origins: Names of the sets that validation examples are from, by their number in a batch.
        selections: Scores sentences that are taken of validation examples; None: none are.
    """

    config: Config
    folder: Path
    network: Network
    optimizer: Optimizer
    machine: Machine
    store: CheckpointStore
    report: Callable[[Report], None]
    validator: Validator
    prospect: Callable[[TrainingState], str]
    chosen: Chosen
    opening: Sequence[str] = ()
    title: str = ""
    card: dict[str, Any] = field(default_factory=dict)
    scorer: SummaryScorer | None = None
    decoding: Decoding | None = None
    origins: Sequence[str] = ()
    selections: SelectionScorer | None = None
