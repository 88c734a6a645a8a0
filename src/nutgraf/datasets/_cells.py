"""Rows of a table of cells, CSV or TSV, as Python's csv reads them; after a row that cannot be read it goes on."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from nutgraf.errors import InputError
from nutgraf.runtime.lines import LONGEST_LINE, Line, numbered_lines

_AGAIN = 10_000
"""Lines that may be read again, beyond as many as were read once; without a limit many open quotes cost a square."""


def table_rows(path: Path, delimiter: str) -> Iterator[tuple[int, list[str] | InputError]]:
    """Yield the cells of each row that is not blank, with the number of its last line.

    A row that cannot be read has its error for cells, and the number of its first line. A quote that is never closed,
    or closed in a wrong place, spoils its own line only: the lines after it are read once more, as rows.
    """
    csv.field_size_limit(LONGEST_LINE)
    lines = _Lines(path)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        lines.row.clear()
        try:
            cells = next(reader, None)
        except csv.Error as error:
            first, last = lines.row[0].number, lines.row[-1].number
            if lines.go_back():
                yield first, lines.problem or _unreadable(path, first, error)
            else:
                yield first, _unreadable(path, first, error, f"; the lines up to {last:,} are left out with it")
            continue
        if cells is None:
            return
        if lines.problem is not None:
            yield lines.row[0].number, lines.problem
        elif cells:
            yield lines.row[-1].number, cells


class _Lines(Iterator[str]):
    """Lines of a file, some of which are read once more.

    Attributes:
        row: Lines of the row that is being read.
    """

    def __init__(self, path: Path) -> None:
        self.row: list[Line] = []
        self._lines, self._next = numbered_lines(path), deque[Line]()
        self._again = _AGAIN

    def __next__(self) -> str:
        if self._next:
            self._again -= 1
        else:
            self._next.append(next(self._lines))
            self._again += 1
        self.row.append(self._next.popleft())
        return f"{self.row[-1].text}\n"

    @property
    def problem(self) -> InputError | None:
        """The first error of a line of the row."""
        return next((line.problem for line in self.row if line.problem is not None), None)

    def go_back(self) -> bool:
        """Read the lines of the row but its first one again; return False if that is too much."""
        if len(self.row) - 1 > self._again - len(self._next):
            return False
        self._next.extendleft(reversed(self.row[1:]))
        return True


def _unreadable(path: Path, number: int, error: csv.Error, left_out: str = "") -> InputError:
    reason = "a quote is opened in it that is never closed" if str(error) == "unexpected end of data" else str(error)
    return InputError(f"{path}, line {number}: this cannot be read as a table ({reason}){left_out}.")
