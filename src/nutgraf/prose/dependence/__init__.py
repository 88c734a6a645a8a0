"""Which sentences of a document depend on others, so that no summary has one without what it leans on.

A sentence leans on an earlier one by its words, or by the structure of the text. By words in eight languages:
`cues.py` knows the kinds of cue, and a file for each language its words. By structure in all languages:
`structure.py` knows quotations, answers and what goes on, `units.py` lists. `bounds.py` looks into the other direction:
what reverses or restricts an earlier statement.

What a sentence needs is the nearest earlier sentence that has it. Durrett et al. 2016 let a coreference system say
where that is; we take the sentence before, unless that one says "he" or "it" itself: then what it needs is what this
one needs, too. Between sentences that do not lean on one another, Christensen et al. 2013 would still see relations;
a summary does without those.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from nutgraf.prose.dependence.bounds import bounds
from nutgraf.prose.dependence.cues import Cue, Cues, Reading, cues_of, names_somebody, opens, read
from nutgraf.prose.dependence.leaning import Leaning as Leaning
from nutgraf.prose.dependence.structure import (
    LONGEST_ANSWER,
    begins_paragraph,
    ends,
    goes_on,
    is_question,
    is_quotation,
    quotations,
)
from nutgraf.prose.dependence.units import units as units
from nutgraf.text.document import Document, kept

MOST_SAID = 3
"""Maximum number of sentences with a noun of which it is not clear which one is meant; other nouns are the subject."""

HEADINGS = 4
"""Maximum number of headings in a row that are passed over on the way to the sentence before them."""

_SAME = frozenset({"person", "pronoun", "possessive", "subjectless"})
"""Kinds of cue that stand for what an earlier sentence names."""

_NOUNS = frozenset({"definite", "given", "bare"})
"""Kinds of cue that are nouns: where no sentence is before them, they stand for what everybody knows."""

_REASONS = {
    "connective": "begins with “{}”",
    "inside": "has “{}”, which points back",
    "adverb": "“{}” counts from what was said before",
    "person": "“{}” stands for somebody named before",
    "pronoun": "“{}” stands for something named before",
    "demonstrative": "“{}” points to what was said before",
    "possessive": "“{}” belongs to somebody or something named before",
    "other": "“{}” is one of several named before",
    "definite": "“{}” is part of what was named before",
    "bare": "“{}” does not say which one",
    "given": "“{}” was introduced before",
    "subjectless": "“{}” has no subject",
    "answer": "answers a question",
    "quotation": "a quotation without its speaker",
    "quoted": "part of a quotation that begins before",
    "reversal": "reverses the sentence before",
    "continuation": "goes on with the sentence before",
    "item": "an item of a list",
}


@kept
def leanings(document: Document) -> list[Leaning | None]:
    """How each sentence leans on others; None for one that stands alone and bounds no other."""
    cues = cues_of(document.language)
    begun = begins_paragraph(document)
    together = {last: first for first, last in quotations(document, begun)}
    readings = _readings(document, cues, begun, together)
    before = _predecessors(document, begun)
    items = {index: unit.start for unit in units(document) for index in unit[1:]}
    bounded = bounds(document)
    found: list[Leaning | None] = []
    last_introduced: dict[str, int] = {}
    nouns = {reading.cue.noun.lower() for reading in readings if reading.cue and reading.cue.noun}
    said = Counter(noun for words in document.words for noun in nouns.intersection(words)) if nouns else Counter[str]()
    for index, reading in enumerate(readings):
        needed = items.get(index, -1) if reading.cue and reading.cue.kind == "item" else before[index]
        if reading.cue and reading.cue.noun:
            bare = reading.cue.kind == "bare" and said[reading.cue.noun.lower()] <= MOST_SAID
            needed = last_introduced.get(reading.cue.noun, needed if bare else -1)
        elif reading.cue and reading.cue.kind in _SAME and cues:
            needed = _named(document, readings, found, index, needed, cues)
        limits = [*range(together.get(index, index), index)]
        if index in bounded:
            limits.append(bounded[index].index)
            if bounded[index].reverses and reading.cue is None:
                reading, needed = Reading(Cue("reversal", ""), *reading[1:]), bounded[index].index
        if cues and nouns:
            last_introduced.update(dict.fromkeys(cues.introduced(document.printed[index]), index))
        found.append(_leaning(reading, needed, tuple(sorted({*limits}, reverse=True))))
    return found


def _readings(document: Document, cues: Cues | None, begun: Sequence[bool], together: dict[int, int]) -> list[Reading]:
    """What each sentence leans by: the structure first, then its words."""
    inside = {index for last, first in together.items() for index in range(first + 1, last + 1)}
    items = {index for unit in units(document) for index in unit[1:]}
    cased = 2 * sum(map(goes_on, document.printed)) < len(document.printed)
    found = []
    for index, printed in enumerate(document.printed):
        reading = read(printed, cues) if cues else Reading()
        asked = index > 0 and is_question(document.printed[index - 1]) and not is_question(printed)
        longest = LONGEST_ANSWER if cues is None or not opens(printed, cues) else LONGEST_ANSWER + 2
        if index in items:
            reading = Reading(Cue("item", ""))
        elif index in inside:
            reading = Reading(Cue("quoted", ""))
        elif cased and goes_on(printed):
            reading = Reading(Cue("continuation", ""))
        elif reading.cue is None and asked and len(document.words[index]) <= longest:
            reading = Reading(Cue("answer", ""))
        elif reading.cue is None and is_quotation(printed):
            reading = Reading(Cue("quotation", ""))
        found.append(reading)
    return found


def _predecessors(document: Document, begun: Sequence[bool]) -> list[int]:
    """For each sentence, the one before it that is no heading, in the same document; −1 if there is none."""
    parts = [document.part_of(sentence.start) for sentence in document.sentences]
    alone = [first and second for first, second in zip(begun, [*begun[1:], True], strict=True)]
    found: list[int] = []
    for index in range(len(parts)):
        previous = index - 1
        while previous > 0 and alone[previous] and not ends(document.printed[previous]) and index - previous < HEADINGS:
            previous -= 1
        found.append(previous if previous >= 0 and parts[previous] == parts[index] else -1)
    return found


def _named(
    document: Document,
    readings: Sequence[Reading],
    found: Sequence[Leaning | None],
    index: int,
    needed: int,
    cues: Cues,
) -> int:
    """Return the sentence that names what a pronoun stands for: not one that only says the same pronoun."""
    cue, other = readings[index].cue, readings[needed].cue if needed >= 0 else None
    if cue is None or other is None or other.kind not in _SAME:
        return needed
    same = cue.words.lower() == other.words.lower() or (cue.kind != "pronoun" and other.kind != "pronoun")
    earlier = found[needed]
    if not same or earlier is None or not earlier.needs or names_somebody(document.printed[needed], cues):
        return needed
    return earlier.needs[0]


def _leaning(reading: Reading, needed: int, limits: tuple[int, ...]) -> Leaning | None:
    cue = reading.cue
    if cue is not None and needed < 0 and cue.kind in _NOUNS:
        cue = None
    if cue is None and not reading.connective:
        return Leaning(bounds=limits) if limits else None
    kind, words = (cue.kind, cue.words) if cue else ("connective", reading.words)
    return Leaning(
        needs=(needed,) if cue and needed >= 0 else (),
        connective=reading.connective,
        reason=_REASONS[kind].format(words),
        unmet=cue is not None and needed < 0,
        bounds=limits,
    )
