"""Greedy salience: the prototype of MLS+ (Sarkhel et al. 2020), after the relative importance of sentences
(Otterbacher, Radev and Kareem 2006).

MLS does not say which heuristic it takes. Ours is MEAD's: closeness to the centroid, an early place, and overlap with
the first sentence, each scaled to [0, 1] and added. That no sentence repeats another is seen to when they are selected
(`[selection] redundancy`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nutgraf.extractive import Ranking, Ratings, SentenceRanker
from nutgraf.text.document import Document
from nutgraf.text.vectors import Array, tfidf


@dataclass(frozen=True)
class Config:
    """Weights of the three scores."""

    centroid: float = 1.0
    position: float = 1.0
    first: float = 1.0

    def __post_init__(self) -> None:
        if min(self.centroid, self.position, self.first) < 0 or self.centroid + self.position + self.first == 0:
            raise ValueError("weights are not negative, and not all zero")


class Salience(SentenceRanker):
    """Rates sentences as MEAD does; with several documents, place and first sentence are those of each document."""

    def __init__(self, config: Config) -> None:
        self.config = config

    def rank(self, document: Document, emphasis: Ratings | None = None) -> Ranking:
        """Rank by centroid + position + overlap with the first sentence."""
        vectors = tfidf(document.terms)
        parts = np.array([document.part_of(sentence.start) for sentence in document.sentences], dtype=int)
        centroid = np.asarray(vectors.sum(axis=0)).ravel()
        position, first = np.zeros(len(parts)), np.zeros(len(parts))
        for part in np.unique(parts):
            members = np.flatnonzero(parts == part)
            position[members] = (len(members) - np.arange(len(members))) / len(members)
            first[members] = np.asarray((vectors[members] @ vectors[members[0]].T).todense()).ravel()
        ratings = (
            self.config.centroid * _scale(vectors @ centroid)
            + self.config.position * position
            + self.config.first * _scale(first)
        )
        return Ranking.by(ratings if emphasis is None else ratings * emphasis)


def _scale(values: Array) -> Array:
    """To [0, 1]; all zero where all are equal."""
    spread = np.ptp(values) if values.size else 0.0
    return (values - values.min()) / spread if spread > 0 else np.zeros_like(values)
