"""Summaries from sentences as they stand, selected by a network that reads the whole document.

It reads windows of whole sentences, and rates each by the probability that a summary takes it, from its vectors, its
traits (`extractive/traits.py`) and all other sentences; `[selection]` says how many are taken.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from nutgraf.extractive.selection import Config as Selection
from nutgraf.preparation.span_shards import rows_of_example, span_batch
from nutgraf.preparation.tasks import tasks
from nutgraf.preparation.tasks.selection import SelectionTask
from nutgraf.presets.family import CHANGEABLE
from nutgraf.systems._rated import Rated, RatedSystem
from nutgraf.systems._spans import SpanConfig
from nutgraf.systems.steering import Steering
from nutgraf.text.document import Document

if TYPE_CHECKING:
    import nutgraf.model.span_classifier
    from nutgraf.checkpoint import Trained

AT_ONCE = 16
"""Windows that are read together."""


@dataclass(frozen=True, kw_only=True)
class Config(SpanConfig):
    """A network that classifies sentences, its training, and the selection of sentences."""

    selection: Selection = field(metadata=CHANGEABLE)
    """Selection of sentences from the ranking."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.task.kind != "selection":
            raise ValueError(f"a selector has the task 'selection', not {self.task.kind!r}")


class SelectorSystem(RatedSystem):
    """A preset with `system = "selector"` in a model folder."""

    _trained: Trained[nutgraf.model.span_classifier.SpanClassifier]

    @cached_property
    def _task(self) -> SelectionTask:
        task = tasks.build(self.preset.options("task"))
        assert isinstance(task, SelectionTask)
        return task

    def rated(self, document: Document, steering: Steering) -> Rated:
        """Rate each sentence of a document by the probability that it is taken."""
        import torch

        network, example = self._trained.network, self._task.read(document, self._trained.tokenizer)
        tokens = sum(map(len, example.rows))
        with self._lock, self._threads.measure(tokens), torch.inference_mode():
            given = span_batch([rows_of_example(example)], self._task.spans).to(self._device)
            found = network.logits(network.vectors(given, AT_ONCE), given.features, given.counts)
        ratings = found[:, 0].sigmoid().double().cpu().numpy()
        return Rated(ratings, [True] * len(ratings))
