"""Sections of the presets of networks that classify spans."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nutgraf.datasets import Dataset
from nutgraf.preparation.tasks import Task, tasks
from nutgraf.presets import Choice
from nutgraf.presets.family import CHANGEABLE
from nutgraf.systems._trained import refuse_samples
from nutgraf.tokenizers import Tokenizer

if TYPE_CHECKING:
    import nutgraf.model.span_classifier
    import nutgraf.training.config


@dataclass(frozen=True, kw_only=True)
class SpanConfig:
    """A network that classifies spans, its task and its training."""

    dataset: Choice[Dataset] = field(metadata=CHANGEABLE)
    """Data set that it learns from."""

    tokenizer: Choice[Tokenizer]
    """Tokenizer."""

    task: Choice[Task]
    """What it reads, and what it classifies."""

    model: nutgraf.model.span_classifier.Config
    """The network."""

    training: nutgraf.training.config.Config
    """Training of the network."""

    def __post_init__(self) -> None:
        refuse_samples(self.training, "a classifier of spans writes nothing")
        task, model = tasks.build(self.task), self.model
        for name, count in {"spans": task.spans, "features": task.features, "classes": task.outputs}.items():
            given = vars(model)[name]
            if given != count:
                raise ValueError(f"the task {self.task.kind!r} needs model.{name} = {count}, not {given}")
        if model.max_positions < task.longest:
            raise ValueError(f"task.longest = {task.longest} is more than model.max_positions = {model.max_positions}")
