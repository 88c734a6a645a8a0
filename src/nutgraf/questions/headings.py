"""Headings above the sentences of a document."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from nutgraf.prose.dependence.structure import ends
from nutgraf.text.document import Document, kept

LONGEST_HEADING = 12
"""Words of a line without an end mark that is taken for a heading."""


class Headings:
    """The heading above each sentence: the name of its section, and the last line before it without an end mark."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._starts = [section.start for section in document.sections]
        printed = document.printed
        self._lines = [
            index
            for index, text in enumerate(printed)
            if not ends(text) and len(text.split()) <= LONGEST_HEADING and text[:1] not in "-*•–"
        ]

    def section(self, index: int) -> str:
        """Return the name of the section of a sentence; "" for none."""
        start = self._document.sentences[index].start
        at = bisect_right(self._starts, start) - 1
        return self._document.sections[at].name if at >= 0 and start < self._document.sections[at].end else ""

    def nearness(self, index: int) -> float:
        """Return how near a sentence is to the heading above it: 1 for the first one below it."""
        sentences = self._document.sentences
        first = -1
        if (at := bisect_right(self._starts, sentences[index].start) - 1) >= 0:
            first = bisect_left(sentences, self._starts[at], key=lambda one: one.start) - 1
        if (line := bisect_right(self._lines, index - 1) - 1) >= 0:
            first = max(first, self._lines[line])
        return 1 / max(1, index - first)

    def above(self, index: int) -> str:
        """Return the words of the headings above a sentence; "" for none."""
        document, found = self._document, []
        start = document.sentences[index].start
        if (at := bisect_right(self._starts, start) - 1) >= 0 and start < document.sections[at].end:
            found.append(document.sections[at].name)
        if (line := bisect_right(self._lines, index - 1) - 1) >= 0 and index - self._lines[line] <= 10:
            found.append(document.printed[self._lines[line]])
        return " ".join(found)


@kept
def headings(document: Document) -> Headings:
    """Return the headings of a document."""
    return Headings(document)
