"""PDF: the running text of its pages, without running heads and page numbers.

Words hyphenated at line ends are joined. Pages whose words run together are read by another library (`_glued.py`).
"""

from __future__ import annotations

import io
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from nutgraf.errors import InputError
from nutgraf.readers import Reader
from nutgraf.readers._blocks import LIMIT, compose
from nutgraf.readers._bookmarks import with_bookmarks
from nutgraf.readers._glued import mend_glued
from nutgraf.text.blocks import Block
from nutgraf.text.clean import clean
from nutgraf.text.dictionary import is_english
from nutgraf.text.document import Document
from nutgraf.text.late import Late
from nutgraf.text.paragraphs import is_coordinating

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

EDGE = 3
"""Number of lines at the top and bottom of a page that may be running heads and page numbers."""

REPEATED = 0.3
"""A line at the edge of at least this share of the pages, and of two pages, is a running head."""

MOST_CONTENT = 48 << 20
"""Maximum size of the drawing instructions of all pages in bytes: a large book has half of that, read in a minute."""

MOST_CONTENT_OF_PAGE = 16 << 20
"""Maximum size of the drawing instructions of a page; larger pages are maps or plots."""

MOST_ANNOTATIONS = 10_000
"""Maximum number of links, comments and fields that are looked at, to tell of those that hold text."""

_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})
_PAGE_NUMBER = Late(
    r"\W*(?:page\s+)?(?:\d{1,4}|x{0,3}(?:ix|iv|v?i{1,3}|v|x))(?:\s*(?:of|/)\s*\d{1,4})?\W*", re.IGNORECASE
)
_HYPHENS = "-\u2010\u00ad"
_BROKEN = Late(rf"\b(\w+)[{_HYPHENS}]$")
_COMPOUND = Late(r"\b\w+-\w+")
_ENDED = Late(r"[.!?…:][\"'”’»)\]]*$")
_NUMBERED = Late(r"(?:\d{1,2}(?:\.\d{1,2})*\.?|[IVX]{1,4}\.|[A-H]\.)\s+[A-Z][a-z]")
_CAPITALS = Late(r"(?:[\dIVX]{1,4}\.\s+)?[^\W\da-z]{2}[^a-z{}<>=]*")
_BULLET = Late(r"[•‣▪◦]\s")
_ITEM = Late(r"(?:[*–-]|\(?[a-z\d]{1,2}[.)])\s|\d{1,2}(?:\.\d{1,2})*\.?\s+[A-Z]")
_LEADERS = Late(r"(?:\.\s?){4}\d{1,4}$")
_COMMON_HEADINGS = {
    "abstract", "acknowledgements", "acknowledgments", "appendix", "background", "conclusion", "conclusions",
    "discussion", "introduction", "methods", "references", "related work", "results", "summary",
}  # fmt: skip


class Pdf(Reader):
    """One Document with pages; a sentence may cross from one page to the next.

    Running heads, page numbers and tables of contents are left out; so are comments, what is filled into a form, and
    attached files, with a notice.
    """

    suffixes = (".pdf",)

    def recognizes(self, data: bytes, suffix: str) -> float:
        """Recognize the PDF header."""
        return 1.0 if b"%PDF-" in data[:1024] else 0.0

    def read(self, data: bytes, name: str, language: str | None = None) -> list[Document]:
        """Read the document; see `Reader`."""
        reader = _open(data, name)
        texts = list(_page_texts(reader))
        glued = mend_glued(data, texts, name)
        pages = [_lines(text) for text in texts]
        empty = sum(not page for page in pages)
        notices = [glued] if glued else []
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
                f"{name} holds no text, only pictures of its pages; extract their text first, "
                f"for example with ocrmypdf {name} with_text.pdf."
            )
        notices += _left_out(reader, len(pages), name)
        document = compose(_paragraphs(_without_frames(pages)), name, language, notices)
        return [with_bookmarks(document, reader)]


def _open(data: bytes, name: str) -> PdfReader:
    import logging

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
    """Texts of the pages, up to the size limits."""
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
    """Size of a page's drawing instructions in bytes; 0 if they cannot be decompressed."""
    try:
        content = page.get_contents()
        return 0 if content is None else len(content.get_data())
    except Exception:
        return 0


def _text(page: PageObject) -> str:
    """Text of a page; "" for a damaged page, which then counts as unreadable."""
    try:
        return clean(page.extract_text())
    except Exception:
        return ""


