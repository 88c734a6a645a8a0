"""Files with results: summaries as JSON lines or Parquet, dead letters as JSON lines.

A shard holds the documents of a range of positions, in their order, so the files are the same whoever made their
content, and in whatever order.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from nutgraf.batch.settings import FileFormat, Settings
from nutgraf.batch.work import Made, dead_letter
from nutgraf.runtime.files import atomic_write, make_folder, write_text, writing

SUMMARIES, DEAD_LETTERS = "summaries", "dead_letters"
"""Folders of the files."""


def write_shard(folder: Path, number: int, results: Sequence[Made], form: FileFormat) -> None:
    """Write the results of a shard, each file completely or not at all.

    Raises:
        OutputError: If a file cannot be written.
    """
    lines = [made.line for made in results if made.line is not None]
    letters = [dead_letter(made) for made in results if made.line is None]
    for path, content in zip(shard_files(folder, number, form), (lines, letters), strict=True):
        if not content:
            with writing(path):
                path.unlink(missing_ok=True)  # an earlier run may have left it
            continue
        make_folder(path.parent)
        if path.suffix == ".parquet":
            _write_parquet(path, content)
        else:
            write_text(path, "\n".join(content) + "\n")


def shard_files(folder: Path, number: int, form: FileFormat) -> tuple[Path, Path]:
    """Return the files of a shard: that of its summaries and that of its dead letters, each there if it has some."""
    name = f"{number:06}"
    return folder / SUMMARIES / f"{name}.{form}", folder / DEAD_LETTERS / f"{name}.jsonl"


def sizes_of(folder: Path, number: int, form: FileFormat) -> tuple[int, int]:
    """Return the sizes in bytes of the files of a shard, 0 for one that is not there."""
    summaries, letters = (path.stat().st_size if path.is_file() else 0 for path in shard_files(folder, number, form))
    return summaries, letters


def totals(folder: Path, documents: int, settings: Settings) -> dict[str, dict[str, int]]:
    """Return how many files so many documents have, and of how many bytes: those of summaries, and of dead letters."""
    shards = -(-documents // settings.shard_size)
    sizes = {first.parent.name: _sizes_like(first, shards) for first in shard_files(folder, 0, settings.file_format)}
    return {
        what: {name: count(found) for name, found in sizes.items()} for what, count in (("files", len), ("bytes", sum))
    }


def _sizes_like(first: Path, shards: int) -> list[int]:
    """Return the sizes of the files that are there of some shards, given the first one's; empty files do not count."""
    named = re.compile(r"[0-9]{6}|[1-9][0-9]{6,}")
    there = (path for path in first.parent.glob(f"*{first.suffix}") if named.fullmatch(path.stem) and path.is_file())
    return [size for path in there if int(path.stem) < shards and (size := path.stat().st_size)]


def first_lost(folder: Path, sizes: Iterable[tuple[int, int]], form: FileFormat) -> int | None:
    """Return the first shard of which a file is gone or has another size, None if all are as they were written."""
    return next((number for number, size in enumerate(sizes) if sizes_of(folder, number, form) != size), None)


def _write_parquet(path: Path, lines: Sequence[str]) -> None:
    import pyarrow
    import pyarrow.parquet

    place = pyarrow.struct(
        [
            ("source", pyarrow.int32()),
            ("start", pyarrow.int64()),
            ("end", pyarrow.int64()),
            ("page", pyarrow.int32()),
            ("time", pyarrow.string()),
        ]
    )
    words = [(name, pyarrow.string()) for name in ("kind", "text", "reason")]
    flag = pyarrow.struct([words[0], ("start", pyarrow.int64()), ("end", pyarrow.int64()), *words[1:]])
    texts = pyarrow.list_(pyarrow.string())
    schema = pyarrow.schema(
        [
            ("id", pyarrow.string()),
            ("summary", pyarrow.string()),
            ("sentences", texts),
            ("origins", pyarrow.list_(pyarrow.list_(place))),
            ("flags", pyarrow.list_(pyarrow.list_(flag))),
            ("notices", texts),
        ]
    )
    records: list[dict[str, Any]] = [json.loads(line) for line in lines]
    for origin in (origin for record in records for places in record["origins"] for origin in places):
        if "time" in origin:  # a column has one type
            origin["time"] = str(origin["time"])
    with atomic_write(path) as temporary:
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(records, schema), temporary, compression="zstd")
