"""Files are whole or not there, and a folder has one writer.

A file is written in a temporary folder beside its place, flushed to disk and renamed into it. What a killed process
left of that has a name of its own (`.NAME.….unfinished/`), by which the next writer finds and removes it.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn

from nutgraf.errors import OutputError

UNFINISHED = ".unfinished"
LOCK = ".lock"


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """A path to write to; what is there afterwards takes the place of `path` if all goes well, and is gone if not.

    It lies in a folder of its own, so that whatever a library puts beside the file it writes is gone with it. What is
    no regular file (a pipe, /dev/null) is written to as it is. Raises OutputError where the place cannot be written to.
    """
    target = Path(path)
    try:
        if _is_special(target):
            yield target
        else:
            with _temporary(Path(os.path.realpath(target))) as temporary:
                yield temporary
    except OSError as error:
        _cannot("written", target, error)


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
    """Write a text file, whole or not at all. What no UTF-8 can hold, as in the names of some files, is written as an
    escape. Raises OutputError."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", errors="backslashreplace")


def write_output(path: str | Path, text: str) -> None:
    """Write a text file of the user's, somewhere among others, and remove what killed processes left that were to write
    the same one. Raises OutputError."""
    target = Path(os.path.realpath(path))
    if not _is_special(target):
        for left in _left_of(target):
            shutil.rmtree(left, ignore_errors=True)
    write_text(path, text)


def copy_files(source: str | Path, target: str | Path) -> None:
    """Copy the files of a folder into another, each whole or not at all. Raises OutputError."""
    make_folder(target)
    for path in sorted(Path(source).iterdir()):
        with replacing(Path(target) / path.name) as temporary:
            shutil.copyfile(path, temporary)


@contextmanager
def replacing_folder(path: str | Path) -> Iterator[Path]:
    """An empty folder beside `path` that takes its place if all goes well, and is gone if not.

    Between the two renames that this takes, `path` is not there; `settle` mends what a kill left then. Raises
    OutputError where the place cannot be written to.
    """
    target = Path(os.path.realpath(path))
    new, old = _waiting(target)
    try:
        settle(target)
        new.mkdir(parents=True)
        try:
            yield new
            _flush_tree(new)
            if target.exists():
                target.rename(old)
            new.rename(target)
            flush(target.parent)
        finally:
            settle(target)
    except OSError as error:
        _cannot("written", Path(path), error)


def settle(path: str | Path) -> None:
    """Finish what `replacing_folder` began if it was killed: the first of its renames decides that the new folder is
    the right one. Only for whoever may write to `path`."""
    target = Path(os.path.realpath(path))
    new, old = _waiting(target)
    if not target.exists() and old.exists():
        (new if new.exists() else old).rename(target)
        flush(target.parent)
    for folder in (old, new):
        shutil.rmtree(folder, ignore_errors=True)


class Growing:
    """A text file that grows line by line; a line that cannot be written leaves nothing of itself.

    length: how many bytes it keeps of what is there already; None: all of them. Raises OutputError.
    """

    def __init__(self, path: str | Path, length: int | None = None) -> None:
        self._path = Path(path)
        try:
            self._file = self._path.open("ab", buffering=0)
            if length is not None:
                self._file.truncate(length)
            self.length = self._file.seek(0, os.SEEK_END)
        except OSError as error:
            _cannot("written", self._path, error)

    def append(self, line: str) -> None:
        """Write a line. Raises OutputError."""
        left = memoryview(f"{line}\n".encode())
        after = self.length + len(left)
        try:
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(self.length)
            _cannot("written", self._path, error)
        self.length = after

    def flush(self) -> None:
        """Wait until all of it is on the disk. Raises OutputError."""
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            _cannot("written", self._path, error)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


@contextmanager
def one_writer(folder: str | Path) -> Iterator[None]:
    """Within it, no other nutgraf writes into this folder, which is made if it is not there; one that stays empty is
    removed again. Whatever ends this process ends the lock.

    Raises OutputError where another one is writing, or nobody can.
    """
    place = Path(folder)
    if place.exists() and not place.is_dir():
        raise OutputError(f"{place} is a file; name a folder.")
    missing = [one for one in (place, *place.parents) if not one.exists()]
    make_folder(place)
    try:
        with _locked(place / LOCK, place):
            yield
    finally:
        with suppress(OSError):
            for one in missing:
                one.rmdir()


@contextmanager
def one_writer_of(path: str | Path) -> Iterator[None]:
    """Like `one_writer`, for a single file, or for a folder that will be replaced as a whole: the lock lies beside
    it."""
    lock = beside(path, f".{{}}{LOCK}")
    make_folder(lock.parent)
    with _locked(lock, Path(path)):
        yield


