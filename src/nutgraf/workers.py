"""A pool of processes with limits of time and memory for each task.

Results come in the order of the tasks. A task that fails does not disturb the others: its error stands in the place of
its result, whether the user made a mistake, a limit was exceeded or the process crashed. Processes are spawned, so they
inherit no threads or locks; Pebble restarts those that were terminated.
"""

from __future__ import annotations

import os
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as FutureTimeoutError
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain, islice
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

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
"""Environment variables added for the worker processes."""

MOST_STARTS = 3
"""Attempts to start a pool; a process that is terminated while it starts breaks its whole pool."""


class Pool(Protocol):
    """A pool that runs tasks: `Workers`, or lanes of a cluster (`nutgraf.batch.lanes`)."""

    def __enter__(self) -> Pool: ...

    def __exit__(self, *error: object) -> None: ...

    def map(self, function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
        """Yield `function(state, *task)` for each task, in order, or the `NutgrafError` in its place."""


class MakePool(Protocol):
    """Makes a pool; `Workers` is one."""

    def __call__(
        self, setup: Callable[..., Any], given: tuple[Any, ...] = (), *, processes: int | None = None, inline: int = 1
    ) -> Pool:
        """Return a pool; see `Workers`."""


class Workers(Generic[State]):
    """A pool of processes that run tasks with a state of their own.

    >>> with Workers(load_tables, ("tables",)) as workers:  # doctest: +SKIP
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
        """Describe the pool; its processes start with the first call of `map` that needs them.

        Args:
            setup: Makes the state of a process before its first task; a function at the top level of a module, so that
                it can be pickled.
            given: Arguments of `setup`.
            processes: Number of processes; by default one per core. With 1, the tasks run in this process.
            seconds: Time limit of a task; by default none.
            memory: Memory limit of a process in bytes; by default an equal share of the machine's memory.
            inline: Run up to this many tasks in this process, without limits, because starting others would take
                longer.
        """
        self.processes = processes or available_cores()
        self._setup, self._given = setup, given
        self._seconds = seconds
        self._memory = memory or _share_of_memory(self.processes)
        self._inline = inline
        self._state: list[State] = []
        self._pool: ProcessPool | None = None
        self._starts = 0
        self._entered = ExitStack()

    def __enter__(self) -> Workers[State]:
        return self

    def __exit__(self, *error: object) -> None:
        self._entered.close()
        if self._pool is None:
            return
        if error[0] is None:
            self._pool.close()
        else:
            self._pool.stop()
        self._pool.join()

    def stop(self) -> None:
        """End the processes at once, whatever they are doing."""
        self._entered.close()
        self._give_up_pool()

    def map(
        self, function: Callable[..., Result], tasks: Iterable[tuple[Any, ...]]
    ) -> Generator[Result | NutgrafError, None, None]:
        """Yield `function(state, *task)` for each task, in order.

        Tasks are drawn as they are needed: at most two per process wait at any time.

        Args:
            function: A function at the top level of a module; its arguments and results are pickled.
            tasks: Arguments for each call.

        Yields:
            The result, or in its place the `NutgrafError` that was raised; a `TaskError` if a limit was exceeded, the
            process crashed, or another exception was raised.
        """
        tasks = iter(tasks)
        first = list(islice(tasks, self._inline + 1))
        if self.processes == 1 or len(first) <= self._inline:
            for task in chain(first, tasks):
                yield self._run_here(function, task)
            return
        with environment():
            yield from self._run_in_pool(function, chain(first, tasks))

    def submit(
        self, function: Callable[..., Result], *task: Any, seconds: float | None = None
    ) -> ProcessFuture[Result | NutgrafError]:
        """Begin `function(state, *task)` in a process of the pool, also where there is only one.

        Args:
            function: A function at the top level of a module; its arguments and result are pickled.
            task: Its arguments after the state.
            seconds: Time limit of this task; by default that of the pool.

        Returns:
            The future of a result, for `outcome`. Cancelling it ends the process that runs the task.

        Raises:
            TaskError: If no process can be started.
        """
        if self._pool is None:
            # Processes that take the place of ended ones start whenever they are needed, so this stays until the end.
            self._entered.enter_context(environment())
        return self._running_pool().schedule(run_task, (function, *task), timeout=seconds or self._seconds)

    def outcome(self, future: ProcessFuture[Result | NutgrafError]) -> Result | NutgrafError:
        """Wait for what `submit` began.

        Returns:
            What `map` yields: the result, or the error in its place.

        Raises:
            BrokenProcessPool: If a process ended that had not begun the task; to submit it again starts others.
        """
        found = self._result(future)
        self._starts = 0
        return found

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
            return self._running_pool().schedule(run_task, (function, *task), timeout=self._seconds)

        def first_result() -> Result | NutgrafError:
            """Wait for the first result; if the pool breaks down, submit all waiting tasks to a new one."""
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
                future.cancel()

    def _running_pool(self) -> ProcessPool:
        """Return the pool, starting another one if it broke down.

        Raises:
            TaskError: If no pool can be started.
        """
        if self._pool is not None and self._pool.active:
            return self._pool
        self._give_up_pool()
        from pebble import ProcessPool

        while self._starts < MOST_STARTS:
            self._starts += 1
            with suppress(BrokenProcessPool, RuntimeError, OSError):
                self._pool = ProcessPool(
                    self.processes,
                    initializer=begin,
                    initargs=(self._setup, self._given, self._memory),
                    context=get_context("spawn"),
                )
                self._pool.schedule(_nothing)
                return self._pool
            self._give_up_pool()
        raise TaskError(
            f"Worker processes cannot be started, or are terminated when they start ({MOST_STARTS} attempts). "
            "Provide more memory, or raise the limits of processes and open files (ulimit -u, -n)."
        )

    def _give_up_pool(self) -> None:
        if self._pool is not None:
            with suppress(BrokenProcessPool, RuntimeError):
                self._pool.stop()
                self._pool.join()
            self._pool = None

    def _result(self, future: ProcessFuture[Result | NutgrafError]) -> Result | NutgrafError:
        from pebble import ProcessExpired

        try:
            return future.result()
        except FutureTimeoutError as error:
            return TaskError(f"it took longer than {error.args[1]:g} seconds and was stopped", cause="time")
        except ProcessExpired as error:
            reason = f"its process was terminated ({_ending(error.exitcode)}), perhaps for lack of memory"
            return TaskError(reason, cause="ended")
        except (BrokenProcessPool, CancelledError) as error:
            raise BrokenProcessPool(str(error)) from error
        except Exception as error:  # a result that cannot be sent
            return TaskError(f"its result could not be returned ({type(error).__name__}: {error})")


def _nothing() -> None:
    """Do nothing: a task that shows that a pool accepts tasks."""


class _Worker:
    """State of a worker process between its tasks."""

    setup: Callable[..., Any]
    given: tuple[Any, ...]
    state: Any

    @classmethod
    def ready(cls) -> Any:
        """Return the state, making it at the first call, so that a failure belongs to a task."""
        if not hasattr(cls, "state"):
            cls.state = cls.setup(*cls.given)
        return cls.state


def begin(setup: Callable[..., Any], given: tuple[Any, ...], memory: int | None) -> None:
    """Make this process one of a pool.

    Args:
        setup: Makes the state of the process before its first task.
        given: Arguments of `setup`.
        memory: Memory limit of the process in bytes; None for none.
    """
    _Worker.setup, _Worker.given = staticmethod(setup), given
    _limit_memory(memory)
    Thread(target=_end_with_parent, daemon=True).start()


def run_task(function: Callable[..., Result], *task: Any) -> Result | NutgrafError:
    """Return `function(state, *task)` with the state of this process, or the error in its place."""
    return _attempt(_Worker.ready, function, task)


def _attempt(state: Callable[[], Any], function: Callable[..., Result], task: tuple[Any, ...]) -> Result | NutgrafError:
    """Return the result of a task, or the error in its place."""
    try:
        return function(state(), *task)
    except NutgrafError as error:
        return error
    except MemoryError:
        return TaskError("it needs more memory than is available", cause="memory")
    except OSError as error:
        return TaskError(str(error), traceback.format_exc())
    except Exception as error:
        reason = f"this is a mistake of nutgraf's, not of yours ({type(error).__name__}: {error})"
        return TaskError(reason, traceback.format_exc())


def _limit_memory(memory: int | None) -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    if memory:
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (memory if most < 0 else min(memory, most), most))


def _end_with_parent() -> None:
    """Exit when the parent process ends; a worker whose parent was killed would otherwise wait forever."""
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
def environment() -> Iterator[None]:
    """Set the variables of `ENVIRONMENT` for processes started meanwhile, except those that the user has set."""
    added = {name: value for name, value in ENVIRONMENT.items() if name not in os.environ}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)
