"""Sources are made of whatever a user names: files, folders, patterns, and addresses of object stores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from nutgraf.batch.columns import guessed
from nutgraf.batch.sources import LINES, TABLES, DocumentFile, Source, Sources, dataset_of
from nutgraf.batch.tables import LinesFile, TableFile
from nutgraf.datasets import Dataset
from nutgraf.errors import InputError
from nutgraf.readers.reading import files_of, suffixes_of
from nutgraf.runtime.lines import first_line, suffix_of

MOST_NAMED = 5
"""Files that a notice names."""


def sources_of(
    given: Sequence[str],
    reader: str | None = None,
    kind: str | None = None,
    options: Mapping[str, Any] | None = None,
    remote: Callable[[str], Source] | None = None,
) -> Sources:
    """Return the sources that are named.

    Args:
        given: Files, folders, patterns, and addresses of object stores.
        reader: Name of the reader of the files, which are then one document each.
        kind: Data set whose rows the files hold.
        options: Options of the data set.
        remote: Makes the source of an address; None where there is no cluster that reads them.

    Raises:
        InputError: If there is no such file, or a folder has none that can be read.
        PresetError: If there is no such data set, or it does not have such options.
        UnknownName: If there is no such reader.
    """
    dataset = dataset_of(kind, options or {})
    found, notices = list[Source](), list[str]()
    for one in given:
        if "://" in one:
            if remote is None:
                raise InputError(f"{one} is an address that Ray reads; name a cluster with --cluster, or a file.")
            found.append(remote(one))
        else:
            files, left_out = _files(one, reader, None if kind is None else dataset)
            found += [_source(file, reader, dataset, kind is not None) for file in files]
            notices += [_left_out(one, left_out)] if left_out else []
    return Sources(found, [*notices, *([] if kind else guessed(found, options or {}))])


def _files(given: str, reader: str | None, dataset: Dataset | None) -> tuple[list[str], list[str]]:
    """Return the files of a file, a folder or a pattern, and those of a folder that are left out."""
    if given == "-":
        raise InputError("A batch is read again when it goes on, so standard input will not do; name a file.")
    if not Path(given).is_dir():
        return files_of(given, reader), []
    suffixes = {*TABLES, *suffixes_of(reader)}

    def reads(path: Path) -> bool:
        return suffix_of(path.name) in suffixes if dataset is None else dataset.reads(path)

    found, left_out, root = list[str](), list[str](), Path(given).resolve()
    for path in _visible(Path(given), left_out):
        (found if reads(path) and _is_readable(path, root) else left_out).append(str(path))
    if not found:
        said = f" {_left_out(given, sorted(left_out))}" if left_out else ""
        raise InputError(f"{given} is a folder without a file that can be read.{said}")
    return sorted(found), sorted(left_out)


def _is_readable(path: Path, root: Path) -> bool:
    """Return True for a file that may be read, and that is no link to a place outside a folder."""
    may = path.is_file() and os.access(path, os.R_OK)
    return may and (not path.is_symlink() or path.resolve().is_relative_to(root))


def _visible(folder: Path, closed: list[str]) -> Iterator[Path]:
    """Yield the files in a folder and below whose names do not begin with a dot, nor those of their folders."""
    for place, folders, names in os.walk(folder, onerror=lambda error: closed.append(str(error.filename))):
        folders[:] = [name for name in folders if not name.startswith(".")]
        closed.extend(str(path) for path in (Path(place, name) for name in folders) if path.is_symlink())
        yield from (Path(place, name) for name in names if not name.startswith("."))


def _left_out(folder: str, files: list[str]) -> str:
    """Return the sentence about files of a folder that no document is made of."""
    named = [os.path.relpath(file, folder) for file in files[:MOST_NAMED]]
    more = [f"{len(files) - MOST_NAMED:,} more"] if len(files) > MOST_NAMED else []
    count = "1 file" if len(files) == 1 else f"{len(files):,} files"
    return (
        f"{count} of {folder} {'is' if len(files) == 1 else 'are'} left out: {', '.join([*named, *more])}. In a "
        "folder, a batch takes files that can be read and whose suffix it knows, and follows neither links to folders "
        "nor links that lead out of it. Name a file itself to have it tried."
    )


def _source(path: str, reader: str | None, dataset: Dataset, named: bool) -> Source:
    """Return the source of a file."""
    suffix = suffix_of(path)
    if reader is not None:
        return DocumentFile(path)
    if named or suffix in TABLES or (suffix == ".json" and _begins_with(path, "[")):
        return TableFile(path, dataset)
    if suffix in LINES or (suffix == ".json" and _begins_with(path, "{", ends="}")):
        return LinesFile(path)
    return DocumentFile(path)


def _begins_with(path: str, beginning: str, ends: str = "") -> bool:
    try:
        line = first_line(path)
    except InputError:
        return False
    return line.startswith(beginning) and line.endswith(ends)
