"""A pool in lanes: each lane does one task at a time, and results come as soon as they are there.

A lane is a process of this machine (`workers.py`) or an actor of a cluster (`batch/cluster.py`). Its `run` returns
whatever becomes of the process, so every task that is begun has an outcome, and the death of a process concerns its own
lane only.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from queue import LifoQueue, SimpleQueue
from typing import Any, Protocol, TypeVar

from nutgraf.errors import NutgrafError, TaskError

Result = TypeVar("Result")
Key = TypeVar("Key", bound=Hashable)

AHEAD = 2
"""Tasks for each lane that are begun at any time: one runs, the next one waits."""

AWAITED = 4
"""Results for each lane that `Lanes.map` keeps while it waits for an earlier one."""


class Lane(Protocol):
    """Does one task after the other."""

    def run(self, function: Callable[..., Any], *task: Any) -> Any:
        """Return `function(state, *task)`, or the `NutgrafError` in its place; a process that has ended is replaced.

        Raises:
            TaskError: If no process can be started.
        """

    def stop(self) -> None:
        """End the process at once; the task that it works on has a `TaskError` for a result."""


class Lanes:
    """A pool of lanes."""

    def __init__(self, lanes: Sequence[Lane], together: bool = False) -> None:
        """Describe the pool.

        Args:
            lanes: The lanes; their processes start when they are needed.
            together: True if all lanes share one machine.
        """
        self._lanes, self._together = list(lanes), together
        self._idle: LifoQueue[Lane] = LifoQueue()  # whose process has begun already is taken first
        for lane in lanes:
            self._idle.put(lane)
        self._threads = ThreadPoolExecutor(len(lanes), "nutgraf-lane")
        self._stopped = False

    @property
    def processes(self) -> int:
        """Number of lanes."""
        return len(self._lanes)

    def reduce(self, most: int | None) -> None:
        """Use no more lanes than so many on one machine; None for any number. No task may be in work."""
        if self._together and most is not None:
            self._lanes = [self._idle.get() for _ in self._lanes][:most]
            for lane in reversed(self._lanes):
                self._idle.put(lane)

    def __enter__(self) -> Lanes:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End all processes at once, whatever they are doing; nothing can be submitted any more."""
        self._stopped = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        while True:
            busy = self._idle.qsize() < self.processes
            for lane in self._lanes:
                lane.stop()
            if not busy:
                break
            time.sleep(0.01)  # a lane whose process was just being started has to be stopped again
        self._threads.shutdown()

    def submit(self, function: Callable[..., Any], *task: Any, **limits: Any) -> Future[Any]:
        """Begin a task as soon as a lane is free, and return the future of what `Lane.run` returns.

        Args:
            function: A function at the top level of a module; its arguments and result are pickled.
            task: Its arguments after the state.
            limits: Further arguments of the lane's `run`.
        """
        return self._threads.submit(self._run, function, task, limits)

    def _run(self, function: Callable[..., Any], task: tuple[Any, ...], limits: dict[str, Any]) -> Any:
        lane = self._idle.get()
        try:
            if self._stopped:
                return TaskError("it was cancelled", cause="ended")
            return lane.run(function, *task, **limits)
        finally:
            self._idle.put(lane)

    def unordered(
        self, function: Callable[..., Result], draw: Callable[[], tuple[Key, tuple[Any, ...]] | None]
    ) -> Iterator[tuple[Key, Result | NutgrafError]]:
        """Do tasks, and yield the result of each as soon as it is there.

        Args:
            function: A function at the top level of a module; its arguments and results are pickled.
            draw: Returns a key and the arguments of the next task, or None if there is none at present. It is asked
                whenever there is room and again after each result, so that it can hand out a task once more.

        Yields:
            The key of a task with its result, or with the `NutgrafError` in its place; a `TaskError` if a limit was
            exceeded, the process ended, or another exception was raised.

        Raises:
            TaskError: If no process can be started.
        """
        finished: SimpleQueue[Future[Any]] = SimpleQueue()
        begun: dict[Future[Any], Key] = {}
        try:
            while True:
                while len(begun) < AHEAD * self.processes and (drawn := draw()) is not None:
                    future = self.submit(function, *drawn[1])
                    begun[future] = drawn[0]
                    future.add_done_callback(finished.put)
                if not begun:
                    return
                future = finished.get()
                yield begun.pop(future), future.result()
        finally:
            for future in begun:
                future.cancel()

    def map(self, function: Callable[..., Result], tasks: Iterable[tuple[Any, ...]]) -> Iterator[Result | NutgrafError]:
        """Yield `function(state, *task)` for each task, in order; see `unordered`."""
        waiting, results = enumerate(tasks), dict[int, Result | NutgrafError]()
        first = drawn = 0

        def draw() -> tuple[int, tuple[Any, ...]] | None:
            nonlocal drawn
            task = next(waiting, None) if drawn - first < AWAITED * self.processes else None
            drawn += task is not None
            return task

        for number, result in self.unordered(function, draw):
            results[number] = result
            while first in results:
                first += 1
                yield results.pop(first - 1)
