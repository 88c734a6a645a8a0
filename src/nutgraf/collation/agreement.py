"""Compares several texts: what they agree on, what only one says, and where their numbers and dates differ."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import PurePath

from nutgraf.collation.alike import Terms
from nutgraf.collation.differences import Found, Pair, differences
from nutgraf.collation.likeness import pairs_of
from nutgraf.collation.mentions import Mention, lacking, mentions, other_terms
from nutgraf.collation.records import Agreement, Difference, Statement, Value
from nutgraf.collation.statements import RELATED, Partner, alone, grouped, partners, with_numbers
from nutgraf.errors import InputError, check_type, items_of, type_name
from nutgraf.prose import judgements
from nutgraf.prose.quality import JUNK
from nutgraf.text.document import Document, distinct, join
from nutgraf.text.passage import Passage
from nutgraf.text.tokenize import flatten


def agreement(documents: Iterable[Document | str] | Document) -> Agreement:
    """Compare several texts.

    >>> import nutgraf
    >>> found = nutgraf.agreement(["The fire injured 14 people.", "The fire injured 17 people. It began at noon."])
    >>> [found.said(one) for one in found.differences], [one.text for one in found.single]
    (['document 1: 14, document 2: 17'], ['It began at noon.'])

    Args:
        documents: The texts, two or more; or one Document of which they are the parts, as that of a summary is.

    Returns:
        An `Agreement` record.

    Raises:
        InputError: If there are fewer than two texts, or one has another type.
    """
    document = documents if isinstance(documents, Document) else _joined(documents)
    if len(document.parts) < 2:
        raise InputError("Several documents are compared, and only one text was given; name two or more that differ.")
    return _Comparison(document).agreement


def _joined(documents: Iterable[Document | str]) -> Document:
    several = None if isinstance(documents, (str, PurePath)) else items_of(documents)
    if several is None:
        raise InputError(f"Documents are an iterable of Document or str, not {type_name(documents)}.")
    given = list(several)
    for one in given:
        check_type(one, (Document, str), "A document is a Document or a str")
    made = [one if isinstance(one, Document) else Document.of(one) for one in given]
    if not made:
        raise InputError("There is no document to compare.")
    return join(distinct(made))


class _Comparison:
    """Compares the parts of a document."""

    def __init__(self, document: Document) -> None:
        self.document = document

    @property
    def agreement(self) -> Agreement:
        """The record of all that was found."""
        prose = [index for index, one in enumerate(judgements(self.document)) if one.quality > JUNK]
        terms = with_numbers(self._terms, self._mentions)
        of_prose = [terms[index] for index in prose], [self._parts[index] for index in prose]
        near = partners(*of_prose)
        shared = Counter(
            (self._parts[prose[place]], part)
            for place, others in enumerate(near)
            for part, one in others.items()
            if one.likeness >= RELATED
        )
        told = self._differences(set(prose), shared)
        compared = {value.passage for one in told for value in one.values}
        names = tuple(part.name for part in self.document.parts)
        return Agreement(
            names=names,
            statements=self._statements(prose, near, len(names)),
            single=tuple(
                one for place in alone(*of_prose, near) if (one := self._passage(prose[place])) not in compared
            ),
            differences=told,
            notices=(*self.document.notices, *lacking(self.document.language)),
        )

    def _statements(
        self, prose: Sequence[int], near: Sequence[Mapping[int, Partner]], many: int
    ) -> tuple[Statement, ...]:
        found = [Statement(tuple(self._passage(prose[place]) for place in group)) for group in grouped(near)]
        return tuple(sorted(found, key=lambda one: (-len(one.sources), one.passages[0].source, one.passages[0].start)))

    @cached_property
    def _parts(self) -> list[int]:
        return [self.document.part_of(one.start) for one in self.document.sentences]

    @cached_property
    def _known(self) -> Terms:
        return Terms(self.document)

    @cached_property
    def _terms(self) -> list[list[str]]:
        return other_terms(self.document, self._known, self._mentions)

    @cached_property
    def _mentions(self) -> list[Mention]:
        return mentions(self.document, self._known)

    def _differences(self, prose: set[int], shared: Mapping[tuple[int, int], int]) -> tuple[Difference, ...]:
        found = self._mentions
        parts = [self._parts[one.sentence] for one in found]
        lengths = [0] * len(self.document.parts)
        for part in self._parts:
            lengths[part] += 1
        told = differences(found, parts, lengths, shared, pairs_of(found, self._terms, self._parts))
        kept = [pair for pair in told.differing if {found[pair.first].sentence, found[pair.second].sentence} <= prose]
        return tuple(self._difference(members, score) for members, score in _gathered(Found(kept, told.agreeing)))

    def _difference(self, members: Iterable[int], score: float) -> Difference:
        """Return what the first member of each text says."""
        first: dict[int, Mention] = {}
        for member in sorted(members):
            one = self._mentions[member]
            first.setdefault(self._parts[one.sentence], one)
        values = tuple(self._value(source, one) for source, one in sorted(first.items()))
        return Difference(self._mentions[min(members)].kind, values, round(score, 3))

    def _value(self, source: int, one: Mention) -> Value:
        base = self.document.parts[source].start
        text = flatten(self.document.text[one.start : one.end])
        return Value(source, one.start - base, one.end - base, text, self._passage(one.sentence))

    def _passage(self, index: int) -> Passage:
        sentence, source = self.document.sentences[index], self._parts[index]
        base = self.document.parts[source].start
        return Passage(source, sentence.start - base, sentence.end - base, self.document.printed[index])


def _gathered(found: Found) -> list[tuple[set[int], float]]:
    """Gather pairs that differ into groups about the same thing, each with its best score, the surest first.

    What agrees with a member of a group belongs to it, too.
    """
    group_of: dict[int, int] = {}
    groups: dict[int, set[int]] = {}
    scores: dict[int, float] = defaultdict(lambda: float("-inf"))

    def unite(pair: Pair) -> int:
        """Put both mentions into one group and return it."""
        for member in pair[:2]:
            if member not in group_of:
                group_of[member] = member
                groups[member] = {member}
        one, other = group_of[pair.first], group_of[pair.second]
        if one != other:
            for member in groups[other]:
                group_of[member] = one
            groups[one] |= groups.pop(other)
            scores[one] = max(scores[one], scores[other])
        return one

    for pair in found.differing:
        group = unite(pair)
        scores[group] = max(scores[group], pair.score)
    differing = set(group_of)
    for pair in found.agreeing:
        if differing.issuperset(pair[:2]):
            unite(pair)
    added = defaultdict[int, set[int]](set)
    for pair in found.agreeing:
        for member, other in (pair[:2], pair[1::-1]):
            if member in differing and other not in differing:
                added[group_of[member]].add(other)
    gathered = [(members | added[group], scores[group]) for group, members in groups.items()]
    return sorted(gathered, key=lambda one: (-one[1], min(one[0])))
