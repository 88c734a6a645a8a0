"""A corpus becomes shards: learn the lexicon from the training part, then read every example as the network will.

The examples are read in order and worked on in chunks by several processes; each chunk is a file that is written whole
or not at all, so that a run that was killed goes on where it was. At the end the chunks become one set of arrays a
split, and the manifest is written last: a folder with a manifest is complete.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import shutil
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import chain, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from nutgraf.dataset import Dataset, Record, Splits, datasets
from nutgraf.errors import InputError, OutputError
from nutgraf.files import replacing, write_text
from nutgraf.keyphrases import extractors
from nutgraf.preparation.shards import (
    MANIFEST,
    SCHEMA,
    VOCABULARY,
    Table,
    chunks,
    differing,
    read_lexicon,
    read_manifest,
    row_of,
    stack,
    write_stacked,
)
from nutgraf.preparation.source import Preparation, Truncation
from nutgraf.presets import Family, Preset, configure
from nutgraf.version import __version__
from nutgraf.vocabulary import lexicons

CHUNK = 256
"""Examples in a chunk: a few seconds of work."""

PLAN = "unfinished.json"
PARTS = "parts"

Progress = Callable[[str, int], None]
"""Told what is being done, and how many examples of it are done."""


def prepare(
    preset: Preset,
    source: str | Path,
    out: str | Path,
    *,
    limit: int | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Table:
    """Prepare a corpus for a preset, and return the manifest. What is there already is not made again.

    source: a folder with files for each split. limit: only the first so many examples of each split. workers:
    processes; as many as there are processors where it is None.

    Raises PresetError, InputError, and OutputError if `out` holds something else or cannot be written to.
    """
    folder, tell = Path(out), progress or (lambda what, done: None)
    dataset = datasets.from_section(preset.section("dataset"))
    splits = dataset.splits(Path(source))
    plan = _plan(preset, splits, limit)
    if _is_complete(folder, plan):
        return read_manifest(folder)
    _begin(folder, plan)
    if not (folder / VOCABULARY).is_dir():
        _learn(preset, _told(_records(dataset, splits.get("train", []), limit), "Reading", tell), folder)
    counts = {}
    with _Workers(preset, folder, workers) as pool:
        for split, files in splits.items():
            counts[split] = _split(pool, _records(dataset, files, limit), folder / PARTS / split, split, tell)
    return _finish(folder, plan, counts)


def configuration_of(preset: Preset) -> Table:
    """The sections that decide what shards hold, complete with the defaults of what they leave out. Raises PresetError,
    UnknownName."""
    families: dict[str, Family[Any]] = {"dataset": datasets, "vocabulary": lexicons, "keyphrases": extractors}
    sections: Table = {}
    for name, family in families.items():
        section = preset.section(name)
        if not section and name == "keyphrases":
            sections[name] = {}
            continue
        family.from_section(section)
        kind = section.pop("kind")
        sections[name] = {"kind": kind, **_plain(configure(family.config(kind), section, f"{name}.{kind}"))}
    sections["truncation"] = _plain(configure(Truncation, preset.section("truncation"), "truncation"))
    return sections


def _plain(config: Any) -> Table:
    """A Config as JSON would give it back."""
    plain: Table = json.loads(json.dumps(dataclasses.asdict(config)))
    return plain


def _plan(preset: Preset, splits: Splits, limit: int | None) -> Table:
    files = {split: {path.name: _hash(path) for path in paths} for split, paths in splits.items()}
    return {"version": __version__, "configuration": configuration_of(preset), "files": files, "limit": limit}


def _hash(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}.") from error


def _is_complete(folder: Path, plan: Table) -> bool:
    """Whether the folder holds what the plan asks for. Raises OutputError if it holds something else."""
    if not (folder / MANIFEST).is_file():
        return False
    _refuse_others(folder, read_manifest(folder), {**plan, "version": None})
    return True


def _refuse_others(folder: Path, found: Table, plan: Table) -> None:
    keys = differing({key: value for key, value in plan.items() if value is not None or key == "limit"}, found)
    if keys:
        raise OutputError(
            f"{folder} holds a corpus that was prepared otherwise: {'; '.join(keys)}. "
            "Name another folder, or remove this one."
        )


def _begin(folder: Path, plan: Table) -> None:
    """Make the folder, or make sure that what was begun in it is the same."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        there = [path.name for path in folder.iterdir()]
    except OSError as error:
        raise OutputError(f"{folder} cannot be made: {error.strerror or error}.") from error
    if PLAN in there:
        _refuse_others(folder, json.loads((folder / PLAN).read_text(encoding="utf-8")), plan)
    elif there:
        raise OutputError(f"{folder} is not empty ({there[0]}) and holds no prepared corpus; name another folder.")
    else:
        write_text(folder / PLAN, json.dumps(plan, indent=2) + "\n")


def _records(dataset: Dataset, files: Iterable[Path], limit: int | None) -> Iterator[Record]:
    return islice(chain.from_iterable(dataset.read(path) for path in files), limit)


