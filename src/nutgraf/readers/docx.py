"""DOCX: paragraphs, headings, table rows, text boxes and notes, with insertions accepted and deletions removed.

Only the document's XML, its notes and its styles are decompressed, as streams with limits, so that neither pictures
nor a decompression bomb cost time or memory.
"""

from __future__ import annotations

import itertools
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nutgraf.errors import InputError
from nutgraf.readers import _archive
from nutgraf.readers._blocks import compose
from nutgraf.text.blocks import Block
from nutgraf.text.document import Document

_CHUNK = 1 << 16
_DOCUMENT, _STYLES = "word/document.xml", "word/styles.xml"
_FOOTNOTES, _ENDNOTES = "word/footnotes.xml", "word/endnotes.xml"

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MATH_TEXT = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_BODY, _PARAGRAPH, _ROW, _TEXT_BOX, _VALUE = f"{_W}body", f"{_W}p", f"{_W}tr", f"{_W}txbxContent", f"{_W}val"
_NOTES = {f"{_W}footnoteReference": _FOOTNOTES, f"{_W}endnoteReference": _ENDNOTES}
_NOTE = (f"{_W}footnote", f"{_W}endnote")
_COMMENT, _CHANGES = f"{_W}commentReference", (f"{_W}ins", f"{_W}del", f"{_W}moveFrom", f"{_W}moveTo")
_NOT_ITS_TEXT = (_TEXT_BOX, f"{_W}pPr", f"{_W}moveFrom")
_CHARACTERS = {f"{_W}tab": "\t", f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}noBreakHyphen": "-"}


class Docx(_archive.ArchiveReader):
    """One Document; headings name its Sections, table cells are separated by tabs.

    Text boxes follow the paragraph beside which they stand, footnotes and endnotes the section that refers to them.
    Tables of contents, headers and footers are left out; so are comments, with a notice.
    """

    suffixes = (".docx", ".docm")
    part = _DOCUMENT

    def read(self, data: bytes, name: str, language: str | None = None) -> list[Document]:
        """Read the document; see `Reader`."""
        archive = _archive.opened(data, _DOCUMENT)
        if archive is None:
            raise InputError(f"{name} is not a Word document (DOCX).")
        read = (_DOCUMENT, _STYLES, _FOOTNOTES, _ENDNOTES)
        _archive.check_sizes((part for part in archive.infolist() if part.filename in read), name)
        marks = _Marks()
        try:
            blocks, declared = list(_blocks(archive, marks)), _language(archive)
        except _TooManyElements:
            raise _archive.too_many_elements(name) from None
        except Exception as error:  # whatever a parser trips over, the file is damaged
            raise InputError(f"{name} is a damaged Word document ({error}); open it and save it anew.") from error
        return [compose(blocks, name, language, marks.notices(name), declared=declared)]


@dataclass
class _Marks:
    """Comments and tracked changes of a document, which are not read as they stand."""

    comments: int = 0
    changes: bool = False

    def notices(self, name: str) -> Iterator[str]:
        """Yield what the user should know of the document called `name`."""
        if self.comments:
            yield f"{name}: {self.comments} comment{'s are' if self.comments > 1 else ' is'} left out."
        if self.changes:
            yield f"{name} has tracked changes; it is read as if all of them were accepted."


@dataclass
class _Paragraph:
    """A paragraph: its table row (0 outside tables), its style, its notes, and the note in which it stands."""

    row: int
    style: str
    text: str
    notes: list[tuple[str, str]]
    owner: str


class _TooManyElements(Exception):
    pass


def _blocks(archive: zipfile.ZipFile, marks: _Marks) -> Iterator[Block]:
    """Paragraphs in order; those of a table row form one block. Notes stand before the next heading, or at the end."""
    styles = _styles(archive)
    notes = {part: _notes(archive, part, marks) for part in _NOTES.values()}
    waiting: list[str] = []
    filled = False
    for row, group in itertools.groupby(_paragraphs(archive, _DOCUMENT, marks), key=lambda paragraph: paragraph.row):
        for block, paragraphs in _row(row, list(group), styles):
            if block.heading and filled:
                yield from map(Block, waiting)
                waiting, filled = [], False
            yield block
            filled = filled or not block.heading
            for paragraph in paragraphs:
                waiting += (text for part, number in paragraph.notes for text in notes[part].pop(number, ()))
    yield from map(Block, waiting)


def _row(row: int, paragraphs: list[_Paragraph], styles: dict[str, str]) -> Iterator[tuple[Block, list[_Paragraph]]]:
    """Blocks of the paragraphs of a table row, or of those between tables, with their paragraphs."""
    if row:
        yield Block("\t".join(paragraph.text for paragraph in paragraphs if paragraph.text)), paragraphs
        return
    for paragraph in paragraphs:
        style = styles.get(paragraph.style, "")
        if paragraph.text and not style.startswith(("toc ", "toc heading")):
            heading, item = style.startswith("heading") or style == "title", style.startswith("list")
            yield Block(paragraph.text, heading, item, level=_level(style) if heading else 0), [paragraph]


