"""A corpus becomes shards: train the tokenizer on the training part, then read every example as the network will.

The examples are read in order and worked on in chunks by several processes; each chunk is a file that is written whole
or not at all, so that a run that was killed goes on where it was. At the end the chunks become one set of arrays a
split, and the manifest is written last: a folder with a manifest is complete.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from nutgraf.datasets import Dataset, Drop, Part, Record, Splits, datasets, ignore
from nutgraf.datasets import Row as CorpusRow
from nutgraf.errors import InputError, NutgrafError, OutputError, PresetError, TaskError, check_type
from nutgraf.model.pretrained_place import folder_of
from nutgraf.preparation.candidates import candidates_of
from nutgraf.preparation.masking import Masker
from nutgraf.preparation.shards import (
    COLUMNS,
    MANIFEST,
    SCHEMA,
    TOKENIZER,
    Row,
    Table,
    chunks,
    configuration_of,
    differing,
    find_tokenizer,
    read_manifest,
    read_tokenizer,
    row_of,
    segments_of,
    stack,
    write_stacked,
)
from nutgraf.preparation.source import LEARNED, UNK, EncodedSource, EncodedTarget, Preparation, has_interval_segments
from nutgraf.preparation.span_shards import SPAN_COLUMNS, row_of_spans
from nutgraf.preparation.tasks import Task, tasks
from nutgraf.presets import Choice, Preset
from nutgraf.runtime.files import (
    LOCK,
    atomic_folder,
    atomic_write,
    digest_of,
    digests_of,
    list_names,
    lock_folder,
    make_folder,
    remove_unfinished,
    write_text,
)
from nutgraf.runtime.lanes import Lanes
from nutgraf.runtime.metadata import Count, read_object
from nutgraf.runtime.workers import MakePool, Workers
from nutgraf.text.document import Document
from nutgraf.tokenizers import Tokenizer, tokenizers
from nutgraf.version import __version__

__all__ = ["Progress", "configuration_of", "prepare"]

CHUNK = 256
"""Examples in a chunk: a few seconds of work."""

PLAN = "unfinished.json"
PARTS = "parts"

NO_TEXT, NO_SUMMARY, TOO_SHORT = "no text", "no summary", "too short to hide anything of it"
ALIKE = "no two candidates that differ in ROUGE"
"""Reasons to drop an example; data sets have reasons of their own."""

Result = TypeVar("Result")

Progress = Callable[[str, int], None]
"""Told what is being done, and for how many examples it is done."""


def prepare(
    preset: Preset,
    source: str | Path,
    out: str | Path,
    *,
    limit: int | None = None,
    workers: int | None = None,
    oracle: bool = False,
    tokenizer: str | Path | None = None,
    progress: Progress | None = None,
    pool: MakePool = Workers,
) -> Table:
    """Prepare a corpus for a preset, and return the manifest. What is there already is not made again.

    Args:
        preset: The preset.
        source: A folder with files for each split, or one file, which is split.
        out: Folder to write.
        limit: Number of examples of each split to take; None takes all.
        workers: Number of processes; None: one per core. With several, a script that calls this needs the usual
            `if __name__ == "__main__":`.
        oracle: Highlight the key phrases of the summary instead of the source's own, to see what perfect guidance does.
            Nobody has a summary before it is written, so the manifest says so, and whatever is made of it must.
        tokenizer: A prepared corpus or trained model whose tokenizer is taken over, instead of training one, so that a
            network that knows it can be trained further on these examples. A preset that names a pretrained model takes
            over that of its folder.
        progress: Told what is being done, and for how many examples it is done.
        pool: Makes the pool of processes. Those of a cluster write into `out`, which they must share.

    Raises:
        PresetError: If the preset does not fit.
        InputError: If the corpus cannot be read.
        OutputError: If `out` holds something else or cannot be written to.
    """
    check_type(progress, (Callable, type(None)), "progress is a function or None")
    folder, tell = Path(out), progress or (lambda what, done: None)
    preset.check()
    dataset = datasets.build(preset.options("dataset"))
    _check(preset, dataset, oracle)
    splits = dataset.splits(Path(source))
    if "train" not in splits:
        raise InputError(f"{source} has no training data; it has {', '.join(splits)}. The tokenizer is trained on it.")
    known = _known(preset, tokenizer)
    plan = _plan(preset, splits, limit, oracle, known)
    if _is_complete(folder, plan):
        return read_manifest(folder)
    task = tasks.build(preset.options("task")) if preset.reads("task") else None
    corpora = {split: _Corpus(dataset, part, limit, task) for split, part in splits.items()}
    with lock_folder(folder):
        if (folder / MANIFEST).is_file():
            _refuse_others(folder, read_manifest(folder), _comparable(plan))
            _tidy(folder)
            return read_manifest(folder)
        _begin(folder, plan)
        with pool(_Work, (preset, folder, oracle), processes=workers) as workplaces:
            if not (folder / TOKENIZER).is_dir():
                _learn(preset, workplaces, corpora["train"], folder, tell, known)
            counts = {
                split: _split(workplaces, corpus, folder / PARTS / split, split, tell)
                for split, corpus in corpora.items()
            }
        origin = {} if known is None else {"tokenizer_of": str(known.folder)}
        return _finish(folder, {**plan, **origin}, counts)


def _check(preset: Preset, dataset: Dataset, oracle: bool) -> None:
    """Raise PresetError if the sections of a preset do not go together."""
    if preset.reads("task"):
        _check_task(preset, oracle)
        return
    phrases = preset.options("keyphrases")
    if oracle and phrases is None:
        raise PresetError(f"The preset {preset.name!r} highlights no phrases, so an oracle has none to choose.")
    if dataset.masking is None:
        return
    needed = (*segments_of(preset), *(["interval segments"] if has_interval_segments(preset) else []))
    if needed:
        raise PresetError(f"The network of {preset.name!r} looks at {' and '.join(needed)}; hidden spans have none.")
    if phrases is not None:
        raise PresetError("Where spans are hidden, no phrases can be highlighted; leave [keyphrases] out.")
    if preset.reads("labels") or preset.reads("candidates"):
        raise PresetError(
            "Where spans are hidden, there is no summary that labels or candidates are compared with; name another "
            "[dataset]."
        )


def _check_task(preset: Preset, oracle: bool) -> None:
    """Raise PresetError if a task reads another data set, or phrases are asked for, which none has."""
    needed, chosen = tasks.find(preset.options("task").kind).dataset, preset.options("dataset").kind
    if needed and chosen != needed and "." not in chosen:
        raise PresetError(
            f"The task {preset.options('task').kind!r} reads the data set {needed!r}, not {chosen!r}: JSON lines as "
            f"{needed!r} has them, and --set dataset.kind={needed}."
        )
    if oracle:
        raise PresetError(f"The preset {preset.name!r} highlights no phrases, so an oracle has none to choose.")


class _Known:
    """The tokenizer of another folder. Raises InputError if it has none that fits the section [tokenizer]."""

    def __init__(self, chosen: Choice[Tokenizer], folder: Path) -> None:
        self.folder = folder
        place = find_tokenizer(chosen, folder)
        self.tokenizer = read_tokenizer(chosen, place)
        self.digest = digest_of(place / self.tokenizer.file)


def _known(preset: Preset, tokenizer: str | Path | None) -> _Known | None:
    """Return the tokenizer that is taken over: the one that is named, or that of the preset's pretrained model."""
    if tokenizer is None and (named := preset.section("model").get("folder")):
        tokenizer = folder_of(str(named))
    return None if tokenizer is None else _Known(preset.options("tokenizer"), Path(tokenizer))


