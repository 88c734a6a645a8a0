"""Rows of what is classified, as networks that classify spans learn from them.

Files whose names indicate no training data are split together, 90/5/5, by a hash of the rows' texts, so that rows with
the same text stay together.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from nutgraf.datasets import Dataset, Drop, Record, Row, Splits, ignore
from nutgraf.datasets._rows import JSON, field
from nutgraf.datasets._splits import deal, files_in
from nutgraf.errors import InputError
from nutgraf.runtime.lines import kind_of
from nutgraf.text.clean import encodable
from nutgraf.text.document import Document


class Classified(Dataset):
    """Base of such data sets; files are JSON lines or JSON lists."""

    suffixes = JSON

    column: ClassVar[str]
    """Column of the text that a row is about."""

    @abstractmethod
    def reference(self, row: Row) -> tuple[str, ...]:
        """Return what is classified of a row, as sentences. Raises InputError."""

    def record(self, row: Row, drop: Drop = ignore) -> Record:
        """Make the example of a row; see `Dataset`."""
        name, text = self.id_of(row), text_of(row, self.column)
        document = Document.of(text, name, language="en", sentences=[(0, len(text))])
        found = self.reference(row)
        return Record(name, document, (found,) if found else ())

    def splits(self, path: Path) -> Splits:
        """Return the files of each split, or all of them split by their texts; see `Dataset`."""
        files = [file for file in files_in(path) if self.reads(file)] if path.is_dir() else []
        if not files or any(self.split_of(file.relative_to(path)) == "train" for file in files):
            return super().splits(path)
        parts = deal(path, (text_of(row, self.column) for file in files for row in self.rows(file)))
        return {split: replace(part, files=tuple(files)) for split, part in parts.items()}


def text_of(row: Row, column: str) -> str:
    """Return the text of a column. Raises InputError if it has none."""
    text = field(row, column)
    if not isinstance(text, str):
        raise InputError(f"{row.where}: {column!r} holds {kind_of(text)}; a text is needed.")
    return encodable(text)


def number_of(row: Row, column: str, default: float) -> float:
    """Return the number of a column, from 0. Raises InputError if it holds something else."""
    found: Any = row.entry.get(column)
    if found is None:
        return default
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 <= found < float("inf"):
        raise InputError(f"{row.where}: {column!r} holds {kind_of(found)}; a number from 0 is needed.")
    return float(found)
