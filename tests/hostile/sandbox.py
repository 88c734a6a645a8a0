"""Runs command lines of nutgraf in forked children, under limits of time and memory.

A fresh interpreter takes a second to import what a command needs; a hundred thousand commands need something quicker.
So one process imports everything once and stays single-threaded; for each command it forks a child, which sets its
limits, runs the command and ends. The caller gets the status, both outputs, the time and the peak of memory.

    with Sandbox() as sandbox:
        ran = sandbox.run(["summarize", "page.html", "--words", "50"], folder)

A sandbox runs one command at a time. `twin` forks another from it, which has imported the same.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle, send_handle
from pathlib import Path
from types import TracebackType
from typing import Any

GIB = 1 << 30

PRELOADED = (
    "nutgraf.cli.*", "nutgraf.datasets.*", "nutgraf.keyphrases.*", "nutgraf.magnifier.*", "nutgraf.readers.*",
    "nutgraf.text.*", "nutgraf.systems", "nutgraf.systems.extractive", "nutgraf.systems.two_stage", "nutgraf.report",
    "nutgraf.evaluation", "nutgraf.extractive.*", "nutgraf.metrics", "charset_normalizer", "docx", "encodings.ascii",
    "encodings.unicode_escape", "filelock", "importlib.readers", "lxml.html", "markdown_it", "nupunkt", "pypdf",
    "rich.progress", "scipy.sparse.linalg", "Stemmer", "typer._adapters",
)  # fmt: skip
"""Modules imported before the first fork, with ".*" those of a package; those that are missing are passed over."""


@dataclass(frozen=True)
class Ran:
    """What came of one command line.

    Attributes:
        status: Exit status; negative for a signal, as in subprocess.
        stdout: Standard output, undecodable bytes escaped.
        stderr: Standard error, likewise.
        seconds: Wall-clock time.
        processor: Processor time of the child and of the processes it waited for.
        peak: Peak resident memory of the child in bytes.
        timed_out: True if it was killed for running too long.
    """

    status: int
    stdout: str
    stderr: str
    seconds: float
    processor: float
    peak: int
    timed_out: bool

    @property
    def crashed(self) -> bool:
        """True if it ended in a traceback or by a signal."""
        return self.status < 0 or "Traceback (most recent call last)" in self.stderr


class Sandbox:
    """A warm process that forks a child for each command line."""

    def __init__(self, preload: Sequence[str] = PRELOADED, env: Mapping[str, str] | None = None) -> None:
        """
        Args:
            preload: Modules to import before the first fork.
            env: Environment variables to set on top of the present ones.
        """
        single = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "COLUMNS": "200", "NO_COLOR": "1"}
        single["TOKENIZERS_PARALLELISM"] = "false"  # whose threads would outlive what they did
        self._channel, theirs = Pipe()
        with theirs:
            self._process: subprocess.Popen[bytes] | None = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                env={**os.environ, **single, **(env or {})},
                pass_fds=[theirs.fileno()],
            )
        self.load(preload)

    def run(
        self,
        argv: Sequence[str],
        folder: Path,
        *,
        stdin: Path | None = None,
        seconds: float = 30.0,
        memory: int = 4 * GIB,
        env: Mapping[str, str] | None = None,
        program: str = "nutgraf.cli.main:main",
    ) -> Ran:
        """Run one command line.

        Args:
            argv: The arguments after `nutgraf`.
            folder: The working directory.
            stdin: File to read as standard input; empty if absent.
            seconds: Wall-clock limit; the child and all its children are killed after it.
            memory: Limit of the child's address space in bytes.
            env: Environment variables for this run only.
            program: Module and function to call, which finds `argv` in `sys.argv`.
        """
        request = {
            "argv": list(argv), "folder": str(folder), "stdin": str(stdin or os.devnull), "seconds": seconds,
            "memory": memory, "env": dict(env or {}), "program": program,
        }  # fmt: skip
        self._send({"run": request})
        return Ran(**json.loads(self._receive()))

    def load(self, modules: Sequence[str]) -> None:
        """Import more modules, as at the beginning."""
        self._send({"load": list(modules)})

    def call(self, program: str, argument: str) -> None:
        """Call a function in the warm process itself, so that its forks have what it imported.

        Args:
            program: Module and function; it must leave no threads.
            argument: What it is called with.

        Raises:
            RuntimeError: With the traceback, if the function raised an exception.
        """
        self._send({"call": [program, argument]})
        if raised := self._receive().decode():
            raise RuntimeError(raised)

    def twin(self) -> Sandbox:
        """Fork another sandbox, which has imported what this one has."""
        other = object.__new__(Sandbox)
        other._channel, theirs = Pipe()
        other._process = None  # a child of the process here, which ends when its channel is closed
        with theirs:
            self._send({"twin": None})
            send_handle(self._channel, theirs.fileno(), None)  # type: ignore[arg-type]
            self._receive()
        return other

    def _send(self, request: Mapping[str, Any]) -> None:
        self._channel.send_bytes(json.dumps(request).encode())

    def _receive(self) -> bytes:
        try:
            return self._channel.recv_bytes()
        except EOFError:
            raise RuntimeError("the sandbox's process has ended") from None

    def close(self) -> None:
        """End the warm process."""
        self._channel.close()
        if self._process is not None:
            self._process.wait(timeout=60)

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


@contextmanager
def absent(modules: Sequence[str]) -> Iterator[None]:
    """Treat modules as if they were not installed."""
    here = {name: sys.modules[name] for name in modules if name in sys.modules}
    sys.modules.update(dict.fromkeys(modules))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in modules:
            del sys.modules[name]
        sys.modules.update(here)


def _serve(channel: Connection) -> None:
    """Answer requests until the other side has closed the channel."""
    with suppress(EOFError):
        while True:
            [(kind, given)] = json.loads(channel.recv_bytes()).items()
            if kind == "load":
                _load(given)
                continue
            answer = b""
            if kind == "run":
                answer = json.dumps(vars(_fork(given))).encode()
            elif kind == "call":
                answer = _called(*given).encode()
            elif kind == "twin":
                with Connection(recv_handle(channel)) as other:
                    if not os.fork():
                        channel.close()
                        _serve(other)
                        os._exit(0)
            channel.send_bytes(answer)


def _called(program: str, argument: str) -> str:
    """Call a function; what is returned is the traceback of what it raised."""
    try:
        _function(program)(argument)
        tasks = Path("/proc/self/task")
        assert not tasks.is_dir() or len(list(tasks.iterdir())) == 1, "a process with threads cannot be forked safely"
    except Exception:
        return traceback.format_exc()
    _freeze()
    return ""


def _load(modules: Sequence[str]) -> None:
    for name in (one for asked in modules for one in _with_modules(asked)):
        with suppress(ImportError):
            importlib.import_module(name)
    from nutgraf.cli.app import commands

    commands()
    _freeze()


def _freeze() -> None:
    """Keep the forks' collectors from passing over, and so from copying, what is in memory now."""
    gc.collect()
    gc.freeze()


