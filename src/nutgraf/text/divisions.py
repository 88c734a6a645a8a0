"""The parts of a document that can be summarized one by one: sections, speakers, messages, documents or pages."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple, get_args

from nutgraf.errors import InputError
from nutgraf.text.document import Document, Section
from nutgraf.text.gutenberg import book_span
from nutgraf.text.headings import find_headings, is_line, is_matter
from nutgraf.text.tokenize import Span, flatten

By = Literal["section", "speaker", "message", "document", "page"]

KINDS: tuple[By, ...] = get_args(By)

UNKNOWN = "Unknown speaker"
"""Title of what somebody says who is not named."""


class Division(NamedTuple):
    """A part of a document: its title, its level, and where its own text stands.

    Attributes:
        title: Its title; "" for what stands before the first heading.
        level: Level, 1 for the outermost.
        start: First character of its heading, or of its text.
        spans: Stretches of its text, without those of the parts in it.
        numbered: True if it has a number, by which people refer to it.
    """

    title: str
    level: int
    start: int
    spans: tuple[Span, ...]
    numbered: bool = False


class Divisions(NamedTuple):
    """The title of a document, "" if it has none, and its parts in the order of the text."""

    title: str
    parts: tuple[Division, ...]


def check_by(name: str) -> By:
    """Return the kind of parts of this name. Raises InputError if there is none."""
    found = next((kind for kind in KINDS if kind == name), None)
    if found is None:
        raise InputError(f"No parts {name!r}; a document has parts by {', '.join(KINDS)}.")
    return found


def check_depth(depth: int | None) -> int | None:
    """Return the deepest level of an outline. Raises InputError if it is no whole number from 1 on."""
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int) or depth < 1):
        raise InputError(f"The depth of an outline is a whole number from 1 on, not {depth!r}.")
    return depth


def divide(document: Document, by: By) -> Divisions:
    """Return the parts of a document; it has none where there are fewer than two.

    Args:
        document: The text.
        by: "section" for chapters, articles and whatever else has a heading; "speaker" and "message" of a transcript;
            "document", if several were joined; "page".
    """
    found = _DIVIDERS[check_by(by)](document)
    return found if len(found.parts) > 1 else found._replace(parts=())


def _by_section(document: Document) -> Divisions:
    """Sections by their headings; each of several documents is a part of level 1, with its sections in it."""
    if len(document.parts) == 1:
        return _sections_in(document, document.parts[0])
    found: list[Division] = []
    for number, part in enumerate(document.parts, 1):
        own = _sections_in(document, part)
        before = [one for one in own.parts[:1] if not one.title]
        spans = before[0].spans if before else () if own.parts else ((part.start, part.end),)
        found.append(Division(part.name or own.title or f"Document {number}", 1, part.start, spans))
        found += [one._replace(level=one.level + 1) for one in own.parts[len(before) :]]
    return Divisions("", tuple(found))


def _sections_in(document: Document, part: Section) -> Divisions:
    headings, begin = find_headings(document, part)
    starts = [sentence.start for sentence in document.sentences]

    def filled(start: int, end: int) -> bool:
        return bisect_left(starts, start) < bisect_left(starts, end)

    ends = [*(one.start for one in headings[1:]), part.end]
    parts = [
        Division(one.title, one.level, one.start, ((one.end, end),), one.numbered)
        for one, end in zip(headings, ends, strict=False)
        if not is_matter(one.title)
    ]
    parts = list(_closed(parts))
    first = headings[0].start if headings else part.end
    title, end = (
        _first_line(document.text, part.start + book_span(document.show(part))[0], first) if parts else ("", begin)
    )
    begin = max(begin, end)
    preceded = any(
        not is_line(document.show(one))
        for one in document.sentences[bisect_left(starts, begin) : bisect_left(starts, first)]
    )
    own, parts = _without_title(parts, lambda one: any(filled(*span) for span in one.spans), preceded)
    if parts and preceded:
        parts.insert(0, Division("", 1, begin, ((begin, first),)))
    return Divisions(title or own, tuple(parts))


def _closed(parts: Sequence[Division]) -> Iterator[Division]:
    """Yield parts with levels without gaps, as where what was around a part has been left out."""
    path: list[int] = []
    for one in parts:
        while path and path[-1] >= one.level:
            path.pop()
        path.append(one.level)
        yield one._replace(level=len(path))


def _first_line(text: str, begin: int, end: int) -> tuple[str, int]:
    """Return the line before the first heading that is the title, and where what follows it begins."""
    line = text[begin:end].lstrip().partition("\n")[0]
    if not is_line(line) or not line.strip(" *#_="):
        return "", begin
    return flatten(line).strip(" *#_="), text.index(line, begin) + len(line)


def _without_title(
    parts: list[Division], filled: Callable[[Division], bool], preceded: bool
) -> tuple[str, list[Division]]:
    """Take the title off the parts: a heading above all others, or those of a title page, which have no text."""
    title = ""
    if preceded:
        return title, parts
    while len(parts) > 1 and parts[1].level <= parts[0].level and not parts[0].numbered and not filled(parts[0]):
        title = title or parts[0].title
        parts = parts[1:]
    if len(parts) > 1 and all(one.level > parts[0].level for one in parts[1:]):
        root, rest = parts[0], [one._replace(level=one.level - 1) for one in parts[1:]]
        return title or root.title, ([root._replace(title="")] if filled(root) else []) + rest
    return title, parts


def _by_speaker(document: Document) -> Divisions:
    spoken: dict[str, list[Span]] = {}
    for turn in document.turns:
        spoken.setdefault(turn.name, []).append((turn.start, turn.end))
    return Divisions(
        "", tuple(Division(name or UNKNOWN, 1, spans[0][0], tuple(spans)) for name, spans in spoken.items())
    )


def _by_message(document: Document) -> Divisions:
    """Messages and turns; of several documents without speakers each is a message."""
    if not document.turns:
        return _by_document(document)
    return Divisions("", tuple(_of_spans(document.turns)))


def _by_document(document: Document) -> Divisions:
    return Divisions("", tuple(_of_spans(document.parts)) if len(document.parts) > 1 else ())


def _of_spans(spans: Sequence[Section]) -> Iterator[Division]:
    for number, one in enumerate(spans, 1):
        yield Division(one.name or f"{number}", 1, one.start, ((one.start, one.end),))


def _by_page(document: Document) -> Divisions:
    """Pages, each with the sentences that begin on it; those of one among several documents are named by it, too."""
    starts = [sentence.start for sentence in document.sentences]
    parts = []
    for number, start in enumerate(document.pages):
        owner = document.parts[document.part_of(start)]
        end = min([*document.pages[number + 1 : number + 2], owner.end])
        first, last = bisect_left(starts, start), bisect_left(starts, end)
        name = f"{owner.name}, page" if len(document.parts) > 1 and owner.name else "Page"
        if first < last:
            parts.append(Division(f"{name} {document.page_of(start)}", 1, start, ((starts[first], end),), True))
    return Divisions("", tuple(parts))


_DIVIDERS: dict[By, Callable[[Document], Divisions]] = {
    "section": _by_section,
    "speaker": _by_speaker,
    "message": _by_message,
    "document": _by_document,
    "page": _by_page,
}
