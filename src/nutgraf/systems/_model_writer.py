"""A system that writes with a model of transformers, loaded as it is or trained further."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from statistics import fmean
from threading import Lock
from typing import Any

from nutgraf.faithfulness.ablation import MOST_ABLATIONS, Ablation, Track, ablate
from nutgraf.systems._ablated_windows import GivenSummary, readers
from nutgraf.systems._trained import HoldsNetwork
from nutgraf.systems._transformers import PretrainedModel
from nutgraf.systems._writing import WritingSystem
from nutgraf.systems.steering import Steering
from nutgraf.text.document import Document
from nutgraf.text.effect import Effect
from nutgraf.text.summary import Budget, Summary


class ModelWriter(HoldsNetwork, WritingSystem):
    """A system whose texts a `PretrainedModel` writes; threads take turns, since each search uses all cores."""

    _model: PretrainedModel
    _lock: Lock

    @property
    def network(self) -> Any:
        """The network of transformers."""
        return self._model.network

    def _computed(self) -> list[str]:
        from transformers import __version__ as version

        return [f"transformers:{version}"]

    @abstractmethod
    def _shown(self, document: Document, budget: Budget, steering: Steering) -> str:
        """Return the prompt as a summary shows it."""

    def _speak(self, language: str) -> None:
        """Make the model write in the language of the source, if it can write in several."""

    def summarize(self, document: Document, budget: Budget, steering: Steering) -> Summary:
        """Summarize a document; see `System`."""
        with self._lock:
            self._model.begin()
            summary = super().summarize(document, budget, steering)
            shares = list(self._model.shares)
        effect = Effect(attention=fmean(shares)) if shares else None
        return replace(summary, prompt=self._shown(document, budget, steering), effect=effect)

    def ablate(self, summary: Summary, ablations: int = MOST_ABLATIONS, track: Track | None = None) -> Ablation:
        """Find the source sentences that a summary rests on; see `System`. Highlights and phrases are left aside."""
        texts = [sentence.text for sentence in summary.sentences]
        with self._lock:
            self._speak(summary.document.language)
            given = GivenSummary(self._model, texts)
            found = readers(self._model, self._reading, summary, given)
            return ablate(found, summary.document, texts, given.tokens, ablations, self.preset.seed, track)

    def count(self, text: str) -> int:
        """Return the number of tokens of a text."""
        return self._model.count(text)
