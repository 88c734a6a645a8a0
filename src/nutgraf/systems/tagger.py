"""Summaries from sentences as they stand, selected by a trained tagger; `[selection]` says how many.

A tagger of sentences rates each with the probability that it is selected (BertExt, Liu and Lapata 2019); of a tagger of
tokens, a sentence has the mean of its tokens (ours). Sentences that the network does not read are not taken.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from nutgraf.extractive import Ratings
from nutgraf.extractive.selection import Config as Selection
from nutgraf.keyphrases import KeyphraseExtractor
from nutgraf.preparation import EncodedSource, batch
from nutgraf.preparation.labels import Labels
from nutgraf.presets.family import CHANGEABLE
from nutgraf.systems._rated import Rated, RatedSystem
from nutgraf.systems._trained import TrainedConfig, refuse_samples
from nutgraf.systems.steering import Steering
from nutgraf.text.document import Document

if TYPE_CHECKING:
    import nutgraf.model.tagger
    import nutgraf.training.config
    from nutgraf.checkpoint import Trained


@dataclass(frozen=True, kw_only=True)
class Config(TrainedConfig):
    """A tagger, its labels and its training, and the selection of sentences."""

    labels: Labels
    """Labels that it learns from."""

    model: nutgraf.model.tagger.Config
    """The network."""

    training: nutgraf.training.config.Config
    """Training of the network."""

    selection: Selection = field(metadata=CHANGEABLE)
    """Selection of sentences from the ranking."""

    def __post_init__(self) -> None:
        if self.labels.unit == "tokens" and (self.model.sentence_encoder or self.model.interval_segments):
            raise ValueError(
                'model.sentence_encoder and model.interval_segments need marks of sentences: labels.unit = "sentences"'
            )
        refuse_samples(self.training, "a tagger writes nothing")


class TaggerSystem(RatedSystem):
    """A preset with `system = "tagger"` in a model folder."""

    _trained: Trained[nutgraf.model.tagger.Tagger]

    @property
    def extractor(self) -> KeyphraseExtractor | None:
        """Extractor of the phrases that are highlighted."""
        return self._preparation.extractor

    def rated(self, document: Document, steering: Steering) -> Rated:
        """Rate each sentence of a document by the probability that it is selected."""
        source = self._preparation.source(document, also=steering.phrases)
        cut, whole = sum(one.words for one in source.cut), document.num_words
        told = f"The network read {whole - cut:,} of {whole:,} words, and selects from these alone."
        return Rated(*self._rated(source, document), notices=[told] if cut else [])

    def _rated(self, source: EncodedSource, document: Document) -> tuple[Ratings, list[bool]]:
        """Return the rating of each sentence of a document, and True for those that the network read."""
        import torch

        if not len(source.ids):  # not even the first word fits
            return np.zeros(len(document.sentences)), [False] * len(document.sentences)
        with self._lock, self._threads.measure(max(1, len(source.ids))), torch.inference_mode():
            given = batch([source], segments=self._trained.network.config.segments)
            found = self._trained.network.probabilities(given.to(self._device))[0]
        values = found.double().cpu().numpy()
        starts = [sentence.start for sentence in document.sentences]
        if self._preparation.labels is not None and self._preparation.labels.unit == "sentences":
            positions = source.sentence_starts
        else:
            positions = np.flatnonzero(source.spans[:, 0] < source.spans[:, 1])
        sentences = [bisect_right(starts, start) - 1 for start in source.spans[positions, 0].tolist()]
        counts = np.bincount(sentences, minlength=len(starts))
        sums = np.bincount(sentences, weights=values[positions], minlength=len(starts))
        return sums / np.maximum(counts, 1), (counts > 0).tolist()
