"""Tables, with a document in each line or row: JSON lines, CSV, Parquet, Arrow, and whatever a data set reads."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from nutgraf.batch.sources import ESTIMATED_BY, File, Item
from nutgraf.datasets import Dataset
from nutgraf.errors import InputError
from nutgraf.runtime.files import reading
from nutgraf.runtime.lines import LONGEST_LINE, estimated_lines, numbered_lines, suffix_of, unpacked

CELLS = (".csv", ".tsv")

EDGE = 1 << 16
"""Bytes at the beginning and the end of a table by which it is recognized, beside its size."""


class _Table(File):
    """A file with a document in each row."""

    def identity(self) -> str:
        """Return its name, its size, and a hash of its beginning and its end."""
        with reading(self.path), self.path.open("rb") as file:
            edges = file.read(EDGE)
            file.seek(max(0, self.size - EDGE))
            edges += file.read(EDGE)
        return f"{super().identity()} {hashlib.sha256(edges).hexdigest()}"


class LinesFile(_Table):
    """A file of JSON lines, compressed or not."""

    def items(self, position: int) -> Iterator[Item]:
        """Yield the lines that are not blank; see `Source`."""
        number = 0
        try:
            for number, line, problem in numbered_lines(self.path):
                if problem is not None or line.strip():
                    yield self._row(position, number, line if problem is None else problem, len(line))
                    position += 1
        except InputError as error:
            yield self._rest(position, number, error)

    def sample(self, most: int) -> list[Item]:
        """Return lines that are spread over the file, the first ones if it is compressed."""
        with reading(self.path), self.path.open("rb") as file:
            if unpacked(file) is not file:
                return super().sample(most)
            lines = [_line_after(file, number * self.size // most) for number in range(most)]
        return [
            self._row(position, position + 1, line, len(line)) for position, line in enumerate(lines) if line.strip()
        ]

    def estimate(self) -> float:
        """Return about how many lines it has."""
        return estimated_lines(self.path)


class TableFile(_Table):
    """A file that a data set reads: CSV, Parquet, Arrow, or what a kind of corpus is distributed in."""

    def __init__(self, path: str, dataset: Dataset) -> None:
        super().__init__(path)
        self._dataset, self._rows = dataset, _rows_of_parquet(self.path)

    def items(self, position: int) -> Iterator[Item]:
        """Yield the rows; see `Source`."""
        number, unit = 0, "line"
        try:
            for row in self._dataset.rows(self.path):
                content, number, unit = row.content, row.number, row.unit
                values = () if isinstance(content, InputError) else content.values()
                yield self._row(
                    position, number, content, sum(len(one) for one in values if isinstance(one, str)), unit
                )
                position += 1
        except InputError as error:
            yield self._rest(position, number, error, unit)

    def share(self, documents: int, size: int) -> float:
        """Return the share of the rows, where their number is known; see `Source`."""
        return documents / self._rows if self._rows else super().share(documents, size)

    def estimate(self) -> float:
        """Return the number of rows where it is known, else about how many there are; see `Source`."""
        if self._rows is not None:
            return self._rows
        if suffix_of(self.name) not in CELLS:
            return super().estimate()
        sample = self.sample(ESTIMATED_BY)
        return estimated_lines(self.path) * len(sample) / max([1, *(item.number for item in sample)])


def _line_after(file: BinaryIO, start: int) -> str:
    """Return the first line that begins at a place or after it; "" if there is none."""
    file.seek(max(0, start - 1))
    if start:
        file.readline(LONGEST_LINE)
    return file.readline(LONGEST_LINE).decode("utf-8-sig", "replace")


def _rows_of_parquet(path: Path) -> int | None:
    """Return the number of rows of a Parquet file, None if it is not known."""
    if path.suffix != ".parquet":
        return None
    try:
        from pyarrow import ArrowException, parquet

        return int(parquet.read_metadata(path).num_rows)
    except (ImportError, OSError, ArrowException):
        return None
