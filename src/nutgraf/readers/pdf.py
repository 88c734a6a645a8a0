"""PDF: the text of its pages as it runs on, without running heads and page numbers; words broken at line ends are
joined."""

from __future__ import annotations

import io
import logging
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nutgraf.errors import InputError
from nutgraf.presets.family import NoOptions
from nutgraf.readers import Reader
from nutgraf.readers._blocks import compose
from nutgraf.readers._decode import LIMIT
from nutgraf.text.blocks import Block
from nutgraf.text.clean import clean
from nutgraf.text.document import Document

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

EDGE = 3
"""Lines at the top and at the bottom of a page among which running heads and page numbers are looked for."""

REPEATED = 0.3
"""A line at the edge of at least this share of the pages, and of two pages, is a running head."""

MOST_CONTENT = 48 << 20
"""Bytes of drawing instructions that are read of all pages: a large book has half of that, and reading them takes a
minute. `MOST_CONTENT_OF_PAGE` of one page: a page with more is a map or a plot."""

MOST_CONTENT_OF_PAGE = 16 << 20

_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})
_PAGE_NUMBER = re.compile(
    r"\W*(?:page\s+)?(?:\d{1,4}|x{0,3}(?:ix|iv|v?i{1,3}|v|x))(?:\s*(?:of|/)\s*\d{1,4})?\W*", re.IGNORECASE
)
_HYPHENS = "-\u2010\u00ad"
_BROKEN = re.compile(rf"\b(\w+)[{_HYPHENS}]$")
_COMPOUND = re.compile(r"\b\w+-\w+")
_ENDED = re.compile(r"[.!?…:][\"'”’»)\]]*$")
_NUMBERED = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})*\.?|[IVX]{1,4}\.|[A-H]\.)\s+[A-Z][a-z]")
_CAPITALS = re.compile(r"(?:[\dIVX]{1,4}\.\s+)?[^\W\da-z]{2}[^a-z{}<>=]*")
_BULLET = re.compile(r"[•‣▪◦]\s")
_ITEM = re.compile(r"(?:[*–-]|\(?[a-z\d]{1,2}[.)])\s|\d{1,2}(?:\.\d{1,2})*\.?\s+[A-Z]")
_LEADERS = re.compile(r"(?:\.\s?){4}\d{1,4}$")
_COMMON_HEADINGS = {
    "abstract", "acknowledgements", "acknowledgments", "appendix", "background", "conclusion", "conclusions",
    "discussion", "introduction", "methods", "references", "related work", "results", "summary",
}  # fmt: skip


class Pdf(Reader):
    """One Document with pages; a sentence may run from one page to the next."""

    suffixes = (".pdf",)

    def __init__(self, config: NoOptions | None = None) -> None:
        pass

    def recognizes(self, data: bytes, suffix: str) -> float:
        return 1.0 if b"%PDF-" in data[:1024] else 0.0

    def read(self, data: bytes, name: str, language: str | None = None) -> list[Document]:
        reader = _open(data, name)
        pages = [_lines(text) for text in _page_texts(reader)]
        empty = sum(not page for page in pages)
        notices = []
        if empty:
            notices.append(f"{name}: {empty} of {len(pages)} pages hold no text that could be read.")
        if len(pages) < len(reader.pages):
            notices.append(
                f"{name}: only the first {len(pages)} of {len(reader.pages)} pages were read, for no more than "
                f"{LIMIT:,} characters and {MOST_CONTENT >> 20} MB of drawing instructions are read of one file; "
                "split it."
            )
        if empty == len(pages) and len(pages) < len(reader.pages):
            raise InputError(notices[-1])
        if empty == len(pages):
            raise InputError(
                f"{name} holds no text, only pictures of its pages; recognize their text first "
                f"(ocrmypdf {name} with_text.pdf would do)."
            )
        return [compose(_paragraphs(_without_frames(pages)), name, language, notices)]


def _open(data: bytes, name: str) -> PdfReader:
    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise InputError(f"{name} is protected by a password; save a copy without one.")
        len(reader.pages)
    except InputError:
        raise
    except pypdf.errors.DependencyError as error:
        raise InputError(f"{name} is encrypted; to read it: pip install cryptography.") from error
    except Exception as error:  # whatever a parser trips over, the file is damaged
        raise InputError(f"{name} is a damaged PDF ({error}).") from error
    return reader


def _page_texts(reader: PdfReader) -> Iterator[str]:
    """The texts of the pages, up to the limits of what is read."""
    size = content = 0
    for page in reader.pages:
        own = _content_size(page)
        content += own
        if size > LIMIT or content > MOST_CONTENT:
            return
        text = "" if own > MOST_CONTENT_OF_PAGE else _text(page)
        yield text
        size += len(text)


def _content_size(page: PageObject) -> int:
    """Bytes of a page's drawing instructions, unpacked; 0 where they cannot be unpacked."""
    try:
        content = page.get_contents()
        return 0 if content is None else len(content.get_data())
    except Exception:
        return 0


def _text(page: PageObject) -> str:
    """A page's text; "" for a damaged page, which is then counted among the unreadable ones."""
    try:
        return clean(page.extract_text())
    except Exception:
        return ""


