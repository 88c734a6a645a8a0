"""Parallel text files: line i of one belongs to line i of the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from nutgraf.errors import InputError
from nutgraf.runtime.lines import Entry, numbered_lines


class LinePair(NamedTuple):
    """A line of each file, its number from 1, and the error of the first of the two that cannot be read."""

    number: int
    source: str
    target: str
    problem: InputError | None = None

    def content(self, entry: Entry) -> Entry | InputError:
        """Return the entry that was made of the pair, or the error in its place."""
        return entry if self.problem is None else self.problem


def line_pairs(source: Path, target: Path) -> Iterator[LinePair]:
    """Yield the lines of both files; a pair that cannot be read says so, and those after it follow."""
    for one, other in zip_longest(numbered_lines(source), numbered_lines(target)):
        if one is None or other is None:
            raise InputError(f"{source} and {target} should have a line for each example, but one of them is longer.")
        yield LinePair(one.number, one.text, other.text, one.problem or other.problem)


def companion(path: Path, renamed: tuple[tuple[str, str], ...]) -> Path:
    """Return the file that belongs to `path`: the first that exists after one of the replacements in its name."""
    names = list(dict.fromkeys(path.name.replace(old, new) for old, new in renamed if old in path.name))
    for name in names:
        if path.with_name(name).is_file():
            return path.with_name(name)
    raise InputError(f"{path} needs a file with its summaries beside it: {' or '.join(names)}.")
