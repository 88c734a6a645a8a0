"""Output of commands: results on stdout or into a file, notices on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from io import UnsupportedOperation
from pathlib import Path
from typing import Any, TypeVar

from nutgraf.errors import InputError, OutputError
from nutgraf.text.clean import visible

T = TypeVar("T")

LONGEST = 2000
"""Characters of a sentence on stderr: what it quotes may be any length."""

LARGE = 8 << 20
"""Bytes of a file from which reading it can take more than a few seconds."""


def say(sentence: str) -> None:
    """Print one sentence on stderr, as one line, whatever it quotes. A stderr that takes nothing is no mistake."""
    line = visible(sentence)
    shown = f"nutgraf: {line if len(line) <= LONGEST else line[:LONGEST] + '…'}"
    with suppress(OSError, ValueError):
        try:
            print(shown, file=sys.stderr, flush=True)
        except UnsupportedOperation:  # Ctrl-C came while the stream was made ready, and left it without an encoder
            sys.stderr.buffer.write(f"{shown}\n".encode(errors="backslashreplace"))
            sys.stderr.buffer.flush()


def notice(lines: Iterable[str], quiet: bool = False) -> None:
    """Print notices on stderr, each sentence once."""
    if not quiet:
        for line in dict.fromkeys(lines):
            say(line)


def unseen(quiet: bool = False) -> bool:
    """Return True if no person at a terminal would see progress on stderr."""
    return quiet or sys.stderr is None or not sys.stderr.isatty()


@contextmanager
def working(what: str, quiet: bool = False) -> Iterator[None]:
    """Tell a person at a terminal that work is going on; nothing is printed elsewhere."""
    if unseen(quiet):
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


def bar(what: str, quiet: bool = False) -> Callable[[Iterator[T], int], Iterable[T]]:
    """Return a function that yields items with a progress bar for a person at a terminal.

    It takes the items and their number.
    """

    def shown(items: Iterator[T], total: int) -> Iterable[T]:
        if unseen(quiet):
            return items
        from rich.console import Console
        from rich.progress import track

        console = Console(stderr=True)
        silent = not console.is_terminal  # rich would print an empty line
        return track(items, what, total=total, console=console, transient=True, disable=silent)

    return shown


@contextmanager
def advancing(what: str, total: int | None, quiet: bool) -> Iterator[Callable[..., None]]:
    """Show a person at a terminal how far work is; yields what is called when one more, or several, are done."""
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), disable=unseen(quiet), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done=1: bar.advance(task, done)


@contextmanager
def reading(files: Iterable[str], quiet: bool = False) -> Iterator[None]:
    """Tell that files are read: a person at a terminal, and everybody where that may take more than a few seconds.

    Raises:
        InputError: If standard input is named twice.
    """
    named = list(files)
    if named.count("-") > 1:
        raise InputError("- is standard input, which can be read only once; name a file in place of the other -.")
    for file in named:
        with suppress(OSError, ValueError):  # what is no file has no size
            if (size := Path(file).stat().st_size) >= LARGE:
                notice([f"{file} has {size >> 20} MB; to read it can take half a minute."], quiet)
    with working("Reading …", quiet):
        yield


def check_output(path: str | None, others: Iterable[str | None] = ()) -> None:
    """Raise OutputError before the work if what it makes could not be kept, or would replace one of other files."""
    if path is None or path == "-":
        return
    from nutgraf.runtime.files import check_writable

    check_writable(path)
    taken = {os.path.realpath(other) for other in others if other not in (None, "", "-")}
    if os.path.realpath(path) in taken:
        raise OutputError(f"{path} is used twice: name another file for the result, so that nothing is overwritten.")


def check_apart(path: str | None, files: Iterable[str], reader: str | None) -> None:
    """Raise OutputError if a result would be read by the next run of the same command."""
    from nutgraf.readers.reading import stands_for

    for read in files if path not in (None, "-") else ():
        if stands_for(read, str(path), reader):
            raise OutputError(
                f"{path} would be one of the files of {read}, and the next run would read it, too: name a file in "
                "another folder for the result."
            )


def put(text: str, path: str | None = None) -> None:
    """Write the result into a file, completely or not at all, or print it on stdout."""
    if path not in (None, "-"):
        from nutgraf.runtime.files import write_output

        write_output(str(path), text if text.endswith("\n") else text + "\n")
        return
    try:
        print(visible(text, lines=True) if sys.stdout.isatty() else text, flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"Standard output cannot be written: {error.strerror or error}.") from error


def put_json(content: Any, path: str | None = None) -> None:
    """Write the result as JSON, or print it."""
    import json

    put(json.dumps(content, ensure_ascii=False, indent=2, default=str), path)


def put_result(result: Any, as_json: bool, path: str | None = None) -> None:
    """Write a result as JSON or as text, or print it."""
    if as_json:
        put_json(result.to_json(), path)
    else:
        put(str(result), path)


def wrapped(text: str) -> str:
    """Each line broken into several for a person at a terminal; as it is for a pipe. No word is broken."""
    if not sys.stdout.isatty():
        return text
    import textwrap
    from shutil import get_terminal_size

    width = min(100, get_terminal_size().columns)
    lines = text.split("\n")

    def filled(line: str) -> str:
        indent = line[: len(line) - len(line.lstrip(" "))]
        return textwrap.fill(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)

    return "\n".join(map(filled, lines))
