"""Changes between two versions of a text, in sentences: added, dropped, moved, or with other words or numbers."""

from __future__ import annotations

import bisect
from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Literal

from nutgraf.collation.alike import Terms
from nutgraf.collation.mentions import Mention, lacking, mentions, other_terms
from nutgraf.collation.statements import partners
from nutgraf.errors import check_type
from nutgraf.text.difference import Change as Words
from nutgraf.text.difference import difference
from nutgraf.text.document import Document, join
from nutgraf.text.passage import Passage
from nutgraf.text.tokenize import flatten

SCHEMA = "nutgraf.changes/1"

Kind = Literal["added", "dropped", "changed", "moved"]
"""What happened to a sentence; one that is somewhere else and has other words was changed."""

What = Literal["number", "date", "wording"]
"""What differs in a sentence that was changed."""

VERSION = 0.4
"""Likeness from which on a sentence is another version of one; see `statements.partners`."""

CONTAINED = 0.6
"""Share of the words of a sentence that the other version of its neighbor has, if both were one sentence there."""

ROUNDS = 10
"""How often what is left is paired anew; each time at least the most alike of a group of rivals find each other."""

DATES = frozenset({"date", "weekday", "year", "time of day"})


@dataclass(frozen=True, slots=True)
class Change:
    """A sentence that is not the same in both versions.

    Attributes:
        kind: What happened to it.
        old: The sentence of the old version; None if it was added. Several that were joined are one passage.
        new: The sentence of the new version; None if it was dropped. Several that it was split into are one passage.
        what: What differs, for one that was changed.
        section: Section in which it stands: of the new version, of the old one if it was dropped; "" if there is none.
        words: Both sentences as stretches of words, for one that was changed.
        moved: True if it stands elsewhere, before or behind others than it did.
    """

    kind: Kind
    old: Passage | None = None
    new: Passage | None = None
    what: tuple[What, ...] = ()
    section: str = ""
    words: tuple[Words, ...] = ()
    moved: bool = False

    @property
    def label(self) -> str:
        """Kind of the change in words: "changed (number)"."""
        return f"{self.kind} ({', '.join(self.what)})" if self.what else self.kind


@dataclass(frozen=True)
class Changes:
    """Changes between two versions of a text.

    Attributes:
        names: Names of the old version and of the new one.
        changes: The sentences that are not the same, in the order of the new version; dropped ones where they stood.
        same: Number of sentences that are the same and where they were.
        notices: What was odd about the texts.
    """

    names: tuple[str, str]
    changes: tuple[Change, ...]
    same: int
    notices: tuple[str, ...] = field(default=(), compare=False)

    @property
    def counts(self) -> dict[Kind, int]:
        """Number of changes of each kind, of those that there are."""
        return dict(Counter(one.kind for one in self.changes))

    def to_json(self) -> dict[str, Any]:
        """Return the record as what JSON can hold, in the schema `nutgraf.changes/1`."""
        return {
            "schema": SCHEMA,
            "old": self.names[0],
            "new": self.names[1],
            "same": self.same,
            "counts": self.counts,
            "changes": [{**asdict(one), "words": [_words(words) for words in one.words]} for one in self.changes],
            "notices": list(self.notices),
        }


def _words(words: Words) -> dict[str, str]:
    return {"kind": words.kind, "text": words.text, "gap": words.gap}


def changes(old: Document | str, new: Document | str) -> Changes:
    """Compare two versions of a text, sentence by sentence.

    >>> import nutgraf
    >>> found = nutgraf.changes("The fee is 14 euros. Dogs are welcome.", "The fee is 17 euros.")
    >>> [(one.kind, one.what) for one in found.changes]
    [('changed', ('number',)), ('dropped', ())]

    Args:
        old: The old version.
        new: The new version.

    Returns:
        A `Changes` record.

    Raises:
        InputError: If a version is neither a Document nor a str.
    """
    for version in (old, new):
        check_type(version, (Document, str), "A version is a Document or a str")
    both = tuple(one if isinstance(one, Document) else Document.of(one) for one in (old, new))
    return _Versions(both[0], both[1]).changes


