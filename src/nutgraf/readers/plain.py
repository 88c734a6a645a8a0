"""Plain text."""

from __future__ import annotations

from nutgraf.readers import Reader
from nutgraf.readers._decode import decode, is_binary
from nutgraf.text.document import Document


class Plain(Reader):
    """One Document; only line ends of other systems and NULs are changed."""

    suffixes = (".txt", ".text")

    def recognizes(self, data: bytes, suffix: str) -> float:
        """Recognize any text."""
        if is_binary(data):
            return 0.0
        return 0.7 if suffix in self.suffixes else 0.4

    def read(self, data: bytes, name: str, language: str | None = None) -> list[Document]:
        """Read the document; see `Reader`."""
        decoded = decode(data, name)
        return [Document.of(decoded.text, name, language=language, notices=decoded.notices)]
