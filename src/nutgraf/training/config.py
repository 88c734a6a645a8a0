"""Options of training."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from nutgraf.training.batches import BatchType


@dataclass(frozen=True)
class Config:
    """Training. The defaults are those of the CopyTransformer (Fabbri et al. 2019)."""

    max_steps: int | None = 50_000
    """Updates of the weights until training ends; absent: no such limit."""

    max_epochs: float | None = None
    """Passes over the training set until training, or its first phase, ends; absent: no such limit."""

    max_hours: float | None = None
    """Hours of work until training, or its first phase, ends; absent: no such limit."""

    second_phase_steps: int = 0
    """Last steps in which coverage and other late objectives act; 0: they act from the start. Best weights are chosen
    anew."""

    batch_size: int = 4096
    """Size of a batch of one process, in units of `batch_type`."""

    batch_type: BatchType = "tokens"
    """Unit of `batch_size`: "examples"; or "tokens": their number times the longest source or target."""

    gradient_accumulation_steps: int = 4
    """Batches per update and process."""

    scheduled_sampling: float = 0.0
    """Probability that a target word fed to the decoder is replaced by the model's own likeliest word."""

    precision: Literal["auto", "fp32", "bf16"] = "auto"
    """Floating-point format; "auto" is bf16 where the hardware multiplies in it, and fp32 elsewhere."""

    threads: Literal["auto"] | int = "auto"
    """Number of CPU threads; "auto" measures again and again how many are fastest."""

    deterministic: bool = False
    """Fix the number of threads and use deterministic algorithms of torch only."""

    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Device; "auto" is the GPU if there is one."""

    max_grad_norm: float | None = None
    """Norm to which gradients are clipped; absent: no clipping."""

    validate_every: int = 2000
    """Steps between validations; 0: no validation, and the last weights are taken."""

    validation_examples: int | None = None
    """Examples of the validation set that are measured, evenly chosen; absent: all."""

    rouge_examples: int = 0
    """Validation examples that are summarized greedily and scored with ROUGE; 0: none."""

    patience: int = 5
    """Validations in a row without a better loss after which training ends; 0: no early stopping."""

    checkpoint_every: int = 1000
    """Steps between checkpoints; each validation saves one too."""

    checkpoint_minutes: float = 15.0
    """Minutes after which a checkpoint is saved at the latest; 0: no such limit."""

    average_checkpoints: int = 0
    """Last validations whose weights are averaged at the end, if the mean has a lower loss; 0: none."""

    steps_per_epoch: int | None = None
    """Steps that count as an epoch for mechanisms that change each epoch; absent: a pass over the training set."""

    log_every: int = 20
    """Steps between progress reports."""

    init_from: str | None = None
    """Model folder whose weights training begins with."""

    init_optimizer: bool = False
    """Take over the optimizer's state of `init_from` too."""

    l1_to_init: float = 0.0
    """Factor μ of the penalty μ·‖θ − θ₀‖₁ towards the weights of `init_from`; the reported loss leaves it out."""

    optimizer: dict[str, Any] = field(default_factory=lambda: {"kind": "adam"})
    """Optimizer and its options."""

    schedule: dict[str, Any] = field(default_factory=lambda: {"kind": "noam"})
    """Learning-rate schedule and its options."""

    objectives: dict[str, dict[str, Any]] = field(default_factory=lambda: {"likelihood": {}})
    """Objectives by name, each with its options; the loss is their sum."""

    def __post_init__(self) -> None:
        for name in ("batch_size", "gradient_accumulation_steps", "checkpoint_every", "log_every"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is at least 1")
        if self.threads != "auto" and self.threads < 1:
            raise ValueError('threads is at least 1, or "auto"')
        for name in (
            "second_phase_steps", "validate_every", "rouge_examples", "patience", "average_checkpoints",
            "checkpoint_minutes", "l1_to_init",
        ):  # fmt: skip
            if getattr(self, name) < 0:
                raise ValueError(f"{name} is at least 0")
        for name in ("max_steps", "max_epochs", "max_hours", "max_grad_norm", "validation_examples", "steps_per_epoch"):
            if getattr(self, name) is not None and getattr(self, name) <= 0:
                raise ValueError(f"{name} is above 0, or absent")
        if self.max_steps is not None and self.second_phase_steps >= self.max_steps:
            raise ValueError(
                f"second_phase_steps = {self.second_phase_steps} leaves nothing of max_steps = {self.max_steps} for "
                "the first phase; second_phase_steps = 0 trains in one phase"
            )
        if not 0 <= self.scheduled_sampling <= 1:
            raise ValueError("scheduled_sampling is from 0 to 1")
        if self.average_checkpoints and not self.validate_every:
            raise ValueError("average_checkpoints needs validate_every: the mean is taken only if it is better")
        if self.l1_to_init and self.init_from is None:
            raise ValueError("l1_to_init needs the initial weights: init_from, which --init-from sets")
        if not self.objectives:
            raise ValueError("there is no objective; likelihood is one")
