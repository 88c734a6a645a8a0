"""Extractive summarization: each file is one method.

A method rates sentences one by one (`SentenceRanker`), and `selection.py` takes the best; or what a sentence is worth
depends on those that are selected with it (`SentenceSelector`), and the method takes them itself. `PartialSummary`
keeps the budget for both.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from nutgraf.extractive.partial_summary import PartialSummary
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
    """Ranks the sentences of a document; several documents are its parts.

    Highlights come as `boosts`, which `boosted` adds to the ratings. Only a `SentenceSelector` can say why it took a
    sentence: `summary.reasons[index]`.
    """

    steerable: ClassVar[bool] = True
    """True if highlights change the ranking."""

    positional: ClassVar[bool] = False
    """True if sentences are taken by their position alone, so that weak prose is no second choice."""

    from_beginning: ClassVar[bool] = False
    """True if the first sentences are taken, so that of a long document only its beginning is read if that will do."""

    def fit(self, documents: Iterable[Document]) -> None:
        """Collect statistics of a collection, such as document frequencies; most methods need none."""

    @abstractmethod
    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank the sentences.

        Args:
            document: The text.
            boosts: One factor per sentence, 1 where nothing is highlighted.
        """


class SentenceSelector(SentenceRanker):
    """Selects a set of sentences; `rank` rates each of them as if it stood alone."""

    @abstractmethod
    def pick(self, document: Document, summary: PartialSummary, boosts: Ratings | None = None) -> Ranking:
        """Add sentences to an empty summary until no other one may be added.

        Args:
            document: The text.
            summary: Takes sentences and says which others it admits, so that no method exceeds a budget.
            boosts: As for `rank`.

        Returns:
            The ranking, as `rank` gives it.
        """


ABOVE_BEST = 1.01
"""Worth of a plain highlight, as a share of that of the best sentence."""


def boosted(ratings: Ratings, boosts: Ratings | None) -> Ratings:
    """Add what highlights are worth to the ratings.

    A boost of 2, a plain highlight, adds a little more than the best sentence is worth (its distance to the lowest
    rating, or to 0 if none is below), so that highlighted sentences come before all others and keep their order.
    """
    if boosts is None or not ratings.size:
        return ratings
    best = float(ratings.max()) - min(0.0, float(ratings.min()))
    return ratings + (boosts - 1) * (ABOVE_BEST * best or 1.0)


def bonus_of(ratings: Ratings, boosts: Ratings | None) -> Ratings | None:
    """Compute what a highlight adds to the value of each sentence of a set, whatever is selected besides.

    With it a sentence alone is worth what `boosted` says.
    """
    return None if boosts is None else boosted(ratings, boosts) - ratings


SHARED = ("selection", "partial_summary", "greedy", "mmr")
"""Files that hold no method, but what methods share."""

sentence_rankers: Family[SentenceRanker] = Family(__name__, SentenceRanker, shared=SHARED)
