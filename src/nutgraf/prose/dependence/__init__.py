"""Which sentences of a document depend on others, so that no summary has one without what it leans on.

A sentence leans on an earlier one by its words, or by the structure of the text. By words in eight languages:
`cues.py` knows the kinds of cue, and a file for each language its words. By structure in all languages:
`structure.py` knows quotations, answers and what goes on, `units.py` lists. `antecedents.py` finds the earlier
sentence, and `bounds.py` looks into the other direction: what reverses or restricts an earlier statement.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from nutgraf.prose.dependence.antecedents import NOWHERE, Antecedents
from nutgraf.prose.dependence.bounds import bounds
from nutgraf.prose.dependence.cues import Cue, Cues, Reading, cues_of, opens, read
from nutgraf.prose.dependence.leaning import Leaning as Leaning
from nutgraf.prose.dependence.names import namesakes
from nutgraf.prose.dependence.structure import (
    LONGEST_ANSWER,
    begins_paragraph,
    goes_on,
    is_cased,
    is_question,
    is_quotation,
    quotations,
)
from nutgraf.prose.dependence.units import units as units
from nutgraf.prose.opening import opening
from nutgraf.text.document import Document, kept

_NOUNS = frozenset({"definite", "given", "bare"})
"""Kinds of cue that are nouns: where no sentence says which one is meant, they stand for what everybody knows."""

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
    "given": "“{}” was introduced before",
    "bare": "“{}” does not say which one",
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
    together = {last: first for first, last in quotations(document, begins_paragraph(document))}
    bounded = bounds(document)
    readings = _readings(document, cues, together)
    for index, bound in bounded.items():
        if bound.reverses and readings[index].cue is None:
            readings[index] = readings[index]._replace(cue=Cue("reversal", ""))
    antecedents = Antecedents(document, readings, cues)
    found: list[Leaning | None] = []
    for index, reading in enumerate(readings):
        limits = {*range(together.get(index, index), index)}
        if index in bounded:
            limits.add(bounded[index].sentence)
        leaning = _leaning(reading, antecedents.next(reading.cue), tuple(sorted(limits, reverse=True)))
        if leaning and leaning.needs and reading.cue and reading.cue.kind == "person":
            leaning = replace(leaning, others=namesakes(document, index, leaning.needs[0]))
        found.append(leaning)
    if opened := opening(document):
        found[opened.topic] = None  # it is said to somebody who knows nothing yet
    return found


def _readings(document: Document, cues: Cues | None, together: Mapping[int, int]) -> list[Reading]:
    """What each sentence leans by: the structure, or its words.

    Args:
        document: The text.
        cues: The words of its language.
        together: First sentence of each quotation of several sentences, by the last one.
    """
    quoted = {index for last, first in together.items() for index in range(first + 1, last + 1)}
    items = {index for unit in units(document) for index in unit[1:]}
    cased = is_cased(document)
    found = []
    for index, printed in enumerate(document.printed):
        kind = "item" if index in items else "quoted" if index in quoted else ""
        if not kind and cased and goes_on(printed):
            kind = "continuation"
        reading = read(printed, cues) if cues and not kind else Reading()
        if not kind and reading.cue is None:
            kind = "answer" if _answers(document, index, cues) else "quotation" if is_quotation(printed) else ""
        found.append(reading._replace(cue=Cue(kind, "")) if kind else reading)
    return found


def _answers(document: Document, index: int, cues: Cues | None) -> bool:
    """Return True if a sentence is nothing but an answer: short, and shorter yet if it may have a subject."""
    if not index or not is_question(document.printed[index - 1]) or is_question(document.printed[index]):
        return False
    longest = LONGEST_ANSWER + 2 if cues and opens(document.printed[index], cues) else LONGEST_ANSWER
    return len(document.words[index]) <= longest


def _leaning(reading: Reading, needed: int, bounded: tuple[int, ...]) -> Leaning | None:
    cue = reading.cue
    if cue and needed == NOWHERE and cue.kind in _NOUNS:
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
