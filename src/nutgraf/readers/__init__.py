"""Readers: a file becomes Documents. One file, one format; found by content, not only by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path

from nutgraf.presets.family import Family
from nutgraf.text.document import Document


class Reader(ABC):
    """Turns the bytes of one format into Documents.

    suffixes: the endings that files of the format usually have, with their dots. Several readers may find that they
    can read the same bytes; the surest one does.
    """

    suffixes: tuple[str, ...] = ()

    @abstractmethod
    def recognizes(self, data: bytes, suffix: str) -> float:
        """How sure this reader is, from 0 to 1, that `data` is in its format. `suffix` is a hint, "" where unknown."""

    @abstractmethod
    def read(self, data: bytes, name: str, language: str | None = None) -> list[Document]:
        """The documents in `data`. `name` is what messages call the file.

        Raises InputError, in a sentence for the user, if they cannot be read.
        """


readers: Family[Reader] = Family(__name__, Reader)


def read(path: str | Path, language: str | None = None, kind: str | None = None) -> list[Document]:
    """The documents of a file; "-" is standard input. `kind` names the reader to take, None finds it."""
    from nutgraf.readers._find import read_path

    return read_path(path, language, kind)
