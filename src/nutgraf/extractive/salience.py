"""Greedy salience: the prototype of MLS+ (Sarkhel et al. 2020).

It follows the relative importance of sentences (Otterbacher, Radev and Kareem 2006).

MLS does not say which heuristic it uses. Ours is MEAD's: similarity to the centroid, an early position, and overlap
with the first sentence, each scaled to [0, 1] and added. Redundancy is handled by the selection (`[selection]
redundancy_threshold`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nutgraf.extractive import Ranking, Ratings, SentenceRanker, boosted, parts_of
from nutgraf.presets.ranges import NonNegativeFloat
from nutgraf.text.counts import term_counts
from nutgraf.text.document import Document
from nutgraf.text.vectors import Array, tfidf


@dataclass(frozen=True)
class Config:
    """Weights of the three features of MEAD."""

    centroid_weight: NonNegativeFloat = 1.0
    """Weight of the similarity to the centroid."""

    position_weight: NonNegativeFloat = 1.0
    """Weight of an early position."""

    first_sentence_weight: NonNegativeFloat = 1.0
    """Weight of the overlap with the first sentence."""

    def __post_init__(self) -> None:
        if self.centroid_weight + self.position_weight + self.first_sentence_weight == 0:
            raise ValueError("the three weights must not all be zero")


class Salience(SentenceRanker):
    """Rates sentences as MEAD does; with several documents, position and first sentence are those of each document."""

    config: Config

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank by centroid + position + overlap with the first sentence."""
        vectors = tfidf(term_counts(document).matrix)
        parts = parts_of(document)
        centroid = vectors.column_sums()
        position, first = np.zeros(len(parts)), np.zeros(len(parts))
        opening = np.zeros(vectors.shape[1])
        for part in np.unique(parts):
            members = np.flatnonzero(parts == part)
            position[members] = (len(members) - np.arange(len(members))) / len(members)
            own = vectors.cells_of(members[0])
            opening[vectors.indices[own]] = vectors.data[own]
            first[members] = (vectors @ opening)[members]
            opening[vectors.indices[own]] = 0.0
        ratings = (
            self.config.centroid_weight * _scale(vectors @ centroid)
            + self.config.position_weight * position
            + self.config.first_sentence_weight * _scale(first)
        )
        return Ranking.by(boosted(ratings, boosts))


def _scale(values: Array) -> Array:
    """Scale to [0, 1]; all zero if all values are equal."""
    spread = np.ptp(values) if values.size else 0.0
    return (values - values.min()) / spread if spread > 0 else np.zeros_like(values)
