"""A pool in lanes: each lane is a process that does one task at a time, and results come as soon as they are there.

The death of a process concerns its own lane only: the lane gets another process, and nothing that other processes
share with it can stay locked. Lanes are processes of this machine (`local_lanes`), or actors of a cluster
(`batch/cluster.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any, Generic, Protocol, TypeVar

from nutgraf.errors import NutgrafError, TaskError
from nutgraf.hardware import available_cores
from nutgraf.workers import Workers, environment

Result = TypeVar("Result")
Key = TypeVar("Key", bound=Hashable)

AHEAD = 2
"""Tasks that a lane holds at any time: one runs, the next one waits beside it."""

STALLED = 60.0
"""Seconds without a result after which a lane of this machine that works on nothing is started anew."""

AWAITED = 8
"""Results for each lane that `Lanes.map` keeps while it waits for an earlier one."""


class Lane(Protocol):
    """A process that does one task after the other."""

    def submit(self, function: Callable[..., Any], *task: Any) -> Future[Any]:
        """Begin `function(state, *task)` once the tasks before it are done."""

    def outcome(self, future: Any) -> Any:
        """Return the result of a task, or the `NutgrafError` in its place.

        Raises:
            BrokenProcessPool: If the process ended before it began the task.
        """

    def stop(self) -> None:
        """End the process at once. The next task begins another one."""


@dataclass
class _Load:
    """A lane, and the number of tasks that it holds."""

    lane: Lane
    tasks: int = 0


@dataclass(eq=False)
class _Begun(Generic[Key]):
    """A task in a lane."""

    key: Key
    task: tuple[Any, ...]
    load: _Load
    future: Future[Any] = field(init=False)


class Lanes:
    """A pool whose results come as soon as they are there; it keeps the protocol of `nutgraf.workers.Pool`."""

    def __init__(self, lanes: Sequence[Lane], together: bool = False) -> None:
        """Describe the pool.

        Args:
            lanes: The lanes; their processes start when they are needed.
            together: True if all lanes share one machine.
        """
        self._together = together
        self._loads = [_Load(lane) for lane in lanes]
        self._entered = ExitStack()

    @property
    def processes(self) -> int:
        """Number of lanes."""
        return len(self._loads)

    def reduce(self, most: int | None) -> None:
        """Use no more lanes than so many on one machine, before any work; None for any number."""
        if self._together and most is not None:
            del self._loads[most:]

    def __enter__(self) -> Lanes:
        self._entered.enter_context(environment())
        return self

    def __exit__(self, *error: object) -> None:
        for load in self._loads:
            load.lane.stop()
        self._entered.close()

    def unordered(
        self, function: Callable[..., Result], draw: Callable[[], tuple[Key, tuple[Any, ...]] | None]
    ) -> Iterator[tuple[Key, Result | NutgrafError]]:
        """Do tasks, and yield the result of each as soon as it is there.

        Args:
            function: A function at the top level of a module; its arguments and results are pickled.
            draw: Returns a key and the arguments of the next task, or None if there is none at present. It is asked
                whenever a lane has room and again after each result, so that it can hand out a task once more.

        Yields:
            The key of a task with its result, or with the `NutgrafError` in its place; a `TaskError` if a limit was
            exceeded, the process ended, or another exception was raised.
        """
        finished: SimpleQueue[_Begun[Key]] = SimpleQueue()
        waiting: dict[int, _Begun[Key]] = {}
        while True:
            while (load := min(self._loads, key=lambda one: one.tasks)).tasks < AHEAD and (drawn := draw()) is not None:
                load.tasks += 1
                begun = _Begun(*drawn, load)
                waiting[id(begun)] = begun
                _begin(begun, function, finished)
            if not waiting:
                return
            try:
                begun = finished.get(timeout=STALLED if self._together else None)
            except Empty:
                self._restart_stalled(waiting.values())
                continue
            try:
                result = begun.load.lane.outcome(begun.future)
            except BrokenProcessPool:
                _begin(begun, function, finished)
                continue
            del waiting[id(begun)]
            begun.load.tasks -= 1
            if isinstance(result, TaskError) and result.cause == "ended":
                begun.load.lane.stop()  # what the process shared with this one may have been left locked
            yield begun.key, result

    def _restart_stalled(self, waiting: Iterable[_Begun[Key]]) -> None:
        """Stop the processes of lanes that work on nothing though tasks wait; what waits there is done again.

        A task is lost with a process that is killed between taking it and saying so.
        """
        tasks = list(waiting)
        working = {id(one.load) for one in tasks if one.future.running()}
        for load in {id(one.load): one.load for one in tasks if id(one.load) not in working}.values():
            load.lane.stop()

    def map(self, function: Callable[..., Result], tasks: Iterable[tuple[Any, ...]]) -> Iterator[Result | NutgrafError]:
        """Yield `function(state, *task)` for each task, in order; see `nutgraf.workers.Workers.map`."""
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


def _begin(begun: _Begun[Key], function: Callable[..., Any], finished: SimpleQueue[_Begun[Key]]) -> None:
    begun.future = begun.load.lane.submit(function, *begun.task)
    begun.future.add_done_callback(lambda future: finished.put(begun))


def local_lanes(
    setup: Callable[..., Any],
    given: tuple[Any, ...] = (),
    *,
    processes: int | None = None,
    seconds: float | None = None,
    memory: int | None = None,
) -> Lanes:
    """Return lanes of this machine's processes; see `nutgraf.workers.Workers` for the arguments."""
    count = processes or available_cores()
    return Lanes(
        [Workers(setup, given, processes=1, seconds=seconds, memory=memory) for _ in range(count)], together=True
    )
