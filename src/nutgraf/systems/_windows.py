"""Windows of a document, for a model that reads only so much at a time.

A window begins and ends with a paragraph, as long as paragraphs fit, and may repeat the end of the one before it.
Together the windows hold the whole text: nothing is cut.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, pairwise

from nutgraf.text.document import Document
from nutgraf.text.paragraphs import paragraph_spans
from nutgraf.text.tokenize import Span

SEPARATOR = "\n\n"

JOINT = 2
"""Tokens, at most, of what stands between two paragraphs."""

Count = Callable[[str], int]
"""Number of tokens of a text."""


@dataclass(frozen=True)
class Window:
    """Stretches of a document that a model reads at a time.

    Attributes:
        document: The document.
        spans: Characters of the document, in order.
        text: The text of the stretches; lines within a stretch are joined, so that each keeps its length.
    """

    document: Document
    spans: tuple[Span, ...]

    @property
    def text(self) -> str:
        """The text of the stretches, with lines joined."""
        return SEPARATOR.join(self.document.show(span).replace("\n", " ") for span in self.spans)

    def places(self, spans: Sequence[Span]) -> list[Span]:
        """Return where stretches of the document stand in `text`; those outside of the window are left out."""
        found, at = [], 0
        for first, last in self.spans:
            inside = [(start, end) for start, end in spans if first <= start and end <= last]
            found += [(start - first + at, end - first + at) for start, end in inside]
            at += last - first + len(SEPARATOR)
        return found


def windows(
    document: Document, stretches: Sequence[Span], room: int, overlap: int, count: Count, whole: Sequence[Span] = ()
) -> list[Window]:
    """Divide stretches of a document into windows of about the same size.

    A window has at most `room` tokens, and repeats at most `overlap` of them. No border divides one of the phrases at
    `whole`, unless it alone is too long.
    """
    divide = partial(_divided, document, room=room, count=count, whole=whole)
    blocks = [block for stretch in stretches for block in _blocks(document, stretch, room, count, divide)]
    ends = list(accumulate((count(document.show(block)) + JOINT for block in blocks), initial=0))
    enough = ends[-1] / max(1, -(-ends[-1] // room))
    found: list[Window] = []
    start = 0
    while start < len(blocks):
        repeated = max(ends[start] - overlap, ends[start + 1] - room) if found else ends[start]
        begin, end = min(start, bisect_left(ends, repeated)), start + 1
        while end < len(blocks) and ends[end + 1] - ends[begin] <= room and ends[end] - ends[begin] < enough:
            end += 1
        found.append(Window(document, tuple(blocks[begin:end])))
        start = end
    return found


def _blocks(
    document: Document, stretch: Span, room: int, count: Count, divide: Callable[[Span], Iterator[Span]]
) -> Iterator[Span]:
    """Paragraphs; the sentences of one that is too long; parts of a sentence that is."""
    base = stretch[0]
    starts = [sentence.start for sentence in document.sentences]
    for first, last in paragraph_spans(document.show(stretch)):
        start, end = base + first, base + last
        if count(document.show((start, end))) + JOINT <= room:
            yield start, end
            continue
        inside = starts[bisect_left(starts, start + 1) : bisect_left(starts, end)]
        for sentence in pairwise([start, *inside, end]):
            yield from divide(sentence)


def _divided(document: Document, span: Span, room: int, count: Count, whole: Sequence[Span]) -> Iterator[Span]:
    """Halves of a stretch, where possible at white space and outside of phrases, until they fit."""
    start, end = span
    if end - start < 2 or count(document.show(span)) + JOINT <= room:
        yield span
        return
    inside = [one for one in whole if one[0] < end and start < one[1]]
    border = _border(document.text, start, end, inside)
    yield from _divided(document, (start, border), room, count, inside)
    yield from _divided(document, (border, end), room, count, inside)


def _border(text: str, start: int, end: int, whole: Sequence[Span]) -> int:
    """Return the last white space of the first half; where that lies in a phrase, the end of one that is nearest."""
    middle = (start + end) // 2
    space = text.rfind(" ", start + 1, middle)
    usual = space if space > 0 else middle
    ends = sorted({place for span in whole for place in span}, key=lambda place: abs(place - middle))
    for border in (usual, *ends):
        if start < border < end and not any(first < border < last for first, last in whole):
            return border
    return usual
