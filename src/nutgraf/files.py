"""Files are whole or not there: written beside their place, then renamed into it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nutgraf.errors import OutputError


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """A temporary path beside `path` that takes its place if all goes well, and is gone if not.

    What is no regular file (a pipe, /dev/null) is written to as it is. Raises OutputError where the place cannot be
    written to.
    """
    target = Path(path)
    try:
        if _is_special(target):
            yield target
        else:
            with _beside(target.resolve()) as temporary:
                yield temporary
    except OSError as error:
        raise OutputError(f"{target} cannot be written: {error.strerror or error}.") from error


def write_text(path: str | Path, text: str) -> None:
    """Write a text file, whole or not at all. Raises OutputError."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def check_writable(path: str | Path) -> None:
    """Raise OutputError now rather than after long work, if `path` could not be written."""
    target = Path(path)
    folder = target.resolve().parent
    if target.is_dir():
        raise OutputError(f"{target} is a folder; name a file in it.")
    if _is_special(target):
        return
    if not folder.is_dir():
        raise OutputError(f"{target} cannot be written: there is no folder {folder}.")
    if not os.access(folder, os.W_OK):
        raise OutputError(f"{target} cannot be written: the folder {folder} is not writable.")


def _is_special(target: Path) -> bool:
    return target.exists() and not target.is_file() and not target.is_dir()


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
