"""Rows of a file as objects, whatever its format: JSON lines, a JSON list, CSV, TSV, Parquet, Arrow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from nutgraf.datasets._cells import table_rows
from nutgraf.errors import InputError
from nutgraf.metadata import json_reason
from nutgraf.text.clean import encodable
from nutgraf.text.lines import PACKINGS, Entry, first_line, kind_of, loads, numbered_lines, parse_object, whole_text

DELIMITERS = {".csv": ",", ".tsv": "\t"}
COLUMNAR = (".parquet", ".arrow")

_AT_ONCE = 256


class Row(NamedTuple):
    """A row of a file.

    Attributes:
        file: The file.
        number: Number of the line or row, from 1.
        content: The object, or the error of a row that cannot be read.
        unit: Name of what is numbered, for messages.
        draw: Number of the example that is drawn of the row, from 0, where a data set draws several at random.
    """

    file: Path
    number: int
    content: Entry | InputError
    unit: str = "line"
    draw: int = 0

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
        for number, entry in enumerate(_columnar(path, form), start=1):
            yield Row(path, number, entry, "row")
        return
    if form in DELIMITERS:
        numbered = _cells(path, DELIMITERS[form])
    elif form == ".json" and _is_list(path):
        numbered = _items(path)
    else:
        numbered = _objects(path)
    for number, content in numbered:
        yield Row(path, number, content)


def field(row: Row, name: str) -> Any:
    """Return the value of a field.

    Raises:
        InputError: If there is no such field.
    """
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
        InputError: If the field holds what names nothing, such as a list.
    """
    value = entry.get(name)
    if isinstance(value, (bool, bytes, list, dict)):
        raise InputError(f"{where}: {name!r} holds {kind_of(value)}; an id is a text or a number.")
    return "" if value is None else encodable(str(value))


def _form(path: Path) -> str:
    return next((suffix.lower() for suffix in reversed(path.suffixes) if suffix not in PACKINGS), "")


def _is_list(path: Path) -> bool:
    return first_line(path).startswith("[")


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
        if names is None:
            names = _names(path, number, cells)
        elif isinstance(cells, InputError):
            yield number, cells
        elif len(cells) == len(names):
            yield number, dict(zip(names, cells, strict=True))
        else:
            yield (
                number,
                InputError(
                    f"{path}, line {number}: this row has not as many cells as the first line has names ({len(names)})."
                ),
            )


def _names(path: Path, number: int, cells: list[str] | InputError) -> list[str]:
    """Return the names of the columns. Raises InputError if there are none, or two columns have the same name."""
    if isinstance(cells, InputError):
        raise cells
    twice = next((name for name, count in Counter(cells).items() if name.strip() and count > 1), None)
    if twice is not None:
        raise InputError(f"{path}, line {number}: two columns are called {twice!r}; give each a name of its own.")
    return cells


def _columnar(path: Path, form: str) -> Iterator[Entry]:
    if not path.is_file():
        raise InputError(f"There is no file {str(path)!r}.")
    try:
        import pyarrow
        import pyarrow.ipc
        import pyarrow.parquet
    except ImportError as error:
        raise InputError(
            f"{path} is a {form[1:].capitalize()} file, which needs the package pyarrow: "
            "run pip install 'nutgraf[parquet]'."
        ) from error
    try:
        if form == ".parquet":
            batches = pyarrow.parquet.ParquetFile(path).iter_batches(batch_size=_AT_ONCE)
        else:
            batches = _arrow(pyarrow, path)
        for batch in batches:
            yield from batch.to_pylist()
    except (OSError, ValueError, OverflowError, pyarrow.ArrowException) as error:
        # ValueError and OverflowError: bytes that are no UTF-8, a date beyond what Python has.
        raise InputError(f"{path} cannot be read: {error}.") from error


def _arrow(pyarrow: Any, path: Path) -> Iterator[Any]:
    """Batches of an Arrow stream, as Hugging Face stores it, or of an Arrow file with a footer."""
    source = pyarrow.memory_map(str(path))
    try:
        yield from pyarrow.ipc.open_stream(source)
    except pyarrow.ArrowInvalid:
        file = pyarrow.ipc.open_file(source)
        yield from (file.get_batch(index) for index in range(file.num_record_batches))
