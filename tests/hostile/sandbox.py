"""Runs command lines of nutgraf in forked children, under limits of time and memory.

A fresh interpreter takes a second to import what a command needs; a hundred thousand commands need something quicker.
So one process imports everything once and stays single-threaded; for each command it forks a child, which sets its
limits, runs the command and ends. The caller gets the status, both outputs, the time and the peak of memory.

    with Sandbox() as sandbox:
        ran = sandbox.run(["summarize", "page.html", "--words", "50"], folder)
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

GIB = 1 << 30

PRELOADED = (
    "nutgraf.cli.*", "nutgraf.datasets.*", "nutgraf.keyphrases.*", "nutgraf.magnifier.*", "nutgraf.readers.*",
    "nutgraf.text.*", "nutgraf.systems", "nutgraf.systems.extractive", "nutgraf.systems.two_stage", "nutgraf.report",
    "nutgraf.evaluation", "nutgraf.extractive.*", "nutgraf.metrics", "charset_normalizer", "docx", "encodings.ascii",
    "encodings.unicode_escape", "filelock", "importlib.readers", "lxml.html", "markdown_it", "nupunkt", "pypdf",
    "rich.progress", "scipy.sparse.linalg", "Stemmer", "textblob.en", "typer._adapters",
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
        self._process = subprocess.Popen(
            [sys.executable, __file__, *preload],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **single, **(env or {})},
            text=True,
        )

    def run(
        self,
        argv: Sequence[str],
        folder: Path,
        *,
        stdin: Path | None = None,
        seconds: float = 30.0,
        memory: int = 4 * GIB,
        env: Mapping[str, str] | None = None,
    ) -> Ran:
        """Run one command line.

        Args:
            argv: The arguments after `nutgraf`.
            folder: The working directory.
            stdin: File to read as standard input; empty if absent.
            seconds: Wall-clock limit; the child and all its children are killed after it.
            memory: Limit of the child's address space in bytes.
            env: Environment variables for this run only.
        """
        request = {
            "argv": list(argv), "folder": str(folder), "stdin": str(stdin or os.devnull), "seconds": seconds,
            "memory": memory, "env": dict(env or {}),
        }  # fmt: skip
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError("the sandbox's process has ended")
        return Ran(**json.loads(answer))

    def close(self) -> None:
        """End the warm process."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait(timeout=60)
        if self._process.stdout is not None:
            self._process.stdout.close()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def _serve(preload: Sequence[str]) -> None:
    import importlib

    for name in (one for asked in preload for one in _with_modules(asked)):
        with suppress(ImportError):
            importlib.import_module(name)
    requests, answers = os.fdopen(os.dup(0), "r"), os.fdopen(os.dup(1), "w")
    os.set_inheritable(requests.fileno(), False)
    for line in iter(requests.readline, ""):
        answers.write(json.dumps(vars(_fork(json.loads(line)))) + "\n")
        answers.flush()


def _with_modules(name: str) -> list[str]:
    import importlib
    import pkgutil

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
        status = _main()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(Exception):
                stream.flush()
        os._exit(status)


def _main() -> int:
    from nutgraf.cli.main import main

    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 70
    return 0


if __name__ == "__main__":
    _serve(sys.argv[1:])
