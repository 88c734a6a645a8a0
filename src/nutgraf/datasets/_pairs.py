"""Parallel text files: line i of one belongs to line i of the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from nutgraf.errors import InputError
from nutgraf.text.lines import text_lines


class LinePair(NamedTuple):
    """A line of each file, and its number from 1."""

    number: int
    source: str
    target: str


def line_pairs(source: Path, target: Path) -> Iterator[LinePair]:
    """Yield the lines of both files.

    Raises:
        InputError: If a file does not exist, or one is longer.
    """
    for one, other in zip_longest(text_lines(source), text_lines(target)):
        if one is None or other is None:
            raise InputError(f"{source} and {target} should have a line for each example, but one of them is longer.")
        yield LinePair(one[0], one[1], other[1])


def companion(path: Path, renamed: tuple[tuple[str, str], ...]) -> Path:
    """Return the file that belongs to `path`: the first that exists after one of the replacements in its name.

    Raises:
        InputError: If none exists.
    """
    names = list(dict.fromkeys(path.name.replace(old, new) for old, new in renamed if old in path.name))
    for name in names:
        if path.with_name(name).is_file():
            return path.with_name(name)
    raise InputError(f"{path} needs a file with its summaries beside it: {' or '.join(names)}.")
