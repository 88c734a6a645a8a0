"""Processes with limits of time and memory for each task, and a pool of them.

Results come in the order of the tasks. A task that fails does not disturb the others: its error stands in the place of
its result, whether the user made a mistake, a limit was exceeded or the process crashed. Processes are spawned, so they
inherit no threads or locks. Each has a line to its driver that no other process holds, and the driver asks every second
whether the process still lives, so its end is always seen, whenever and however it comes.
"""

from __future__ import annotations

import atexit
import os
import pickle
import signal
import sys
import time
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from io import BytesIO
from itertools import chain, islice
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from multiprocessing.resource_tracker import ensure_running
from pickle import PickleBuffer
from threading import Lock, Thread
from typing import Any, SupportsIndex, TypeVar

from nutgraf.errors import NutgrafError, TaskError
from nutgraf.runtime.hardware import available_cores, limit_memory, total_memory
from nutgraf.runtime.lanes import Lanes

Result = TypeVar("Result")

ENVIRONMENT = {
    # The processes share the cores already.
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"), "1"),
    # A process is started with `python -c`, which would import whatever lies in the working directory.
    "PYTHONSAFEPATH": "1",
}
"""Environment variables added for the worker processes."""

MOST_STARTS = 3
"""Processes in a row that may end before they begin a task."""

STARTING_SECONDS = 1800.0
"""Time limit for the start of a process, which may have a network to load."""

LOOK_EVERY = 1.0
"""Seconds after which a process that says nothing is looked at: it may have ended while a child of its own lives."""

PATIENCE = 5.0
"""Seconds for a process that closed its line to end by itself."""

PIECE = 1 << 20
"""Bytes of a piece of `Pieces`."""

COUNT = 4
"""Bytes of the number of pieces that come after a message."""

NAME = "nutgraf-worker"
"""Name of the processes."""

_starting = Lock()
"""Held while a process starts, since the environment is changed meanwhile."""


MakePool = Callable[..., Lanes]
"""Makes a pool, as `Workers` does: of processes of this machine, or of lanes of a cluster."""


