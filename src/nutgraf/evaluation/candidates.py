"""Candidate summaries of each example of a corpus, for a re-ranker to learn from (SimCLS; Liu and Liu 2021).

    OUT/train.jsonl        the examples of a split as they stand in the corpus, each with its `candidates`; likewise
    OUT/validation.jsonl   the other splits
    OUT/candidates.json    the corpus and the system

So OUT is a corpus like the one it was made from, and `nutgraf prepare` and `nutgraf train` take it. Lines are added as
they are written: after an interruption the same call goes on behind the last whole line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from nutgraf.datasets import Dataset, Part, Record, Row, ignore
from nutgraf.errors import OutputError, check_type
from nutgraf.runtime.files import AppendOnlyFile, digests_of, list_names, lock_folder, remove_unfinished, write_text
from nutgraf.runtime.metadata import read_object
from nutgraf.systems import System
from nutgraf.text.clean import encodable

PLAN = "candidates.json"
"""File that says what a folder of candidates was made of."""

Progress = Callable[[str, int], None]
"""Told the name of a split, and for how many of its examples there are candidates."""


def write_candidates(
    system: System,
    dataset: Dataset,
    source: str | Path,
    out: str | Path,
    limit: int | None = None,
    progress: Progress | None = None,
) -> dict[str, int]:
    """Write the candidates of every example of a corpus, and return the number of examples by split.

    Args:
        system: A system whose search finds several summaries.
        dataset: Reads the corpus.
        source: The corpus: a folder, or a file, which is then split.
        out: Folder to write; what it holds already is not made again.
        limit: Number of examples of each split to take; None takes all.
        progress: Told how far the work is.

    Raises:
        InputError: If the corpus cannot be read, or the system makes one summary only.
        OutputError: If `out` holds something else or cannot be written to.
    """
    check_type(progress, (Callable, type(None)), "progress is a function or None")
    folder, splits = Path(out), dataset.splits(Path(source))
    plan = {
        "system": system.signature,
        "files": {split: digests_of(part.files) for split, part in splits.items()},
        "limit": limit,
    }
    with lock_folder(folder):
        _begin(folder, plan)
        tell = progress or (lambda split, done: None)
        return {split: _write(system, dataset, part, folder, split, limit, tell) for split, part in splits.items()}


@dataclass(frozen=True)
class _Plan:
    system: str
    files: dict[str, Any]


def _begin(folder: Path, plan: dict[str, Any]) -> None:
    """Write the plan, or check that the folder was begun with the same one. Raises OutputError."""
    held = list_names(folder)
    if held and PLAN not in held:
        raise OutputError(f"{folder} is not empty ({held[0]}) and holds no candidates; name another folder.")
    remove_unfinished(folder)
    if held:
        there = read_object(folder / PLAN, _Plan, "what candidates were made of")
        differing = [key for key, value in plan.items() if there.get(key) != value]
        if differing:
            raise OutputError(
                f"{folder} holds candidates that were written otherwise: {' and '.join(differing)} differ. Name "
                "another folder, or remove this one."
            )
    write_text(folder / PLAN, json.dumps(plan, indent=2, ensure_ascii=False) + "\n")


def _write(
    system: System, dataset: Dataset, part: Part, folder: Path, split: str, limit: int | None, tell: Progress
) -> int:
    """Write the lines of a split that are not there yet, and return how many there are."""
    path = folder / f"{split}.jsonl"
    data = path.read_bytes() if path.exists() else b""
    whole = data[: data.rfind(b"\n") + 1]
    file, done = AppendOnlyFile(path, len(whole)), whole.count(b"\n")
    examples = islice(_examples(dataset, part), done, limit)
    try:
        tell(split, done)
        while some := list(islice(examples, system.at_once)):
            found = system.candidates([record.document for _, record in some])
            for (row, record), texts in zip(some, found, strict=True):
                file.append(
                    encodable(json.dumps({"id": record.id, **row.entry, "candidates": texts}, ensure_ascii=False))
                )
            done += len(some)
            tell(split, done)
    finally:
        file.close()
    return done


def _examples(dataset: Dataset, part: Part) -> Iterator[tuple[Row, Record]]:
    """Yield the rows of a split that are examples."""
    for row in dataset.rows_of(part):
        record = dataset.record(row, ignore)
        if record is not None:
            yield row, record
