"""A text of headings and paragraphs becomes a Document: shared by the formats that have both."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from nutgraf.readers._decode import LIMIT, too_long
from nutgraf.text.clean import clean
from nutgraf.text.document import Document, Section
from nutgraf.text.tokenize import Span

GAP = "\n\n"
"""What stands between blocks, so that no sentence runs from one into the next."""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a list item, a row of a table, or a heading.

    pages: where in `text` a page begins, for formats that have pages.
    """

    text: str
    heading: bool = False
    pages: tuple[int, ...] = ()


def compose(blocks: Iterable[Block], name: str, language: str | None, notices: Iterable[str] = ()) -> Document:
    """The blocks one after the other, a blank line between them.

    Headings stand in the text and name its Sections, but they are no sentences: a summary is not made of them, unless
    there is nothing else.
    """
    kept, said = _within_limit(blocks, name)
    starts = _starts(kept)
    text = GAP.join(block.text for block in kept)
    document = Document.of(
        text,
        name,
        language=language,
        sections=_sections(kept, starts, len(text)),
        pages=[start + page for block, start in zip(kept, starts, strict=True) for page in block.pages],
        notices=[*notices, *said],
    )
    headings = [(start, start + len(block.text)) for block, start in zip(kept, starts, strict=True) if block.heading]
    return _without_headings(document, headings)


def _within_limit(blocks: Iterable[Block], name: str) -> tuple[list[Block], list[str]]:
    kept: list[Block] = []
    size = 0
    for block in blocks:
        block = replace(block, text=clean(block.text))
        if not block.text.strip():
            continue
        size += len(block.text) + len(GAP)
        if size > LIMIT:
            return kept, [too_long(name)]
        kept.append(block)
    return kept, []


def _starts(blocks: Iterable[Block]) -> list[int]:
    starts, at = [], 0
    for block in blocks:
        starts.append(at)
        at += len(block.text) + len(GAP)
    return starts


def _sections(blocks: Sequence[Block], starts: Sequence[int], end: int) -> list[Section]:
    """What stands below each heading, and above the first; headings with nothing below them name no Section."""
    if not any(block.heading for block in blocks):
        return []
    sections: list[Section] = []
    title, begin = "", None
    for block, start in zip(blocks, starts, strict=True):
        if block.heading:
            if begin is not None:
                sections.append(Section(title, begin, start - len(GAP)))
            title, begin = " ".join(block.text.split()), None
        elif begin is None:
            begin = start
    if begin is not None:
        sections.append(Section(title, begin, end))
    return sections


def _without_headings(document: Document, headings: Sequence[Span]) -> Document:
    starts = [start for start, _ in headings]

    def in_heading(offset: int) -> bool:
        before = bisect.bisect_right(starts, offset) - 1
        return before >= 0 and offset < headings[before][1]

    body = tuple(sentence for sentence in document.sentences if not in_heading(sentence.start))
    return replace(document, sentences=body) if body else document
