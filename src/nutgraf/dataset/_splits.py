"""Which files of a folder are training, validation and test data."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from nutgraf.errors import InputError

ALIASES = {
    "train": "train",
    "training": "train",
    "validation": "validation",
    "valid": "validation",
    "val": "validation",
    "dev": "validation",
    "development": "validation",
    "test": "test",
    "testing": "test",
}
"""The words by which a file's name tells its split."""

SPLITS = ("train", "validation", "test")

Splits = dict[str, list[Path]]
"""The files of each split, in the order of their names."""


def find_splits(folder: Path, reads: Callable[[Path], bool]) -> Splits:
    """The files of each split. reads: which files are to be read at all.

    Raises InputError if the folder cannot be read, or if none of its files tells its split.
    """
    try:
        names = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    except OSError as error:
        raise InputError(f"{folder} cannot be read: {error.strerror or error}.") from error
    found: Splits = {split: [path for path in names if reads(path) and split_of(path) == split] for split in SPLITS}
    if not any(found.values()):
        there = ", ".join(path.name for path in names[:5]) or "nothing"
        raise InputError(
            f"No file in {folder} is called after its split (train.jsonl, validation.jsonl.xz, test.jsonl, say); "
            f"it holds {there}."
        )
    return {split: files for split, files in found.items() if files}


def split_of(path: Path) -> str | None:
    """The split that a file's name tells: its first word that is one."""
    return next((ALIASES[word] for word in re.split(r"[^a-z]+", path.name.lower()) if word in ALIASES), None)