class Workers(Lanes):
    """A pool of processes that run tasks with a state of their own.

    >>> with Workers(load_tables, ("tables",)) as workers:  # doctest: +SKIP
    ...     for result in workers.map(look_up, [("first",), ("second",)]):
    ...         ...
    """

    def __init__(
        self,
        setup: Callable[..., Any],
        given: tuple[Any, ...] = (),
        *,
        processes: int | None = None,
        seconds: float | None = None,
        memory: int | None = None,
        inline: int = 1,
    ) -> None:
        """Describe the pool; its processes start with the first task that needs them.

        Args:
            setup: Makes the state of a process before its first task; a function at the top level of a module, so that
                it can be pickled.
            given: Arguments of `setup`.
            processes: Number of processes; by default one per core.
            seconds: Time limit of a task; by default none.
            memory: Memory limit of a process in bytes; by default an equal share of the machine's memory.
            inline: `map` runs up to this many tasks in this process, without limits, because starting others would take
                longer; and all of them if there is one process. With 0 none.
        """
        count = processes or available_cores()
        total = total_memory()
        share = None if total is None else max(1 << 30, total // count)
        limits: Any = {"seconds": seconds, "memory": memory or share}
        super().__init__([Worker(setup, given, **limits) for _ in range(count)], together=True)
        self._inline, self._here = inline, _State(setup, given)

    def map(
        self, function: Callable[..., Result], tasks: Iterable[tuple[Any, ...]]
    ) -> Generator[Result | NutgrafError, None, None]:
        """Yield `function(state, *task)` for each task, in order; see `Lanes.unordered`. Tasks are drawn as needed."""
        tasks = iter(tasks)
        first = list(islice(tasks, self._inline + 1))
        if len(first) <= self._inline or (self._inline and self.processes == 1):
            for task in chain(first, tasks):
                yield _attempt(self._here, function, task)
            return
        yield from super().map(function, chain(first, tasks))


local_lanes = partial(Workers, inline=0)
"""Makes lanes of this machine's processes, which do all tasks, also where there is one."""


class Worker:
    """A process that does one task after the other; it is a `nutgraf.runtime.lanes.Lane`.

    What goes over the line: first the setup. Then, for each task, the task, and from the process a sign that it begins,
    any number of notes, and the result.
    """

    def __init__(
        self,
        setup: Callable[..., Any],
        given: tuple[Any, ...] = (),
        *,
        seconds: float | None = None,
        memory: int | None = None,
    ) -> None:
        """Describe the process, which starts with the first task; for the arguments see `Workers`."""
        self._setup, self._seconds = (setup, given, memory), seconds
        self._process: BaseProcess | None = None
        self._line: Connection

    def run(
        self,
        function: Callable[..., Any],
        *task: Any,
        seconds: float | None = None,
        heard: Callable[..., None] | None = None,
    ) -> Any:
        """Do a task, in another process if this one has ended.

        Args:
            function: A function at the top level of a module; its arguments and result are pickled.
            task: Its arguments after the state.
            seconds: Time limit of this task; by default that of the worker.
            heard: Called with what the task passes to `note`.

        Returns:
            `function(state, *task)`, or the `NutgrafError` in its place.

        Raises:
            TaskError: If no process can be started.
        """
        for _ in range(MOST_STARTS):
            try:
                patience = STARTING_SECONDS if self._start() else seconds or self._seconds or STARTING_SECONDS
                _put(self._line, (function, task))
                self._receive(patience)
            except (OSError, EOFError):  # it ended, or took too long, before it began
                self._end()
            else:
                return self._result(seconds or self._seconds, heard)
        raise TaskError(
            f"Worker processes cannot be started, or are terminated when they start ({MOST_STARTS} attempts). "
            "Provide more memory (--memory, where the command has it), or raise the limits of processes and open files "
            "(ulimit -u, -n)."
        )

    def stop(self) -> None:
        """End the process at once; the task that it works on has a `TaskError` for a result."""
        process = self._process
        if process is not None:
            process.kill()
            process.join()

    def _start(self) -> bool:
        """Start a process unless there is one that lives; True if one was started. Raises OSError or EOFError."""
        if self._process is not None:
            if self._process.is_alive():
                return False
            self._end()
        context = get_context("spawn")
        self._line, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs,), name=NAME)
        try:
            with _environment():
                process.start()
        except BaseException:
            self._line.close()
            raise
        finally:
            theirs.close()  # so that the line ends with the process
        self._process = process
        self._line.send(self._setup)
        return True

    def _result(self, seconds: float | None, heard: Callable[..., None] | None) -> Any:
        """Return the result of the task that the process has begun, or the error in its place."""
        deadline = float("inf") if seconds is None else time.monotonic() + seconds
        try:
            while True:
                is_result, said = self._receive(deadline - time.monotonic())
                if is_result:
                    return said
                if heard is not None:
                    heard(*said)
        except TimeoutError:
            self._end()
            return TaskError(f"it took longer than {seconds:g} seconds and was stopped", cause="time")
        except (OSError, EOFError):
            status = self._end(PATIENCE)
            ending = f"signal {-status}" if status is not None and status < 0 else f"exit status {status}"
            return TaskError(f"its process was terminated ({ending}), perhaps for lack of memory", cause="ended")
        except Exception as error:  # a result that only the process can read
            return _not_returned(error)

    def _receive(self, seconds: float) -> Any:
        """Return what the process says next.

        Raises:
            EOFError, OSError: If it ends.
            TimeoutError: If it says nothing for so long.
        """
        deadline = time.monotonic() + seconds
        while not self._line.poll(max(0.0, min(LOOK_EVERY, deadline - time.monotonic()))):
            if self._process is None or not (self._process.is_alive() or self._line.poll()):
                raise EOFError
            if time.monotonic() >= deadline:
                raise TimeoutError
        return _get(self._line)

    def _end(self, patience: float = 0.0) -> int | None:
        """End the process, after so many seconds, and return its exit status."""
        process, self._process = self._process, None
        if process is None:
            return None
        process.join(patience)
        process.kill()
        process.join()
        self._line.close()
        return process.exitcode


class Pieces:
    """Bytes that go from one process to another in pieces.

    To pickle or to copy many bytes at once would stop all threads of a process for that time.
    """

    def __init__(self, pieces: Iterable[bytes]) -> None:
        """Hold pieces of bytes."""
        self.pieces = tuple(pieces)

    @classmethod
    def of(cls, data: bytes) -> Pieces:
        """Divide bytes into pieces."""
        return cls(data[at : at + PIECE] for at in range(0, len(data), PIECE))

    def __len__(self) -> int:
        """Return the number of bytes."""
        return sum(map(len, self.pieces))

    def __bytes__(self) -> bytes:
        """Return the bytes as a whole."""
        return b"".join(self.pieces)

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        """Leave the pieces outside of the pickle, where there is a place for them."""
        return Pieces, (list(map(PickleBuffer, self.pieces)),)


def _put(line: Connection, content: Any) -> None:
    """Send something, with pieces of bytes as messages of their own."""
    pieces: list[PickleBuffer] = []
    pickled = BytesIO()
    pickled.write(bytes(COUNT))
    ForkingPickler(pickled, 5, True, pieces.append).dump(content)
    pickled.seek(0)
    pickled.write(len(pieces).to_bytes(COUNT))
    line.send_bytes(pickled.getbuffer())
    for piece in pieces:
        line.send_bytes(piece.raw())


