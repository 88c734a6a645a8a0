"""EPUB: the chapters of a book, in the order in which they are read (EPUB 3.3, Sec. 4 and 5).

Only the parts that the book's spine names are decompressed, with the limits of `_archive`.
"""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any
from urllib.parse import unquote

from nutgraf.errors import InputError
from nutgraf.readers import _archive
from nutgraf.readers._article import parse_chapter
from nutgraf.readers._blocks import compose
from nutgraf.readers._decode import decode
from nutgraf.text.blocks import Block
from nutgraf.text.document import Document

MOST_CHAPTERS = 10_000
"""Maximum number of parts in the reading order."""

MOST_PACKAGE = 1 << 24
"""Maximum decompressed size in bytes of the files that describe the book."""

_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_NCX = "application/x-dtbncx+xml"
_PAGES = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml")


class Epub(_archive.ArchiveReader):
    """One Document; headings name its Sections.

    Parts beside the reading order, such as notes, stand at the end. The table of contents and what the order does not
    name are left out; so are parts of the order that are no text or are missing, with a notice.
    """

    suffixes = (".epub",)
    part = _CONTAINER

    def read(self, data: bytes, name: str, language: str | None = None) -> list[Document]:
        """Read the book; see `Reader`."""
        archive = _archive.opened(data, _CONTAINER)
        if archive is None:
            raise InputError(f"{name} is not a book in EPUB.")
        try:
            book, base = _package(archive, name)
            chapters, missing = _chapters(archive, book, base, name)
            protected = set(chapters) & _encrypted(archive, name)
        except InputError:
            raise
        except Exception as error:  # whatever a parser trips over, the file is damaged
            raise _damaged(name, error) from error
        if protected:
            raise InputError(f"{name} is protected against copying; its text cannot be read.")
        parts = [archive.getinfo(chapter) for chapter in chapters]
        _archive.check_sizes(parts, name)
        what = "parts of the reading order are" if missing > 1 else "part of the reading order is"
        declared = str(book.xpath("string(//*[local-name()='metadata']/*[local-name()='language'])"))
        notices = [f"{name}: {missing} {what} missing or no text."] if missing else []
        titles = _Titles(archive, book, base, name)
        return [compose(_blocks(archive, parts, titles, name), name, language, notices, declared=declared)]


class _Titles:
    """Titles of the chapters in the table of contents, which is read for a chapter that has no heading."""

    def __init__(self, archive: zipfile.ZipFile, book: Any, base: str, name: str) -> None:
        self._archive, self._book, self._base, self._name = archive, book, base, name

    def of(self, part: str) -> tuple[str, int]:
        """Return the title of a part of the book and its level; "" if it has none."""
        return self._known.get(part, ("", 0))

    @cached_property
    def _known(self) -> dict[str, tuple[str, int]]:
        found: dict[str, tuple[str, int]] = {}
        for item in self._book.xpath("//*[local-name()='manifest']/*[local-name()='item']"):
            listed = "nav" in (item.get("properties") or "").split() or item.get("media-type") == _NCX
            path = posixpath.normpath(posixpath.join(self._base, unquote(item.get("href", ""))))
            try:
                entries = list(self._entries(path)) if listed else []
            except Exception:  # a book is read without its contents, too
                continue
            for part, title, level in entries:
                found.setdefault(part, (title, level))
        return found

    def _entries(self, path: str) -> Iterator[tuple[str, str, int]]:
        """Yield the part, the title and the level of each entry of a table of contents."""
        page, folder = _parsed(self._archive, path, self._name), posixpath.dirname(path)
        entries = page.xpath("//*[local-name()='nav']//*[local-name()='a'][@href] | //*[local-name()='navPoint']")
        for entry in entries[:MOST_CHAPTERS]:
            href = entry.get("href") or entry.xpath("string(*[local-name()='content']/@src)")
            title = entry.xpath("string(.)" if entry.get("href") else "string(*[local-name()='navLabel'])")
            level = sum(_local(above) in ("ol", "navPoint") for above in entry.iterancestors())
            part = posixpath.normpath(posixpath.join(folder, unquote(str(href).partition("#")[0])))
            if shown := " ".join(str(title).split()):
                yield part, shown, max(1, level + (_local(entry) == "navPoint"))


