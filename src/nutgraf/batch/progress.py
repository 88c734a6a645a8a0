"""Progress of a batch: how many documents are done, how fast, and how long it will take."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from nutgraf.runtime.files import write_text

METRICS = "metrics.prom"
"""File with the metrics, in the text format of Prometheus."""

METRICS_EVERY = 5.0
"""Seconds between two writings of the metrics."""


@dataclass(frozen=True)
class Progress:
    """Counts and speed of a batch.

    Attributes:
        summaries: Documents with a summary, those of earlier runs included.
        dead_letters: Documents without one, likewise.
        retries: Documents that this run tried once more.
        share: Share of the sources that is read, from 0 to 1.
        seconds_left: Seconds that the rest will take, about; None if that is not known.
        damaged: Sources that were not read to their end, since they are damaged there; known in the end.
        empty: Summaries without a sentence, since none has the length that was asked for; known in the end.
    """

    summaries: int = 0
    dead_letters: int = 0
    retries: int = 0
    rate: float = 0.0
    share: float = 0.0
    seconds_left: float | None = None
    workers: int = 1
    damaged: int = 0
    empty: int = 0

    @property
    def documents(self) -> int:
        """Documents that are done."""
        return self.summaries + self.dead_letters

    def metrics(self) -> str:
        """Return the metrics in the text format of Prometheus."""
        left = [] if self.seconds_left is None else [("seconds_left", "gauge", "", self.seconds_left)]
        values = [
            ("documents_total", "counter", '{result="summary"}', self.summaries),
            ("documents_total", "", '{result="dead_letter"}', self.dead_letters),
            ("retries_total", "counter", "", self.retries),
            ("documents_per_second", "gauge", "", self.rate),
            ("share_read", "gauge", "", self.share),
            ("workers", "gauge", "", self.workers),
            *left,
        ]
        lines = []
        for name, kind, labels, value in values:
            lines += [f"# TYPE nutgraf_batch_{name} {kind}"] if kind else []
            lines.append(f"nutgraf_batch_{name}{labels} {value:{'.6g' if value % 1 else '.0f'}}")
        return "\n".join(lines) + "\n"


Tell = Callable[[Progress], None]
"""Receives the progress after each result."""


class Meter:
    """Counts results, and tells of the progress."""

    def __init__(self, folder: Path, before: Progress, tell: Tell | None, share: Callable[[], float]) -> None:
        """Begin to count."""
        self.progress = before
        self._path, self._tell, self._share = folder / METRICS, tell, share
        self._before, self._began, self._share_before = before, time.monotonic(), 0.0
        self._written = float("-inf")

    def add(self, summaries: int, dead_letters: int, retries: int) -> None:
        """Count results."""
        now, share = time.monotonic(), self._share()
        if self.progress is self._before:  # what was read until now was passed over, since it was done before
            self._share_before = share
        passed, read = now - self._began, share - self._share_before
        past = self.progress
        done = past.documents + summaries + dead_letters - self._before.documents
        self.progress = replace(
            past,
            summaries=past.summaries + summaries,
            dead_letters=past.dead_letters + dead_letters,
            retries=past.retries + retries,
            rate=done / passed if passed else 0.0,
            share=share,
            seconds_left=passed * (1 - share) / read if read > 0 else None,
        )
        if self._tell is not None:
            self._tell(self.progress)
        if now - self._written >= METRICS_EVERY:
            self.write()

    def end(self, summaries: int, dead_letters: int, damaged: int, empty: int) -> None:
        """Take the final counts, and write the metrics. Raises OutputError."""
        counts = {"summaries": summaries, "dead_letters": dead_letters, "damaged": damaged, "empty": empty}
        self.progress = replace(self.progress, **counts, share=1.0, seconds_left=0.0)
        self.write()

    def write(self) -> None:
        """Write the metrics. Raises OutputError."""
        self._written = time.monotonic()
        write_text(self._path, self.progress.metrics())
