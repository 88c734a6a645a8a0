"""What a preset may say of training."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from nutgraf.training.batches import Count


@dataclass(frozen=True)
class Config:
    """The section `[training]` of a preset. The defaults are the CopyTransformer's (Fabbri et al. 2019).

    steps, epochs, hours: when it ends, whichever comes first; absent ones do not count. second_phase: how many of its
    last steps belong to what waits for it, coverage for one; 0: nothing waits. With a second phase, epochs, hours and
    patience end the first; the second is always whole, and its best weights are chosen anew. batch: of one process, in
    `count`: tokens (examples times the longest source or target among them) or examples. accumulate: batches a step.
    sampling: the chance of a given word to be the network's own, the likeliest one, instead of the target's; it takes a
    second pass. device: auto is the GPU if there is one. precision: auto is bf16 where the hardware multiplies in it
    and fp32 elsewhere. threads: auto measures how many are quickest, again and again. deterministic: the number of
    threads never changes, and only those of torch's algorithms run that always give the same numbers. clip: the
    gradient's longest norm. validate: every so many steps; 0: never. validate_on: examples of the validation set,
    evenly chosen; absent: all. validate_rouge: examples of it that are summarized greedily and scored. patience:
    validations without gain until it ends; 0: it never does for that. checkpoint, checkpoint_minutes: how often it is
    saved, by steps and by time. average: how many of the last validations' weights are averaged at the end; the mean is
    taken if it is better. steps_per_epoch: what an epoch is for a mechanism that changes from epoch to epoch; absent: a
    pass over the data. report: every so many steps. warm_start: a trained folder whose weights it begins with.
    warm_moments: and what the optimizer remembers of them. pull: μ of a pull back to these weights, μ·‖θ − θ₀‖₁ beside
    the loss that is shown; 0: none. optimizer, schedule, objectives: sections of their families.
    """

    steps: int | None = 50_000
    epochs: float | None = None
    hours: float | None = None
    second_phase: int = 0
    batch: int = 4096
    count: Count = "tokens"
    accumulate: int = 4
    sampling: float = 0.0
    precision: Literal["auto", "fp32", "bf16"] = "auto"
    threads: Literal["auto"] | int = "auto"
    deterministic: bool = False
    device: Literal["auto", "cpu", "cuda"] = "auto"
    clip: float | None = None
    validate: int = 2000
    validate_on: int | None = None
    validate_rouge: int = 0
    patience: int = 5
    checkpoint: int = 1000
    checkpoint_minutes: float = 15.0
    average: int = 0
    steps_per_epoch: int | None = None
    report: int = 20
    warm_start: str | None = None
    warm_moments: bool = False
    pull: float = 0.0
    optimizer: dict[str, Any] = field(default_factory=lambda: {"kind": "adam"})
    schedule: dict[str, Any] = field(default_factory=lambda: {"kind": "noam"})
    objectives: dict[str, dict[str, Any]] = field(default_factory=lambda: {"likelihood": {}})

    def __post_init__(self) -> None:
        for name in ("batch", "accumulate", "checkpoint", "report"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is at least 1")
        if self.threads != "auto" and self.threads < 1:
            raise ValueError('threads is at least 1, or "auto"')
        for name in ("second_phase", "validate", "validate_rouge", "patience", "average", "checkpoint_minutes", "pull"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} is at least 0")
        for name in ("steps", "epochs", "hours", "clip", "validate_on", "steps_per_epoch"):
            if getattr(self, name) is not None and getattr(self, name) <= 0:
                raise ValueError(f"{name} is above 0, or absent")
        if self.steps is not None and self.second_phase >= self.steps:
            raise ValueError(
                f"second_phase = {self.second_phase} leaves nothing of steps = {self.steps} for the first; "
                "second_phase = 0 is a training of one phase"
            )
        if not 0 <= self.sampling <= 1:
            raise ValueError("sampling is from 0 to 1")
        if self.average and not self.validate:
            raise ValueError("average needs validate: the mean is taken only if it is better")
        if self.pull and self.warm_start is None:
            raise ValueError("pull needs the weights that it pulls to: warm_start, which --from names")
        if not self.objectives:
            raise ValueError("there is no objective; likelihood is one")
