"""Files are whole or not there: written beside their place, then renamed into it."""

from __future__ import annotations

import os
import shutil
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


def read_bytes(path: str | Path, most: int) -> bytes:
    """Read a file that should be small, and no more of it than that.

    Args:
        path: A file, or what gives bytes without an end.
        most: The most bytes that it may have.

    Raises:
        OSError: If it cannot be read.
        ValueError: If it has more than `most` bytes.
    """
    with Path(path).open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(f"it has more than {most:,} bytes")
    return data


def write_text(path: str | Path, text: str) -> None:
    """Write a text file, whole or not at all. Raises OutputError."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


@contextmanager
def replacing_folder(path: str | Path) -> Iterator[Path]:
    """An empty folder beside `path` that takes its place if all goes well, and is gone if not.

    Between the two renames that this takes, `path` is not there; `settle` mends what a kill left then. Raises
    OutputError where the place cannot be written to.
    """
    target = Path(path)
    new, old = _waiting(target)
    try:
        settle(target)
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(parents=True)
        try:
            yield new
            if target.exists():
                target.rename(old)
            new.rename(target)
        finally:
            settle(target)
            shutil.rmtree(new, ignore_errors=True)
    except OSError as error:
        raise OutputError(f"{target} cannot be written: {error.strerror or error}.") from error


def settle(path: str | Path) -> None:
    """Finish what `replacing_folder` began if it was killed between its two renames."""
    target = Path(path)
    new, old = _waiting(target)
    if not target.exists() and old.exists():
        (new if new.exists() else old).rename(target)
    shutil.rmtree(old, ignore_errors=True)


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


def _waiting(target: Path) -> tuple[Path, Path]:
    """Where the new folder is made, and where the old one waits while the new one takes its place."""
    return target.with_name(f".{target.name}.new"), target.with_name(f".{target.name}.old")


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
