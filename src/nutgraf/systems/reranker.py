"""A re-ranker: it chooses among the summaries that another network writes, and makes none itself (SimCLS)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nutgraf.datasets import Dataset
from nutgraf.errors import PresetError
from nutgraf.keyphrases import KeyphraseExtractor
from nutgraf.preparation import Truncation
from nutgraf.preparation.candidates import Candidates
from nutgraf.presets import CHANGEABLE, Choice, Preset
from nutgraf.systems._trained import TrainedSystem
from nutgraf.systems.steering import Steering
from nutgraf.text.document import Document
from nutgraf.text.summary import Budget, Summary
from nutgraf.tokenizers import Tokenizer

if TYPE_CHECKING:
    import nutgraf.model.reranker
    import nutgraf.training.config


@dataclass(frozen=True, kw_only=True)
class Config:
    """A re-ranker, its candidates and its training."""

    dataset: Choice[Dataset] = field(metadata=CHANGEABLE)
    """Data set that it learns from; its rows have candidates."""

    tokenizer: Choice[Tokenizer]
    """Tokenizer."""

    truncation: Truncation
    """Truncation of long texts; `target` is the longest candidate."""

    candidates: Candidates
    """Candidates that it learns from."""

    keyphrases: Choice[KeyphraseExtractor] | None = None
    """Extractor of the phrases that are highlighted."""

    model: nutgraf.model.reranker.Config
    """The network."""

    training: nutgraf.training.config.Config
    """Training of the network."""

    def __post_init__(self) -> None:
        if self.training.rouge_examples or self.training.scheduled_sampling:
            raise ValueError(
                "a re-ranker writes nothing: training.rouge_examples and training.scheduled_sampling stay 0"
            )


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
