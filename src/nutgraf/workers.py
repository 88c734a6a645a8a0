"""A pool of processes with limits of time and memory for each task.

Results come in the order of the tasks. A task that fails does not disturb the others: what went wrong stands in the
place of its result, be it a mistake of the user's, a limit that was exceeded, or a process that crashed. Processes are
spawned, so that nothing of this one's threads and locks is inherited; Pebble restarts those that were ended.
"""

from __future__ import annotations

import os
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as FutureTimeoutError
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from itertools import chain, islice
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from nutgraf.errors import NutgrafError, TaskError
from nutgraf.hardware import available_cores, total_memory

if TYPE_CHECKING:
    from pebble import ProcessFuture, ProcessPool

State = TypeVar("State")
Result = TypeVar("Result")

ENVIRONMENT = {
    # The processes share the cores already.
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"), "1"),
    # A process is started with `python -c`, which would import whatever lies in the working directory.
    "PYTHONSAFEPATH": "1",
}
"""Environment variables of the processes, beside this one's."""

MOST_STARTS = 3
"""Pools that are started before it is given up: a process that is ended while it starts takes its pool along."""


class Workers(Generic[State]):
    """Several processes that work on tasks with a state of their own.

    >>> with Workers(load_tables, ("tables",)) as workers:
    ...     for result in workers.map(look_up, [("first",), ("second",)]):
    ...         ...
    """

    def __init__(
        self,
        setup: Callable[..., State],
        given: tuple[Any, ...] = (),
        *,
        processes: int | None = None,
        seconds: float | None = None,
        memory: int | None = None,
        inline: int = 1,
    ) -> None:
        """
        Args:
            setup: Makes the state of a process, before its first task; a function of a module, so that it can be sent.
            given: Arguments of `setup`.
            processes: Number of processes; as many as there are cores if absent. One: the tasks run in this process.
            seconds: Limit of time for a task; none if absent.
            memory: Limit of a process's memory in bytes; if absent, an equal share of the machine's.
            inline: Up to so many tasks run in this process, without limits: starting others would take longer.
        """
        self.processes = processes or available_cores()
        self._setup, self._given = setup, given
        self._seconds = seconds
        self._memory = memory or _share_of_memory(self.processes)
        self._inline = inline
        self._state: list[State] = []
        self._pool: ProcessPool | None = None
        self._starts = 0

    def __enter__(self) -> Workers[State]:
        return self

    def __exit__(self, *error: object) -> None:
        if self._pool is None:
            return
        if error[0] is None:
            self._pool.close()  # type: ignore[no-untyped-call]
        else:
            self._pool.stop()  # type: ignore[no-untyped-call]
        self._pool.join()

    def map(
        self, function: Callable[..., Result], tasks: Iterable[tuple[Any, ...]]
    ) -> Generator[Result | NutgrafError, None, None]:
        """Results of `function(state, *task)`, in the order of the tasks.

        Tasks are drawn as they are needed: no more than two for each process wait at any time.

        Args:
            function: A function of a module; what it takes and returns is sent between processes.
            tasks: Arguments for each call.

        Yields:
            The result, or in its place the `NutgrafError` that was raised; `TaskError` for a limit that was exceeded,
            a process that crashed, and an exception that nobody foresaw.
        """
        tasks = iter(tasks)
        first = list(islice(tasks, self._inline + 1))
        if self.processes == 1 or len(first) <= self._inline:
            for task in chain(first, tasks):
                yield self._run_here(function, task)
            return
        with _environment(ENVIRONMENT):
            yield from self._run_in_pool(function, chain(first, tasks))

    def _run_here(self, function: Callable[..., Result], task: tuple[Any, ...]) -> Result | NutgrafError:
        def state() -> State:
            if not self._state:
                self._state.append(self._setup(*self._given))
            return self._state[0]

        return _attempt(state, function, task)

    def _run_in_pool(
        self, function: Callable[..., Result], tasks: Iterator[tuple[Any, ...]]
    ) -> Generator[Result | NutgrafError, None, None]:
        waiting: deque[tuple[tuple[Any, ...], ProcessFuture[Result | NutgrafError]]] = deque()

        def schedule(task: tuple[Any, ...]) -> ProcessFuture[Result | NutgrafError]:
            return self._running_pool().schedule(_run, (function, *task), timeout=self._seconds)

        def first_result() -> Result | NutgrafError:
            """Waits for it; if its pool broke down, all that waits is given to another one."""
            while True:
                try:
                    return self._result(waiting[0][1])
                except BrokenProcessPool:
                    self._give_up_pool()
                    waiting.extend([(task, schedule(task)) for task, _ in [waiting.popleft() for _ in list(waiting)]])

        try:
            for task in tasks:
                waiting.append((task, schedule(task)))
                if len(waiting) > 2 * self.processes:
                    yield first_result()
                    waiting.popleft()
            while waiting:
                yield first_result()
                waiting.popleft()
        finally:
            for _, future in waiting:
                future.cancel()  # type: ignore[no-untyped-call]

    def _running_pool(self) -> ProcessPool:
        """The pool; another one if it broke down. Raises TaskError if none can be started."""
        if self._pool is not None and self._pool.active:
            return self._pool
        self._give_up_pool()
        from pebble import ProcessPool

        while self._starts < MOST_STARTS:
            self._starts += 1
            with suppress(BrokenProcessPool, RuntimeError, OSError):
                self._pool = ProcessPool(
                    self.processes,
                    initializer=_begin,
                    initargs=(self._setup, self._given, self._memory),
                    context=get_context("spawn"),
                )
                self._pool.schedule(_nothing)
                return self._pool
            self._give_up_pool()
        raise TaskError(
            f"Other processes cannot be started here, or are ended as soon as they start ({MOST_STARTS} attempts). "
            "More memory, or a higher limit of processes and open files (ulimit -u, -n), would do."
        )

    def _give_up_pool(self) -> None:
        if self._pool is not None:
            with suppress(BrokenProcessPool, RuntimeError):
                self._pool.stop()  # type: ignore[no-untyped-call]
                self._pool.join()
            self._pool = None

    def _result(self, future: ProcessFuture[Result | NutgrafError]) -> Result | NutgrafError:
        from pebble import ProcessExpired

        try:
            return future.result()
        except FutureTimeoutError:
            return TaskError(f"it took longer than {self._seconds:g} seconds and was stopped")
        except ProcessExpired as error:
            return TaskError(
                f"the process that worked on it was ended ({_ending(error.exitcode)}), for lack of memory perhaps"
            )
        except (BrokenProcessPool, CancelledError) as error:
            raise BrokenProcessPool(str(error)) from error
        except Exception as error:  # a result that cannot be sent
            return TaskError(f"its result could not be returned ({type(error).__name__}: {error})")


