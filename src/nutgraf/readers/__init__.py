"""Readers: files become Documents. Each file reads one format, which is recognized by content, not only by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path

from nutgraf.errors import check_type
from nutgraf.presets.family import Family, Member
from nutgraf.text.document import Document


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


readers: Family[Reader] = Family(__name__, Reader)


def read(
    path: str | Path, language: str | None = None, kind: str | None = None, *, fetch: bool = False, marked: bool = False
) -> list[Document]:
    """Read the Documents of a file, of all files in a folder, or of all that match a pattern such as "notes/*.md".

    What of a folder or pattern cannot be read is left out, and a notice of the first Document names it.

    Args:
        path: The file, folder or pattern; "-" is standard input.
        language: ISO 639-1 code; None recognizes it.
        kind: Name of the reader; None finds it.
        fetch: Read an address that begins with http:// or https://, over the network.
        marked: Leave Markdown as it is written, with its marks, if no reader is named: a summary that is checked.

    Raises:
        InputError: If the file, or every file of the folder or pattern, cannot be read or holds no text.
        UnknownName: If there is no reader `kind`.
    """
    from nutgraf.readers._find import read_path

    return read_path(path, language, kind, fetch, marked)


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
    from nutgraf.readers._article import document_of, is_page

    check_type(text, str, "The content of a Document is a text (str)")
    page = is_page(text) if html is None else html
    return document_of(text, name, language) if page else Document.of(text, name, language=language)


def is_address(path: str) -> bool:
    """Return True for an address of HTTP rather than the name of a file."""
    return path.lower().startswith(("http://", "https://"))


def files_of(path: str | Path, kind: str | None = None) -> list[str]:
    """Return the files that a path stands for: a file, those in a folder and below, or those that match a pattern.

    Args:
        path: The file, folder or pattern.
        kind: Name of the reader whose files a folder stands for; None takes those of all readers that ship.

    Raises:
        InputError: If there are none.
        UnknownName: If there is no reader `kind`.
    """
    from nutgraf.readers._find import files_of

    return files_of(path, kind)


def stands_for(path: str, file: str, kind: str | None = None) -> bool:
    """Return True if a folder or a pattern stands for a file, or would if the file were there; see `files_of`."""
    from nutgraf.readers._find import stands_for

    return stands_for(path, file, kind)


def read_data(data: bytes, name: str, language: str | None = None, kind: str | None = None) -> list[Document]:
    """Return the documents in the content of a file that is called `name`; see `read`."""
    from nutgraf.readers._find import read_data

    return read_data(data, name, language, kind)
