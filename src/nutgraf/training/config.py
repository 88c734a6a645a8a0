"""Options of training."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from nutgraf.presets.family import CHANGEABLE, PERMANENT, Choice
from nutgraf.presets.ranges import NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt, Share, ShareBelowOne
from nutgraf.training.batches import BatchType
from nutgraf.training.callbacks import ALL, Callback
from nutgraf.training.objectives import Objective, objectives
from nutgraf.training.optimizers import OptimizerFactory, optimizers
from nutgraf.training.schedules import Schedule, schedules


@dataclass(frozen=True)
class Config:
    """Training. The defaults are those of the CopyTransformer (Fabbri et al. 2019)."""

    max_steps: PositiveInt | None = field(default=50_000, metadata=CHANGEABLE)
    """Updates of the weights until training ends; absent: no such limit."""

    max_epochs: PositiveFloat | None = field(default=None, metadata=CHANGEABLE)
    """Passes over the training set until training, or its first phase, ends; absent: no such limit."""

    max_hours: PositiveFloat | None = field(default=None, metadata=CHANGEABLE)
    """Hours of work until training, or its first phase, ends; absent: no such limit."""

    schedule_by_time: bool = False
    """Advance learning-rate schedules by elapsed time as well as by steps, to the larger of the shares of `max_hours`
    and `max_steps` that are done. The rate has then decayed when time runs out, even on a slow machine; but the weights
    are not reproducible, since elapsed time is not."""

    second_phase_steps: NonNegativeInt = field(default=0, metadata=CHANGEABLE)
    """Last steps in which coverage and other late objectives act; 0: they act from the start. Best weights are chosen
    anew."""

    batch_size: PositiveInt = 4096
    """Size of a batch of one process, in units of `batch_type`."""

    batch_type: BatchType = "tokens"
    """Unit of `batch_size`: "examples"; or "tokens": number of examples × length of the longest source or target."""

    gradient_accumulation_steps: PositiveInt = 4
    """Batches per update and process."""

    scheduled_sampling: Share = 0.0
    """Probability that a target word fed to the decoder is replaced by the model's own likeliest word."""

    precision: Literal["auto", "fp32", "bf16"] = "auto"
    """Floating-point format; "auto" is bf16 on GPUs with bfloat16 and processors with AMX or AVX512-BF16, else fp32."""

    threads: Literal["auto"] | PositiveInt = field(default="auto", metadata=CHANGEABLE)
    """Number of CPU threads; "auto" measures again and again how many are fastest."""

    deterministic: bool = False
    """Fix the number of threads, and use torch's deterministic algorithms where there are any; on a GPU torch warns
    where there is none."""

    device: Literal["auto", "cpu", "cuda"] = field(default="auto", metadata=CHANGEABLE)
    """Device; "auto" is the GPU if there is one."""

    max_grad_norm: PositiveFloat | None = None
    """Norm to which gradients are clipped; absent: no clipping."""

    validate_every: NonNegativeInt = field(default=2000, metadata=CHANGEABLE)
    """Steps between validations; 0: no validation, and the last weights are taken."""

    validation_examples: PositiveInt | None = field(default=None, metadata=CHANGEABLE)
    """Examples of the validation set that are measured, evenly chosen; absent: all."""

    rouge_examples: NonNegativeInt = field(default=0, metadata=CHANGEABLE)
    """Validation examples that are summarized greedily and scored with ROUGE; 0: none."""

    metric_for_best_model: str = "loss"
    """Score of a validation by which the best weights are chosen: "loss", the lower the better, or one that validation
    reports besides, the higher the better, such as "ROUGE-L" with `rouge_examples`."""

    patience: NonNegativeInt = field(default=5, metadata=CHANGEABLE)
    """Validations in a row that are no better than the best one after which training ends; 0: no early stopping."""

    checkpoint_every: PositiveInt = field(default=1000, metadata=CHANGEABLE)
    """Steps between checkpoints; each validation saves one too."""

    checkpoint_minutes: NonNegativeFloat = field(default=15.0, metadata=CHANGEABLE)
    """Minutes after which a checkpoint is saved at the latest; 0: no such limit."""

    average_checkpoints: NonNegativeInt = field(default=0, metadata=CHANGEABLE)
    """Last validations whose weights are averaged at the end, if the mean has a lower loss; 0: none."""

    ema_decay: ShareBelowOne = field(default=0.0, metadata=CHANGEABLE)
    """Decay of an exponential moving average of the weights, such as 0.999, which validation measures and the model
    folder holds in their place; 0: none."""

    steps_per_epoch: PositiveInt | None = None
    """Steps that count as an epoch for parts that change once an epoch (brightness); absent: a pass over the training
    set."""

    log_every: PositiveInt = field(default=20, metadata=CHANGEABLE)
    """Steps between progress reports."""

    init_from: str | None = field(default=None, metadata=CHANGEABLE)
    """Model folder whose weights training begins with."""

    init_optimizer: bool = field(default=False, metadata=CHANGEABLE)
    """Take over the optimizer's state of `init_from` too."""

    l1_to_init: NonNegativeFloat = 0.0
    """Factor μ of the penalty μ·‖θ − θ₀‖₁ towards the weights of `init_from`; the reported loss leaves it out."""

    optimizer: Choice[OptimizerFactory] = field(default_factory=lambda: optimizers.choose("adam"))
    """Optimizer and its options."""

    schedule: Choice[Schedule] = field(default_factory=lambda: schedules.choose("noam"))
    """Learning-rate schedule and its options."""

    encoder_schedule: Choice[Schedule] | None = None
    """Learning-rate schedule of the encoder and the source's embedding, where a pretrained encoder should change more
    slowly than a new decoder (Liu and Lapata 2019); absent: `schedule`, which progress reports show."""

    objectives: Mapping[str, Choice[Objective]] = field(
        default_factory=lambda: {"likelihood": objectives.choose("likelihood")}
    )
    """Objectives by name, each with its options; the loss is their sum."""

    callbacks: Mapping[str, Choice[Callback]] = field(default_factory=dict, metadata={**CHANGEABLE, PERMANENT: ALL})
    """Further callbacks by name, each with its options. Those of nutgraf are part of every training and cannot be taken
    out."""

    def __post_init__(self) -> None:
        if self.max_steps is not None and self.second_phase_steps >= self.max_steps:
            raise ValueError(
                f"second_phase_steps = {self.second_phase_steps} leaves nothing of max_steps = {self.max_steps} for "
                "the first phase; second_phase_steps = 0 trains in one phase"
            )
        if self.average_checkpoints and not self.validate_every:
            raise ValueError("average_checkpoints needs validate_every: the mean is taken only if it is better")
        if self.average_checkpoints and self.ema_decay:
            raise ValueError("average_checkpoints and ema_decay are two averages of the same weights; take one of them")
        if self.metric_for_best_model != "loss":
            named = f"metric_for_best_model = {self.metric_for_best_model!r}"
            if not self.validate_every:
                raise ValueError(f"{named} needs validate_every: without validation the last weights are taken")
            if self.average_checkpoints:
                raise ValueError(f"average_checkpoints compares losses; it does not go with {named}")
        if self.l1_to_init and self.init_from is None:
            raise ValueError("l1_to_init needs the initial weights: init_from, which --init-from sets")
        if not self.objectives:
            raise ValueError("there is no objective; likelihood is one")
