"""The outline of a PDF: its bookmarks as headings of the Document, with their levels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from nutgraf.text.document import Document, Heading

if TYPE_CHECKING:
    from pypdf import PdfReader

MOST, DEEPEST = 20_000, 12
"""Maximum number of bookmarks that are read, and levels of them."""

LONGEST_TITLE, MOST_SEARCHED = 300, 1 << 25
"""Maximum number of characters of a title, and of those in which titles are looked for."""

FEWEST = 2
"""Bookmarks with titles that stand on their pages, from which they are the headings of a file."""


class Bookmark(NamedTuple):
    """A title, its level from 1 on, and the number of its page from 0 on."""

    title: str
    level: int
    page: int


def with_bookmarks(document: Document, reader: PdfReader) -> Document:
    """Return a document with its file's bookmarks as headings, if most of their titles stand on their pages."""
    found = list(_bookmarks(reader))
    if len(found) < FEWEST or not document.pages:
        return document
    headings = list(_placed(document, found))
    written = sum(one.end > one.start for one in headings)
    if written < FEWEST or 2 * written < len(headings):
        return document
    return replace(document, headings=tuple(headings))


def _bookmarks(reader: PdfReader) -> Iterator[Bookmark]:
    """Yield the bookmarks in their order; those without a page or a title are left out."""
    try:
        outline: Sequence[Any] = reader.outline
        references = [page.indirect_reference for page in reader.pages]
        numbers = {one.idnum: number for number, one in enumerate(references) if one is not None}
    except Exception:  # a damaged outline, or one that turns in a circle: the pages have been read all the same
        return
    waiting = [iter(outline)]
    for _ in range(MOST):
        if not waiting:
            return
        entry = next(waiting[-1], None)
        if entry is None:
            waiting.pop()
        elif isinstance(entry, list):
            if len(waiting) < DEEPEST:
                waiting.append(iter(entry))
        else:
            title, page = " ".join(str(entry.title or "")[:LONGEST_TITLE].split()), getattr(entry.page, "idnum", None)
            if title and page in numbers:
                yield Bookmark(title, len(waiting), numbers[page])


def _placed(document: Document, found: Sequence[Bookmark]) -> Iterator[Heading]:
    """Yield the bookmarks as headings, in order, where their titles stand, or where their pages begin."""
    at = searched = 0
    for one in found:
        if one.page >= len(document.pages):
            return
        start = max(at, document.pages[one.page])
        end = document.pages[one.page + 1] if one.page + 1 < len(document.pages) else len(document.text)
        searched += max(0, end - start)
        looked = searched <= MOST_SEARCHED
        found_at = _written(one.title, document.text, start, max(start, end)) if looked else None
        span = found_at.span("title") if found_at else (start, start)
        at = span[1]
        yield Heading(" ".join(document.text[slice(*span)].split()) or one.title, *span, one.level)


def _written(title: str, text: str, start: int, end: int) -> re.Match[str] | None:
    """Return where a title begins a line, perhaps with its number before it; else where its words stand as they are."""
    words = re.findall(r"\w+", title)
    spelled = r"\W{0,9}".join(map(re.escape, words)) if words else re.escape(title)
    numbered = r"(?:(?-i:[\dIVX]{1,4}|[A-Z])[. ]{1,2}){0,4}"
    line = re.compile(rf"^[^\S\n]*(?P<title>{numbered}{spelled}[.:?!]?)(?!\w)", re.IGNORECASE | re.MULTILINE)
    amid = re.compile(rf"(?<!\S)(?P<title>{spelled}[.:?!]?)(?=\s+[A-ZÀ-Þ\d(]|\s*$)")
    return line.search(text, start, end) or (amid.search(text, start, end) if len(words) > 1 else None)
