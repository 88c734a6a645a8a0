"""DOCX: paragraphs, headings and the rows of tables, with insertions accepted and deletions gone."""

from __future__ import annotations

import io
import itertools
import zipfile
from collections.abc import Iterator
from typing import Any

from nutgraf.errors import InputError
from nutgraf.presets.family import NoOptions
from nutgraf.readers import Reader
from nutgraf.readers._blocks import Block, compose
from nutgraf.text.document import Document

MOST_XML = 1 << 29
"""The most bytes that the document's own XML may unpack to: more is no document but a trap."""

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_TEXT_BOX = f"{_W}txbxContent"
_NOT_ITS_TEXT = (_TEXT_BOX, f"{_W}pPr", f"{_W}moveFrom")
_CHARACTERS = {f"{_W}tab": "\t", f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}noBreakHyphen": "-"}


class Docx(Reader):
    """One Document; its headings name its Sections, the cells of a table's row are parted by tabs. Tables of contents,
    text boxes, headers, footers and notes are left out."""

    suffixes = (".docx", ".docm")

    def __init__(self, config: NoOptions | None = None) -> None:
        pass

    def recognizes(self, data: bytes, suffix: str) -> float:
        return 1.0 if data.startswith(b"PK\x03\x04") and _main_part(data) else 0.0

    def read(self, data: bytes, name: str, language: str | None = None) -> list[Document]:
        import docx

        part = _main_part(data)
        if part is None:
            raise InputError(f"{name} is not a Word document (DOCX).")
        if part.file_size > MOST_XML:
            raise InputError(f"{name} unpacks to more than {MOST_XML >> 20} MB; split it.")
        try:
            blocks = list(_blocks(docx.Document(io.BytesIO(data))))
        except Exception as error:  # whatever a parser trips over, the file is damaged
            raise InputError(f"{name} is a damaged Word document ({error}); open it and save it anew.") from error
        return [compose(blocks, name, language)]


def _main_part(data: bytes) -> zipfile.ZipInfo | None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.getinfo("word/document.xml")
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, KeyError, ValueError, OSError):
        return None


def _blocks(opened: Any) -> Iterator[Block]:
    """Paragraphs in the order in which they stand; those of one row of a table are one block."""
    styles = {style.style_id: (style.name or "").lower() for style in opened.styles}
    paragraphs = [one for one in opened.element.body.iter(f"{_W}p") if not _inside(one, _TEXT_BOX)]
    for row, group in itertools.groupby(paragraphs, key=lambda one: next(one.iterancestors(f"{_W}tr"), None)):
        if row is not None:
            yield Block("\t".join(filter(None, (_text(paragraph).strip() for paragraph in group))))
            continue
        for paragraph in group:
            style = styles.get(paragraph.style, "")
            if not style.startswith(("toc ", "toc heading")):
                yield Block(_text(paragraph).strip(), heading=style.startswith("heading") or style == "title")


def _text(paragraph: Any) -> str:
    return "".join(
        _CHARACTERS.get(node.tag) or node.text or ""
        for node in paragraph.iter(f"{_W}t", *_CHARACTERS)
        if not _inside(node, *_NOT_ITS_TEXT, below=paragraph)
    )


def _inside(node: Any, *tags: str, below: Any = None) -> bool:
    """Whether an ancestor of `node`, under `below`, has one of these tags."""
    ancestors = itertools.takewhile(lambda ancestor: ancestor is not below, node.iterancestors())
    return any(ancestor.tag in tags for ancestor in ancestors)
