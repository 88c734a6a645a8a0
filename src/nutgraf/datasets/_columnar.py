"""Rows of Parquet and Arrow files; after a row that cannot be read it goes on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from typing import Any

from nutgraf.errors import InputError
from nutgraf.runtime.lines import Entry

COLUMNAR = (".parquet", ".arrow")

_AT_ONCE = 256


def columnar_rows(path: Path, form: str) -> Iterator[tuple[int, Entry | InputError]]:
    """Yield the rows of a Parquet or an Arrow file with their numbers.

    A row that cannot be read is its error, and so is each row of a damaged row group of Parquet from the damage on; the
    groups after it are read.
    """
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
        contents = (_parquet if form == ".parquet" else _arrow)(pyarrow, path)
        for number, content in enumerate(contents, start=1):
            if isinstance(content, Exception):
                yield number, InputError(f"{path}, row {number}: this row cannot be read: {_reason(content)}.")
            else:
                yield number, content
    except (OSError, ValueError, pyarrow.ArrowException) as error:
        raise InputError(f"{path} cannot be read: {_reason(error)}.") from error


def refuse_twins(names: list[str], where: str) -> None:
    """Raise InputError if two columns have the same name: a row could hold only one of them."""
    twice = next((name for name, count in Counter(names).items() if name.strip() and count > 1), None)
    if twice is not None:
        raise InputError(f"{where}: two columns are called {twice!r}; give each a name of its own.")


def _parquet(pyarrow: Any, path: Path) -> Iterator[Entry | Exception]:
    with pyarrow.parquet.ParquetFile(path) as file:
        refuse_twins(file.schema_arrow.names, str(path))
        for group in range(file.num_row_groups):
            left = file.metadata.row_group(group).num_rows
            try:
                for batch in file.iter_batches(batch_size=_AT_ONCE, row_groups=[group]):
                    left -= batch.num_rows
                    yield from _entries(batch)
            except (OSError, pyarrow.ArrowException) as error:
                yield from repeat(error, left)


def _arrow(pyarrow: Any, path: Path) -> Iterator[Entry | Exception]:
    """Yield the rows of an Arrow stream, as Hugging Face stores it, or of an Arrow file with a footer."""
    source = pyarrow.memory_map(str(path))
    try:
        batches: Any = pyarrow.ipc.open_stream(source)
        names = batches.schema.names
    except pyarrow.ArrowInvalid:
        file = pyarrow.ipc.open_file(source)
        names, batches = file.schema.names, (file.get_batch(index) for index in range(file.num_record_batches))
    refuse_twins(names, str(path))
    for batch in batches:
        yield from _entries(batch)


def _entries(batch: Any) -> Iterator[Entry | Exception]:
    """Yield the rows of a batch: all at once, or one by one where one has bytes that are no UTF-8 or too far a date."""
    try:
        yield from batch.to_pylist()
    except (ValueError, OverflowError):
        for number in range(batch.num_rows):
            try:
                [entry] = batch.slice(number, 1).to_pylist()
                yield entry
            except (ValueError, OverflowError) as error:
                yield error


def _reason(error: Exception) -> str:
    return str(error).splitlines()[0].rstrip(".") if str(error) else type(error).__name__
