"""The cost of a batch, told by a few of its documents: time, size of the results, and memory."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from nutgraf.batch.run import about_system
from nutgraf.batch.settings import Settings
from nutgraf.batch.sources import Item, Sources
from nutgraf.batch.work import Made, Work, dead_letter
from nutgraf.errors import InputError, NutgrafError, TaskError
from nutgraf.runtime.durations import spoken
from nutgraf.runtime.hardware import available_cores, peak_memory
from nutgraf.runtime.workers import MakePool, local_lanes

SAMPLE = 64
"""Documents that are tried."""

MOST_COUNTED = 1 << 26
"""Bytes of tables whose documents are counted: a second or two; the number in larger ones is estimated."""


@dataclass(frozen=True)
class Forecast:
    """The cost of a batch.

    Attributes:
        tried: Number of documents that were tried.
        failed: Number of them that have no summary.
        empty: Number of them whose summary is empty.
        seconds: Seconds that a document takes one process, on average.
        bytes: Size of a document's result, on average, before Parquet compresses it.
        counted: True if the documents were counted, False if their number is an estimate.
    """

    documents: int
    tried: int
    failed: int
    seconds: float
    bytes: float
    memory: int
    workers: int
    counted: bool = False
    empty: int = 0

    def __str__(self) -> str:
        """Return the forecast in lines for a person."""
        hours = self.documents * self.seconds / 3600
        without = f", {self.failed} of them without a summary" if self.failed else ""
        without += f", {self.empty} with an empty summary" if self.empty else ""
        return "\n".join(
            [
                f"documents  {'' if self.counted else 'about '}{self.documents:,} ({self.tried} were tried{without})",
                f"time       {1000 * self.seconds:.3g} ms a document: {spoken(3600 * hours / self.workers)} with "
                f"{self.workers} worker{'' if self.workers == 1 else 's'}, {hours:.3g} core hours altogether",
                f"results    about {self.documents * self.bytes / 1e6:,.3g} MB",
                f"memory     about {self.memory / 1e6:,.0f} MB for each worker",
            ]
        )


def forecast(
    sources: Sources, settings: Settings, workers: int | None = None, pool: MakePool = local_lanes
) -> Forecast:
    """Try a few documents, and return what all of them will cost.

    Args:
        sources: The documents.
        settings: What is asked of each.
        workers: Number of processes; None takes as many as `nutgraf.batch.run.run` does.
        pool: Makes the process that tries them.

    Raises:
        InputError: If there is no document.
        NutgrafError: If the system is not right.
    """
    counted = sources.table_size <= MOST_COUNTED
    documents, sample = spread(sources.items(), SAMPLE) if counted else (0, sources.sample(SAMPLE))
    if not sample:
        raise InputError("The sources hold no document.")
    limits: Any = {"seconds": settings.seconds, "memory": settings.memory}
    with pool(Work, (settings,), processes=1, **limits) as lanes:
        about = about_system(lanes)
        chunks = [sample[start : start + about.at_once] for start in range(0, len(sample), about.at_once)]
        results = list(lanes.map(_measured, [(chunk,) for chunk in chunks]))
    made, seconds, memory, failed = list[Made](), 0.0, 0, 0
    for chunk, result in zip(chunks, results, strict=True):
        if isinstance(result, TaskError):
            failed += len(chunk)
            seconds += settings.seconds if result.cause == "time" else 0.0
        elif isinstance(result, NutgrafError):
            raise result
        else:
            made += result[0]
            seconds += result[1]
            memory = max(memory, result[2])
    failed += sum(one.line is None for one in made)
    empty = sum(one.line is not None and bool(one.reason) for one in made)
    size = sum(len((one.line or dead_letter(one)).encode()) + 1 for one in made) / max(1, len(made))
    documents = documents if counted else sources.estimate()
    processes = min(workers or available_cores(), about.processes or documents)
    return Forecast(documents, len(sample), failed, seconds / len(sample), size, memory, processes, counted, empty)


def spread(items: Iterable[Item], most: int) -> tuple[int, list[Item]]:
    """Return the number of documents, and at most so many of them, spread evenly over all."""
    kept, step, count = list[Item](), 1, 0
    for count, item in enumerate(items, start=1):
        if (count - 1) % step == 0:
            kept.append(item)
        if len(kept) > 2 * most:
            kept, step = kept[::2], 2 * step
    few = min(most, len(kept))
    return count, [kept[number * len(kept) // few] for number in range(few)]


def _measured(work: Work, items: Sequence[Item]) -> tuple[list[Made], float, int]:
    """Return results, the seconds that they took, and the most memory that the process has used."""
    began = time.perf_counter()
    made = work.summarize(items)
    return made, time.perf_counter() - began, peak_memory()
