"""Readers: files become Documents. Each file reads one format, which is recognized by content, not only by name.

`as_document` makes one Document of whatever a system is given: texts, files and Documents, one or several.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Set
from pathlib import Path
from typing import IO, Any

from nutgraf.errors import InputError, check_type, items_of, type_name
from nutgraf.presets.family import Family, Member
from nutgraf.text.document import Document, distinct, join
from nutgraf.text.summary import Summary

Input = str | os.PathLike[str] | bytes | bytearray | memoryview | IO[str] | IO[bytes] | Document
"""A text or an HTML page, the path or the content of a file, an open file, or a document."""

LONGEST_NAME = 1000
"""Characters of a text that may be the name of a file."""


class Reader(Member, ABC):
    """Reads Documents from the bytes of one format.

    If several readers recognize the same bytes, the one with the highest confidence reads them.
    """

    suffixes: tuple[str, ...] = ()
    """Usual suffixes of files in this format, with their dots."""

    @abstractmethod
    def recognizes(self, data: bytes, suffix: str) -> float:
        """Confidence, from 0 to 1, that `data` is in this format; `suffix` is a hint, "" if unknown.

        Bytes that begin like a ZIP archive, RTF, a picture or a program are refused unless a confidence is 0.9 or more.
        """

    @abstractmethod
    def read(self, data: bytes, name: str, language: str | None = None) -> list[Document]:
        """Read the Documents in `data`; `name` is the name of the file, for messages.

        Raises:
            InputError: If they cannot be read.
        """


readers: Family[Reader] = Family(__name__, Reader, shared=("reading",))


def read_text(text: str, name: str = "", language: str | None = None, *, html: bool | None = None) -> Document:
    """Return the Document of a text; that of an HTML page has its article, without menus and other boilerplate.

    Args:
        text: The text.
        name: Its name, for messages and origins.
        language: ISO 639-1 code; None recognizes it.
        html: Read it as HTML; None does so where it begins as an HTML page does.

    Raises:
        InputError: If the text cannot be read as HTML, or there is no such language.
    """
    from nutgraf.readers._article import PAGE, document_of

    check_type(text, str, "The content of a Document is a text (str)")
    page = PAGE.match(text) is not None if html is None else html
    return document_of(text, name, language) if page else Document.of(text, name, language=language)


def is_address(path: str) -> bool:
    """Return True for an address of HTTP rather than the name of a file."""
    return path.lower().startswith(("http://", "https://"))


def as_document(documents: Input | Iterable[Input], language: str | None = None) -> Document:
    """Return one document with a part for each input; inputs of the same text are one.

    Raises:
        InputError: If a file cannot be read, or something is neither a text nor a file.
    """
    several = inputs_of(documents)
    items = [documents] if several is None else several
    return join(distinct([document for item in items for document in _documents(item, language)]))


def inputs_of(documents: object) -> Iterable[Any] | None:
    """Return the inputs where several are given in an order, as a list or what passes for one; None otherwise."""
    alone = isinstance(documents, Set | Summary) or _is_open(documents)
    return None if alone else items_of(documents)


def _is_open(item: object) -> bool:
    """Return True for an open file, or whatever passes for one."""
    return callable(getattr(item, "read", None))


def _documents(item: Any, language: str | None) -> list[Document]:
    if isinstance(item, Document):
        return [item]
    if isinstance(item, str):
        return [_text(item, language)]
    from nutgraf.readers.reading import read, read_data

    if isinstance(item, os.PathLike):
        return read(Path(os.fsdecode(item)), language)
    if isinstance(item, bytes | bytearray | memoryview):
        return read_data(bytes(item), "the input", language)
    if not _is_open(item):
        raise InputError(
            "A document is a text (str), a Path, bytes, an open file or a Document, or a list of these, not "
            f"{type_name(item)}."
        )
    name = str(getattr(item, "name", "the input"))
    content = _content(item, name)
    if isinstance(content, str):
        return [Document.of(content, name=name, language=language)]
    return read_data(content, name, language)


def _content(file: Any, name: str) -> str | bytes:
    """Read an open file, or whatever passes for one."""
    try:
        content = file.read()
    except Exception as error:
        raise InputError(f"{name} cannot be read: {type(error).__name__}: {str(error).removesuffix('.')}.") from error
    if not isinstance(content, str | bytes):
        raise InputError(f"{name} cannot be read: reading it gives {type_name(content)}, neither str nor bytes.")
    return content


def _text(text: str, language: str | None) -> Document:
    if len(text) <= LONGEST_NAME and "\n" not in text and "\0" not in text and _is_file(text):
        raise InputError(f"{text!r} is the name of a file, and a str is a text: pass Path({text!r}) to read the file.")
    if len(text.split(None, 1)) == 1 and is_address(text.strip()):
        shown = text.strip()[:LONGEST_NAME]
        raise InputError(
            f"{shown!r} is a web address, and a str is a text: pass nutgraf.read({shown!r}, fetch=True) to read it."
        )
    return read_text(text, language=language)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False
