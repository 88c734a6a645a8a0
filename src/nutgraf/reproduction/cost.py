"""Cost of a training before it begins: steps that are left, times seconds a step.

The seconds are measured where a training has begun, and estimated elsewhere: the multiplications of a step, divided by
how many this machine makes in a second in a large product of matrices, of which a network reaches a part. The corpus
tells how long texts are, and how many steps an epoch has.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import numpy as np

from nutgraf.datasets import Dataset, datasets
from nutgraf.errors import requires
from nutgraf.presets import Choice, Preset
from nutgraf.reproduction.counting import Counts
from nutgraf.reproduction.plan import Training
from nutgraf.runtime.durations import spoken

REACHED = 0.5
"""Share of the speed of a large matrix product that a training reaches; 0.57 was measured with `copy_transformer_small`
on one core, and recurrent networks reach less."""

PRODUCT, PRODUCTS = 768, 20
"""Size of that product, and how many are timed; the quickest counts, since other programs disturb some."""

BACKWARD = 3
"""A step multiplies three times as much as a forward pass: forward once, backward twice."""


SAMPLE = 50
"""Training examples whose lengths are looked at."""

TOKENS = 1.3
"""Tokens of a word, roughly, with the punctuation after it."""


@dataclass(frozen=True)
class Cost:
    """Cost of one training.

    Attributes:
        settings: Its preset, and what is changed in it.
        steps: Steps that are left; None if neither the preset nor the corpus tells them.
        measured: True if that was measured in this very training.
        epochs: Passes over them in these steps.
    """

    name: str
    settings: str
    finished: bool = False
    steps: int | None = None
    seconds_per_step: float = 0.0
    measured: bool = False
    examples: int = 0
    epochs: float = 0.0

    def __str__(self) -> str:
        head = f"{self.name} ({self.settings})"
        if self.finished:
            return f"{head}: trained already"
        pace = f"{self.seconds_per_step:.2g} s a step, {'measured' if self.measured else 'estimated'}"
        if self.steps is None:
            return f"{head}: an unknown number of steps at {pace}"
        times = f"{self.epochs:,.0f}" if self.epochs >= 10 else f"{self.epochs:.2g}"
        passes = f", {times} times through {self.examples:,} examples," if self.examples else ""
        return f"{head}: up to {self.steps:,} steps{passes} at {pace}: {spoken(self.steps * self.seconds_per_step)}"


@dataclass(frozen=True)
class Size:
    """Size of a training set.

    Attributes:
        examples: Number of examples.
        words: Words of the source and of the summary of some of them.
    """

    examples: int = 0
    words: tuple[tuple[int, int], ...] = ()

    def lengths(self, truncation: Mapping[str, Any]) -> tuple[float, float]:
        """Return the mean numbers of tokens of sources and summaries; where no words are known, those of truncation."""
        most = int(truncation.get("source", 400)), int(truncation.get("target", 100))
        source, target = np.minimum(TOKENS * np.array(self.words or [most]), most).mean(axis=0).tolist()
        return source, target


def costs_of(trainings: Sequence[Training]) -> list[Cost]:
    """Return the cost of each training, in order.

    Raises:
        MissingPackage: If torch is not installed.
        InputError: If a corpus cannot be read.
    """
    sizes: dict[tuple[Choice[Dataset], Path, int | None], Size] = {}
    costs = []
    for one in trainings:
        read = one.recipe.preset.options("dataset"), one.corpus, one.limit
        if not one.finished and read not in sizes:
            sizes[read] = size_of(*read)
        costs.append(_cost(one, sizes.get(read, Size())))
    return costs


def size_of(choice: Choice[Dataset], place: Path, limit: int | None) -> Size:
    """Return the size of a training set. Raises InputError if it cannot be read."""
    dataset = datasets.build(choice)
    part = dataset.splits(place).get("train")
    if part is None:
        return Size()
    counts = Counts()
    for record in islice(dataset.examples(part), SAMPLE if dataset.masking is None else 0):
        counts.add(record, ())
    examples = sum(1 for _ in islice(dataset.rows_of(part), limit))
    return Size(examples, tuple(zip(counts.source_words, counts.target_words, strict=True)))


def in_all(costs: Sequence[Cost]) -> str:
    """Return the time of all trainings together, in words."""
    known = [one.steps * one.seconds_per_step for one in costs if not one.finished and one.steps is not None]
    more = any(not one.finished and one.steps is None for one in costs)
    return f"{spoken(sum(known))}{' and what is unknown' if more else ''}"


def _cost(training: Training, size: Size) -> Cost:
    preset = training.recipe.preset
    changes = ", ".join(training.recipe.overrides)
    settings = f"{preset.name} with {changes}" if changes else preset.name
    if training.recipe.init_from is not None:
        settings += f", beginning with the weights in {training.recipe.init_from}"
    if training.finished:
        return Cost(training.name, settings, finished=True)
    config = preset.config.training
    source, target = size.lengths(preset.section("truncation"))
    batch = config.batch_size if config.batch_type == "examples" else config.batch_size / max(source, target)
    examples = batch * config.gradient_accumulation_steps
    in_epochs = config.max_epochs and size.examples and math.ceil(config.max_epochs * size.examples / examples)
    step, pace = _measured(training)
    limits = [one for one in (config.max_steps, in_epochs) if one]
    steps = max(0, min(limits) - step) if limits else None
    speed = REACHED * _speed(config.device, config.precision)
    seconds = pace or examples * _operations(preset, source, target) / speed
    epochs = (steps or 0) * examples / max(size.examples, 1)
    return Cost(training.name, settings, False, steps, seconds, pace > 0, size.examples, epochs)


def _measured(training: Training) -> tuple[int, float]:
    """Return the last step that the log of a training tells, and the seconds of a step; zeros where it has no log."""
    log = training.folder / "log.jsonl"
    if not log.is_file():
        return 0, 0.0
    lines = log.read_text(encoding="utf-8").splitlines()
    told = [json.loads(line) for line in lines if line.startswith('{"kind": "progress"') and line.endswith("}")]
    return (told[-1]["step"], told[-1]["seconds"] / told[-1]["step"]) if told else (0, 0.0)


def _operations(preset: Preset, source: float, target: float) -> float:
    """Return the multiplications and additions that an example of so many tokens takes in a step, roughly.

    Each weight of the encoder meets each source token, each of the decoder each target token, and the output layer
    multiplies each target token by the whole vocabulary.
    """
    with requires("neural", "Networks need"):
        from nutgraf.checkpoint import build_on_meta
    vocabulary = int(preset.section("tokenizer").get("vocab_size", 30_000))
    network = build_on_meta(preset, vocabulary)
    width = preset.config.model.d_model
    body = sum(one.numel() for one in network.parameters() if vocabulary not in one.shape)
    return float(BACKWARD * 2 * (body / 2 * (source + target) + width * vocabulary * target))


@cache
def _speed(device: str, precision: Literal["auto", "fp32", "bf16"]) -> float:
    """Return how many multiplications and additions a second this machine makes in a large product."""
    import torch

    from nutgraf.runtime.compute import training_precision

    chosen = torch.device("cuda" if device != "cpu" and torch.cuda.is_available() else "cpu")
    dtype = torch.bfloat16 if training_precision(precision, chosen) == "bf16" else torch.float32
    matrix = torch.ones(PRODUCT, PRODUCT, device=chosen, dtype=dtype)
    times = []
    for _ in range(PRODUCTS):
        began = time.perf_counter()
        (matrix @ matrix).sum().item()
        times.append(time.perf_counter() - began)
    return float(2 * PRODUCT**3 / min(times))