def _function(program: str) -> Callable[..., object]:
    module, _, name = program.partition(":")
    function: Callable[..., object] = getattr(importlib.import_module(module), name)
    return function


def _with_modules(name: str) -> list[str]:
    package, dot, _ = name.partition(".*")
    if not dot:
        return [name]
    inside = importlib.import_module(package).__path__
    return [one.name for one in pkgutil.walk_packages(inside, f"{package}.")]


def _fork(request: Mapping[str, Any]) -> Ran:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        before = time.monotonic()
        child = os.fork()
        if child == 0:
            _child(request, out.fileno(), err.fileno())
        status, usage, timed_out = _wait(child, before + request["seconds"])
        seconds = time.monotonic() - before
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)
        return Ran(
            os.waitstatus_to_exitcode(status), _text(out), _text(err), seconds, usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024), timed_out,
        )  # fmt: skip


def _wait(child: int, deadline: float) -> tuple[int, resource.struct_rusage, bool]:
    pause = 0.001
    while True:
        done, status, usage = os.wait4(child, os.WNOHANG)
        if done:
            return status, usage, False
        if time.monotonic() > deadline:
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
            os.kill(child, signal.SIGKILL)
            _, status, usage = os.wait4(child, 0)
            return status, usage, True
        time.sleep(pause)
        pause = min(0.02, pause * 1.5)


def _text(file: Any) -> str:
    file.seek(0)
    return str(file.read().decode("utf-8", "backslashreplace"))


def _child(request: Mapping[str, Any], out: int, err: int) -> None:
    """Never returns."""
    status = 70
    try:
        os.setsid()
        os.chdir(request["folder"])
        os.environ.update(request["env"])
        os.dup2(os.open(request["stdin"], os.O_RDONLY), 0)
        os.dup2(out, 1)
        os.dup2(err, 2)
        sys.stdin, sys.stdout, sys.stderr = (
            os.fdopen(0, encoding="utf-8", closefd=False),
            os.fdopen(1, "w", encoding="utf-8", closefd=False),
            os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False),
        )
        resource.setrlimit(resource.RLIMIT_AS, (request["memory"], request["memory"]))
        sys.argv = ["nutgraf", *request["argv"]]
        status = _status_of(request["program"])
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(Exception):
                stream.flush()
        os._exit(status)


def _status_of(program: str) -> int:
    try:
        _function(program)()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 70
    return 0


if __name__ == "__main__":
    _serve(Connection(int(sys.argv[1])))
    with suppress(ChildProcessError):  # the twins
        while True:
            os.wait()
