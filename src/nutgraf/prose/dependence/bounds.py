"""What reverses or restricts an earlier statement, and so should stand in a summary that has it.

A reversal says that the sentence before is wrong, or holds no longer: "A trial now shows that the opposite is right". An
exception says to whom a rule does not apply: "No permit is required …" behind "Whoever builds a house needs a permit".
Both are known by their words, in English, German, French and Spanish. A reversal says what it reverses by standing
behind it. What an exception restricts is the nearest rule of the same section, a few sentences before, that it shares
words with.
"""

from __future__ import annotations

import bisect
from typing import NamedTuple

from nutgraf.prose.dependence.cues import Bounds, cues_of
from nutgraf.text.document import Document

REACH = 6
"""Maximum number of sentences from an exception back to its rule."""

SHARED = 2
"""Minimum number of terms that an exception shares with its rule; a reversal that names no opposite shares one."""


class Bound(NamedTuple):
    """The earlier sentence that a sentence reverses or restricts.

    Attributes:
        index: Index of the earlier sentence.
        reverses: True if it is reversed, so that what is said of it cannot be understood without it.
    """

    index: int
    reverses: bool


def bounds(document: Document) -> dict[int, Bound]:
    """For each sentence that reverses or restricts an earlier one, this."""
    cues = cues_of(document.language)
    words = cues.bounds if cues else None
    if words is None:
        return {}
    found = {}
    for index, own in enumerate(document.words):
        if index and not words.words.isdisjoint(own):
            bound = _bounded(document, index, words)
            if bound:
                found[index] = bound
    return found


def _bounded(document: Document, index: int, words: Bounds) -> Bound | None:
    said = document.printed[index].replace("’", "'")
    if words.reversal.search(said) and _together(document, index - 1, index):
        return Bound(index - 1, True)
    if words.exception.search(said):
        for earlier in range(index - 1, max(-1, index - 1 - REACH), -1):
            if not _together(document, earlier, index):
                break
            if words.rule.search(document.printed[earlier]) and _shared(document, earlier, index) >= SHARED:
                return Bound(earlier, False)
    return None


def _together(document: Document, first: int, second: int) -> bool:
    """Return True if two sentences stand in the same document and section."""
    start, end = document.sentences[first].start, document.sentences[second].start
    if document.part_of(start) != document.part_of(end):
        return False
    starts = [section.start for section in document.sections]
    return bisect.bisect_right(starts, start) == bisect.bisect_right(starts, end)


def _shared(document: Document, first: int, second: int) -> int:
    return len(set(document.terms[first]) & set(document.terms[second]))
