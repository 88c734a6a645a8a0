"""What a person hands to a system becomes one Document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from nutgraf.errors import InputError
from nutgraf.text.document import Document, join

Input = str | Path | Document

_LIKE_A_PATH = re.compile(r"[^\s]*[\w\-]\.[A-Za-z]\w{1,4}|[./~][^\s]*/[^\s]*")


def as_document(documents: Input | Sequence[Input], language: str | None = None) -> Document:
    """Text, a path, a Document, or a list of these, as one Document with a part for each.

    Raises InputError for a file that is not there or cannot be read.
    """
    items = [documents] if isinstance(documents, (str, Path, Document)) else list(documents)
    return join([document for item in items for document in _documents(item, language)])


def _documents(item: Input, language: str | None) -> list[Document]:
    if isinstance(item, Document):
        return [item]
    if not isinstance(item, (str, Path)):
        raise InputError(f"A document is text, a path or a Document, not {type(item).__name__}.")
    if isinstance(item, Path) or _names_a_file(item):
        from nutgraf.readers import read

        return read(item, language)
    return [Document.of(item, language=language)]


def _names_a_file(text: str) -> bool:
    """Whether a string is a path rather than a text. One that looks like a path is taken for one even if nothing is
    there, so that a mistyped name is not summarized."""
    if len(text) > 1000 or "\n" in text or "\0" in text:
        return False
    try:
        return Path(text).is_file() or _LIKE_A_PATH.fullmatch(text) is not None
    except OSError:
        return False
