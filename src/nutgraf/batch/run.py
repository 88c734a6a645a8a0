"""Summarizes the documents of any number of files into a folder, and goes on after whatever stopped it.

    OUT/manifest.json           what was asked and what came of it; written last
    OUT/summaries/000000.jsonl  the summaries of the first documents, in their order; then 000001 and so on
    OUT/dead_letters/…          documents without a summary, each with the reason
    OUT/metrics.prom            rate and progress

One process, the driver, reads the sources and hands out a few documents at a time; others summarize them. A result is
kept at once (`checkpoint.py`), and a shard is written when all of its documents have a result. Which documents go
together, and into which shard, depends on their positions alone; so the files are the same whatever happens meanwhile.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from nutgraf.batch.checkpoint import Checkpoint
from nutgraf.batch.folder import PLAN, begin, complete, finish, look_after, tidy
from nutgraf.batch.progress import Meter, Progress, Tell
from nutgraf.batch.settings import Settings
from nutgraf.batch.shards import sizes_of, write_shard
from nutgraf.batch.sources import Item, Sources
from nutgraf.batch.work import About, Made, Work, failed
from nutgraf.errors import InputError, NutgrafError, TaskError, check_type, requires
from nutgraf.runtime.files import LOCK, lock_folder
from nutgraf.runtime.lanes import Lanes
from nutgraf.runtime.workers import MOST_STARTS, MakePool, local_lanes
from nutgraf.version import __version__

MOST_TOGETHER = 16
"""Documents that are handed out together, for a system that summarizes them one by one."""

MOST_CHARACTERS = 20_000
"""Characters of documents that are handed out together: some tenths of a second of work."""


@dataclass(frozen=True)
class _Chunk:
    """Documents that are handed out together, and how often that was tried before."""

    items: tuple[Item, ...]
    tries: int = 0


def run(
    sources: Sources,
    out: str | Path,
    settings: Settings,
    *,
    workers: int | None = None,
    pool: MakePool = local_lanes,
    tell: Tell | None = None,
) -> Progress:
    """Summarize documents into a folder. What is there already is not made again.

    Args:
        sources: The documents.
        out: Folder to write.
        settings: What is asked of each document.
        workers: Number of processes; None takes as many as there are cores. A system may allow fewer of them. A script
            that calls this needs the usual `if __name__ == "__main__":`.
        pool: Makes the pool that does the work.
        tell: Receives the progress after each result.

    Returns:
        What came of all documents.

    Raises:
        PresetError: If the system is not right.
        InputError: If no document is there.
        OutputError: If the folder holds something else, or cannot be written to.
    """
    check_type(tell, (Callable, type(None)), "tell is a function or None")
    if settings.file_format == "parquet":
        with requires("parquet", "Parquet files need"):
            import pyarrow  # noqa: F401
    folder = Path(out)
    limits: Any = {"seconds": settings.seconds, "memory": settings.memory}
    with pool(Work, (settings,), processes=workers, **limits) as lanes:
        about = about_system(lanes)
        lanes.reduce(about.processes)
        plan = {
            "version": __version__,
            **settings.compared(about.signature),
            "sources": {"files": len(sources), "sha256": sources.identity()},
        }
        made = complete(folder, plan, settings)
        if made is not None and not any((folder / name).exists() for name in (PLAN, LOCK)):
            return made
        with lock_folder(folder):
            begin(folder, plan)
            if made is None:
                with closing(Checkpoint(folder)) as state:
                    look_after(folder, settings, state)
                    made = _Batch(sources, folder, settings, state, about.at_once, lanes, tell).run()
                finish(folder, plan, made, settings)
            tidy(folder)
    return made


def about_system(lanes: Lanes) -> About:
    """Return what is to be known of the system that processes have. Raises NutgrafError if it is not right."""
    for _ in range(MOST_STARTS):
        [about] = lanes.map(Work.about, [()])
        if not (isinstance(about, TaskError) and about.cause == "ended"):
            break
    if isinstance(about, NutgrafError):
        raise about
    return about


class _Batch:
    """A batch at work, in a folder that nobody else writes into."""

    def __init__(
        self,
        sources: Sources,
        folder: Path,
        settings: Settings,
        state: Checkpoint,
        at_once: int,
        lanes: Lanes,
        tell: Tell | None,
    ) -> None:
        self._sources, self._folder, self._settings, self._state = sources, folder, settings, state
        self._at_once, self._lanes = at_once, lanes
        self._done = state.counts(settings.shard_size)
        self._earlier = frozenset(self._done)
        self._again = deque[_Chunk]()
        self._total: int | None = None
        waiting, letters = state.waiting()
        before = Progress(state.summaries + waiting - letters, state.dead_letters + letters, workers=lanes.processes)
        self._meter = Meter(folder, before, tell, lambda: sources.share)

    def run(self) -> Progress:
        """Work until every document has a result, and return what came of them. Raises NutgrafError."""
        chunks = self._chunks()

        def draw() -> tuple[_Chunk, tuple[tuple[Item, ...]]] | None:
            chunk = self._again.popleft() if self._again else next(chunks, None)
            return None if chunk is None else (chunk, (chunk.items,))

        for chunk, result in self._lanes.unordered(Work.summarize, draw):
            self._take(chunk, result)
        self._write_shards()
        state = self._state
        if not state.shards:
            raise InputError("The sources hold no document.")
        self._meter.end(state.summaries, state.dead_letters, state.damaged(), state.empty)
        return self._meter.progress

    def _chunks(self) -> Iterator[_Chunk]:
        """Yield the documents that have no result, in groups that depend on their positions alone."""
        size, most = self._settings.shard_size, max(self._at_once, MOST_TOGETHER)
        start = end = self._state.shards * size
        group, characters = list[Item](), 0
        for item in self._sources.items(start, self._state.known(), self._state.read):
            characters += item.size
            long = self._at_once == 1 and characters > MOST_CHARACTERS
            if group and (long or len(group) == most or item.position % size == 0):
                yield from self._missing(group)
                group, characters = [], item.size
            group.append(item)
            end = item.position + 1
        yield from self._missing(group)
        self._total = end

    def _missing(self, group: Sequence[Item]) -> Iterator[_Chunk]:
        """Yield the documents of a group that have no result: together, or one by one if others of it have one."""
        left = group
        if group and group[0].position // self._settings.shard_size in self._earlier:
            left = [item for item in group if not self._state.is_done(item.position)]
        if len(left) == len(group):
            yield from [_Chunk(tuple(left))] if left else []
        else:
            yield from (_Chunk((item,), tries=1) for item in left)

    def _take(self, chunk: _Chunk, result: list[Made] | NutgrafError) -> None:
        """Keep results, or try documents once more whose task failed."""
        if isinstance(result, TaskError):
            again = _retries(chunk, result)
            self._again.extend(again)
            if again:
                self._meter.add(0, 0, len(chunk.items))
                return
            result = [failed(item, result, self._settings) for item in chunk.items]
        if isinstance(result, NutgrafError):
            raise result
        self._state.add(result)
        for made in result:
            shard = made.position // self._settings.shard_size
            self._done[shard] = self._done.get(shard, 0) + 1
        letters = sum(made.line is None for made in result)
        self._meter.add(len(result) - letters, letters, 0)
        self._write_shards()

    def _write_shards(self) -> None:
        """Write the next shards, as far as all of their documents have a result."""
        size = self._settings.shard_size
        while done := self._done.get(self._state.shards, 0):
            number, first = self._state.shards, self._state.shards * size
            if done < size and first + done != self._total:
                return
            sizes = partial(sizes_of, self._folder, number, self._settings.file_format)
            with self._state.shard(first, done, sizes) as results:
                write_shard(self._folder, number, results, self._settings.file_format)
            del self._done[number]


def _retries(chunk: _Chunk, error: TaskError) -> list[_Chunk]:
    """Return what is tried once more after a failure, nothing if that was tried already.

    Of several documents one is at fault, so each is tried alone. The end of a process may have come from outside; then
    all are tried once more as they were.
    """
    ended = error.cause == "ended"
    if len(chunk.items) > 1 and not (ended and chunk.tries == 0):
        return [_Chunk((item,), tries=1) for item in chunk.items]
    return [replace(chunk, tries=chunk.tries + 1)] if chunk.tries < (2 if ended else 1) else []
