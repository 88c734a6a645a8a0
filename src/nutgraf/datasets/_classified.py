"""Rows of what is classified, as networks that classify spans learn from them.

Files whose names indicate no training data are split together, 90/5/5, by a hash of the rows' texts, so that rows with
the same text stay together.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from nutgraf.datasets import Dataset, Drop, Record, Row, Splits, ignore, set_of
from nutgraf.datasets._rows import JSON
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
    def reference(self, row: Row) -> str:
        """Return what is classified of a row. Raises InputError."""

    def record(self, row: Row, drop: Drop = ignore) -> Record:
        """Make the example of a row; see `Dataset`."""
        name, text = self.id_of(row), text_of(row, self.column)
        document = Document.of(text, name, language="en", sentences=[(0, len(text))])
        found = self.reference(row)
        return Record(name, document, ((found,),) if found.strip() else ())

    def splits(self, path: Path) -> Splits:
        """Return the files of each split, or all of them split by their texts; see `Dataset`."""
        files = [file for file in files_in(path) if self.reads(file)] if path.is_dir() else []
        if not files or any(self.split_of(file.relative_to(path)) == "train" for file in files):
            return super().splits(path)
        parts = deal(path, (text_of(row, self.column) for file in files for row in self.rows(file)))
        return {split: replace(part, files=tuple(files)) for split, part in parts.items()}


def value_of(row: Row, column: str) -> Any:
    """Return what a column holds. Raises InputError if there is none of that name."""
    if column not in row.entry:
        raise InputError(
            f"{row.where}: there is no field {column!r}; it has {', '.join(map(str, row.entry)) or 'none'}."
        )
    return row.entry[column]


def text_of(row: Row, column: str) -> str:
    """Return the text of a column. Raises InputError if it has none."""
    text = value_of(row, column)
    if not isinstance(text, str):
        raise InputError(f"{row.where}: {column!r} holds {kind_of(text)}; a text is needed.")
    return encodable(text)


def numbers_of(found: Any, count: int, where: str, below: bool = False) -> list[float]:
    """Return a list of `count` numbers from 0 or, with `below`, of any. Raises InputError if it is something else."""
    if not isinstance(found, list) or len(found) != count or not all(map(_is_number, found)):
        raise InputError(f"{where} holds {kind_of(found)}; {count} finite numbers are needed.")
    if not below and any(one < 0 for one in found):
        raise InputError(f"{where} holds a number below 0.")
    return [float(one) for one in found]


def origin_of(row: Row) -> str:
    """Return the name of the set that a row is from: its `source`, or that of its file."""
    return encodable(str(row.entry.get("source") or set_of(row.file)))


def _is_number(one: Any) -> bool:
    return isinstance(one, int | float) and not isinstance(one, bool) and math.isfinite(one)
