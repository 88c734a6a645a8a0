"""A reader from outside: memos, whose head ends with a line of hyphens."""

from __future__ import annotations

from nutgraf.errors import InputError
from nutgraf.readers import Reader
from nutgraf.text.document import Document


class Memo(Reader):
    """Reads memos without their heads."""

    suffixes = (".memo",)

    def recognizes(self, data: bytes, suffix: str) -> float:
        """See Reader."""
        return float(b"\n---\n" in data and suffix == ".memo")

    def read(self, data: bytes, name: str, language: str | None = None) -> list[Document]:
        """See Reader."""
        _, line, body = data.decode("utf-8", "replace").partition("\n---\n")
        if not line:
            raise InputError(f"{name} is not a memo: it has no line of hyphens.")
        return [Document.of(body, name, language=language)]