def _level(style: str) -> int:
    """Level of a heading by its style: the title's is 1, that of "heading 1" 2; 0 if the style has no number."""
    number = style.removeprefix("heading").strip()
    return 1 + int(number) if number.isdecimal() else int(style == "title")


def _notes(archive: zipfile.ZipFile, part: str, marks: _Marks) -> dict[str, list[str]]:
    """Paragraphs of the notes in a part, by the ids of the notes."""
    notes: dict[str, list[str]] = {}
    if part in archive.namelist():
        for paragraph in _paragraphs(archive, part, marks):
            if paragraph.text:
                notes.setdefault(paragraph.owner, []).append(paragraph.text)
    return notes


def _paragraphs(archive: zipfile.ZipFile, part: str, marks: _Marks) -> Iterator[_Paragraph]:
    """Paragraphs of a part; those of text boxes, which Word writes twice, follow the one that holds them."""
    rows, rows_seen, inside, is_document, owner = [0], 0, Counter[str](), False, ""
    boxed: list[_Paragraph] = []
    for event, element in _elements(archive, part, _BODY, *_NOTE, _PARAGRAPH, _ROW, _TEXT_BOX, _FALLBACK):
        tag = element.tag
        if event == "start":
            inside[tag] += 1
            is_document = is_document or tag == _BODY or tag in _NOTE
            if tag in _NOTE:
                owner = element.get(f"{_W}id", "")
            if tag == _ROW:
                rows_seen += 1
                rows.append(rows_seen)
            continue
        inside[tag] -= 1
        if tag == _ROW:
            rows.pop()
        elif tag == _PARAGRAPH and len(element) and not (inside[_TEXT_BOX] and inside[_FALLBACK]):
            paragraph = _paragraph(element, rows[-1], owner, marks)
            if inside[_TEXT_BOX]:
                boxed.append(paragraph)
            else:
                yield paragraph
        if tag == _PARAGRAPH and not inside[_PARAGRAPH]:
            yield from boxed
            boxed = []
        if not inside[_PARAGRAPH]:
            _forget(element)
    if not is_document and part == _DOCUMENT:
        raise ValueError("it has no body")


def _paragraph(element: Any, row: int, owner: str, marks: _Marks) -> _Paragraph:
    notes, style = [], element.find(f"{_W}pPr/{_W}pStyle")
    for node in element.iter(_COMMENT, *_CHANGES, *_NOTES):
        if node.tag == _COMMENT:
            marks.comments += 1
        elif node.tag in _NOTES:
            notes.append((_NOTES[node.tag], node.get(f"{_W}id", "")))
        else:
            marks.changes = True
    return _Paragraph(row, "" if style is None else style.get(_VALUE, ""), _text(element).strip(), notes, owner)


def _styles(archive: zipfile.ZipFile) -> dict[str, str]:
    """Lowercased names of styles, by id."""
    styles: dict[str, str] = {}
    if _STYLES not in archive.namelist():
        return styles
    for event, element in _elements(archive, _STYLES, f"{_W}style"):
        if event == "end":
            name = element.find(f"{_W}name")
            styles[element.get(f"{_W}styleId", "")] = "" if name is None else name.get(_VALUE, "").lower()
            _forget(element)
    return styles


def _language(archive: zipfile.ZipFile) -> str:
    """Default language of the document; "" if it has none."""
    if _STYLES not in archive.namelist():
        return ""
    declared = (element.get(_VALUE, "") for _, element in _elements(archive, _STYLES, f"{_W}lang"))
    return next(declared, "")


def _elements(archive: zipfile.ZipFile, part: str, *tags: str) -> Iterator[tuple[str, Any]]:
    """Start and end events of a part's elements with these tags."""
    from lxml import etree

    parser = etree.XMLPullParser(
        events=("start", "end"), tag=tags, resolve_entities=False, no_network=True, remove_comments=True,
        remove_pis=True, collect_ids=False,
    )  # fmt: skip
    marks = 0
    with archive.open(part) as stream:
        while chunk := stream.read(_CHUNK):
            marks += chunk.count(b"<")
            if marks > 2 * _archive.MOST_ELEMENTS:
                raise _TooManyElements
            parser.feed(chunk)
            yield from parser.read_events()
    parser.close()
    yield from parser.read_events()


def _forget(element: Any) -> None:
    """Free an element that has been read, and everything before it."""
    above = element.getparent()
    element.clear(keep_tail=False)
    while above is not None and above[0] is not element:
        del above[0]


def _text(paragraph: Any) -> str:
    return "".join(
        _CHARACTERS.get(node.tag) or "".join((node.text or "", *(entity.tail or "" for entity in node)))
        for node in paragraph.iter(f"{_W}t", _MATH_TEXT, *_CHARACTERS)
        if not _inside(node, *_NOT_ITS_TEXT, below=paragraph)
    )


def _inside(node: Any, *tags: str, below: Any) -> bool:
    """Return True if an ancestor of `node`, under `below`, has one of these tags."""
    ancestors = itertools.takewhile(lambda ancestor: ancestor is not below, node.iterancestors())
    return any(ancestor.tag in tags for ancestor in ancestors)