Rows = list[CorpusRow]


@dataclass(frozen=True)
class _Corpus:
    """The first examples of a split."""

    dataset: Dataset
    part: Part
    limit: int | None
    task: Task | None

    def chunks(self, what: str, tell: Progress) -> Iterator[Rows]:
        """Yield all rows as they stand in the files, and report how many were read."""
        done, rows = 0, self.dataset.rows_of(self.part)
        if self.task is not None and self.task.config.most is not None:
            rows = capped(rows, self.task, self.task.config.most)
        for chunk in chunks(islice(rows, self.limit), CHUNK):
            yield chunk
            done += len(chunk)
            tell(what, done)


def capped(rows: Iterable[CorpusRow], task: Task, most: int) -> Iterator[CorpusRow]:
    """Yield the first rows of each set, at most `most`."""
    seen = Counter[str]()
    for row in rows:
        origin = task.origin(row)
        seen.update([origin])
        if seen[origin] <= most:
            yield row


def _plan(preset: Preset, splits: Splits, limit: int | None, oracle: bool, known: _Known | None) -> Table:
    """Return everything that decides the content of the shards."""
    files = {split: digests_of(part.files) for split, part in splits.items()}
    dealt = {split: part.how for split, part in splits.items() if part.how}
    return {
        "version": __version__,
        "configuration": configuration_of(preset),
        "files": files,
        "limit": limit,
        **({"dealt": dealt} if dealt else {}),
        **({"oracle": True} if oracle else {}),
        **({"segments": list(segments)} if (segments := segments_of(preset)) else {}),
        **({"tokenizer": known.digest} if known else {}),
        **({"spans": tasks.find(preset.options("task").kind).spans} if preset.reads("task") else {}),
    }