def _get(line: Connection) -> Any:
    """Return what was sent by `_put`."""
    pickled = line.recv_bytes()
    pieces = [line.recv_bytes() for _ in range(int.from_bytes(pickled[:COUNT]))]
    return pickle.loads(memoryview(pickled)[COUNT:], buffers=pieces)


class _State:
    """The state of a process, made when it is first asked for; a failure belongs to whoever asks."""

    def __init__(self, setup: Callable[..., Any], given: tuple[Any, ...]) -> None:
        self._setup, self._given = setup, given

    @cached_property
    def value(self) -> Any:
        """The state."""
        return self._setup(*self._given)


class _Here:
    """This process, where it is a worker: its state, and its line to the driver."""

    state: _State
    line: Connection | None = None


def begin(setup: Callable[..., Any], given: tuple[Any, ...], memory: int | None) -> None:
    """Make this process one of a pool, with its state, which is made before the time of the first task begins.

    Args:
        setup: Makes the state of the process before its first task.
        given: Arguments of `setup`.
        memory: Memory limit of the process in bytes; None for none.
    """
    _Here.state = _State(setup, given)
    Thread(target=_end_with_parent, daemon=True).start()  # before the limit, within which it might not start
    limit_memory(memory)
    with suppress(Exception):  # which the first task meets again
        _ = _Here.state.value


def _serve(line: Connection) -> None:
    """Do the tasks that come over a line, until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _mask("SIG_UNBLOCK")
    with suppress(EOFError, OSError):  # nobody is there any more
        begin(*line.recv())
        _Here.line = line
        while line.poll(None):
            _put(line, None)
            try:
                function, task = _get(line)
            except Exception as error:  # a task that does not fit into the memory, or that this process cannot read
                _put(line, (True, _as_error(error)))
                return
            result = run_task(function, *task)
            try:
                _put(line, (True, result))
            except OSError:
                raise
            except Exception as error:
                _put(line, (True, _not_returned(error)))


def note(*said: Any) -> None:
    """Pass something on to whoever waits for the task that runs in this process; see `Worker.run`."""
    if _Here.line is not None:
        _put(_Here.line, (False, said))


def run_task(function: Callable[..., Result], *task: Any) -> Result | NutgrafError:
    """Return `function(state, *task)` with the state of this process, or the error in its place."""
    return _attempt(_Here.state, function, task)


def _attempt(state: _State, function: Callable[..., Result], task: tuple[Any, ...]) -> Result | NutgrafError:
    """Return the result of a task, or the error in its place."""
    try:
        return function(state.value, *task)
    except Exception as error:
        return _as_error(error)


def _as_error(error: Exception) -> NutgrafError:
    """Return the error that stands in the place of a result."""
    if isinstance(error, NutgrafError):
        return error
    if isinstance(error, MemoryError):
        return TaskError("it needs more memory than is available", cause="memory")
    if isinstance(error, OSError):
        return TaskError(str(error), traceback.format_exc())
    reason = f"this is a mistake of nutgraf's, not of yours ({type(error).__name__}: {error})"
    return TaskError(reason, traceback.format_exc())


def _not_returned(error: Exception) -> TaskError:
    return TaskError(f"its result could not be returned ({type(error).__name__}: {error})")


def _end_with_parent() -> None:
    """Exit when the parent process ends; a worker whose parent was killed would otherwise wait forever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _environment() -> Iterator[None]:
    """Set the variables of `ENVIRONMENT` for a process started meanwhile, except those that the user has set.

    The process also gets no arguments of the command line: multiprocessing would write them into a pipe before the
    process reads them, and where they do not fit into it, it would wait forever if the process was killed. Ctrl-C,
    which a terminal also sends to it, waits until it can ignore that.
    """
    with _starting:
        added = {name: value for name, value in ENVIRONMENT.items() if name not in os.environ}
        os.environ.update(added)
        arguments, sys.argv = sys.argv, sys.argv[:1]
        if sys.platform != "win32":
            ensure_running()  # its own start would end the mask
        _mask("SIG_BLOCK")
        try:
            yield
        finally:
            _mask("SIG_UNBLOCK")
            sys.argv = arguments
            for name in added:
                os.environ.pop(name, None)


def _mask(how: str) -> None:
    """Let Ctrl-C wait for this thread and the processes that it starts, or no longer (not on Windows)."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(getattr(signal, how), {signal.SIGINT})


@atexit.register
def _end_all() -> None:
    """End the processes that are left when this one ends, which would otherwise wait for them."""
    for process in active_children():
        if process.name == NAME:
            process.kill()
