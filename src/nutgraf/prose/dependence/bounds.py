"""What reverses or restricts an earlier statement, and so should stand in a summary that has it.

A reversal says that the sentence before is wrong, or holds no longer: "A trial now shows that the opposite is right".
An exception says to whom a rule does not apply: "No permit is required …" behind "Whoever builds a house needs a
permit". Both are known by their words, in English, German, French and Spanish. A reversal says what it reverses by
standing behind it. What an exception restricts is the nearest rule of the same section, a few sentences before, that it
shares words with.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from nutgraf.prose.dependence.cues import cues_of
from nutgraf.text.document import Document

REACH = 6
"""Maximum number of sentences from an exception back to its rule."""

SHARED = 2
"""Minimum number of terms that an exception shares with its rule."""


class Bound(NamedTuple):
    """The earlier sentence that a sentence reverses or restricts.

    Attributes:
        sentence: Index of the earlier sentence.
        reverses: True if it is reversed, so that what is said of it cannot be understood without it.
    """

    sentence: int
    reverses: bool


@dataclass(frozen=True)
class _Words:
    """The words of a language for what reverses or restricts a statement: patterns, and words of which each has one."""

    written: dict[str, str]

    @cached_property
    def of_exceptions(self) -> frozenset[str]:
        return frozenset(self.written["exception_words"].split())

    @cached_property
    def of_reversals(self) -> frozenset[str]:
        return frozenset(self.written["reversal_words"].split())

    def matches(self, kind: str, text: str) -> bool:
        """Return True if a text is a rule, an exception or a reversal; patterns are compiled when first needed."""
        pattern = "|".join(self.written[kind].strip().splitlines())
        return re.search(pattern, text.replace("’", "'"), re.IGNORECASE) is not None


@cache
def _words(language: str) -> _Words | None:
    cues = cues_of(language)
    return _Words(cues.written["bounds"]) if cues and "bounds" in cues.written else None


def bounds(document: Document) -> dict[int, Bound]:
    """For each sentence that reverses or restricts an earlier one, this."""
    words = _words(document.language)
    if words is None:
        return {}
    places = _places(document)
    found = {}
    for index, own in enumerate(document.words):
        bound = _bound(document, index, own, words, places) if index else None
        if bound:
            found[index] = bound
    return found


def _bound(
    document: Document, index: int, own: Sequence[str], words: _Words, places: Sequence[tuple[int, int]]
) -> Bound | None:
    said = document.printed[index]
    if not words.of_reversals.isdisjoint(own) and words.matches("reversal", said):
        return Bound(index - 1, True) if places[index - 1] == places[index] else None
    if words.of_exceptions.isdisjoint(own) or not words.matches("exception", said):
        return None
    for earlier in range(index - 1, max(-1, index - 1 - REACH), -1):
        if places[earlier] != places[index]:
            break
        if words.matches("rule", document.printed[earlier]) and _shared(document, earlier, index) >= SHARED:
            return Bound(earlier, False)
    return None


def _places(document: Document) -> list[tuple[int, int]]:
    """Document and section of each sentence."""
    sections = [section.start for section in document.sections]
    starts = [sentence.start for sentence in document.sentences]
    return [(document.part_of(start), bisect.bisect_right(sections, start)) for start in starts]


def _shared(document: Document, first: int, second: int) -> int:
    return len(set(document.terms[first]) & set(document.terms[second]))
