"""Rows of a file as objects, whatever its format: JSON lines, a JSON list, CSV, TSV, Parquet, Arrow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from nutgraf.datasets._cells import table_rows
from nutgraf.datasets._columnar import COLUMNAR, columnar_rows, refuse_twins
from nutgraf.errors import InputError
from nutgraf.runtime.lines import PACKINGS, Entry, first_line, kind_of, loads, numbered_lines, parse_object, whole_text
from nutgraf.runtime.metadata import json_reason
from nutgraf.text.clean import encodable

JSON = (".json", ".jsonl", ".ndjson")
DELIMITERS = {".csv": ",", ".tsv": "\t"}


class Row(NamedTuple):
    """A row of a file.

    Attributes:
        file: The file.
        number: Number of the line or row, from 1.
        content: The object, or the error of a row that cannot be read.
        unit: Name of what is numbered, for messages.
        draw: Number of the example that is drawn of the row, from 0, where a data set draws several at random.
        name: Name of a row that has no id; "" stands for its number.
    """

    file: Path
    number: int
    content: Entry | InputError
    unit: str = "line"
    draw: int = 0
    name: str = ""

    @property
    def entry(self) -> Entry:
        """The object. Raises InputError if the row cannot be read."""
        if isinstance(self.content, InputError):
            raise self.content
        return self.content

    @property
    def where(self) -> str:
        """Its place, for messages."""
        return f"{self.file}, {self.unit} {self.number}"


def rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a file; one that cannot be read says so when its entry is asked for.

    The format follows from the suffix, by default JSON lines; all formats but Parquet and Arrow may be compressed.

    Raises:
        InputError: If the file as a whole cannot be read.
    """
    form = _form(path)
    if form in COLUMNAR:
        for number, content in columnar_rows(path, form):
            yield Row(path, number, content, "row")
        return
    if form in DELIMITERS:
        numbered = _cells(path, DELIMITERS[form])
    elif form == ".json" and first_line(path).startswith("["):
        yield from (Row(path, number, content, "item") for number, content in _items(path))
        return
    else:
        numbered = _objects(path)
    for number, content in numbered:
        yield Row(path, number, content)


def field(row: Row, name: str) -> Any:
    """Return the value of a field."""
    if name not in row.entry:
        ours = " This looks like nutgraf's own form, which is of the kind jsonl." if "documents" in row.entry else ""
        there = ", ".join(map(str, row.entry)) or "none"
        raise InputError(f"{row.where}: there is no field {name!r}; it has {there}.{ours}")
    return row.entry[name]


def id_of(entry: Mapping[str, Any], name: str, where: str) -> str:
    """Return the id of an entry as text, "" if it has none.

    Args:
        entry: The entry.
        name: Name of its field; an empty one, and null, are no id.
        where: Place of the entry, for messages.

    Raises:
        InputError: If the field holds anything but a text or a whole number, such as a list.
    """
    value = entry.get(name)
    if value is None:
        return ""
    fractional = isinstance(value, (float, Decimal))
    if fractional and value % 1 == 0:
        value = int(value)  # pandas keeps a column of whole numbers that has gaps so, databases all their whole numbers
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        held = value if fractional else kind_of(value)
        raise InputError(f"{where}: {name!r} holds {held}; an id is a text or a whole number.")
    return encodable(str(value))


def _form(path: Path) -> str:
    return next((suffix.lower() for suffix in reversed(path.suffixes) if suffix not in PACKINGS), "")


def _objects(path: Path) -> Iterator[tuple[int, Entry | InputError]]:
    for line in numbered_lines(path):
        if line.problem is not None:
            yield line.number, line.problem
        elif line.text.strip():
            try:
                yield line.number, parse_object(line.text, f"{path}, line {line.number}")
            except InputError as error:
                yield line.number, error


def _items(path: Path) -> Iterator[tuple[int, Entry | InputError]]:
    try:
        items = loads(whole_text(path))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not a valid JSON list ({json_reason(error)}).") from error
    for number, entry in enumerate(items, start=1):
        if isinstance(entry, dict):
            yield number, entry
        else:
            yield number, InputError(f"{path}, item {number}: an object is needed, not {kind_of(entry)}.")


def _cells(path: Path, delimiter: str) -> Iterator[tuple[int, Entry | InputError]]:
    names: list[str] | None = None
    for number, cells in table_rows(path, delimiter):
        if isinstance(cells, InputError):
            if names is None:
                raise cells
            yield number, cells
        elif names is None:
            refuse_twins(cells, f"{path}, line {number}")
            names = cells
        elif len(cells) == len(names):
            yield number, dict(zip(names, cells, strict=True))
        else:
            fewer = f"this row has not as many cells as the first line has names ({len(names)})"
            yield number, InputError(f"{path}, line {number}: {fewer}.")