def _nothing() -> None:
    """A task that tells whether a pool takes any."""


class _Worker:
    """What a worker process keeps between its tasks."""

    setup: Callable[..., Any]
    given: tuple[Any, ...]
    state: Any

    @classmethod
    def ready(cls) -> Any:
        """The state, made when it is first asked for, so that a failure to make it belongs to a task."""
        if not hasattr(cls, "state"):
            cls.state = cls.setup(*cls.given)
        return cls.state


def _begin(setup: Callable[..., Any], given: tuple[Any, ...], memory: int | None) -> None:
    _Worker.setup, _Worker.given = staticmethod(setup), given
    _limit_memory(memory)
    Thread(target=_end_with_parent, daemon=True).start()


def _run(function: Callable[..., Result], *task: Any) -> Result | NutgrafError:
    return _attempt(_Worker.ready, function, task)


def _attempt(state: Callable[[], Any], function: Callable[..., Result], task: tuple[Any, ...]) -> Result | NutgrafError:
    """The result of a task, or what went wrong."""
    try:
        return function(state(), *task)
    except NutgrafError as error:
        return error
    except MemoryError:
        return TaskError("it needs more memory than there is for it")
    except Exception as error:
        return TaskError(f"{type(error).__name__}: {error}", traceback.format_exc())


def _limit_memory(memory: int | None) -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    if memory:
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (memory if most < 0 else min(memory, most), most))


def _end_with_parent() -> None:
    """A process whose parent was killed would wait for tasks forever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _share_of_memory(processes: int) -> int | None:
    total = total_memory()
    return None if total is None else max(1 << 30, total // processes)


def _ending(exitcode: int | None) -> str:
    return f"signal {-exitcode}" if exitcode is not None and exitcode < 0 else f"exit status {exitcode}"


@contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    """Variables that processes started meanwhile inherit; what the user has set stays."""
    added = {name: value for name, value in variables.items() if name not in os.environ}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)
