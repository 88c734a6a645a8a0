"""Extractive summarization: each file is one method.

A method rates sentences one by one (`SentenceRanker`), and `selection.py` takes the best; or what a sentence is worth
depends on those that are selected with it (`SentenceSelector`), and the method takes them itself.

The methods differ in what they select next; what may be selected is decided by `PartialSummary` for all of them: what
the length still admits, of good prose, and of weak prose (`nutgraf.prose.quality`) once it is admitted, or where a
person asked for it, never of junk; and each sentence only together with all that it leans on (`nutgraf.prose.closure`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from nutgraf.presets.family import Family, Member
from nutgraf.prose import judgements
from nutgraf.prose.closure import Closures, follows_directly
from nutgraf.prose.quality import GOOD, JUNK, spare
from nutgraf.text.counts import term_counts
from nutgraf.text.document import Document, Unit
from nutgraf.text.genre import Genre
from nutgraf.text.vectors import Array, RedundancyFilter, normalize_rows, weighted_counts

Ratings = npt.NDArray[np.float64]
"""One number per sentence, in document order."""

Integers = npt.NDArray[np.int64]

Mask = npt.NDArray[np.bool_]
"""True or False for each sentence, in document order."""


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


@dataclass(frozen=True, slots=True)
class Limits:
    """Length of a summary, and what it may not repeat.

    Attributes:
        words: Maximum number of words.
        characters: Maximum number of characters, counted as `Document.extents` counts them.
        sentences: Maximum number of sentences.
        natural_words: Number of words to reach; the last sentence may exceed it.
        redundancy_threshold: A sentence whose tf-idf cosine with a selected one reaches this is left out; 1 leaves out
            nothing.
        block_trigrams: Leave out a sentence that repeats three words in a row.

    Raises:
        ValueError: If both words and characters are limited.
    """

    words: int | None = None
    characters: int | None = None
    sentences: int | None = None
    natural_words: int | None = None
    redundancy_threshold: float = 1.0
    block_trigrams: bool = False

    def __post_init__(self) -> None:
        if self.words is not None and self.characters is not None:
            raise ValueError("a length has a maximum in words or in characters, not in both")

    @property
    def unit(self) -> Unit:
        """Unit of the maximum length."""
        return "words" if self.characters is None else "characters"

    @property
    def length(self) -> int | None:
        """Maximum length in `unit`; None if neither words nor characters are limited."""
        return self.words if self.characters is None else self.characters


class PartialSummary:
    """The sentences selected so far.

    A sentence is looked at when a method comes to it: whether it is prose, and what it leans on.

    Args:
        document: The text.
        limits: The length.
        weak: Admit weak prose from the beginning.
        wanted: Indices of sentences that are admitted even if they are weak prose.
        asked: Indices of sentences that a person asked for; where what they lean on does not fit, they are taken alone.
        closures: What the sentences require; by default nothing.
        unmet: Admit sentences that lean on something that the text does not have from the beginning.

    Attributes:
        document: The text.
        limits: The length.
        closures: What the sentences require; None for nothing.
        asked: Indices of sentences that a person asked for.
        selected: Indices of the selected sentences, in order of selection.
        length: Length of them together, in the unit of the limits, without the connectives that are cut.
        lengths: Length of each sentence of the document, in the unit of the limits.
        genre: Genre as which the text was summarized; None for a method that makes no difference between genres.
        reasons: Why a sentence was selected, in words for the reader, by its index.
        companions: Why a sentence was taken together with another, in words for the reader, by its index.
        notices: What the method has to tell the user, one sentence each.
        freed: Sentences that `together` was asked about, and that require fewer others since the last addition.
    """

    def __init__(
        self,
        document: Document,
        limits: Limits,
        *,
        weak: bool = False,
        wanted: Collection[int] = (),
        asked: Collection[int] = (),
        closures: Closures | None = None,
        unmet: bool = False,
    ) -> None:
        self.document = document
        self.limits = limits
        self.closures = closures
        self.asked = frozenset(asked)
        self.selected: list[int] = []
        self.length = 0
        self.genre: Genre | None = None
        self.reasons: dict[int, tuple[str, ...]] = {}
        self.companions: dict[int, str] = {}
        self.notices: list[str] = []
        self.freed: list[int] = []
        self.lengths = np.asarray(document.lengths_in(limits.unit), dtype=np.int64)
        self._judgements = judgements(document)
        self._weak, self._unmet, self._wanted = weak, unmet, frozenset(wanted)
        self._fills = False
        self._vouched_for = frozenset[int]()
        self._untried: Mask = np.ones(len(self.lengths), dtype=bool)
        self._second: list[int] = []
        self._taken: set[int] = set()
        self._watchers: dict[int, set[int]] = defaultdict(set)
        self._trigrams: set[tuple[str, ...]] = set()
        bound = limits.redundancy_threshold
        self._similar = _filter(document, bound) if bound < 1 else None

    def empty_copy(self) -> PartialSummary:
        """Return an empty summary of the same document and length, which admits the same sentences."""
        copy = PartialSummary(
            self.document,
            self.limits,
            weak=self._weak,
            wanted=self._wanted,
            asked=self.asked,
            closures=self.closures,
            unmet=self._unmet,
        )
        copy._vouched_for = self._vouched_for
        return copy

    @property
    def full(self) -> bool:
        """True if the number of sentences or the natural length is reached."""
        limits = self.limits
        return (limits.sentences is not None and len(self.selected) >= limits.sentences) or (
            limits.natural_words is not None and self.length >= limits.natural_words
        )

    def vouch_for(self, index: int) -> None:
        """Admit a sentence whatever its prose looks like, and without what it leans on if that does not fit."""
        self._vouched_for |= {index}
        self.asked |= {index}

    def admits(self, index: int) -> bool:
        """Return True if a sentence is good enough to be selected."""
        if index in self._vouched_for:
            return True
        quality = self._judgements[index].quality
        return quality >= GOOD or (quality > JUNK and (self._weak or index in self._wanted))

    @property
    def underused(self) -> bool:
        """True if more of the length is left than may stay unused where only weak prose could fill it."""
        length = self.limits.length or self.limits.natural_words
        return not self.full if length is None else length - self.length > spare(length, self.limits.unit)

    @property
    def _complete(self) -> bool:
        """True if no sentence may be added: the summary is full, or has what weak prose may fill."""
        return self.full or (self._fills and not self.underused)

    def admit_second_choices(self, *, unmet: bool) -> None:
        """Admit sentences that are prose, but weak, for as long as the summary is underused.

        Args:
            unmet: Admit also those that lean on something that the text does not have, or that is junk.
        """
        self._untried[[index for index in self._second if index not in self._taken]] = True
        self._weak = self._fills = True
        self._unmet |= unmet

    @property
    def charges_length(self) -> bool:
        """True if long sentences cost more than short ones."""
        return self.limits.sentences is None

    def candidates(self) -> Mask:
        """Return which sentences may be selected next, as far as can be told without looking at them.

        That is, whether they are untried and short enough.
        """
        if self._complete:
            return np.zeros(len(self.lengths), dtype=bool)
        if self.limits.length is None:
            return self._untried.copy()
        return self._untried & (self.lengths <= self.limits.length - self.length)

    def together(self, index: int) -> tuple[int, ...]:
        """Return a sentence and all that would be selected with it, in the order of the text.

        It is empty if the sentence cannot be selected: it is not good enough, or too long together with what it leans
        on.
        """
        if self._complete or not self._untried[index] or not self._has_room(int(self.lengths[index])):
            return ()
        if not self.admits(index):
            self._untried[index] = False
            self._second.append(index)
            return ()
        members = (index,) if self.closures is None else self._closure(self.closures, index)
        return members if members and self._fits(members, index) else self._alone(index)

    def _closure(self, closures: Closures, index: int) -> tuple[int, ...]:
        found = closures.of(index, self._taken)
        for one in found.watched:
            self._watchers[one].add(index)
        usable = tuple(one for one in found.members if one == index or self._judgements[one].quality > JUNK)
        return usable if self._unmet or (found.whole and len(usable) == len(found.members)) else ()

    def _alone(self, index: int) -> tuple[int, ...]:
        """A sentence that a person asked for comes without what it leans on, rather than not at all."""
        members = self.least(index)
        return members if index in self.asked and self._fits(members, index) else ()

    def least(self, index: int) -> tuple[int, ...]:
        """Return the sentences that one is never taken without, whatever fits: the list that it is part of."""
        return (index,) if self.closures is None else tuple(self.closures.list_with(index))

    def least_length(self, index: int) -> int:
        """Length of a summary that has nothing but one sentence and what it is never taken without."""
        return self._growth(self.least(index))

    def _fits(self, members: Sequence[int], index: int) -> bool:
        limits, growth = self.limits, self._growth(members)
        return (
            self._has_room(growth)
            and (limits.sentences is None or len(self.selected) + len(members) <= limits.sentences)
            and (limits.natural_words is None or self.length + growth - int(self.lengths[index]) < limits.natural_words)
        )

    def _has_room(self, length: int) -> bool:
        return self.limits.length is None or self.length + length <= self.limits.length

    def _growth(self, members: Sequence[int]) -> int:
        """Length of some sentences in the summary; a connective is cut where the sentence before it is not there."""
        length = sum(int(self.lengths[one]) for one in members)
        if self.closures is None:
            return length
        for one in members:
            if one - 1 not in members and not (one - 1 in self._taken and follows_directly(self.document, one)):
                length -= self._length_cut(one)
            if one + 1 in self._taken and follows_directly(self.document, one + 1):
                length += self._length_cut(one + 1)
        return length

    def _length_cut(self, index: int) -> int:
        """Length of the connective of a sentence."""
        cut = self.closures.cut(index) if self.closures else 0
        if not cut:
            return 0
        printed, unit = self.document.printed[index], self.limits.unit
        return self.document.length_of(printed, unit) - self.document.length_of(printed[cut:], unit)

    def add(self, index: int) -> tuple[int, ...]:
        """Select a sentence with all that it requires, unless they do not fit or repeat what is selected.

        Returns:
            The sentences selected, in the order of the text; none if it was refused. A sentence that was refused as a
            repetition is no candidate again.
        """
        members = self.together(index)
        if not members:
            return ()
        self._untried[index] = False
        if any(map(self._repeats, members)):
            return ()
        self.length += self._growth(members)
        for member in members:
            self._take(member)
            if member != index and self.closures:
                self.companions[member] = self.closures.reason(member, members)
        found = set[int]().union(*(self._watchers.pop(one, ()) for one in members))
        self.freed = sorted(found - self._taken)
        return members

    def _take(self, index: int) -> None:
        self._untried[index] = False
        self._taken.add(index)
        self.selected.append(index)
        if self.limits.block_trigrams:
            self._trigrams |= _trigrams(self.document.words[index])
        if self._similar is not None:
            self._similar.add(index)

    def _repeats(self, index: int) -> bool:
        if self._similar is not None and self._similar.repeats(index):
            return True
        return self.limits.block_trigrams and not self._trigrams.isdisjoint(_trigrams(self.document.words[index]))


def _filter(document: Document, bound: float) -> RedundancyFilter:
    return RedundancyFilter(normalize_rows(weighted_counts(term_counts(document).matrix)), bound)


def _trigrams(words: list[str]) -> set[tuple[str, ...]]:
    return set(zip(words, words[1:], words[2:], strict=False))


class Selector(Protocol):
    """Reads a text, and tells how well each of its sentences would stand in a summary: a network, as a rule."""

    @property
    def signature(self) -> str:
        """Name and version, for the signature of a summary."""

    def __call__(self, document: Document, ratings: Ratings) -> Ratings | None:
        """Rate the sentences.

        Args:
            document: The text.
            ratings: Those of the method that asks, which has not read it.

        Returns:
            The log odds that a summary takes each sentence, beyond what those of the method say; None of a text that
            this one does not read, such as one in another language.
        """

    def passes_over(self, document: Document) -> str | None:
        """Return a sentence for the user if a text is not read although it could be; None otherwise."""


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

    @property
    def asks(self) -> bool:
        """True if a selector changes what is selected."""
        return False

    def advise(self, selector: Selector) -> None:
        """Hand in a selector, which a method that `asks` asks about every text from then on."""

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


def behind_highlights(lifted: Ratings, boosts: Ratings | None, largest: float) -> Ratings:
    """Combine a method's own boosts with those of highlights, which come before all that the method lifts.

    Args:
        lifted: The method's boosts, 1 where it lifts nothing.
        boosts: Those of highlights; see `SentenceRanker.rank`.
        largest: The largest lift of the method: 1 for a boost of 2.
    """
    return lifted if boosts is None else np.where(boosts > 1, boosts + largest, boosts * lifted)


def bonus_of(ratings: Ratings, boosts: Ratings | None) -> Ratings | None:
    """Compute what a highlight adds to the value of each sentence of a set, whatever is selected besides.

    With it a sentence alone is worth what `boosted` says.
    """
    return None if boosts is None else boosted(ratings, boosts) - ratings


def parts_of(document: Document) -> Integers:
    """Index of the document, of several that were joined, that each sentence belongs to."""
    borders = [part.start for part in document.parts[1:]]
    starts = np.array([sentence.start for sentence in document.sentences], dtype=np.int64)
    return np.searchsorted(np.array(borders, dtype=np.int64), starts, "right")


def sections_of(document: Document) -> tuple[Integers, Integers]:
    """Section of each sentence, counted from 0, and document of each section."""
    borders = np.unique([one.start for one in (*document.parts, *document.sections)])
    starts = np.array([sentence.start for sentence in document.sentences])
    _, first, labels = np.unique(np.searchsorted(borders, starts, "right"), return_index=True, return_inverse=True)
    return labels, parts_of(document)[first]


def places_in(groups: Integers) -> Integers:
    """Place of each member in its group, from 0; the groups are in ascending order."""
    return np.arange(len(groups)) - np.searchsorted(groups, groups)


def border_distances(groups: Integers, alpha: float = 1.0) -> Array:
    """Distance of each member from the nearer border of its group; `alpha` scales that from the end."""
    places = places_in(groups).astype(np.float64)
    sizes = np.searchsorted(groups, groups, "right") - np.searchsorted(groups, groups)
    return np.minimum(places, alpha * (sizes - 1 - places))


SHARED = ("selection", "greedy", "mmr", "traits", "windows")
"""Files that hold no method, but what methods share."""

sentence_rankers: Family[SentenceRanker] = Family(__name__, SentenceRanker, shared=SHARED)
