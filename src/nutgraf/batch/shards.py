"""Files with results: summaries as JSON lines or Parquet, dead letters as JSON lines.

A shard holds the documents of a range of positions, in their order, so the files are the same whoever made their
content, and in whatever order.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nutgraf.batch.settings import FileFormat
from nutgraf.batch.work import Made, dead_letter
from nutgraf.errors import MissingPackage
from nutgraf.files import atomic_write, make_folder, write_text

SUMMARIES, DEAD_LETTERS = "summaries", "dead_letters"
"""Folders of the files."""


def check_format(form: FileFormat) -> None:
    """Raise MissingPackage if files of a format cannot be written here."""
    if form == "parquet":
        try:
            import pyarrow  # noqa: F401
        except ImportError as error:
            raise MissingPackage(
                "Parquet files need the package pyarrow: run pip install 'nutgraf[parquet]'."
            ) from error


def write_shard(folder: Path, number: int, results: Sequence[Made], form: FileFormat) -> None:
    """Write the results of a shard, each file completely or not at all.

    Args:
        folder: The folder of the batch.
        number: Number of the shard.
        results: Results in the order of their documents.
        form: Format of the summaries.

    Raises:
        OutputError: If a file cannot be written.
    """
    lines = [made.line for made in results if made.line is not None]
    letters = [dead_letter(made) for made in results if made.line is None]
    if lines:
        make_folder(folder / SUMMARIES)
        path = folder / SUMMARIES / f"{number:06}.{form}"
        if form == "parquet":
            _write_parquet(path, lines)
        else:
            write_text(path, "\n".join(lines) + "\n")
    if letters:
        make_folder(folder / DEAD_LETTERS)
        write_text(folder / DEAD_LETTERS / f"{number:06}.jsonl", "\n".join(letters) + "\n")


def _write_parquet(path: Path, lines: Sequence[str]) -> None:
    import pyarrow
    import pyarrow.parquet

    place = pyarrow.struct(
        [("source", pyarrow.int32()), ("start", pyarrow.int64()), ("end", pyarrow.int64()), ("page", pyarrow.int32())]
    )
    texts = pyarrow.list_(pyarrow.string())
    schema = pyarrow.schema(
        [
            ("id", pyarrow.string()),
            ("summary", pyarrow.string()),
            ("sentences", texts),
            ("origins", pyarrow.list_(pyarrow.list_(place))),
            ("notices", texts),
        ]
    )
    records: list[dict[str, Any]] = [json.loads(line) for line in lines]
    with atomic_write(path) as temporary:
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(records, schema), temporary, compression="zstd")