def _told(records: Iterator[Record], what: str, tell: Progress) -> Iterator[Record]:
    for done, record in enumerate(records, start=1):
        yield record
        tell(what, done)


def _learn(preset: Preset, records: Iterator[Record], folder: Path) -> None:
    """The lexicon of the training part, into its folder, whole or not at all."""
    lexicon = lexicons.from_section(preset.section("vocabulary"))
    preparation = Preparation.of(preset, lexicon)
    lexicon.learn(text for record in records for text in preparation.texts_of(record.document, record.references))
    place = folder / f"{VOCABULARY}.unfinished"
    try:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        lexicon.save(place)
        place.rename(folder / VOCABULARY)
    except OSError as error:
        raise OutputError(f"{folder / VOCABULARY} cannot be written: {error.strerror or error}.") from error


def _split(pool: _Workers, records: Iterator[Record], parts: Path, what: str, tell: Progress) -> Table:
    """Work on the chunks that are not there yet, and count all."""
    parts.mkdir(parents=True, exist_ok=True)
    done = 0
    for number, chunk in enumerate(chunks(records, CHUNK)):
        part = parts / f"{number:06}.npz"
        if not part.with_suffix(".json").is_file():
            pool.submit(chunk, part)
        done += len(chunk)
        tell(what, done)
    pool.wait()
    counts: Counter[str] = Counter()
    for path in sorted(parts.glob("*.json")):
        counts.update(json.loads(path.read_text(encoding="utf-8")))
    return dict(counts)


def _finish(folder: Path, plan: Table, counts: Mapping[str, Table]) -> Table:
    for split in counts:
        (folder / split).mkdir(exist_ok=True)
        write_stacked(sorted((folder / PARTS / split).glob("*.npz")), folder / split)
    manifest = {"schema": SCHEMA, **plan, "splits": dict(counts)}
    write_text(folder / MANIFEST, json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")
    shutil.rmtree(folder / PARTS, ignore_errors=True)
    (folder / PLAN).unlink(missing_ok=True)
    return manifest


@dataclass
class _Work:
    """What a process needs: made once in each."""

    preparation: Preparation

    @classmethod
    def make(cls, preset: Preset, folder: Path) -> _Work:
        return cls(Preparation.of(preset, read_lexicon(preset.section("vocabulary"), folder / VOCABULARY)))

    def do(self, records: list[Record], part: Path) -> None:
        """Write the examples of a chunk, and then what was counted."""
        rows, counts = [], Counter[str]()
        for record in records:
            why = self._unfit(record)
            if why:
                counts[f"dropped: {why}"] += 1
                continue
            source = self.preparation.source(record.document)
            target = self.preparation.target(record.references[0], source)
            if not len(source.ids):
                counts["dropped: no text"] += 1
                continue
            rows.append(row_of(source, target, record.id, record.references))
            counts.update(
                examples=1,
                source=len(source.ids),
                target=len(target.ids),
                places=len(source.places),
                unknown=len(source.unknown),
                cut=bool(source.cut),
            )
        with replacing(part) as path, path.open("wb") as file:
            np.savez(file, allow_pickle=False, **stack(rows))
        write_text(part.with_suffix(".json"), json.dumps(counts))

    @staticmethod
    def _unfit(record: Record) -> str:
        if not record.document.sentences:
            return "no text"
        if not any(sentence.strip() for reference in record.references[:1] for sentence in reference):
            return "no summary"
        return ""


_work: _Work


def _start(preset: Preset, folder: Path) -> None:
    global _work
    _work = _Work.make(preset, folder)


def _do(records: list[Record], part: Path) -> None:
    _work.do(records, part)


class _Workers:
    """Several processes, or this one; never more chunks in memory than they can soon use."""

    def __init__(self, preset: Preset, folder: Path, count: int | None) -> None:
        self.count = count or os.cpu_count() or 1
        self._waiting: deque[Future[None]] = deque()
        self._given = (preset, folder)
        self._here: _Work | None = None
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> _Workers:
        if self.count == 1:
            self._here = _Work.make(*self._given)
        else:
            self._pool = ProcessPoolExecutor(self.count, get_context("spawn"), _start, self._given)
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def submit(self, records: list[Record], part: Path) -> None:
        """Have a chunk worked on; waits while too many are waiting."""
        if self._here is not None:
            self._here.do(records, part)
            return
        assert self._pool is not None
        self._waiting.append(self._pool.submit(_do, records, part))
        while len(self._waiting) > 2 * self.count:
            self._take()

    def wait(self) -> None:
        """Until all is done."""
        while self._waiting:
            self._take()

    def _take(self) -> None:
        try:
            self._waiting.popleft().result()
        except BrokenProcessPool as error:
            raise OutputError(
                "A process that prepared examples was ended from outside, for want of memory perhaps. "
                "The same command goes on where it was; --workers 1 needs less."
            ) from error
