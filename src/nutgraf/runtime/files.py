"""Files that are written completely or not at all, and folders with one writer at a time.

A file is written in a temporary folder beside its place, flushed to disk and renamed into place. A killed process can
leave such a folder behind; its name, `.NAME.….unfinished/`, tells the next writer what to remove.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from nutgraf.errors import InputError, NutgrafError, OutputError

UNFINISHED = ".unfinished"
LOCK = ".lock"

MOST_NAMED = 20
"""Most files whose digests are kept one by one."""


@contextmanager
def _reported(failure: str, mistake: type[NutgrafError]) -> Iterator[None]:
    """Raise an error that a user can mend for one of the system; its sentence ends with the system's reason."""
    try:
        yield
    except OSError as error:
        raise mistake(f"{failure}: {error.strerror or error}.") from error


def writing(path: str | Path) -> AbstractContextManager[None]:
    """Raise OutputError if what is done meanwhile cannot be written to `path`."""
    return _reported(f"{path} cannot be written", OutputError)


def reading(path: str | Path) -> AbstractContextManager[None]:
    """Raise InputError if what is done meanwhile cannot be read from `path`."""
    return _reported(f"{path} cannot be read", InputError)


@contextmanager
def atomic_write(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path whose file replaces `path` on success and is removed on failure.

    The temporary file lies in a folder of its own, so that anything a library writes beside it is removed too. Special
    files (a pipe, /dev/null) are written to directly.

    Raises:
        OutputError: If `path` cannot be written to.
    """
    target = Path(path)
    with writing(target):
        if _is_special(target):
            yield target
        else:
            with _temporary(Path(os.path.realpath(target))) as temporary:
                yield temporary


def read_bytes(path: str | Path, most: int) -> bytes:
    """Read a file that should be small.

    Args:
        path: A regular file; a pipe or device might never end.
        most: Maximum size in bytes.

    Raises:
        OSError: If it cannot be read.
        ValueError: If it is no regular file, or has more than `most` bytes.
    """
    if _is_special(Path(path)):
        raise ValueError("it is no regular file")
    with Path(path).open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(f"it has more than {most:,} bytes")
    return data


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file. Raises InputError if it cannot be read."""
    with reading(path), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digests_of(paths: Sequence[Path]) -> dict[str, str]:
    """Return the digest of each file by its name; of more than 20 files that of all together.

    Raises:
        InputError: If one cannot be read.
    """
    digests = {path.name: digest_of(path) for path in paths}
    if len(paths) <= MOST_NAMED:
        return digests
    joined = "\n".join(f"{name} {digest}" for name, digest in sorted(digests.items()))
    return {f"{len(paths)} files": hashlib.sha256(joined.encode()).hexdigest()}


def write_text(path: str | Path, text: str) -> None:
    """Write a text file, completely or not at all.

    Characters that UTF-8 cannot encode, as in the names of some files, are written as escapes.

    Raises:
        OutputError: If the file cannot be written.
    """
    with atomic_write(path) as temporary:
        temporary.write_text(text, encoding="utf-8", errors="backslashreplace")


def write_output(path: str | Path, text: str) -> None:
    """Write a text file into a folder of the user's, and remove what killed processes left of earlier attempts.

    Raises:
        OutputError: If the file cannot be written.
    """
    target = Path(os.path.realpath(path))
    if not _is_special(target):
        for left in _left_of(target):
            shutil.rmtree(left, ignore_errors=True)
    write_text(path, text)


def copy_files(source: str | Path, target: str | Path) -> None:
    """Copy the files of a folder into another folder, each completely or not at all.

    Raises:
        OutputError: If a file cannot be written.
    """
    make_folder(target)
    for path in sorted(Path(source).iterdir()):
        with atomic_write(Path(target) / path.name) as temporary:
            shutil.copyfile(path, temporary)


@contextmanager
def atomic_folder(path: str | Path) -> Iterator[Path]:
    """Yield an empty folder that replaces `path` on success and is removed on failure.

    The replacement takes two renames; between them `path` does not exist. `recover_folder` repairs what a kill leaves
    at that moment.

    Raises:
        OutputError: If `path` cannot be written to.
    """
    target = Path(os.path.realpath(path))
    new, old = _waiting(target)
    with writing(Path(path)):
        recover_folder(target)
        new.mkdir(parents=True)
        try:
            yield new
            for path_in_it in (*new.rglob("*"), new):
                flush(path_in_it)
            if target.exists():
                target.rename(old)
            new.rename(target)
            flush(target.parent)
        finally:
            recover_folder(target)


def recover_folder(path: str | Path) -> None:
    """Finish a replacement by `atomic_folder` that was killed.

    Once the first of the two renames is done, the new folder is the valid one. Only the process that may write to
    `path` may call this.
    """
    target = Path(os.path.realpath(path))
    new, old = _waiting(target)
    if not target.exists() and old.exists():
        (new if new.exists() else old).rename(target)
        flush(target.parent)
    for folder in (old, new):
        shutil.rmtree(folder, ignore_errors=True)


class AppendOnlyFile:
    """A text file that grows line by line; a line that cannot be written completely is removed again."""

    def __init__(self, path: str | Path, length: int | None = None) -> None:
        """Open or create the file.

        Args:
            path: The file.
            length: Number of bytes to keep of a longer file; None keeps all.

        Raises:
            OutputError: If the file cannot be written.
        """
        self._path = Path(path)
        with writing(self._path):
            self._file = self._path.open("ab", buffering=0)
            self.length = self._file.seek(0, os.SEEK_END)
            if length is not None and length < self.length:
                self.length = self._file.truncate(length)

    def append(self, line: str) -> None:
        """Append a line. Raises OutputError if it cannot be written."""
        left = memoryview(f"{line}\n".encode())
        after = self.length + len(left)
        try:
            with writing(self._path):
                while left:
                    left = left[self._file.write(left) :]
        except OutputError:
            with suppress(OSError):
                self._file.truncate(self.length)
            raise
        self.length = after

    def flush(self) -> None:
        """Wait until the content is on the disk. Raises OutputError if it cannot be written."""
        with writing(self._path):
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        self._file.close()


@contextmanager
def lock_folder(folder: str | Path) -> Iterator[None]:
    """Hold a folder's lock, so that no other nutgraf writes into it.

    The folder is created if it does not exist, and removed again if it stays empty. The lock ends with this process.

    Raises:
        OutputError: If another process holds the lock, or the folder cannot be written to.
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
def lock_path(path: str | Path) -> Iterator[None]:
    """Hold the lock of a single file, or of a folder that will be replaced as a whole; the lock lies beside it.

    Raises:
        OutputError: If another process holds the lock, or the folder above cannot be written to.
    """
    lock = beside(path, f".{{}}{LOCK}")
    make_folder(lock.parent)
    with _locked(lock, Path(path)):
        yield


@contextmanager
def lock_new(path: str | Path) -> Iterator[Path]:
    """Hold the lock of a folder that is to be written as a whole, and yield it.

    Raises:
        OutputError: If there is something already, another process holds the lock, or the folder above cannot be
            written to.
    """
    folder = Path(path)
    with lock_path(folder):
        recover_folder(folder)
        if folder.exists() and (not folder.is_dir() or list_names(folder)):
            raise OutputError(f"{folder} is there already; name another folder.")
        yield folder


def remove_unfinished(folder: str | Path) -> None:
    """Remove what killed writers left in a folder; only the holder of its lock may call this."""
    for path in list(Path(folder).rglob(f".*{UNFINISHED}")):
        shutil.rmtree(path, ignore_errors=True)


def list_names(folder: str | Path) -> list[str]:
    """Sorted names in a folder, without locks and unfinished files; empty if there is no folder.

    Raises:
        OutputError: If the folder cannot be read.
    """
    place = Path(folder)
    with _reported(f"{place} cannot be read", OutputError):
        names = sorted(path.name for path in place.iterdir()) if place.exists() else []
    return [name for name in names if not name.startswith(".") or not name.endswith((UNFINISHED, LOCK))]


def beside(path: str | Path, name: str) -> Path:
    """Path next to `path` with the name `name`, in which {} stands for the name of `path`; links are resolved."""
    target = Path(path)
    target = target if target.name not in ("", "..") and not target.is_symlink() else Path(os.path.realpath(target))
    return target.with_name(name.format(target.name))


def make_folder(path: str | Path) -> None:
    """Create a folder and its parents if they do not exist. Raises OutputError if it cannot be created."""
    with _reported(f"{Path(path)} cannot be made", OutputError):
        Path(path).mkdir(parents=True, exist_ok=True)


def flush(path: Path) -> None:
    """Wait until a file's content, or the names in a folder, are on the disk."""
    if path.is_dir():
        with suppress(OSError):  # not every system and file system can do this with a folder
            _fsync(path, os.O_RDONLY)
    else:
        _fsync(path, os.O_RDWR)


def check_writable(path: str | Path) -> None:
    """Raise OutputError if `path` could not be written, before long work begins."""
    if not str(path):
        raise OutputError("The name of the output file is empty; name a file, or - for stdout.")
    target = Path(path)
    folder = Path(os.path.realpath(target)).parent
    if str(path).endswith(("/", os.sep)) and not target.exists():
        raise OutputError(f"{path} cannot be written: it is the name of a folder, and there is none; name a file.")
    if target.is_dir():
        raise OutputError(f"{target} is a folder; name a file in it.")
    if _is_special(target):
        return
    if not folder.is_dir():
        raise OutputError(f"{target} cannot be written: there is no folder {folder}.")
    if not os.access(folder, os.W_OK):
        raise OutputError(f"{target} cannot be written: the folder {folder} is not writable.")


def _waiting(target: Path) -> tuple[Path, Path]:
    """The paths where the new folder is made, and where the old one stays during the replacement."""
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
    """Beginning of the name of a temporary folder; the id of its process follows."""
    return f".{target.name[:50]}."


def _left_of(target: Path) -> list[Path]:
    """Temporary folders for `target` whose processes no longer run."""
    try:
        names = [path.name for path in target.parent.iterdir()]
    except OSError:
        return []
    ours = [name for name in names if name.startswith(_prefix(target)) and name.endswith(UNFINISHED)]
    return [target.with_name(name) for name in ours if not _is_alive(name.removeprefix(_prefix(target)))]


def _is_alive(name: str) -> bool:
    """True if the process whose id begins `name` runs, or if that cannot be determined."""
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


def _fsync(path: Path, flags: int) -> None:
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _locked(lock: Path, what: Path) -> Iterator[None]:
    """Hold a lock file that contains the id of this process; one that a killed process left locks nothing."""
    from filelock import FileLock, Timeout

    held = FileLock(lock, timeout=0)
    with writing(what):
        try:
            held.acquire()
        except Timeout:
            if not lock.exists():
                raise OutputError(f"{what} cannot be written: no file can be made in it.") from None
            raise OutputError(
                f"{what}: another nutgraf is writing here{_holder(lock)}. Wait until it is done, or name another place."
            ) from None
    try:
        with writing(what):
            lock.write_text(f"{os.getpid()}\n", encoding="ascii")
        yield
    finally:
        with suppress(OSError):
            lock.unlink(missing_ok=True)
        held.release()


def _holder(lock: Path) -> str:
    try:
        process = lock.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""
    return f", process {process}" if process else ""  # it signs just after it has locked


LONGEST_NAME = 1000
"""Maximum number of characters of a text that may be the name of a file."""


def names_file(text: str) -> bool:
    """Return True if a text is the name of a file that exists: whoever passes it as a text meant to have it read."""
    if len(text) > LONGEST_NAME or "\n" in text or "\0" in text:
        return False
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False
