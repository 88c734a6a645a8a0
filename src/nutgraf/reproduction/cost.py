"""Cost of a training before it begins: steps that are left, times seconds a step.

The seconds are measured where a training has begun, and estimated elsewhere: the multiplications of a step, divided by
how many this machine makes in a second in a large product of matrices, of which a network reaches a part.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from nutgraf.durations import spoken
from nutgraf.errors import needs_neural
from nutgraf.presets import Preset
from nutgraf.reproduction.plan import Training

REACHED = 0.5
"""Share of the speed of a large matrix product that a training reaches; 0.57 was measured with `copy_transformer_small`
on one core, and recurrent networks reach less."""

PRODUCT, PRODUCTS = 768, 20
"""Size of that product, and how many are timed; the quickest counts, since other programs disturb some."""

BACKWARD = 3
"""A step multiplies three times as much as a forward pass: forward once, backward twice."""


@dataclass(frozen=True)
class Cost:
    """Cost of one training.

    Attributes:
        name: Name of its folder.
        finished: True if it has come to its end.
        steps: Steps that are left; None if the preset gives epochs instead.
        seconds_per_step: Seconds a step takes.
        measured: True if that was measured in this very training.
        epochs: Passes over the data, where the preset gives no steps.
    """

    name: str
    finished: bool
    steps: int | None = None
    seconds_per_step: float = 0.0
    measured: bool = False
    epochs: float | None = None

    def __str__(self) -> str:
        if self.finished:
            return f"{self.name}: trained already"
        how = "measured" if self.measured else "estimated"
        pace = f"{self.seconds_per_step:.2g} s a step, {how}"
        if self.steps is None:
            return f"{self.name}: up to {self.epochs:g} epochs at {pace}"
        return f"{self.name}: up to {self.steps:,} steps at {pace}: {spoken(self.steps * self.seconds_per_step)}"


def costs_of(trainings: Sequence[Training]) -> list[Cost]:
    """Return the cost of each training, in order. Raises MissingPackage where torch is not installed."""
    return [_cost(one) for one in trainings]


def in_all(costs: Sequence[Cost]) -> str:
    """Return the time of all trainings together, in words."""
    known = [one.steps * one.seconds_per_step for one in costs if not one.finished and one.steps is not None]
    more = any(not one.finished and one.steps is None for one in costs)
    return f"{spoken(sum(known))}{' and what takes epochs' if more else ''}"


def _cost(training: Training) -> Cost:
    if training.finished:
        return Cost(training.name, finished=True)
    config = training.recipe.preset.config.training
    step, pace = _measured(training)
    steps = None if config.max_steps is None else max(0, config.max_steps - step)
    seconds = pace or _operations(training.recipe.preset) / (REACHED * _speed(config.device, config.precision))
    return Cost(training.name, False, steps, seconds, pace > 0, config.max_epochs)


def _measured(training: Training) -> tuple[int, float]:
    """Return the last step that the log of a training tells, and the seconds of a step; zeros where it has no log."""
    log = training.folder / "log.jsonl"
    if not log.is_file():
        return 0, 0.0
    lines = log.read_text(encoding="utf-8").splitlines()
    told = [json.loads(line) for line in lines if line.startswith('{"kind": "progress"') and line.endswith("}")]
    return (told[-1]["step"], told[-1]["seconds"] / told[-1]["step"]) if told else (0, 0.0)


def _operations(preset: Preset) -> float:
    """Return the multiplications and additions of one step, roughly.

    Each weight of the encoder meets each source token, each of the decoder each target token, and the output layer
    multiplies each target token by the whole vocabulary.
    """
    with needs_neural():
        from nutgraf.checkpoint import build_on_meta
    config, truncation = preset.config.training, preset.section("truncation")
    vocabulary = int(preset.section("tokenizer").get("vocab_size", 30_000))
    network = build_on_meta(preset, vocabulary)
    width = preset.config.model.d_model
    source, target = int(truncation.get("source", 400)), int(truncation.get("target", 100))
    body = sum(one.numel() for one in network.parameters() if vocabulary not in one.shape)
    examples = config.batch_size if config.batch_type == "examples" else config.batch_size / max(source, target)
    forward = 2 * (body / 2 * (source + target) + width * vocabulary * target)
    return float(BACKWARD * forward * examples * config.gradient_accumulation_steps)


@cache
def _speed(device: str, precision: Literal["auto", "fp32", "bf16"]) -> float:
    """Return how many multiplications and additions a second this machine makes in a large product."""
    import torch

    from nutgraf.compute import training_precision

    chosen = torch.device("cuda" if device != "cpu" and torch.cuda.is_available() else "cpu")
    dtype = torch.bfloat16 if training_precision(precision, chosen) == "bf16" else torch.float32
    matrix = torch.ones(PRODUCT, PRODUCT, device=chosen, dtype=dtype)
    times = []
    for _ in range(PRODUCTS):
        began = time.perf_counter()
        (matrix @ matrix).sum().item()
        times.append(time.perf_counter() - began)
    return float(2 * PRODUCT**3 / min(times))