def _is_complete(folder: Path, plan: Table) -> bool:
    """Return True if the folder holds what the plan asks for alone. Raises OutputError if it holds something else."""
    if not (folder / MANIFEST).is_file():
        return False
    _refuse_others(folder, read_manifest(folder), _comparable(plan))
    return not any((folder / name).exists() for name in (PLAN, LOCK))


def _comparable(plan: Table) -> Table:
    """Return a plan without the version of nutgraf."""
    return {key: value for key, value in plan.items() if key != "version"}


@dataclass(frozen=True)
class _Plan:
    version: str
    configuration: dict[str, Any]
    files: dict[str, Any]


@dataclass(frozen=True)
class _Counted:
    dropped: dict[str, Count]
    sections: dict[str, Count] = field(default_factory=dict)
    origins: dict[str, Count] = field(default_factory=dict)


def _tidy(folder: Path) -> None:
    """Remove the files of an unfinished preparation; the plan last, since it says that there is something to remove."""
    shutil.rmtree(folder / PARTS, ignore_errors=True)
    remove_unfinished(folder)
    (folder / PLAN).unlink(missing_ok=True)


def _begin(folder: Path, plan: Table) -> None:
    """Make the folder, or check that it holds the same plan. Raises OutputError."""
    there = list_names(folder)
    if PLAN in there:
        try:
            begun = read_object(folder / PLAN, _Plan, "a plan")
        except InputError as error:
            raise OutputError(f"{error} Remove {folder} and begin anew.") from error
        _refuse_others(folder, begun, plan)
    elif there:
        raise OutputError(f"{folder} is not empty ({there[0]}) and holds no prepared corpus; name another folder.")
    remove_unfinished(folder)
    if PLAN not in there:
        write_text(folder / PLAN, json.dumps(plan, indent=2) + "\n")


def _refuse_others(folder: Path, found: Table, plan: Table) -> None:
    unset = dict.fromkeys(("labels", "candidates", "interval_segments", "task"))
    configuration = {**unset, **plan["configuration"]}
    absent = dict.fromkeys(("oracle", "dealt", "tokenizer", "segments", "spans"))
    keys = differing({**absent, **plan, "configuration": configuration}, found)
    if keys:
        raise OutputError(
            f"{folder} holds a corpus that was prepared otherwise: {'; '.join(keys)}. "
            "Name another folder, or remove this one."
        )


def _learn(preset: Preset, pool: Lanes, corpus: _Corpus, folder: Path, tell: Progress, known: _Known | None) -> None:
    """Learn phrases, and a tokenizer unless one is known, of the training part into a folder, whole or not at all."""
    tokenizer = known.tokenizer if known else tokenizers.build(preset.options("tokenizer"))
    extractor = None if preset.reads("task") else Preparation.of(preset, tokenizer).extractor
    if known is None:
        read = ((chunk,) for chunk in corpus.chunks("Training the tokenizer", tell))
        tokenizer.train(chain.from_iterable(_raising(pool.map(_Work.texts, read))))
    needs_fit = extractor is not None and extractor.needs_fit
    if extractor is not None and needs_fit:
        read = ((chunk,) for chunk in corpus.chunks("Counting phrases", tell))
        extractor.fit(chain.from_iterable(_raising(pool.map(_Work.beginnings, read))))
    with atomic_folder(folder / TOKENIZER) as place:
        tokenizer.save(place)
        if extractor is not None and needs_fit:
            extractor.save(place / LEARNED)