def _left_out(reader: PdfReader, num_pages: int, name: str) -> Iterator[str]:
    """Notices of text beside that of the first pages: comments, what is filled in, and attached files."""
    counts: Counter[str] = Counter()
    try:
        pages = (page for page in reader.pages[:num_pages] if "/Annots" in page)
        annotations = (each.get_object() for page in pages for each in cast(list[Any], page["/Annots"]))
        counts.update(map(_kind, itertools.islice(annotations, MOST_ANNOTATIONS)))
        counts["attached file"] = len(reader.attachments)
    except Exception:  # a damaged file: its pages have been read all the same
        return
    for kind in ("comment", "filled-in field", "attached file"):
        if count := counts[kind]:
            yield f"{name}: {count} {kind}{'s are' if count > 1 else ' is'} left out."


def _kind(annotation: Any) -> str:
    """Return what an annotation that holds text is called; "" for a link, and for one that holds none."""
    kind = _value(annotation, "/Subtype")
    if kind == "/Widget":
        field = annotation if "/V" in annotation else _value(annotation, "/Parent") or {}
        filled = _value(field, "/FT") == "/Tx" and str(_value(field, "/V")).strip()
        return "filled-in field" if filled else ""
    return "comment" if kind not in ("/Link", "/Popup") and str(_value(annotation, "/Contents")).strip() else ""


def _value(dictionary: Any, key: str) -> Any:
    """A value of a dictionary, which may stand elsewhere in the file; "" if there is none."""
    try:
        return dictionary[key]
    except KeyError:
        return ""


def _lines(text: str) -> list[str]:
    """Lines of a page without leading and trailing blank lines; entries of a table of contents become blank."""
    lines = [" ".join(line.split()).translate(_LIGATURES) for line in text.split("\n")]
    lines = ["" if _LEADERS.search(line) else line for line in lines]
    filled = [index for index, line in enumerate(lines) if line]
    return lines[filled[0] : filled[-1] + 1] if filled else []


def _without_frames(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """Pages without page numbers and running heads, which many pages have, or two have but for a number."""
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
    """Number of lines, from the outermost, that are not text of the page."""
    for index, line in enumerate(edge):
        if line and _key(line) not in frames and not _PAGE_NUMBER.fullmatch(line):
            return index
    return len(edge)


def _key(line: str) -> str:
    """A line with its numbers replaced by #, since running heads often contain the page number."""
    return re.sub(r"\d+", "#", line.casefold())


@dataclass
class _Paragraph:
    """Lines being joined into a paragraph."""

    heading: bool = False
    pieces: list[str] = field(default_factory=list)
    pages: list[int] = field(default_factory=list)
    length: int = 0

    def add(self, text: str) -> None:
        """Append text."""
        self.pieces.append(text)
        self.length += len(text)

    def drop_hyphen(self) -> None:
        """Remove the hyphen at the end."""
        self.pieces[-1] = self.pieces[-1][:-1]
        self.length -= 1

    def block(self) -> Block:
        """Return the paragraph as a block."""
        return Block("".join(self.pieces), self.heading, pages=tuple(self.pages))


def _paragraphs(pages: Sequence[Sequence[str]]) -> Iterator[Block]:
    """Join lines into paragraphs, also across pages."""
    lines = [(line, number) for number, page in enumerate(pages) for line in page]
    lengths = sorted(len(line) for line, _ in lines if line)
    width = lengths[len(lengths) * 4 // 5] if lengths else 0  # which four of five do not exceed
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
    """Add a space before the next line, or remove the hyphen of a word that is no compound and does not go on."""
    broken = _BROKEN.search(paragraph.pieces[-1])
    if not broken or not line[0].islower():
        paragraph.add(" ")
        return
    rest = re.match(r"\w+", line)
    last = rest.group() if rest else ""
    compound = f"{broken.group(1)}-{last}".lower()
    if is_coordinating(last) and not paragraph.pieces[-1].endswith("\u00ad"):
        paragraph.add(" ")
    elif compound not in compounds and not is_english(compound):
        paragraph.drop_hyphen()


def _parts(before: str, line: str, width: int) -> bool:
    """Return True if a paragraph ends between these lines."""
    if not before or not line or _BULLET.match(line):
        return True
    short = len(before) < 0.85 * width
    if _ENDED.search(before):
        return short or _ITEM.match(line) is not None
    return len(before) < 0.6 * width and not line[0].islower() and before[-1] not in ",;" + _HYPHENS


def _is_heading(line: str, before: str, after: str, width: int) -> bool:
    """Return True for a short separate line that is numbered, in capitals, or a common heading."""
    alone = (not before or _ENDED.search(before) is not None) and (not after or not after[0].islower())
    if not line or not alone or _ENDED.search(line) or len(line) > 0.8 * width or len(line.split()) > 12:
        return False
    named = line.lower() in _COMMON_HEADINGS
    return named or bool(_NUMBERED.match(line)) or (len(line) > 3 and bool(_CAPITALS.fullmatch(line)))
