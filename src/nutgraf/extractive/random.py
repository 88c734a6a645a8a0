"""Random sentences: the lower bound of every table."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from nutgraf.extractive import Ranking, Ratings, SentenceRanker
from nutgraf.presets.family import PRESET_SEED
from nutgraf.presets.ranges import NonNegativeInt
from nutgraf.text.document import Document


@dataclass(frozen=True)
class Config:
    """Random sentences."""

    seed: NonNegativeInt = field(default=0, metadata=PRESET_SEED)
    """Seed; the same seed and document give the same sentences."""


class Random(SentenceRanker):
    """Orders sentences at random, depending only on the seed and their number."""

    steerable = False
    positional = True

    config: Config

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Return a random order; highlights change nothing."""
        return Ranking.by(np.random.default_rng(self.config.seed).random(len(document.sentences)))
