"""Closures: sentences that a summary takes together, each with all that it leans on.

Durrett, Berg-Kirkpatrick and Klein 2016 constrain a summary so that a pronoun stands only behind what it refers to;
Christensen et al. 2013 (*Towards Coherent Multi-Document Summarization*, G-Flow) reward it. Here it holds for every
method: what can be selected is not a sentence but its closure, the sentence with all that it leans on
(`nutgraf.prose.dependence`) and is not selected yet. It is found for a sentence when that comes to be selected, so that
of a long text little is read.

In the summary a sentence stands behind what it leans on, in the order of the text. Between the two stands only what
stood between them there, so no other referent is offered than the text itself offers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from nutgraf.prose.dependence import Leaning, leanings, units
from nutgraf.text.document import Document

MOST = 32
"""Number of sentences after which what a closure requires is no longer looked for; in a text that says "he" throughout
each leans on the one before, and their closures would grow with the square of its length."""

LEANED_ON, BOUNDING, LISTED = (
    "what follows leans on it",
    "without it another sentence would mislead",
    "it belongs to a list that is taken whole",
)
"""Why a sentence is taken together with another one, in words for the reader."""


class Closure(NamedTuple):
    """A sentence with all that it requires.

    Attributes:
        members: Their indices in the order of the text, without those that are selected; empty if they are too many.
        whole: True if the text has all that they lean on.
        watched: Indices of the sentences that make it smaller once they are selected.
    """

    members: tuple[int, ...]
    whole: bool = True
    watched: frozenset[int] = frozenset()


class Closures:
    """Requirements of the sentences of a document.

    Args:
        document: The text.
        whole_sentences: Cut no connective: what begins with one requires the sentence before it.
        lists_only: Nothing is required, except that lists are taken whole.
    """

    def __init__(self, document: Document, *, whole_sentences: bool = False, lists_only: bool = False) -> None:
        self._document = document
        self._whole_sentences, self._lists_only = whole_sentences, lists_only
        self._leanings = leanings(document)
        self._lists = {index: unit for unit in units(document) for index in unit}

    def of(self, index: int, selected: Collection[int]) -> Closure:
        """Return the closure of a sentence beside those that are selected."""
        leaning = self._leaning(index)
        if leaning is None and index not in self._lists and not self._bounded_by(index):
            return Closure((index,))
        found, waiting, whole, watched = set[int](), [index], True, set[int]()
        for _ in range(MOST):
            for one in self._lists.get(last := waiting.pop(), (last,)):
                found.add(one)
                whole &= not self._is_unmet(one)
                for needed, others in self._required(one):
                    watched.update((needed, *others))
                    if not any(other in selected or other in found for other in (needed, *others)):
                        waiting.append(needed)
            while waiting and waiting[-1] in found:
                waiting.pop()
            if not waiting:
                return Closure(tuple(sorted(found.difference(selected))), whole, frozenset(watched))
        return Closure((), False, frozenset(watched))

    def _leaning(self, index: int) -> Leaning | None:
        return None if self._lists_only else self._leanings[index]

    def _bounded_by(self, index: int) -> tuple[int, ...]:
        return () if self._lists_only else self._leanings.bounded_by(index)

    def _required(self, index: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield each sentence that one requires, and others that do as well."""
        leaning = self._leaning(index)
        if leaning:
            for needed in leaning.needs:
                yield needed, leaning.others if needed == leaning.needs[0] else ()
            if self._whole_sentences and leaning.connective and follows_directly(self._document, index):
                yield index - 1, ()
        for later in self._bounded_by(index):
            yield later, ()

    def _is_unmet(self, index: int) -> bool:
        leaning = self._leaning(index)
        if leaning is None:
            return False
        first = bool(self._whole_sentences and leaning.connective) and not follows_directly(self._document, index)
        return leaning.unmet or first

    def list_with(self, index: int) -> Collection[int]:
        """Return the sentences of the list that a sentence is part of, or it alone."""
        return self._lists.get(index, (index,))

    def missed(self, index: int, selected: Collection[int]) -> list[int]:
        """Return the sentences that one requires and that are not selected, in the order of the text."""
        found = {other for other in self.list_with(index) if other not in selected}
        for needed, others in self._required(index):
            if not any(other in selected for other in (needed, *others)):
                found.add(needed)
        return sorted(found)

    def cut(self, index: int) -> int:
        """Number of characters to leave out at the beginning of a printed sentence without the one before it."""
        leaning = None if self._whole_sentences else self._leanings[index]
        return leaning.connective if leaning else 0

    def reason(self, index: int, members: Iterable[int]) -> str:
        """Return why a sentence was taken with others, in words for the reader."""
        own = self._leaning(index)
        for other in members:
            leaning = self._leaning(other)
            if leaning and (index in leaning.needs or (self._whole_sentences and index == other - 1)):
                return f"{LEANED_ON}: {leaning.reason}"
            if own and other in own.bounds:
                return BOUNDING
        return LISTED

    def pairs(self) -> list[tuple[int, int]]:
        """Return each pair of a sentence and one that it requires; those of a list require each other in a circle."""
        count = range(len(self._document.sentences))
        found = [(index, needed) for index in count for needed, _ in self._required(index)]
        circles = ((index, one[(index - one[0] + 1) % len(one)]) for index, one in self._lists.items())
        return [*found, *circles]


def follows_directly(document: Document, index: int) -> bool:
    """Return True if a sentence has one before it in the same document."""
    starts = document.sentences
    return index > 0 and document.part_of(starts[index - 1].start) == document.part_of(starts[index].start)
