"""Networks that classify spans: a checker of sentences, and an editor of sentences. They summarize nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nutgraf.datasets import Dataset
from nutgraf.errors import PresetError
from nutgraf.preparation.tasks import Task, tasks
from nutgraf.presets import Choice, Preset
from nutgraf.presets.family import CHANGEABLE
from nutgraf.systems._trained import TrainedSystem, refuse_samples
from nutgraf.systems.steering import Steering
from nutgraf.text.document import Document
from nutgraf.text.summary import Budget, Summary
from nutgraf.tokenizers import Tokenizer

if TYPE_CHECKING:
    import nutgraf.model.span_classifier
    import nutgraf.training.config

PURPOSES = {
    "pairs": "says whether a text supports a sentence, and summarizes nothing.",
    "deletions": "says which pieces of a sentence may go, and summarizes nothing.",
}


@dataclass(frozen=True, kw_only=True)
class Config:
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
        check_task(tasks.build(self.task), self.model, self.task.kind)


def check_task(task: Task, model: nutgraf.model.span_classifier.Config, kind: str) -> None:
    """Raise ValueError if a network does not have the sizes that its task needs."""
    needed = {"spans": task.spans, "features": task.features, "classes": task.outputs}
    for name, count in needed.items():
        if getattr(model, name) != count:
            raise ValueError(f"the task {kind!r} needs model.{name} = {count}, not {getattr(model, name)}")
    if model.max_positions < task.longest:
        raise ValueError(f"task.longest = {task.longest} is more than model.max_positions = {model.max_positions}")


class SpanClassifierSystem(TrainedSystem):
    """A preset with `system = "span_classifier"`."""

    @classmethod
    def lacking(cls, preset: Preset) -> str | None:
        """Return how to train it, or what a trained one is for."""
        purpose = PURPOSES.get(preset.options("task").kind, "classifies spans, and summarizes nothing.")
        return super().lacking(preset) or f"{preset.name!r} {purpose}"

    def summarize(self, document: Document, budget: Budget, steering: Steering) -> Summary:
        """Raise PresetError: nothing is summarized."""
        raise PresetError(str(self.lacking(self.preset)))
