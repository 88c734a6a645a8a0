"""tf-idf sentence scoring (Christian, Agus and Suhartono 2016), as KPAT's baseline uses it.

The score of a sentence is the sum of tf·idf over its content words, with tf in the whole input and idf over a
collection: Σ_w tf(w, d)·idf(w, D). As published, the sum is over instances rather than types and is not divided by the
length, so long sentences win; `aggregate = "mean"` divides by the length.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Literal

import numpy as np

from nutgraf.extractive import Ranking, Ratings, boosted
from nutgraf.extractive._frequencies import FrequencyRanker
from nutgraf.text.document import Document


@dataclass(frozen=True)
class Config:
    """tf-idf of sentences."""

    aggregate: Literal["sum", "mean"] = "sum"
    """Score of a sentence: the "sum" over its words as published, or the "mean", which does not favour long ones."""


class Tfidf(FrequencyRanker):
    """Rates sentences by the tf-idf of their words; without `fit`, the input's sentences are the collection D."""

    config: Config

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank by the sum (or mean) of tf·idf."""
        counts = Counter(term for sentence in document.terms for term in sentence)
        size = max(1, counts.total())
        total, frequencies = self.frequencies(document)
        weights = {
            term: count / size * math.log(total / min(total, frequencies.get(term, 1)))
            for term, count in counts.items()
        }
        ratings = np.array([sum(weights[term] for term in sentence) for sentence in document.terms], dtype=np.float64)
        if self.config.aggregate == "mean":
            ratings /= np.array([max(1, len(sentence)) for sentence in document.terms])
        return Ranking.by(boosted(ratings, boosts))
