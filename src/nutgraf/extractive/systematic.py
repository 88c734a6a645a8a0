"""Systematic sampling: every k-th sentence from a random start. Baseline A1 of Sarkhel et al. 2020 (MLS), Sec. 3.

The start is among the first k − 1 sentences; the summary ends with the document or with the first sentence that does
not fit the budget.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from nutgraf.extractive import Ranking, Ratings, SentenceRanker
from nutgraf.presets.family import PRESET_SEED
from nutgraf.presets.ranges import NonNegativeInt, Range
from nutgraf.text.document import Document


@dataclass(frozen=True)
class Config:
    """Systematic sampling."""

    interval: Annotated[int, Range(ge=2)] = 3
    """Sampling interval k; 3 in Sarkhel et al. 2020."""

    seed: NonNegativeInt = field(default=0, metadata=PRESET_SEED)
    """Seed of the random start."""


class Systematic(SentenceRanker):
    """Ranks the sampled sentences in document order and no others."""

    steerable = False
    positional = True

    config: Config

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Return the sample in document order; highlights change nothing."""
        count = len(document.sentences)
        start = int(np.random.default_rng(self.config.seed).integers(self.config.interval - 1))
        order = tuple(range(min(start, max(count - 1, 0)), count, self.config.interval))
        ratings = np.zeros(count)
        ratings[list(order)] = 1.0
        return Ranking(order, ratings)
