"""Random sentences: the floor of every table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nutgraf.extractive import Ranking, Ratings, SentenceRanker
from nutgraf.text.document import Document


@dataclass(frozen=True)
class Config:
    """seed: the same seed and document give the same sentences."""

    seed: int = 0

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise ValueError("seed must be 0 or more")


class Random(SentenceRanker):
    """Sentences in an order that only the seed and their number decide."""

    steerable = False

    def __init__(self, config: Config) -> None:
        self.config = config

    def rank(self, document: Document, emphasis: Ratings | None = None) -> Ranking:
        """A random order; highlights change nothing."""
        return Ranking.by(np.random.default_rng(self.config.seed).random(len(document.sentences)))