def _split(pool: Lanes, corpus: _Corpus, parts: Path, what: str, tell: Progress) -> Table:
    """Process the chunks that are not there yet, and count all."""
    make_folder(parts)
    named = ((chunk, parts / f"{number:06}.npz") for number, chunk in enumerate(corpus.chunks(what, tell)))
    for _ in _raising(pool.map(_Work.write, (task for task in named if not task[1].with_suffix(".json").is_file()))):
        pass
    counts, dropped = Counter[str](), Counter(corpus.part.missing)
    named_counts = {name: Counter[str]() for name in ("sections", "origins")}
    for path in sorted(parts.glob("*.json")):
        counted = read_object(path, _Counted, "what was counted of a part; remove the folder")
        dropped.update(counted.pop("dropped"))
        for name, found in named_counts.items():
            found.update(counted.pop(name, {}))
        counts.update(counted)
    there = {name: dict(found) for name, found in named_counts.items() if found}
    return {**counts, **there, "dropped": dict(dropped)}


def _finish(folder: Path, plan: Table, counts: Mapping[str, Table]) -> Table:
    """Put the chunks together and write the manifest. Raises InputError where no training example is left."""
    filled = {split: table for split, table in counts.items() if table.get("examples")}
    if "train" not in filled:
        reasons = ", ".join(f"{count} × {why}" for why, count in counts["train"]["dropped"].items())
        raise InputError(f"No training example is left{f': {reasons}' if reasons else '; the files are empty'}.")
    for split in filled:
        make_folder(folder / split)
        columns = SPAN_COLUMNS if "spans" in plan else COLUMNS
        write_stacked(sorted((folder / PARTS / split).glob("*.npz")), folder / split, columns)
    manifest = {"schema": SCHEMA, **plan, "splits": filled}
    write_text(folder / MANIFEST, json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")
    _tidy(folder)
    return manifest


class _Work:
    """The work on a chunk of examples, in any process."""

    def __init__(self, preset: Preset, folder: Path, oracle: bool) -> None:
        self.preset = preset
        self.learned = folder / TOKENIZER
        self.oracle = oracle
        self.segments = segments_of(preset)
        self.dataset: Dataset = datasets.build(preset.options("dataset"))
        self.task = tasks.build(preset.options("task")) if preset.reads("task") else None

    def texts(self, rows: Rows) -> list[str]:
        """Return the texts that a tokenizer is trained on."""
        if self.task is not None:
            return [text for row in rows for text in self.task.texts(row, self.dataset)]
        if self.dataset.masking is not None:
            return [text for one in self._records(rows) for text in one.document.printed]
        return [text for one in self._records(rows) for text in self._unlearned.texts_of(one.document, one.references)]

    def beginnings(self, rows: Rows) -> list[Document]:
        """Return the documents that an extractor learns from."""
        return [self._unlearned.beginning(one.document) for one in self._records(rows)]

    def write(self, rows: Rows, part: Path) -> None:
        """Write the examples as ids, and then the counts."""
        if self.task is not None:
            self._write_spans(self.task, rows, part)
            return
        made, counts, sections, dropped = [], Counter[str](), Counter[str](), Counter[str]()

        def drop(why: str) -> None:
            dropped.update([why])

        examples = self._summarized if self.dataset.masking is None else self._masked
        for record in self._records(rows, drop):
            found = [*examples(record, drop)]
            if found:
                classes = {self.dataset.section_class(section.name) for section in record.document.sections}
                sections.update(one for one in classes if one is not None)
            for source, target in found:
                made.append(row_of(source, target, record.id, record.references, self.segments))
                counts.update(
                    examples=1,
                    source=len(source.ids),
                    target=target.length + 2,  # BOS and EOS
                    places=len(source.places),
                    unknown=int((source.extended >= len(self._preparation.tokenizer)).sum()),
                    cut=int(bool(source.cut)),
                    **self._written(source, target),
                )
        _save(part, stack(made), {**counts, "sections": sections, "dropped": dropped})

    def _write_spans(self, task: Task, rows: Rows, part: Path) -> None:
        """Write the examples of a task, and then the counts."""
        made, counts, origins, dropped = [], Counter[str](), Counter[str](), Counter[str]()

        def drop(why: str) -> None:
            dropped.update([why])

        for row in rows:
            for one in task.examples(row, self.dataset, self._tokenizer, drop):
                made.append(row_of_spans(one))
                origins.update([one.origin])
                counts.update(
                    examples=1,
                    source=sum(map(len, one.rows)),
                    target=len(one.labels) + 2,  # BOS and EOS, as other targets have
                    places=0,
                    unknown=sum(row.count(UNK) for row in map(list, one.rows)),
                    cut=int(one.cut),
                )
        _save(part, stack(made, SPAN_COLUMNS), {**counts, "origins": origins, "dropped": dropped})

    def _written(self, source: EncodedSource, target: EncodedTarget) -> dict[str, int]:
        """Return how many tokens a network that writes learns, how many of them are unknown, and how many new."""
        if self.dataset.masking is not None or self.preset.reads("labels") or self.preset.reads("candidates"):
            return {}
        begin = 1 + len(self._preparation.tokenizer.frame.before_target)
        ids, extended = target.ids[begin:-1], target.extended[begin:-1]
        return {
            "written": len(ids),
            "unknown_written": int((ids == UNK).sum()),
            "new_written": int(np.isin(extended, source.extended, invert=True).sum()),
        }

    def _summarized(self, record: Record, drop: Drop) -> Iterator[tuple[EncodedSource, EncodedTarget]]:
        """Return a text with its first summary."""
        document, summary = record.document, record.references[0] if record.references else ()
        if not any(sentence.strip() for sentence in summary):
            return drop(NO_SUMMARY)
        phrases = self._preparation.oracle(document, summary) if self.oracle else None
        source = self._preparation.source(document, phrases)
        if not len(source.ids):
            return drop(NO_TEXT)
        if self._preparation.candidates is None:
            yield source, self._preparation.target(summary, source)
            return
        ordered = self._preparation.candidates.ordered(record.candidates, summary, document.language)
        if len(ordered) < 2:
            return drop(ALIKE)
        yield source, self._preparation.summaries([summary, *([one] for one in ordered)], source)

    def _masked(self, record: Record, drop: Drop) -> Iterator[tuple[EncodedSource, EncodedTarget]]:
        """Return a text with its hidden spans; several examples of a long text."""
        found = list(self._masker(record.document))
        if not found:
            drop(TOO_SHORT)
        yield from found

    def _records(self, rows: Rows, drop: Drop = ignore) -> Iterator[Record]:
        for row in rows:
            record = self.dataset.record(row, drop)
            if record is not None and self.preset.reads("candidates"):
                yield replace(record, candidates=candidates_of(row.entry, row.where))
            elif record is not None:
                yield record

    @cached_property
    def _unlearned(self) -> Preparation:
        """Return a preparation before anything is learned; good for truncation in words."""
        return Preparation.of(self.preset, tokenizers.build(self.preset.options("tokenizer")))

    @cached_property
    def _masker(self) -> Masker:
        assert self.dataset.masking is not None
        return Masker(self.dataset.masking, self._preparation.tokenizer, self._preparation.truncation.source)

    @cached_property
    def _preparation(self) -> Preparation:
        return Preparation.of(self.preset, self._tokenizer, self.learned)

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return read_tokenizer(self.preset.options("tokenizer"), self.learned)


def _save(part: Path, columns: Row, counts: Mapping[str, Any]) -> None:
    """Write a part, and then what was counted of it, which says that it is whole."""
    with atomic_write(part) as path, path.open("wb") as file:
        np.savez(file, allow_pickle=False, **columns)
    write_text(part.with_suffix(".json"), json.dumps(counts))


def _raising(results: Iterable[Result | NutgrafError]) -> Iterator[Result]:
    """Yield the results of tasks; an error in one of them ends the work, and what was written stays."""
    for result in results:
        if isinstance(result, TaskError):
            raise OutputError(
                f"Examples could not be prepared: {result}. The same command goes on where it was; --workers 1 needs "
                "least memory."
            ) from result
        if isinstance(result, NutgrafError):
            raise result
        yield result
