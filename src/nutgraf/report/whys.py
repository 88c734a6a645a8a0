"""Why a sentence is in a summary, and where it comes from, in plain words for its reader."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from nutgraf.report.sources import names_of
from nutgraf.text.document import Document
from nutgraf.text.paragraphs import paragraph_spans
from nutgraf.text.summary import Origin, Summary, SummarySentence
from nutgraf.text.tokenize import Span, flatten

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
"""Numbers of paragraphs that are written as words."""

SHARES: Mapping[str, str] = {
    "topics": "keeps to the main topics of the text",
    "keywords": "has many key words of the text",
    "redundancy": "says what other sentences say, too",
}
"""What the greatest share of a rating says about a sentence, by the name of the share."""


def reasons_of(sentence: SummarySentence) -> tuple[str, ...]:
    """Return why a sentence was chosen: what its system says, or else what weighed most in its rating."""
    if sentence.reasons:
        return sentence.reasons
    best = max(sentence.shares.items(), key=lambda share: share[1], default=("", 0.0))
    return (SHARES[best[0]],) if best[1] > 0 and best[0] in SHARES else ()


def carried(summary: Summary, sentence: SummarySentence) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the phrases that a sentence carries: those that the user asked for, and the others."""
    found = summary.phrases_in(sentence)
    asked = tuple(phrase for phrase in found if phrase in summary.highlights)
    return asked, tuple(phrase for phrase in found if phrase not in summary.highlights)


class Paragraphs:
    """Places in a document, in words. A heading is no paragraph, nor is a line without an end mark among others."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def place(self, origin: Origin) -> str:
        """Return the paragraph of an origin: "second paragraph", "paragraph 14 of 41"; "" where there is only one."""
        starts, start = self._starts[origin.source], self._start(origin)
        number, count = bisect_right(starts, start), len(starts)
        if count < 2 or number < 1 or self._paragraph(start) not in starts:
            return ""
        if number <= len(ORDINALS):
            return f"{ORDINALS[number - 1]} paragraph"
        return "last paragraph" if number == count else f"paragraph {number} of {count}"

    def section(self, origin: Origin) -> str:
        """Return the heading above an origin; "" if there is none."""
        start = self._start(origin)
        around = [one for one in self._document.sections if one.start <= start < one.end and one.name]
        return flatten(max(around, key=lambda one: one.start).name) if around else ""

    def _start(self, origin: Origin) -> int:
        return self._document.parts[origin.source].start + origin.start

    def _paragraph(self, start: int) -> int:
        """Where the paragraph begins that a character lies in."""
        return self._begins[max(0, bisect_right(self._begins, start) - 1)]

    @cached_property
    def _begins(self) -> list[int]:
        return [begin for begin, _ in self._spans]

    @cached_property
    def _spans(self) -> list[Span]:
        """All paragraphs with a sentence, and headings."""
        text = self._document.text
        return [
            (part.start + start, part.start + end)
            for part in self._document.parts
            for start, end in paragraph_spans(text[part.start : part.end])
        ]

    @cached_property
    def _starts(self) -> list[list[int]]:
        """Where the paragraphs of each part begin."""
        return [
            self._counted([one for one in self._spans if part.start <= one[0] < part.end])
            for part in self._document.parts
        ]

    def _counted(self, spans: Sequence[Span]) -> list[int]:
        sentences = [sentence.start for sentence in self._document.sentences]
        prose = [(start, end) for start, end in spans if bisect_left(sentences, start) < bisect_left(sentences, end)]
        ended = [start for start, end in prose if not self._document.text[start:end].rstrip()[-1].isalnum()]
        # Some languages have no end marks.
        return ended if 2 * len(ended) >= len(prose) else [start for start, _ in prose]


def places_in_words(summary: Summary) -> Callable[[Origin], str]:
    """Return what says a place in words: source, page, and paragraph, or the characters where there is only one."""
    names, paragraphs = names_of(summary.document), Paragraphs(summary.document)

    def place(origin: Origin) -> str:
        paragraph = paragraphs.place(origin)
        return f"{names[origin.source]}{summary.where(origin)}, {paragraph}" if paragraph else summary.place(origin)

    return place
