"""Leanings of the sentences of a document, found when somebody asks."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from itertools import chain

from nutgraf.prose.dependence.antecedents import NOWHERE, Antecedents
from nutgraf.prose.dependence.bounds import REACH, Bound, Bounds
from nutgraf.prose.dependence.cues import Cue, cues_of
from nutgraf.prose.dependence.leaning import Leaning
from nutgraf.prose.dependence.names import namesakes
from nutgraf.prose.dependence.openings import opens
from nutgraf.prose.dependence.reading import Reading, read
from nutgraf.prose.dependence.structure import (
    LONGEST_ANSWER,
    LONGEST_QUOTATION,
    QUESTION_MARKS,
    QUOTING,
    goes_on,
    is_cased,
    is_question,
    is_quotation,
    letter,
    quotations,
    tells_speaker,
)
from nutgraf.prose.dependence.units import units
from nutgraf.prose.opening import opening
from nutgraf.text.document import Document
from nutgraf.text.lazy import LazySequence

SHORTEST_STATEMENT = 12
"""Number of words from which a sentence of a quotation says something without the others."""

_REASONS = {
    "connective": "begins with “{}”",
    "inside": "has “{}”, which points back",
    "adverb": "“{}” counts from what was said before",
    "person": "“{}” stands for somebody named before",
    "pronoun": "“{}” stands for something named before",
    "demonstrative": "“{}” points to what was said before",
    "possessive": "“{}” belongs to somebody or something named before",
    "other": "“{}” is one of several named before",
    "series": "“{}” is one of several named before",
    "definite": "“{}” is part of what was named before",
    "pointer": "“{}” points to what was said before",
    "described": "“{}” was introduced before",
    "given": "“{}” was introduced before",
    "repeated": "“{}” was named before",
    "present": "“{}” does not say which one",
    "bare": "“{}” does not say which one",
    "subjectless": "“{}” has no subject",
    "thin": "says too little by itself",
    "initial": "“{}” has no subject",
    "answer": "answers a question",
    "quotation": "a quotation without its speaker",
    "quoted": "part of a quotation that begins before",
    "reversal": "reverses the sentence before",
    "continuation": "goes on with the sentence before",
    "item": "an item of a list",
}


class Leanings(LazySequence[Leaning | None]):
    """Leaning of each sentence on others; None for one that stands alone and bounds no other.

    A sentence is read when somebody asks for it, and so is what it may lean on.
    """

    def __init__(self, document: Document) -> None:
        super().__init__(len(document.sentences))
        self._document, self._cues = document, cues_of(document.language)
        self._bounds_of, self._antecedents = Bounds(document), Antecedents(document, self._cue, self._cues)
        self._readings: dict[int, Reading] = {}
        self._bounds: dict[int, Bound | None] = {}
        self._bounded_by: dict[int, tuple[int, ...]] = {}

    def bounded_by(self, index: int) -> tuple[int, ...]:
        """Return the later sentences that should not be missing beside one, since its `bounds` have that one."""
        if index not in self._bounded_by:
            end = min(len(self), index + max(REACH, LONGEST_QUOTATION) + 1)
            found = tuple(later for later in range(index + 1, end) if index in self._bounded(later))
            self._bounded_by[index] = found
        return self._bounded_by[index]

    @property
    def num_read(self) -> int:
        """Number of sentences whose words were looked at."""
        return len(self._readings)

    @cached_property
    def _structure(self) -> dict[int, str]:
        """Kind of cue of the sentences that are a part of something: a list, or a quotation."""
        quoted = (range(first + 1, last + 1) for last, first in quotations(self._document).items())
        inner = chain.from_iterable(quoted)
        items = (index for unit in units(self._document) for index in unit[1:])
        return {**dict.fromkeys(inner, "quoted"), **dict.fromkeys(items, "item")}

    def _misleads(self, index: int) -> bool:
        """Return True if a sentence within a quotation says nothing without it, or something else."""
        words = self._document.words_of(index)
        if len(words) < SHORTEST_STATEMENT:
            return True
        last = index in quotations(self._document) and tells_speaker(self._document.printed[index], begins=False)
        return not last and self._cues is not None and not self._cues.lists["speakers"].isdisjoint(words)

    def _make(self, index: int) -> Leaning | None:
        opened = opening(self._document)
        if opened and opened.topic == index:
            return None  # it is said to somebody who knows nothing yet
        cue, needed = self._cue(index), self._antecedents.of(index)
        if cue is None:
            found = ((weak, self._antecedents.of_weak(index, weak)) for weak in self._reading(index).weak)
            cue, needed = next((pair for pair in found if pair[1] != NOWHERE), (None, NOWHERE))
        leaning = _leaning(self._reading(index), cue, needed, tuple(sorted(self._bounded(index), reverse=True)))
        if leaning and leaning.needs and cue and cue.kind == "person":
            return replace(leaning, others=namesakes(self._document, index, needed))
        return leaning

    def _cue(self, index: int) -> Cue | None:
        cue, bound = self._reading(index).cue, self._bound(index)
        return Cue("reversal", "") if cue is None and bound and bound.reverses else cue

    def _reading(self, index: int) -> Reading:
        if index not in self._readings:
            self._readings[index] = self._read(index)
        return self._readings[index]

    def _read(self, index: int) -> Reading:
        """Read by what a sentence leans: the structure, or its words."""
        printed = self._document.printed[index]
        kind = self._structure.get(index, "")
        if kind == "quoted" and not self._misleads(index):
            kind = ""
        if not kind and goes_on(printed) and is_cased(self._document):
            kind = "continuation"
        if not kind and letter(printed) > "a":
            kind = "series"
        reading = read(printed, self._cues) if self._cues and not kind else Reading()
        if reading.cue and self._points_ahead(index, reading.cue):
            reading = reading._replace(cue=None)
        if not kind and reading.cue is None:
            kind = "answer" if self._answers(index) else "quotation" if is_quotation(printed) else ""
        return reading._replace(cue=Cue(kind, letter(printed))) if kind else reading

    def _points_ahead(self, index: int, cue: Cue) -> bool:
        """Return True for "Follow these steps:" above a list, where what is pointed to stands."""
        shown = self._document.printed[index].lower().rstrip(" :")
        return index in self._introductions and bool(cue.words) and shown.endswith(cue.words.lower())

    @cached_property
    def _introductions(self) -> frozenset[int]:
        return frozenset(unit.start for unit in units(self._document))

    def _bounded(self, index: int) -> set[int]:
        """Earlier sentences that should not stand without one."""
        bound, printed = self._bound(index), self._document.printed
        found = set[int]() if bound is None else {bound.sentence}
        first = quotations(self._document).get(index, index)
        if first < index and tells_speaker(printed[index], False) and not tells_speaker(printed[first], True):
            found.add(first)
        return found

    def _bound(self, index: int) -> Bound | None:
        if index not in self._bounds:
            self._bounds[index] = self._bounds_of.of(index)
        return self._bounds[index]

    def _answers(self, index: int) -> bool:
        """Return True if a sentence is nothing but an answer: short, and shorter yet if it may have a subject."""
        printed = self._document.printed
        if not index or not is_question(printed[index - 1]) or is_question(printed[index]):
            return False
        if not printed[index - 1].endswith(QUESTION_MARKS) and printed[index][0] not in QUOTING:
            return False
        longest = LONGEST_ANSWER + 2 if self._cues and opens(printed[index], self._cues) else LONGEST_ANSWER
        return len(self._document.words_of(index)) <= longest


def _leaning(reading: Reading, cue: Cue | None, needed: int, bounded: tuple[int, ...]) -> Leaning | None:
    if cue and needed == NOWHERE and cue.kind == "pointer":
        cue = None
    if cue is None and not reading.connective:
        return Leaning(bounds=bounded) if bounded else None
    kind, words = (cue.kind, cue.words) if cue else ("connective", reading.words)
    return Leaning(
        needs=(needed,) if cue and needed != NOWHERE else (),
        connective=reading.connective,
        reason=_REASONS[kind].format(words),
        unmet=cue is not None and needed == NOWHERE,
        bounds=bounded,
    )
