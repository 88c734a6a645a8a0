"""Sides of a comparison, each in a process of its own, which take turns.

The main process makes a `Side` for each and asks it, a word at a time; the process that a side is `answers` with
numbers. So nobody's memory, threads or settings are another's.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

from _peers import left_out

Numbers = Mapping[str, float]


class Side:
    """The script itself once more, with `--worker NAME`, `--threads` and further arguments; `settings` are variables of
    its environment."""

    def __init__(
        self, name: str, threads: int, arguments: Sequence[str] = (), settings: Mapping[str, str] | None = None
    ) -> None:
        self.name = name
        self.process = subprocess.Popen(
            [sys.executable, sys.argv[0], "--worker", name, "--threads", str(threads), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "OMP_NUM_THREADS": str(threads), **(settings or {})},
        )
        self.rounds: list[Numbers] = []

    def ask(self, what: str) -> dict[str, float]:
        """What it answers."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(what, file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            raise Ended(f"{self.name} has failed; its error is above")
        answer: dict[str, float] = json.loads(line)
        return answer

    def round(self, what: str) -> Numbers:
        """An answer that counts for the medians."""
        self.rounds.append(self.ask(what))
        return self.rounds[-1]

    def medians(self) -> dict[str, float]:
        """Of each number of its rounds."""
        return {key: statistics.median(one[key] for one in self.rounds) for key in self.rounds[0]}

    def end(self) -> None:
        """Ends the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


class Ended(SystemExit):
    """A side's process has ended before it answered."""


def take_turns(
    sides: Sequence[Side], what: str, warm: int, rounds: int, peers: Container[str] = ()
) -> dict[str, dict[str, float]]:
    """Ask all sides in turn, `warm` times and then `rounds` times that count, and end them; the medians of each.

    One of `peers` that fails is left out; where another side does, so does the benchmark.
    """
    left = list(sides)
    for number in range(warm + rounds):
        for side in list(left):
            try:
                side.round(what) if number >= warm else side.ask(what)
            except Ended:
                if side.name not in peers:
                    raise
                left_out(side.name, "it has failed; its error is above")
                left.remove(side)
    for side in left:
        side.end()
    return {side.name: side.medians() for side in left}


def answer(known: Mapping[str, Callable[[], Numbers]]) -> None:
    """Within a side: answers what the main process asks, until it asks no more."""
    for line in sys.stdin:
        print(json.dumps(known[line.strip()]()), flush=True)


def timed(work: Callable[[], Any]) -> dict[str, float]:
    """Seconds by the clock, and of all threads."""
    wall, processor = time.perf_counter(), time.process_time()
    work()
    return {"wall": time.perf_counter() - wall, "processor": time.process_time() - processor}
