"""HTML: the article of a page."""

from __future__ import annotations

import re

from nutgraf.errors import InputError
from nutgraf.readers._article import document_of
from nutgraf.readers._decode import TextReader, decode
from nutgraf.readers._markup import PAGE
from nutgraf.text.document import Document

_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_FRAGMENT = re.compile(r"<(?:article|div|h[1-6]|main|p|section|title)[\s>]", re.IGNORECASE)


class Html(TextReader):
    """One Document with the article of the page; headings name its Sections. Code listings are left out."""

    suffixes = (".html", ".htm", ".xhtml")
    signs = ((PAGE, 0.98), (_FRAGMENT, 0.6))
    confidence = 0.8

    def read(self, data: bytes, name: str, language: str | None = None) -> list[Document]:
        """Read the article; see `Reader`."""
        declared = _CHARSET.search(data[:4096])
        decoded = decode(data, name, declared.group(1).decode("ascii", "replace") if declared else "")
        document = document_of(decoded.text, name, language, decoded.notices)
        if not document.sentences and "<script" in decoded.text.lower():
            raise InputError(
                f"{name} holds no text; there is nothing to read. A script fills the page in a browser: "
                "open it there, wait until it is complete, and save it."
            )
        return [document]
