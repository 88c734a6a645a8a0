"""PDF: the running text of its pages, without running heads and page numbers.

`_drawn.py` finds where text stands, `_layout.py` puts it in order, and `_paragraphs.py` joins its lines.
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
from nutgraf.readers._drawn import pieces_of
from nutgraf.readers._glued import told_glued
from nutgraf.readers._layout import Line, Row, arrange, page_rows
from nutgraf.readers._paragraphs import blocks_of, plain
from nutgraf.text.clean import clean
from nutgraf.text.document import Document
from nutgraf.text.late import Late

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader
    from pypdf.generic import ContentStream

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

MOST_SHOWN = 40_000
"""Maximum number of strings that a page draws, read in some seconds; small print, letter by letter, has 20,000."""

MARGINAL = 3
"""Minimum number of lines that are numbered in the margin."""

_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\x7f": "•"})
_PAGE_NUMBER = Late(
    r"\W*(?:page\s+)?(?:\d{1,4}|x{0,3}(?:ix|iv|v?i{1,3}|v|x))(?:\s*(?:of|/)\s*\d{1,4})?\W*", re.IGNORECASE
)
_LEADERS = Late(r"(?:\.\s?){4}\d{1,4}$")
_RIGHT_TO_LEFT = Late("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")


class Pdf(Reader):
    """One Document with pages; a sentence may cross from one page to the next.

    Columns are read one after the other; the cells of a row of a table are separated by tabs. Notes, captions and boxes
    do not interrupt a sentence. Headings, among them those of the outline, name the Sections.

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
        pages = list(_pages(reader))
        glued = told_glued([_words(page) for page in pages], name)
        empty = sum(not page.rows for page in pages)
        large = sum(page.large for page in pages)
        notices = [glued] if glued else []
        if large:
            notices.append(
                f"{name}: {large} of {len(pages)} pages draw more than {MOST_SHOWN:,} strings or "
                f"{MOST_CONTENT_OF_PAGE >> 20} MB of instructions, and are left out."
            )
            empty -= large
        if empty:
            notices.append(f"{name}: {empty} of {len(pages)} pages hold no text that could be read.")
        if len(pages) < len(reader.pages):
            notices.append(
                f"{name}: only the first {len(pages)} of {len(reader.pages)} pages were read, for no more than "
                f"{LIMIT:,} characters and {MOST_CONTENT >> 20} MB of drawing instructions are read of one file; "
                "split it."
            )
        if empty + large == len(pages) and (large or len(pages) < len(reader.pages)):
            raise InputError(" ".join(notices))
        if empty == len(pages):
            raise InputError(
                f"{name} holds no text, only pictures of its pages; extract their text first, "
                f"for example with ocrmypdf {name} with_text.pdf."
            )
        notices += _left_out(reader, len(pages), name)
        _remove_frames(pages)
        columns = [[column for rows in (page.rows, *page.turned) for column in arrange(rows)] for page in pages]
        document = compose(blocks_of(columns, language, _titles(reader)), name, language, notices)
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


@dataclass
class _Page:
    """Rows of lines of a page, from top to bottom, and those of text in other directions."""

    rows: list[Row]
    turned: list[list[Row]] = field(default_factory=list)
    large: bool = False

    @property
    def size(self) -> int:
        return sum(len(line.text) for rows in (self.rows, *self.turned) for row in rows for line in row)


def _pages(reader: PdfReader) -> Iterator[_Page]:
    """Yield the pages, up to the size limits."""
    size = drawn = 0
    for page in reader.pages:
        content = _content(page, reader)
        data = b"" if content is None else content.get_data()
        drawn += len(data)
        if size > LIMIT or drawn > MOST_CONTENT:
            return
        large = len(data) > MOST_CONTENT_OF_PAGE or data.count(b"Tj") + data.count(b"TJ") > MOST_SHOWN
        read = _Page([], large=large) if content is None or large else _page(page, content, reader)
        yield read
        size += read.size


def _content(page: PageObject, reader: PdfReader) -> ContentStream | None:
    """A page's drawing instructions; None if there are none, or they cannot be decompressed."""
    from pypdf.generic import ContentStream

    try:
        content = page["/Contents"].get_object() if "/Contents" in page else None
        return None if content is None else ContentStream(content, reader, "bytes")
    except Exception:
        return None


