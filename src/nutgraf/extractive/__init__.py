"""Extractive summarization: each file ranks the sentences by one method; `selection.py` selects for all of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from nutgraf.presets.family import Family, Member
from nutgraf.text.document import Document

Ratings = npt.NDArray[np.float64]
"""One number per sentence, in document order."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Sentences in order of preference.

    Attributes:
        order: Sentence indices, best first; a method may leave out sentences that it never selects.
        ratings: One number per sentence in document order, higher is better.
    """

    order: tuple[int, ...]
    ratings: Ratings

    @classmethod
    def by(cls, ratings: Ratings) -> Ranking:
        """Rank by descending rating; ties in document order."""
        return cls(tuple(np.argsort(-ratings, kind="stable").tolist()), ratings)


class SentenceRanker(Member, ABC):
    """Ranks the sentences of a document; several documents are its parts."""

    skips_too_long: ClassVar[bool] = True
    """True if a sentence that does not fit the budget is skipped; False if it ends the summary."""

    steerable: ClassVar[bool] = True
    """True if highlights change the ranking."""

    def fit(self, documents: Iterable[Document]) -> None:
        """Collect statistics of a collection, such as document frequencies; most methods need none."""

    @abstractmethod
    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank the sentences.

        Args:
            document: The text.
            boosts: One factor per sentence, 1 where nothing is highlighted.
        """


sentence_rankers: Family[SentenceRanker] = Family(__name__, SentenceRanker, shared=("selection",))
