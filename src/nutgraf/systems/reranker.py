"""A re-ranker: it chooses among the summaries that another network writes, and makes none itself (SimCLS)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nutgraf.errors import PresetError
from nutgraf.preparation.candidates import Candidates
from nutgraf.presets import Preset
from nutgraf.systems._trained import TrainedConfig, TrainedSystem, refuse_samples
from nutgraf.systems.steering import Steering
from nutgraf.text.document import Document
from nutgraf.text.summary import Budget, Summary

if TYPE_CHECKING:
    import nutgraf.model.reranker
    import nutgraf.training.config


@dataclass(frozen=True, kw_only=True)
class Config(TrainedConfig):
    """A re-ranker, its candidates and its training."""

    candidates: Candidates
    """Candidates that it learns from."""

    model: nutgraf.model.reranker.Config
    """The network."""

    training: nutgraf.training.config.Config
    """Training of the network."""

    def __post_init__(self) -> None:
        refuse_samples(self.training, "a re-ranker writes nothing")


class RerankerSystem(TrainedSystem):
    """A preset with `system = "reranker"`; `[decoding.rerank]` of a network that writes names its folder."""

    @classmethod
    def lacking(cls, preset: Preset) -> str | None:
        """Return how to train it, or what a trained one is for."""
        return super().lacking(preset) or (
            f"{preset.name!r} chooses among summaries and writes none. A network that writes names it: nutgraf "
            "summarize … --system WRITER --set decoding.rerank.model=FOLDER."
        )

    def summarize(self, document: Document, budget: Budget, steering: Steering) -> Summary:
        """Raise PresetError: a re-ranker writes nothing."""
        raise PresetError(str(self.lacking(self.preset)))