def _page(page: PageObject, content: ContentStream, reader: PdfReader) -> _Page:
    """Rows of a page; none of a damaged page, which then counts as unreadable."""
    try:
        pieces = pieces_of(content, page, reader)
    except Exception:  # a page without an order, or an unknown version of pypdf
        pieces = []
    if not pieces or any(_RIGHT_TO_LEFT.search(piece.text) for piece in pieces):
        return _Page(rows_of(_text(page)))
    rows, *turned = ([_cleaned(row) for row in rows] for rows in page_rows(pieces))
    return _Page(_without_numbers([row for row in rows if row]), turned)


def rows_of(text: str) -> list[Row]:
    """Rows of text without places, as on a page of letters of one width."""
    rows = [[Line(line.strip(), 0, 5.0 * len(line), -12.0 * at, 10)] for at, line in enumerate(text.split("\n"))]
    return [row for row in map(_cleaned, rows) if row]


def _text(page: PageObject) -> str:
    """Text of a page; "" for a damaged page."""
    try:
        return page.extract_text()
    except Exception:
        return ""


def _cleaned(row: Row) -> Row:
    """A row without ligatures and blank lines; nothing of an entry of a table of contents."""
    for line in row:
        line.text = " ".join(clean(line.text).translate(_LIGATURES).split())
    return [] if _LEADERS.search(" ".join(line.text for line in row)) else [line for line in row if line.text]


def _without_numbers(rows: list[Row]) -> list[Row]:
    """Rows without the numbers in the left margin that count lines."""
    numbered = [row for row in rows if len(row) > 1 and re.fullmatch(r"\d{1,4}", row[0].text, re.ASCII)]
    steps = {int(after[0].text) - int(before[0].text) for before, after in itertools.pairwise(numbered)}
    if len(numbered) < MARGINAL or len(steps) > 1 or steps == {0}:
        return rows
    kept = {id(row) for row in numbered}
    left = min(row[1 if id(row) in kept else 0].x for row in rows if id(row) in kept or len(row[0].text) > 4)
    if max(row[0].end for row in numbered) < left:
        for row in numbered:
            del row[0]
    return rows


def _words(page: _Page) -> str:
    return " ".join(line.text for row in page.rows for line in row)


def _titles(reader: PdfReader) -> dict[int, frozenset[str]]:
    """Titles of the outline by the index of their page."""
    found: dict[int, set[str]] = {}
    try:
        entries: list[Any] = [*reader.outline]
        while entries and len(found) < MOST_ANNOTATIONS:
            entry = entries.pop()
            if isinstance(entry, list):
                entries.extend(entry)
            elif (page := reader.get_destination_page_number(entry)) is not None and (
                title := plain(entry.title or "")
            ):
                found.setdefault(page, set()).add(title)
    except Exception:  # an outline that leads nowhere
        return {}
    return {page: frozenset(titles) for page, titles in found.items()}


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


def _remove_frames(pages: Sequence[_Page]) -> None:
    """Remove page numbers and running heads, which many pages have, or two have but for a number."""
    texts = [[" ".join(line.text for line in row) for row in page.rows] for page in pages]
    near = Counter(key for rows in texts for key in {_key(text) for text in (*rows[:EDGE], *rows[-EDGE:])})
    outermost = Counter(_key(text) for rows in texts for text in (*rows[:1], *rows[1:][-1:]))
    frames = {key for key, count in near.items() if count >= max(2, REPEATED * len(pages))}
    frames |= {key for key, count in outermost.items() if count >= 2 and "#" in key}
    inner = []
    for page, rows in zip(pages, texts, strict=True):
        top = _frame(rows[:EDGE], frames)
        inner.append(page.rows[top : len(rows) - _frame(rows[::-1][: min(EDGE, len(rows) - top)], frames)])
    # Pages that are alike altogether (forms, slides) have no frame.
    kept = sum(len(line.text) for rows in inner for row in rows for line in row)
    if 2 * kept >= sum(len(line.text) for page in pages for row in page.rows for line in row):
        for page, rows_within in zip(pages, inner, strict=True):
            page.rows = rows_within


def _frame(edge: Sequence[str], frames: set[str]) -> int:
    """Number of lines, from the outermost, that are not text of the page."""
    for index, line in enumerate(edge):
        if line and _key(line) not in frames and not _PAGE_NUMBER.fullmatch(line):
            return index
    return len(edge)


def _key(line: str) -> str:
    """A line with its numbers replaced by #, since running heads often contain the page number."""
    return re.sub(r"\d+", "#", line.casefold())