def _lines(text: str) -> list[str]:
    """The lines of a page, from its first to its last that is not blank; entries of a table of contents, dots leading
    to a number, become blank."""
    lines = [" ".join(line.split()).translate(_LIGATURES) for line in text.split("\n")]
    lines = ["" if _LEADERS.search(line) else line for line in lines]
    filled = [index for index, line in enumerate(lines) if line]
    return lines[filled[0] : filled[-1] + 1] if filled else []


def _without_frames(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """The pages without their running heads and feet, and without page numbers.

    A running head comes again at the edge of many pages; or it is the outermost line of two pages, the same but for a
    number in it, as the title of a chapter beside the page's number.
    """
    near = Counter(key for page in pages for key in {_key(line) for line in (*page[:EDGE], *page[-EDGE:])})
    outermost = Counter(_key(line) for page in pages for line in (*page[:1], *page[1:][-1:]))
    frames = {key for key, count in near.items() if count >= max(2, REPEATED * len(pages))}
    frames |= {key for key, count in outermost.items() if count >= 2 and "#" in key}

    def top(page: Sequence[str]) -> int:
        return _frame(page[:EDGE], frames)

    inner = [list(page[top(page) : len(page) - top(page[::-1])]) for page in pages]
    # Pages that are alike altogether (forms, slides) have no frame.
    return inner if 2 * _size(inner) >= _size(pages) else [list(page) for page in pages]


def _size(pages: Sequence[Sequence[str]]) -> int:
    return sum(len(line) for page in pages for line in page)


def _frame(edge: Sequence[str], frames: set[str]) -> int:
    """How many of these lines, from the outermost on, are no text of the page."""
    for index, line in enumerate(edge):
        if line and _key(line) not in frames and not _PAGE_NUMBER.fullmatch(line):
            return index
    return len(edge)


def _key(line: str) -> str:
    """A line with its numbers made equal: running heads often hold the page's."""
    return re.sub(r"\d+", "#", line.casefold())


@dataclass
class _Paragraph:
    """Lines as they are joined."""

    heading: bool = False
    pieces: list[str] = field(default_factory=list)
    pages: list[int] = field(default_factory=list)
    length: int = 0

    def add(self, text: str) -> None:
        self.pieces.append(text)
        self.length += len(text)

    def drop_hyphen(self) -> None:
        self.pieces[-1] = self.pieces[-1][:-1]
        self.length -= 1

    def block(self) -> Block:
        return Block("".join(self.pieces), self.heading, tuple(self.pages))


def _paragraphs(pages: Sequence[Sequence[str]]) -> Iterator[Block]:
    """Lines joined into paragraphs, over the ends of pages too."""
    lines = [(line, number) for number, page in enumerate(pages) for line in page]
    width = _usual_width([line for line, _ in lines])
    compounds = {compound.lower() for line, _ in lines for compound in _COMPOUND.findall(line)}
    current, begun, before = _Paragraph(), 0, ""
    for (line, page), (after, _) in zip(lines, [*lines[1:], ("", 0)], strict=True):
        heading = _is_heading(line, before, after, width)
        if current.pieces and (heading or current.heading or _parts(before, line, width)):
            yield current.block()
            current = _Paragraph()
        before = line
        if not line:
            continue
        current.heading = heading
        if current.pieces:
            _join(current, line, compounds)
        current.pages.extend([current.length] * (page + 1 - begun))
        begun = page + 1
        current.add(line)
    yield current.block()


def _join(paragraph: _Paragraph, line: str, compounds: set[str]) -> None:
    """Prepare for the next line: a space, or nothing where a word was broken. The hyphen of a compound that stands
    elsewhere in the text stays."""
    broken = _BROKEN.search(paragraph.pieces[-1])
    if not broken or not line[0].islower():
        paragraph.add(" ")
        return
    rest = re.match(r"\w+", line)
    if f"{broken.group(1)}-{rest.group() if rest else ''}".lower() not in compounds:
        paragraph.drop_hyphen()


def _usual_width(lines: Sequence[str]) -> int:
    """The length that four lines of five do not surpass."""
    lengths = sorted(len(line) for line in lines if line)
    return lengths[len(lengths) * 4 // 5] if lengths else 0


def _parts(before: str, line: str, width: int) -> bool:
    """Whether a paragraph ends between these lines."""
    if not before or not line or _BULLET.match(line):
        return True
    short = len(before) < 0.85 * width
    if _ENDED.search(before):
        return short or _ITEM.match(line) is not None
    return len(before) < 0.6 * width and not line[0].islower() and before[-1] not in ",;" + _HYPHENS


def _is_heading(line: str, before: str, after: str, width: int) -> bool:
    """A short line of its own that is numbered, in capitals, or one of the usual names."""
    alone = (not before or _ENDED.search(before) is not None) and (not after or not after[0].islower())
    if not line or not alone or _ENDED.search(line) or len(line) > 0.8 * width or len(line.split()) > 12:
        return False
    named = line.lower() in _COMMON_HEADINGS
    return named or bool(_NUMBERED.match(line)) or (len(line) > 3 and bool(_CAPITALS.fullmatch(line)))
