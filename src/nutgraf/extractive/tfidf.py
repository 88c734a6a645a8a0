"""tf-idf sentence scoring (Christian, Agus and Suhartono 2016), as KPAT's baseline uses it.

A sentence's importance is the sum of tf·idf over its content words, tf in the whole input, idf over a collection:
Σ_w tf(w, d)·idf(w, D). Instances are summed, not types, and length is not divided out, so long sentences win, as
published; `length = "mean"` divides it out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from nutgraf.extractive import Ranking, Ratings, SentenceRanker
from nutgraf.extractive._frequencies import Frequencies
from nutgraf.text.document import Document


@dataclass(frozen=True)
class Config:
    """length: "sum" as published, "mean" for a rating that does not favour long sentences."""

    length: Literal["sum", "mean"] = "sum"


class Tfidf(SentenceRanker):
    """Rates sentences by the tf-idf of their words. Without `fit` the input's own sentences are the collection D."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self._frequencies = Frequencies()

    def fit(self, documents: Iterable[Document]) -> None:
        """Learn document frequencies."""
        self._frequencies.fit(documents)

    def rank(self, document: Document, emphasis: Ratings | None = None) -> Ranking:
        """Rank by the sum (or mean) of tf·idf."""
        counts = Counter(term for sentence in document.terms for term in sentence)
        size = max(1, counts.total())
        total, frequencies = self._frequencies.of(document)
        weights = {
            term: count / size * math.log(total / min(total, frequencies.get(term, 1)))
            for term, count in counts.items()
        }
        ratings = np.array([sum(weights[term] for term in sentence) for sentence in document.terms], dtype=np.float64)
        if self.config.length == "mean":
            ratings /= np.array([max(1, len(sentence)) for sentence in document.terms])
        return Ranking.by(ratings if emphasis is None else ratings * emphasis)
