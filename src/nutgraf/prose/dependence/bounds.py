"""Sentences that reverse or restrict an earlier statement, and so should stand in a summary that has it.

A reversal says that the sentence before is wrong, or holds no longer: "A trial now shows that the opposite is right".
An exception says to whom a rule does not apply: "No permit is required …" behind "Whoever builds a house needs a
permit". Both are known by their words, in English, German, French and Spanish. A reversal says what it reverses by
standing behind it. What an exception restricts is the nearest rule of the same section, a few sentences before, that it
shares words with.
"""

from __future__ import annotations

import bisect
import re
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


class Bounds:
    """Finds what the sentences of a document reverse or restrict."""

    def __init__(self, document: Document) -> None:
        self._document, self._words = document, _words(document.language)
        self._sections = [section.start for section in document.sections]

    def of(self, index: int) -> Bound | None:
        """The earlier sentence that a sentence reverses or restricts, if it does."""
        words = self._words
        if words is None or not index:
            return None
        own, said = self._document.words_of(index), self._document.printed[index]
        if not words.of_reversals.isdisjoint(own) and words.matches("reversal", said):
            return Bound(index - 1, True) if self._place(index - 1) == self._place(index) else None
        if words.of_exceptions.isdisjoint(own) or not words.matches("exception", said):
            return None
        for earlier in range(index - 1, max(-1, index - 1 - REACH), -1):
            if self._place(earlier) != self._place(index):
                break
            if words.matches("rule", self._document.printed[earlier]) and self._shared(earlier, index) >= SHARED:
                return Bound(earlier, False)
        return None

    def _place(self, index: int) -> tuple[int, int]:
        """Document and section of a sentence."""
        start = self._document.sentences[index].start
        return self._document.part_of(start), bisect.bisect_right(self._sections, start)

    def _shared(self, *indices: int) -> int:
        first, second = self._document.terms_of(map(self._document.words_of, indices))
        return len(set(first) & set(second))