def _local(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]


def _blocks(archive: zipfile.ZipFile, parts: list[zipfile.ZipInfo], titles: _Titles, name: str) -> Iterator[Block]:
    """Blocks of all chapters, which are parsed one by one."""
    elements = 0
    for part in parts:
        try:
            content = archive.read(part)
        except Exception as error:  # a damaged or encrypted part
            raise _damaged(name, error) from error
        elements += content.count(b"<") // 2
        if elements > _archive.MOST_ELEMENTS:
            raise _archive.too_many_elements(name)
        if content.strip():
            yield from _entitled(parse_chapter(decode(content, name).text, name), part.filename, titles)


def _entitled(blocks: list[Block], part: str, titles: _Titles) -> list[Block]:
    """Return the blocks of a chapter; one without a heading has its title of the table of contents."""
    if not blocks or any(block.heading for block in blocks):
        return blocks
    title, level = titles.of(part)
    return [replace(blocks[0], title=title, level=level), *blocks[1:]]


def _package(archive: zipfile.ZipFile, name: str) -> tuple[Any, str]:
    """Return what describes the book, and the folder in which it stands."""
    container = _parsed(archive, _CONTAINER, name)
    package = next((str(path) for path in container.xpath("//*[local-name()='rootfile']/@full-path")), "")
    return _parsed(archive, package, name), posixpath.dirname(package)


def _chapters(archive: zipfile.ZipFile, book: Any, base: str, name: str) -> tuple[list[str], int]:
    """Names of the parts of the reading order, each once, without the table of contents; how many cannot be read.

    Parts that are not linear, such as notes, stand at the end: a reader gets there from the others.
    """
    items = {item.get("id"): item for item in book.xpath("//*[local-name()='manifest']/*[local-name()='item']")}
    order = sorted(
        book.xpath("//*[local-name()='spine']/*[local-name()='itemref']"),
        key=lambda reference: reference.get("linear") == "no",
    )
    if len(order) > MOST_CHAPTERS:
        raise InputError(f"{name} has more than {MOST_CHAPTERS:,} chapters; split it.")
    present = set(archive.namelist())
    chapters: dict[str, None] = {}
    missing = 0
    for reference in order:
        item = items.get(reference.get("idref"))
        if item is not None and "nav" in (item.get("properties") or "").split():
            continue
        href = "" if item is None else unquote(item.get("href", "").partition("#")[0])
        part = posixpath.normpath(posixpath.join(base, href))
        if item is not None and item.get("media-type") in _PAGES and part in present:
            chapters[part] = None
        else:
            missing += 1
    if not chapters:
        raise ValueError("it names no chapters")
    return list(chapters), missing


def _encrypted(archive: zipfile.ZipFile, name: str) -> set[str]:
    """Names of encrypted parts; in books without copy protection these are at most fonts."""
    if _ENCRYPTION not in archive.namelist():
        return set()
    uris = _parsed(archive, _ENCRYPTION, name).xpath("//*[local-name()='CipherReference']/@URI")
    return {posixpath.normpath(unquote(str(uri))) for uri in uris}


def _parsed(archive: zipfile.ZipFile, part: str, name: str) -> Any:
    from lxml import etree

    info = archive.getinfo(part)
    if info.file_size > MOST_PACKAGE:
        raise InputError(f"{name} describes itself in more than {MOST_PACKAGE >> 20} MB, as no book does.")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True)
    return etree.fromstring(archive.read(info), parser)


def _damaged(name: str, error: Exception) -> InputError:
    return InputError(f"{name} is a damaged EPUB ({error}); convert it anew, for example with Calibre.")
