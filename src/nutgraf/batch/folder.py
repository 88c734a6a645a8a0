"""The folder of a batch: what was asked is kept in it from the beginning, and what came of it when it is complete."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from nutgraf.batch.checkpoint import CHECKPOINT, Checkpoint
from nutgraf.batch.progress import METRICS, Progress
from nutgraf.batch.settings import FileFormat, Settings
from nutgraf.batch.shards import first_lost, totals
from nutgraf.errors import InputError, OutputError
from nutgraf.preparation.shards import differing
from nutgraf.runtime.files import list_names, remove_unfinished, write_text
from nutgraf.runtime.metadata import Count, read_object, read_record

SCHEMA = "nutgraf.batch/1"
MANIFEST = "manifest.json"
PLAN = "unfinished.json"


@dataclass(frozen=True)
class _Plan:
    version: str
    dataset: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class _Manifest:
    schema: Literal["nutgraf.batch/1"]
    settings: _Plan
    documents: Count
    summaries: Count
    dead_letters: Count
    files: dict[str, Count]
    empty_summaries: Count = 0
    damaged_sources: Count = 0
    bytes: dict[str, Count] = field(default_factory=dict)


@dataclass(frozen=True)
class _Form:
    file_format: FileFormat
    shard_size: Count


@dataclass(frozen=True)
class _Complete:
    settings: _Form


def form_of(folder: str | Path) -> dict[str, Any]:
    """Return the form of a folder's files, `file_format` and `shard_size`, as arguments of `Settings`, {} if none.

    They say nothing of the summaries, so whoever goes on with a batch need not say them again.
    """
    what, form = "the settings of a batch", None
    with suppress(InputError):
        form = read_record(Path(folder) / PLAN, _Form, what)
    with suppress(InputError):
        form = read_record(Path(folder) / MANIFEST, _Complete, what).settings
    return asdict(form) if form and form.shard_size else {}


def look_after(folder: Path, settings: Settings, state: Checkpoint) -> None:
    """Begin again at the first shard whose files are gone or cut; it and those after it are made once more."""
    lost = first_lost(folder, state.written(), settings.file_format)
    if lost is not None:
        state.forget(lost, lost * settings.shard_size)


def complete(folder: Path, plan: Mapping[str, Any], settings: Settings) -> Progress | None:
    """Return what came of a batch that is complete, None if it is not.

    Raises:
        OutputError: If the folder holds another one, or files of it are gone or cut.
    """
    if not (folder / MANIFEST).is_file():
        return None
    what = "the manifest of a batch"
    try:
        found = read_record(folder / MANIFEST, _Manifest, what)
        _refuse_others(folder, read_object(folder / MANIFEST, _Manifest, what)["settings"], plan)
    except InputError as error:
        raise OutputError(f"{error} Name another folder.") from error
    for what, there in totals(folder, found.documents, settings).items():
        for name, count in there.items():
            wanted = getattr(found, what).get(name, count)
            if count != wanted:
                raise OutputError(
                    f"{folder} is complete by its {MANIFEST}, but {folder / name} has {count:,} of {wanted:,} {what}: "
                    f"what is there was cut or changed. Put it back, or remove {folder} to make all of it again."
                )
    counts = {"damaged": found.damaged_sources, "empty": found.empty_summaries}
    return Progress(found.summaries, found.dead_letters, share=1.0, seconds_left=0.0, **counts)


def begin(folder: Path, plan: Mapping[str, Any]) -> None:
    """Begin a batch in a folder, or check that the one in it is the same. Raises OutputError."""
    there = [name for name in list_names(folder) if name not in (METRICS, MANIFEST)]
    if PLAN in there:
        try:
            _refuse_others(folder, read_object(folder / PLAN, _Plan, "the settings of a batch"), plan)
        except InputError as error:
            raise OutputError(f"{error} Remove {folder}, or name another folder.") from error
    elif there and not (folder / MANIFEST).is_file():
        raise OutputError(f"{folder} is not empty ({there[0]}) and holds no batch; name another folder.")
    remove_unfinished(folder)
    if PLAN not in there and not (folder / MANIFEST).is_file():
        write_text(folder / PLAN, json.dumps(plan, ensure_ascii=False, indent=2) + "\n")


def _refuse_others(folder: Path, found: Mapping[str, Any], plan: Mapping[str, Any]) -> None:
    """Raise OutputError if a folder holds another batch, naming what differs."""
    options = {*plan["dataset"], *found.get("dataset", {})}
    here, there = (
        {**settings, "dataset": {name: settings.get("dataset", {}).get(name) for name in options}}
        for settings in (plan, found)
    )
    keys = differing({key: value for key, value in here.items() if key != "sources"}, there)
    if found.get("sources") != plan["sources"]:
        keys.append("the sources are others, or have changed")
    if keys:
        raise OutputError(f"{folder} holds another batch: {'; '.join(keys)}. Name another folder, or remove this one.")


def finish(folder: Path, plan: Mapping[str, Any], made: Progress, settings: Settings) -> None:
    """Write the manifest: from now on the batch is complete. Raises OutputError."""
    counts = {"documents": made.documents, "summaries": made.summaries, "dead_letters": made.dead_letters}
    counts |= {"empty_summaries": made.empty, "damaged_sources": made.damaged}
    manifest = {"schema": SCHEMA, **counts, **totals(folder, made.documents, settings), "settings": plan}
    write_text(folder / MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=2) + "\n")


def tidy(folder: Path) -> None:
    """Remove what only an unfinished batch needs; the plan last, since it says that there is something to remove."""
    for name in (f"{CHECKPOINT}-wal", f"{CHECKPOINT}-shm", CHECKPOINT, PLAN):
        (folder / name).unlink(missing_ok=True)
