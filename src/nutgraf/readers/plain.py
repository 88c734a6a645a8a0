"""Plain text."""

from __future__ import annotations

from nutgraf.readers._decode import decode
from nutgraf.readers._quoted import unquoted
from nutgraf.readers._text import TextReader
from nutgraf.text.document import Document


class Plain(TextReader):
    """One Document; only line ends of other systems, NULs and the marks of quoted mail are changed."""

    suffixes = (".txt", ".text")

    def recognizes_text(self, data: bytes, suffix: str) -> float:
        """Recognize any text."""
        return 0.7 if suffix in self.suffixes else 0.4

    def read(self, data: bytes, name: str, language: str | None = None) -> list[Document]:
        """Read the document; see `Reader`."""
        decoded = decode(data, name)
        return [Document.of(unquoted(decoded.text), name, language=language, notices=decoded.notices)]
