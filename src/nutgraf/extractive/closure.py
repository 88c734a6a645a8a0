"""What a summary takes together: each sentence with all that it leans on.

Durrett, Berg-Kirkpatrick and Klein 2016 constrain a summary so that a pronoun stands only behind what it refers to;
Christensen et al. 2013 (*Towards Coherent Multi-Document Summarization*, G-Flow) reward it. Here it holds for every
method: what can be selected is not a sentence but its closure, the sentence with all that it leans on
(`nutgraf.prose.dependence`) and is not selected yet. Its gain is the sum of its sentences' gains, and so is its cost.

In the summary a sentence stands behind what it leans on, in the order of the text. Between the two stands only what
stood between them there, so no other referent is offered than the text itself offers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
import numpy.typing as npt

from nutgraf.prose.dependence import leanings, units
from nutgraf.text.document import Document
from nutgraf.text.vectors import Array

Mask = npt.NDArray[np.bool_]

MOST = 32
"""Number of sentences and units that a closure may have; in a text that says "he" throughout each leans on the one
before, and their closures would grow with the square of its length."""


@dataclass(frozen=True)
class Requirements:
    """What the sentences of a document require, directly.

    Attributes:
        needs: Sentences without which one is not taken, by its index.
        units: The unit of each sentence that belongs to one; it is taken whole.
        unmet: Sentences that lean on something that the text does not have.
        others: Sentences any of which does as well as one that is needed, by the pair of which that is the second.
        reasons: Why one sentence requires another, in words for the reader.
    """

    needs: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    units: Mapping[int, range] = field(default_factory=dict)
    unmet: Collection[int] = frozenset()
    others: Mapping[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)
    reasons: Mapping[tuple[int, int], str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.needs or self.units or self.unmet)

    @classmethod
    def of(cls, document: Document, whole_sentences: bool = False) -> Requirements:
        """Return what the sentences of a document require.

        Args:
            document: The text.
            whole_sentences: Cut no connective: what begins with one requires the sentence before it.
        """
        needs: dict[int, dict[int, str]] = defaultdict(dict)
        unmet, others = set(), {}
        for index, leaning in enumerate(leanings(document)):
            if leaning is None:
                continue
            required = list(leaning.needs)
            if leaning.unmet:
                unmet.add(index)
            if leaning.others:
                others[index, leaning.needs[0]] = leaning.others
            if whole_sentences and leaning.connective:
                if follows_directly(document, index):
                    required.append(index - 1)
                else:
                    unmet.add(index)
            needs[index].update(dict.fromkeys(required, f"what follows leans on it: {leaning.reason}"))
            for bounded in leaning.bounds:
                needs[bounded][index] = "without it another sentence would mislead"
        return cls(
            needs={index: tuple(required) for index, required in needs.items() if required},
            units={index: unit for unit in units(document) for index in unit},
            unmet=unmet,
            others=others,
            reasons={(index, other): why for index, required in needs.items() for other, why in required.items()},
        )

    def pairs(self) -> list[tuple[int, int]]:
        """Return each pair of a sentence and one that it requires; those of a unit require each other in a circle."""
        found = [(index, other) for index, required in self.needs.items() for other in required]
        circles = ((index, unit[(index - unit[0] + 1) % len(unit)]) for index, unit in self.units.items())
        return [*found, *circles]

    def without(self, index: int, selected: Collection[int]) -> bool:
        """Return True if a sentence requires one that is not selected."""
        required = chain(self.needed_by(index, selected), self.units.get(index, ()))
        return any(other not in selected for other in required)

    def needed_by(self, index: int, selected: Collection[int]) -> Iterator[int]:
        """Yield the sentences that one needs, but those in whose place another one does that is selected."""
        for needed in self.needs.get(index, ()):
            if not any(other in selected for other in self.others.get((index, needed), ())):
                yield needed

    def reason(self, index: int, others: Iterable[int]) -> str:
        """Return why a sentence was taken with others, in words for the reader."""
        why = (self.reasons[other, index] for other in others if (other, index) in self.reasons)
        return next(why, "it belongs to a list that is taken whole")


class Closures:
    """Closures of the sentences, as far as they are not selected.

    Args:
        requirements: What the sentences require.
        lengths: Their lengths.
        usable: Which of them may be taken where another one requires them.

    Attributes:
        lengths: Length of what is missing of each closure.
        sizes: Number of its sentences that are missing.
        closed: True if all of it can be taken.
        unmet: True if a sentence of it leans on something that the text does not have, or that is not usable.
    """

    def __init__(self, requirements: Requirements, lengths: npt.NDArray[np.int64], usable: Mask) -> None:
        count = len(lengths)
        self._requirements, self._own, self._usable = requirements, lengths.tolist(), usable.tolist()
        self._selected: set[int] = set()
        self._taken = np.zeros(count, dtype=bool)
        self._members: dict[int, tuple[int, ...]] = {}
        self._holders: dict[int, list[int]] = defaultdict(list)
        self._flat: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]] | None = None
        self._served: dict[int, list[int]] = defaultdict(list)
        for (index, _), others in requirements.others.items():
            for other in others:
                self._served[other].append(index)
        self.lengths, self.sizes = lengths.copy(), np.ones(count, dtype=np.int64)
        self.closed, self.unmet = np.ones(count, dtype=bool), np.zeros(count, dtype=bool)
        for index in sorted({*requirements.needs, *requirements.units, *requirements.unmet}):
            self._find(index)

    def _find(self, index: int) -> None:
        together = self._requirements.units.get(index, (index,))
        found = self._reached(index) if index == together[0] else None  # the rest of a unit comes with its first
        self.closed[index] = found is not None
        if found is None:
            for needed in self._needed_by(together) if index == together[0] else ():
                self._holders[needed].append(index)
            return
        members = tuple([one for one in sorted(found) if self._usable[one] or one == index])
        self.unmet[index] = len(members) < len(found) or not found.isdisjoint(self._requirements.unmet)
        self.lengths[index], self.sizes[index] = sum([self._own[one] for one in members]), len(members)
        self._flat = None
        self._members.pop(index, None)
        if len(members) > 1:
            self._members[index] = members
            for member in members:
                self._holders[member].append(index)

    def _reached(self, index: int) -> set[int] | None:
        """Return a sentence with all that it requires and that is not selected; None if they are too many."""
        found, waiting = set[int](), [index]
        for _ in range(MOST):
            last = waiting.pop()
            together = self._requirements.units.get(last, (last,))
            found.update(together)
            waiting.extend([one for one in self._needed_by(together) if one not in self._selected])
            while waiting and waiting[-1] in found:
                waiting.pop()
            if not waiting:
                return found
        return None

    def _needed_by(self, together: Iterable[int]) -> Iterable[int]:
        return chain.from_iterable(self._requirements.needed_by(one, self._selected) for one in together)

    def missing(self, index: int) -> tuple[int, ...]:
        """Return a sentence and what it requires, in the order of the text, without what is selected."""
        members = self._members.get(index)
        return (index,) if members is None else tuple(one for one in members if one not in self._selected)

    def take(self, members: Sequence[int]) -> list[int]:
        """Select sentences.

        Returns:
            The sentences whose closures have become smaller by that.
        """
        self._selected.update(members)
        self._taken[list(members)] = True
        served = chain.from_iterable(self._served.get(member, ()) for member in members)
        begun = list(chain(members, served))
        found = dict.fromkeys(chain(begun, *(self._holders.pop(one, ()) for one in begun)))
        smaller = [index for index in found if index not in self._selected]
        for index in smaller:
            self._find(index)
        return smaller

    def totals(self, values: Array) -> Array:
        """Sum of some values over what is missing of each closure."""
        if not self._members:
            return values
        holders, segments, members = self._pairs()
        sums, missing = np.array(values, dtype=np.float64), np.array(values, dtype=np.float64)
        missing[self._taken] = 0.0
        sums[holders] = np.bincount(segments, missing[members], minlength=len(holders))
        return sums

    def totals_of(self, indices: Sequence[int], values_of: Callable[[Sequence[int]], Array]) -> Array:
        """Sums over what is missing of some closures, of values that are computed for these sentences only."""
        others = [
            (place, other)
            for place, index in enumerate(indices)
            if index in self._members
            for other in self._members[index]
            if other != index and other not in self._selected
        ]
        if not others:
            return values_of(indices)
        values = values_of([*indices, *(other for _, other in others)])
        own, more = np.split(values, [len(indices)])
        return np.asarray(own + np.bincount([place for place, _ in others], more, minlength=len(indices)))

    def with_members(self, chosen: Mask) -> Mask:
        """Return chosen sentences together with all that is missing of their closures."""
        if not self._members:
            return chosen
        holders, segments, members = self._pairs()
        found = chosen.copy()
        found[members[chosen[holders][segments]]] = True
        found[self._taken] = False
        return found

    def _pairs(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Sentences that require others; then each pair of a place among them and a sentence of its closure."""
        if self._flat is None:
            sizes = [len(members) for members in self._members.values()]
            self._flat = (
                np.fromiter(self._members, dtype=np.int64),
                np.repeat(np.arange(len(sizes)), sizes),
                np.fromiter(chain.from_iterable(self._members.values()), dtype=np.int64),
            )
        return self._flat


def follows_directly(document: Document, index: int) -> bool:
    """Return True if a sentence has one before it in the same document."""
    starts = document.sentences
    return index > 0 and document.part_of(starts[index - 1].start) == document.part_of(starts[index].start)
