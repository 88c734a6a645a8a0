"""Readers: files become Documents. Each file reads one format, which is recognized by content, not only by name."""

from __future__ import annotations

from abc import ABC, abstractmethod

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
    from nutgraf.readers._article import document_of
    from nutgraf.readers._markup import PAGE
    from nutgraf.readers._mrkdwn import has_marks, written_out
    from nutgraf.readers._thread import pasted

    check_type(text, str, "The content of a Document is a text (str)")
    page = PAGE.match(text) is not None if html is None else html
    if page:
        return document_of(text, name, language)
    if has_marks(text):
        text = written_out(text)
    return pasted(text, name, language) or Document.of(text, name, language=language)


def is_address(path: str) -> bool:
    """Return True for an address of HTTP rather than the name of a file."""
    return path.lower().startswith(("http://", "https://"))
