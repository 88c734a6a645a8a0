"""Importance of sentences by a regression over the encoder's states (PG-MMR; Lebanoff, Song and Liu 2018).

    f = [log(1 + words); place; place / sentences; importance by tf-idf; h; h ∘ d]     of a sentence
    importance = w · (f − mean) / deviation + b, then scaled to [0, 1] over the sentences of a source

h is the mean of the encoder's states of a sentence, d that of the whole source. The regression belongs to the network
whose states it was fitted to (`nutgraf tune`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor

from nutgraf.decoding.processors import SourceSentences
from nutgraf.errors import InputError
from nutgraf.runtime.metadata import read_record

FORMAT = "nutgraf.importance/1"

SURFACE = ("length", "place", "relative_place", "tfidf")
"""Features before those of the encoder, in order."""

LEAST = 1e-12
"""A spread below it is none."""


@dataclass(frozen=True)
class Regressor:
    """A linear regression of sentences' importance."""

    mean: tuple[float, ...]
    """Mean of each feature over the sentences that it was fitted to."""

    deviation: tuple[float, ...]
    """Standard deviation of each feature; 1 where all were equal."""

    weights: tuple[float, ...]
    """Weight of each feature after it was standardized."""

    bias: float
    """Importance of a sentence whose features are the means."""

    @property
    def hidden_size(self) -> int:
        """Width of the encoder's states."""
        return (len(self.weights) - len(SURFACE)) // 2

    def rate(self, features: Float[Tensor, "sentences features"]) -> Float[Tensor, " sentences"]:
        """Return the importance of sentences, in the unit of the targets of the regression."""
        mean, deviation, weights = (
            torch.tensor(one, device=features.device, dtype=features.dtype)
            for one in (self.mean, self.deviation, self.weights)
        )
        return (features - mean) / deviation @ weights + self.bias


def sentence_features(
    states: Float[Tensor, "source hidden"], sentences: SourceSentences
) -> Float[Tensor, "sentences features"]:
    """Return the features of each sentence of a source.

    Args:
        states: States of the encoder; those of padding are not looked at.
        sentences: Sentences of the source, with their importance by tf-idf.
    """
    read = states[: sentences.length]
    parts = read.tensor_split(torch.tensor(sentences.starts[1:]))
    means = torch.stack([part.sum(0) / max(1, len(part)) for part in parts])
    place = torch.arange(len(parts), device=states.device, dtype=states.dtype)
    lengths, tfidf = place.new_tensor([len(part) for part in parts]), place.new_tensor(sentences.importance)
    surface = torch.stack([lengths.log1p(), place, place / len(parts), tfidf], 1)
    return torch.cat([surface, means, means * read.mean(0)], 1)


def scaled(importance: Float[Tensor, " sentences"]) -> Float[Tensor, " sentences"]:
    """Return importance scaled to [0, 1]; all are 1 where none is more important than another."""
    low, spread = importance.min(), importance.max() - importance.min()
    return torch.ones_like(importance) if spread <= LEAST else (importance - low) / spread


def as_json(regressor: Regressor) -> str:
    """Return a regression as the text of its file."""
    table = {"format": FORMAT, **vars(regressor)}
    return json.dumps(table, indent=1) + "\n"


def read_regressor(path: str) -> Regressor:
    """Read a file that `nutgraf tune` wrote; the same file is read once. Raises InputError."""
    file = Path(path)
    return _read(path, file.stat().st_mtime_ns if file.is_file() else 0)


@dataclass(frozen=True)
class _Written(Regressor):
    format: Literal["nutgraf.importance/1"]


@lru_cache(maxsize=2)
def _read(path: str, changed: int) -> Regressor:
    what = "a regression of importance, as `nutgraf tune MODEL --data DATA -o FILE.json` writes it"
    found = read_record(path, _Written, what)
    if not len(found.mean) == len(found.deviation) == len(found.weights) > len(SURFACE) or min(found.deviation) <= 0:
        raise InputError(f"{path} is not {what}: it needs a mean, a deviation above 0 and a weight for each feature.")
    return Regressor(found.mean, found.deviation, found.weights, found.bias)