def sweep(folder: str | Path) -> None:
    """Remove what killed writers left unfinished in a folder of ours. Only for its one writer."""
    for path in list(Path(folder).rglob(f".*{UNFINISHED}")):
        shutil.rmtree(path, ignore_errors=True)


def names_in(folder: str | Path) -> list[str]:
    """What a folder holds, sorted, without locks and without what killed writers left; [] where there is no folder.
    Raises OutputError."""
    place = Path(folder)
    try:
        names = sorted(path.name for path in place.iterdir()) if place.exists() else []
    except OSError as error:
        _cannot("read", place, error)
    return [name for name in names if not name.startswith(".") or not name.endswith((UNFINISHED, LOCK))]


def beside(path: str | Path, name: str) -> Path:
    """The path next to `path` with the name `name`, in which {} is its own; also of "." and of a link's target."""
    target = Path(path)
    target = target if target.name not in ("", "..") and not target.is_symlink() else Path(os.path.realpath(target))
    return target.with_name(name.format(target.name))


def make_folder(path: str | Path) -> None:
    """Make a folder and those above it, where they are not there. Raises OutputError."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _cannot("made", Path(path), error)


def flush(path: Path) -> None:
    """Wait until a file's content, or the names in a folder, are on the disk."""
    if path.is_dir():
        with suppress(OSError):  # not every system and file system can do this with a folder
            _fsync(path, os.O_RDONLY)
    else:
        _fsync(path, os.O_RDWR)


def check_writable(path: str | Path) -> None:
    """Raise OutputError now rather than after long work, if `path` could not be written."""
    if not str(path):
        raise OutputError("The name of the output file is empty.")
    target = Path(path)
    folder = Path(os.path.realpath(target)).parent
    if target.is_dir():
        raise OutputError(f"{target} is a folder; name a file in it.")
    if _is_special(target):
        return
    if not folder.is_dir():
        raise OutputError(f"{target} cannot be written: there is no folder {folder}.")
    if not os.access(folder, os.W_OK):
        raise OutputError(f"{target} cannot be written: the folder {folder} is not writable.")


def _cannot(what: str, path: Path, error: OSError) -> NoReturn:
    raise OutputError(f"{path} cannot be {what}: {error.strerror or error}.") from error


def _waiting(target: Path) -> tuple[Path, Path]:
    """Where the new folder is made, and where the old one waits while the new one takes its place."""
    return beside(target, ".{}.new"), beside(target, ".{}.old")


def _is_special(target: Path) -> bool:
    return target.exists() and not target.is_file() and not target.is_dir()


@contextmanager
def _temporary(target: Path) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix=f"{_prefix(target)}{os.getpid()}.", suffix=UNFINISHED, dir=target.parent))
    try:
        temporary = folder / target.name
        yield temporary
        flush(temporary)
        temporary.replace(target)
        flush(target.parent)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _prefix(target: Path) -> str:
    """How the name of a temporary folder begins; the number of its process follows."""
    return f".{target.name[:50]}."


def _left_of(target: Path) -> list[Path]:
    """The temporary folders of processes that are gone."""
    try:
        names = [path.name for path in target.parent.iterdir()]
    except OSError:
        return []
    ours = [name for name in names if name.startswith(_prefix(target)) and name.endswith(UNFINISHED)]
    return [target.with_name(name) for name in ours if not _is_alive(name.removeprefix(_prefix(target)))]


def _is_alive(name: str) -> bool:
    """Whether the process is there whose number a name begins with; True where nobody can tell."""
    number = name.partition(".")[0]
    if os.name != "posix" or not number.isdecimal():
        return True
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _flush_tree(folder: Path) -> None:
    for path in folder.rglob("*"):
        flush(path)
    flush(folder)


def _fsync(path: Path, flags: int) -> None:
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _locked(lock: Path, what: Path) -> Iterator[None]:
    """Hold a lock file in which our process's number stands. A file that a killed process left locks nothing."""
    from filelock import FileLock, Timeout

    held = FileLock(lock, timeout=0)
    try:
        held.acquire()
    except Timeout:
        if not lock.exists():
            raise OutputError(f"{what} cannot be written: no file can be made in it.") from None
        raise OutputError(
            f"{what}: another nutgraf is writing here, process {_holder(lock)}. Wait until it is done, or name another "
            "place."
        ) from None
    except OSError as error:
        _cannot("written", what, error)
    try:
        _sign(lock, what)
        yield
    finally:
        with suppress(OSError):
            lock.unlink(missing_ok=True)
        held.release()


def _sign(lock: Path, what: Path) -> None:
    try:
        lock.write_text(f"{os.getpid()}\n", encoding="ascii")
    except OSError as error:
        _cannot("written", what, error)


def _holder(lock: Path) -> str:
    try:
        return lock.read_text(encoding="ascii").strip() or "unknown"
    except (OSError, ValueError):
        return "unknown"