class _Versions:
    """Two versions of a text; sentences are named by their indices in both, those of the old one first."""

    def __init__(self, old: Document, new: Document) -> None:
        self._documents = old, new
        self._document = join([old, new])
        self._texts = [*old.printed, *new.printed]
        self._old = len(old.sentences)

    @property
    def changes(self) -> Changes:
        """The record of all that was found."""
        same = self._same()
        pairs = {**same, **self._versions(same)}
        more = self._parts_of(pairs, same)
        beside = {index for some in more.values() for index in some}
        staying = _in_order([pairs[new] for new in sorted(pairs)])
        told: list[tuple[tuple[int, int], Change]] = []
        for new in range(self._old, len(self._texts)):
            if new in beside:
                continue
            if (old := pairs.get(new)) is None:
                told.append(((new, 1), self._change("added", [], [new])))
            elif new not in same:
                told.append(((new, 1), self._changed([old, *more[old]], [new, *more[new]], old not in staying)))
            elif old not in staying:
                told.append(((new, 1), self._change("moved", [old], [new], moved=True)))
        partner = {old: new for new, old in pairs.items()}
        last = self._old - 1
        for old in range(self._old):
            if old in beside:
                continue
            if old not in partner:
                told.append(((last, 2), self._change("dropped", [old], [])))
            elif old in staying:
                last = partner[old]
        told.sort(key=lambda one: one[0])
        found = tuple(one for _, one in told)
        unchanged = sum(old in staying for old in same.values())
        names = self._documents[0].name, self._documents[1].name
        return Changes(names, found, unchanged, (*self._document.notices, *lacking(self._document.language)))

    def _same(self) -> dict[int, int]:
        """Return the sentences of the new version that the old one has, too, each with one there, in their order."""
        places: dict[str, deque[int]] = defaultdict(deque)
        for old in range(self._old):
            places[self._texts[old]].append(old)
        found = {}
        for new in range(self._old, len(self._texts)):
            if waiting := places.get(self._texts[new]):
                found[new] = waiting.popleft()
        return found

    def _versions(self, same: Mapping[int, int]) -> dict[int, int]:
        """Return the sentences of the new version that are like one of the old one, each with the most alike."""
        taken = {*same, *same.values()}
        left = [index for index in range(len(self._texts)) if index not in taken]
        found: dict[int, int] = {}
        for _ in range(ROUNDS):
            near = partners([self._terms[index] for index in left], [int(index >= self._old) for index in left])
            mutual = {
                left[place]: left[others[0].sentence]
                for place, others in enumerate(near)
                if left[place] >= self._old and 0 in others and others[0].likeness >= VERSION
                if near[others[0].sentence][1].sentence == place
            }
            if not mutual:
                break
            found.update(mutual)
            taken.update(mutual, mutual.values())
            left = [index for index in left if index not in taken]
        return found

    def _parts_of(self, pairs: Mapping[int, int], same: Mapping[int, int]) -> Mapping[int, list[int]]:
        """Return the sentences beside a changed one that say what its other version says: it was split or joined.

        Each is found by its neighbor, if most of its words stand in the other version of that.
        """
        other = {new: old for new, old in pairs.items() if new not in same}
        other.update({old: new for new, old in other.items()})
        first = {index: index for index in other}
        taken = {*pairs, *pairs.values()}
        found: dict[int, list[int]] = defaultdict(list)
        for step in (1, -1):
            for index in range(len(self._texts))[::step]:
                if index in taken or index - step not in first or (index < self._old) != (index - step < self._old):
                    continue
                owner = first[index - step]
                mine, its = self._terms[index], self._terms[other[owner]]
                if mine and sum(term in its for term in mine) >= CONTAINED * len(mine):
                    found[owner].append(index)
                    first[index] = owner
                    taken.add(index)
        return found

    @cached_property
    def _known(self) -> Terms:
        return Terms(self._document)

    @cached_property
    def _found(self) -> list[Mention]:
        return mentions(self._document, self._known)

    @cached_property
    def _terms(self) -> list[list[str]]:
        return [list(dict.fromkeys(terms)) for terms in other_terms(self._document, self._known, self._found)]

    @cached_property
    def _mentions(self) -> Mapping[int, Sequence[Mention]]:
        found: dict[int, list[Mention]] = defaultdict(list)
        for one in self._found:
            found[one.sentence].append(one)
        return found

    def _changed(self, old: list[int], new: list[int], moved: bool) -> Change:
        old, new = sorted(old), sorted(new)
        words = difference([self._text(old)], [self._text(new)]).changes
        what: list[What] = []
        mine, its = ([one for index in some for one in self._mentions.get(index, ())] for some in (old, new))
        for kind in ("number", "date"):
            values = [
                Counter(self._written(one) for one in some if (one.kind in DATES) == (kind == "date"))
                for some in (mine, its)
            ]
            if values[0] != values[1]:
                what.append(kind)
        if not what or [word for index in old for word in self._bare(index)] != [
            word for index in new for word in self._bare(index)
        ]:
            what.append("wording")
        return self._change("changed", old, new, tuple(what), words, moved)

    def _text(self, indices: Sequence[int]) -> str:
        return " ".join(self._texts[index] for index in indices)

    def _written(self, one: Mention) -> object:
        """A number as a value, so that 14 and fourteen are the same; a day as it is."""
        return one.day or one.numbers or (one.key, one.values)

    def _bare(self, index: int) -> list[str]:
        """Words of a sentence without its numbers and dates."""
        sentence, text = self._document.sentences[index], self._document.text
        kept, last = [], sentence.start
        for one in self._mentions.get(index, ()):
            kept.append(text[last : one.start])
            last = max(last, one.end)
        return "".join([*kept, text[last : sentence.end]]).split()

    def _change(
        self,
        kind: Kind,
        old: Sequence[int],
        new: Sequence[int],
        what: tuple[What, ...] = (),
        words: tuple[Words, ...] = (),
        moved: bool = False,
    ) -> Change:
        section = self._section((new or old)[0])
        return Change(kind, self._passage(old), self._passage(new), what, section, words, moved)

    def _passage(self, indices: Sequence[int]) -> Passage | None:
        """Return the place of sentences that follow each other; None for none."""
        if not indices:
            return None
        version = int(indices[0] >= self._old)
        sentences = [self._documents[version].sentences[index - self._old * version] for index in indices]
        return Passage(version, sentences[0].start, sentences[-1].end, self._text(indices))

    def _section(self, index: int) -> str:
        """Return the name of the last section that begins before a sentence and has not ended."""
        version = int(index >= self._old)
        document = self._documents[version]
        start = document.sentences[index - self._old * version].start
        before = bisect.bisect_right(self._starts[version], start)
        for section in reversed(document.sections[:before]):
            if start < section.end:
                return flatten(section.name)
        return ""

    @cached_property
    def _starts(self) -> tuple[list[int], list[int]]:
        first, second = ([section.start for section in one.sections] for one in self._documents)
        return first, second


def _in_order(values: Sequence[int]) -> set[int]:
    """Return the longest of the rising sequences that one gets by leaving some values out."""
    tails: list[int] = []
    places: list[int] = []
    before: list[int] = []
    for place, value in enumerate(values):
        at = bisect.bisect_left(tails, value)
        before.append(places[at - 1] if at else -1)
        if at == len(tails):
            tails.append(value)
            places.append(place)
        else:
            tails[at], places[at] = value, place
    kept = set()
    place = places[-1] if places else -1
    while place >= 0:
        kept.add(values[place])
        place = before[place]
    return kept
