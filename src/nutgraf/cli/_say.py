"""How commands speak: results on stdout or into a file, notices on stderr."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from nutgraf.files import check_writable, write_text


def notice(lines: Iterable[str], quiet: bool = False) -> None:
    """What was odd, on stderr; each sentence once."""
    if not quiet:
        for line in dict.fromkeys(lines):
            print(f"nutgraf: {line}", file=sys.stderr)


@contextmanager
def working(what: str, quiet: bool = False) -> Iterator[None]:
    """Tell a person at a terminal that work is going on; nothing is printed elsewhere."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


def check_output(path: str | None) -> None:
    """Raise OutputError before the work if what it makes could not be kept."""
    if path not in (None, "-"):
        check_writable(Path(str(path)))


def put(text: str, path: str | None = None) -> None:
    """The result: into a file, whole or not at all, or on stdout."""
    if path not in (None, "-"):
        write_text(str(path), text if text.endswith("\n") else text + "\n")
        return
    print(text, flush=True)


def wrapped(text: str) -> str:
    """Broken into lines for a person at a terminal; as it is for a pipe. No word is broken."""
    if not sys.stdout.isatty():
        return text
    from shutil import get_terminal_size

    width = min(100, get_terminal_size().columns)
    return textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False)
