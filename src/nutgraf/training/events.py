"""Events of a training: reports, the state that checkpoints keep, and the protocols of modules that follow along."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from nutgraf.runtime.metadata import Count

if TYPE_CHECKING:
    from torch import nn


@dataclass(frozen=True)
class Progress:
    """Progress report.

    Attributes:
        step: Updates of the weights so far.
        epoch: Passes over the training set so far.
        loss: Mean loss of a target token since the last report.
        learning_rate: Learning rate of the last step.
        tokens_per_second: Tokens of sources and targets per second.
        seconds: Seconds of work, over all resumes.
        seconds_left: Seconds until the end, where that is known.
        phase: Phase of a training that has two.
    """

    step: int
    epoch: float
    loss: float
    learning_rate: float
    tokens_per_second: float
    seconds: float
    seconds_left: float | None = None
    phase: int | None = None


@dataclass(frozen=True)
class Validation:
    """Report of a validation.

    Attributes:
        step: Updates of the weights so far.
        epoch: Passes over the training set so far.
        loss: Mean negative log-likelihood of a target token.
        best: True if no earlier validation of this phase was better.
        seconds: Seconds of work, over all resumes.
        scores: Other scores by name.
        phase: Phase of a training that has two.
    """

    step: int
    epoch: float
    loss: float
    best: bool
    seconds: float
    scores: dict[str, float] = field(default_factory=dict)
    phase: int | None = None


@dataclass(frozen=True)
class Notice:
    """A sentence for the person who watches."""

    step: int
    """Updates of the weights so far."""

    text: str
    """The sentence."""


Report = Progress | Validation | Notice

Listener = Callable[[Report], None]


@dataclass
class TrainingState:
    """Progress of a training, as a checkpoint keeps it.

    Attributes:
        step: Updates of the weights so far.
        epoch: Current epoch, from 0.
        batch: Next batch of the epoch.
        epochs: Passes over the training set so far.
        best_loss: Loss of the best validation of this phase.
        best_step: Step of that validation.
        bad_validations: Validations since then.
        validated_step: Step of the last validation.
        seconds: Seconds of work, over all resumes.
        tokens: Tokens of sources and targets so far.
        second_phase_from: Last step before the second phase; None: it has not begun.
        scores: Scores of the validation at `best_step`.
        losses: Losses of all validations, by step.
        precision: Floating-point format.
        ema_steps: Updates in the moving average of the weights; 0: there is none.
        log_bytes: Length of the log at this checkpoint.
        loss_sum: Sum of the losses of all target tokens since the last report.
        loss_tokens: Number of these tokens.
    """

    step: Count = 0
    epoch: Count = 0
    batch: Count = 0
    epochs: float = 0.0
    best_loss: float | None = None
    best_step: Count = 0
    bad_validations: Count = 0
    validated_step: Count = 0
    seconds: float = 0.0
    tokens: Count = 0
    second_phase_from: Count | None = None
    scores: dict[str, float] = field(default_factory=dict)
    losses: dict[Count, float] = field(default_factory=dict)
    precision: str = "fp32"
    ema_steps: Count = 0
    log_bytes: Count = 0
    loss_sum: float = 0.0
    loss_tokens: Count = 0

    @property
    def chosen(self) -> Chosen:
        """The weights of this step, with their scores if they are the best so far."""
        best = self.best_step == self.step
        return Chosen("best" if best else "last", self.step, self.scores if best else {})


@dataclass
class Chosen:
    """Weights that a model folder holds, and their scores."""

    origin: str = ""
    """Origin: "best", "last" or "mean"; "" as long as there are none."""

    step: int = 0
    """Step after which they were taken."""

    scores: Mapping[str, float] = field(default_factory=dict)
    """Scores of their validation."""

    steps: tuple[int, ...] = ()
    """Steps whose weights were averaged."""

    def take(self, other: Chosen) -> None:
        """Become the same as another choice."""
        vars(self).update(vars(other))

    def to_json(self) -> dict[str, object]:
        """Return the part of a card that is about weights alone."""
        of = {"of": list(self.steps)} if self.steps else {}
        return {"weights": {"from": self.origin, "step": self.step, **of}, "scores": dict(self.scores)}


@runtime_checkable
class PhaseAware(Protocol):
    """A module or an objective that waits for the second phase of a training."""

    def enter(self, phase: int) -> None:
        """Begin phase 1 or 2; a training of one phase begins with 2."""


@runtime_checkable
class EpochAware(Protocol):
    """A module that changes from epoch to epoch."""

    def advance(self, epoch: int) -> None:
        """Begin an epoch, counted from 0."""


def enter_phase(parts: Iterable[object], phase: int) -> None:
    """Tell all parts that wait for a phase which one begins."""
    for one in parts:
        if isinstance(one, PhaseAware):
            one.enter(phase)


def enter_epoch(network: nn.Module, epoch: int) -> None:
    """Tell all modules that change from epoch to epoch which one begins."""
    for module in network.modules():
        if isinstance(module, EpochAware):
            module.advance(epoch)
