"""DOCX: paragraphs, headings and table rows, with insertions accepted and deletions removed.

Only the document's XML and its styles are decompressed, as streams with limits, so that neither pictures nor a
decompression bomb cost time or memory.
"""

from __future__ import annotations

import itertools
import zipfile
from collections import Counter
from collections.abc import Iterator
from typing import Any

from nutgraf.errors import InputError
from nutgraf.readers import Reader, _archive
from nutgraf.readers._blocks import compose
from nutgraf.text.blocks import Block
from nutgraf.text.document import Document

_CHUNK = 1 << 16
_DOCUMENT, _STYLES = "word/document.xml", "word/styles.xml"

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_BODY, _PARAGRAPH, _ROW, _TEXT_BOX, _VALUE = f"{_W}body", f"{_W}p", f"{_W}tr", f"{_W}txbxContent", f"{_W}val"
_NOT_ITS_TEXT = (_TEXT_BOX, f"{_W}pPr", f"{_W}moveFrom")
_CHARACTERS = {f"{_W}tab": "\t", f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}noBreakHyphen": "-"}


class Docx(Reader):
    """One Document; headings name its Sections, table cells are separated by tabs.

    Tables of contents, text boxes, headers, footers and notes are left out.
    """

    suffixes = (".docx", ".docm")

    def recognizes(self, data: bytes, suffix: str) -> float:
        """Recognize a ZIP archive with a Word document."""
        return 1.0 if _archive.opened(data, _DOCUMENT) else 0.0

    def read(self, data: bytes, name: str, language: str | None = None) -> list[Document]:
        """Read the document; see `Reader`."""
        archive = _archive.opened(data, _DOCUMENT)
        if archive is None:
            raise InputError(f"{name} is not a Word document (DOCX).")
        _archive.check_sizes((part for part in archive.infolist() if part.filename in (_DOCUMENT, _STYLES)), name)
        try:
            blocks = list(_blocks(archive))
        except _TooManyElements:
            raise _archive.too_many_elements(name) from None
        except Exception as error:  # whatever a parser trips over, the file is damaged
            raise InputError(f"{name} is a damaged Word document ({error}); open it and save it anew.") from error
        return [compose(blocks, name, language)]


class _TooManyElements(Exception):
    pass


def _blocks(archive: zipfile.ZipFile) -> Iterator[Block]:
    """Paragraphs in order; those of a table row form one block."""
    styles = _styles(archive)
    for row, group in itertools.groupby(_paragraphs(archive), key=lambda one: one[0]):
        texts = [(style, text.strip()) for _, style, text in group]
        if row:
            yield Block("\t".join(text for _, text in texts if text))
            continue
        for style_id, text in texts:
            style = styles.get(style_id, "")
            if text and not style.startswith(("toc ", "toc heading")):
                yield Block(text, heading=style.startswith("heading") or style == "title")


def _paragraphs(archive: zipfile.ZipFile) -> Iterator[tuple[int, str, str]]:
    """Paragraphs outside text boxes, each as the number of its table row (0: none), the id of its style, its text."""
    rows, rows_seen, inside, is_document = [0], 0, Counter[str](), False
    for event, element in _elements(archive, _DOCUMENT, _BODY, _PARAGRAPH, _ROW, _TEXT_BOX):
        tag = element.tag
        if event == "start":
            inside[tag] += 1
            is_document = is_document or tag == _BODY
            if tag == _ROW:
                rows_seen += 1
                rows.append(rows_seen)
            continue
        inside[tag] -= 1
        if tag == _ROW:
            rows.pop()
        elif tag == _PARAGRAPH and len(element) and not inside[_TEXT_BOX]:
            yield rows[-1], _style(element), _text(element)
        if not inside[_PARAGRAPH]:
            _forget(element)
    if not is_document:
        raise ValueError("it has no body")


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


def _elements(archive: zipfile.ZipFile, part: str, *tags: str) -> Iterator[tuple[str, Any]]:
    """Start and end events of a part's elements with these tags.

    Raises:
        _TooManyElements: If there are more than `_archive.MOST_ELEMENTS`.
    """
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


def _style(paragraph: Any) -> str:
    for properties in paragraph.iterchildren(f"{_W}pPr"):
        for style in properties.iterchildren(f"{_W}pStyle"):
            return str(style.get(_VALUE, ""))
    return ""


def _text(paragraph: Any) -> str:
    return "".join(
        _CHARACTERS.get(node.tag) or "".join((node.text or "", *(entity.tail or "" for entity in node)))
        for node in paragraph.iter(f"{_W}t", *_CHARACTERS)
        if not _inside(node, *_NOT_ITS_TEXT, below=paragraph)
    )


def _inside(node: Any, *tags: str, below: Any) -> bool:
    """Return True if an ancestor of `node`, under `below`, has one of these tags."""
    ancestors = itertools.takewhile(lambda ancestor: ancestor is not below, node.iterancestors())
    return any(ancestor.tag in tags for ancestor in ancestors)
