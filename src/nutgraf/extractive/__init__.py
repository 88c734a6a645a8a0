"""Extractive summarization: each file ranks the sentences by one method; `_select.py` selects for all of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from nutgraf.presets.family import Family
from nutgraf.text.document import Document

Ratings = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Sentences by preference.

    order: indices of sentences, the best first; a method may leave out sentences that it would never take.
    ratings: one number a sentence, in the document's order, the higher the better.
    """

    order: tuple[int, ...]
    ratings: Ratings

    @classmethod
    def by(cls, ratings: Ratings) -> Ranking:
        """By falling rating; among equals the earlier sentence first."""
        return cls(tuple(np.argsort(-ratings, kind="stable").tolist()), ratings)


class SentenceRanker(ABC):
    """Ranks the sentences of a document; several documents are its parts.

    passes_over: whether a sentence that does not fit the budget is passed over (or ends the summary).
    steerable: whether emphasis changes the ranking.
    """

    passes_over: ClassVar[bool] = True
    steerable: ClassVar[bool] = True

    def fit(self, documents: Iterable[Document]) -> None:
        """Learn what needs a collection (document frequencies, the usual length); most methods need nothing."""

    @abstractmethod
    def rank(self, document: Document, emphasis: Ratings | None = None) -> Ranking:
        """Rank the sentences. `emphasis` holds one factor a sentence, 1 where nothing is highlighted."""


sentence_rankers: Family[SentenceRanker] = Family(__name__, SentenceRanker)
