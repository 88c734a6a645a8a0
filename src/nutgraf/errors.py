"""Errors that a user can mend.

NutgrafError            a mistake that the user can mend; the command prints its sentence and exits with status 2
├── UnknownName         a name that does not exist; the message suggests the nearest one
├── PresetError         a preset or a `--set` that cannot be read, or holds an unknown key or a wrong value
│   └── MissingPackage  a package that is not installed
├── InputError          a document, data set or file that cannot be used
├── OutputError         a place that cannot be written to
├── BudgetError         a length that no summary can have
├── TrainingError       a training that cannot go on
├── TaskError           one of many tasks that has no result
└── ServiceError        a request that a service does not take

A message says what is wrong, then what to do. Errors of our own code are `ValueError` or an assertion.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from typing import Any, Literal

LONGEST_MESSAGE = 4_000
"""Characters of a message; of a longer one, which quotes a long input, the middle is left out."""


class NutgrafError(Exception):
    """A mistake that the user can mend; its text is a whole sentence."""

    def __str__(self) -> str:
        said, half = str(self.args[0]) if self.args else "", LONGEST_MESSAGE // 2
        return said if len(said) <= LONGEST_MESSAGE else f"{said[:half]} … {said[-half:]}"


class UnknownName(NutgrafError):
    """A name that does not exist.

    Attributes:
        name: The name that was given.
    """

    def __init__(self, what: str, name: str, valid: Iterable[str], listed_by: str = "") -> None:
        """Compose the message: the nearest valid name first, then all of them or the command that lists them.

        Args:
            what: The kind of thing, as a noun: "preset", "metric".
            name: The name that was given.
            valid: The names that exist.
            listed_by: The command that lists them, where they are too many for a message.
        """
        names = tuple(sorted(valid, key=_by_number))
        self._arguments = (what, name, names, listed_by)
        near = difflib.get_close_matches(name, names, n=1)
        guess = f" Did you mean {near[0]!r}?" if near else ""
        others = f"{listed_by} lists all." if listed_by else f"There are {', '.join(names) or 'none yet'}."
        super().__init__(f"No {what} {name!r}.{guess} {others}")
        self.name = name

    def __reduce__(self) -> tuple[type[UnknownName], tuple[str, str, tuple[str, ...], str]]:
        """Pickle the arguments: by default only the message would reach another process."""
        return UnknownName, self._arguments


def _by_number(name: str) -> list[tuple[str, int, str]]:
    """Key of an order in which table2 comes before table10."""
    return [(text, len(digits), digits) for text, digits in re.findall(r"(\D*)(\d*)", name)]


class PresetError(NutgrafError):
    """A preset, or an override of it, that is not valid."""


class MissingPackage(PresetError):
    """A preset or a command needs a package that is not installed."""


@contextmanager
def requires(extra: str, who: str) -> Iterator[None]:
    """Raise MissingPackage where a package is not installed that an extra brings.

    Args:
        extra: Name of the extra.
        who: Beginning of the message, with its verb: "Networks need".
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingPackage(f"{who} the package {error.name}: run pip install 'nutgraf[{extra}]'.") from error


class InputError(NutgrafError):
    """An input that cannot be used."""


def check_type(value: object, kinds: Any, what: str) -> None:
    """Raise InputError if an argument is not of the type that is needed; numbers and flags of NumPy count as Python's.

    Args:
        value: What a caller passed.
        kinds: The type, or a tuple of the types that would do.
        what: What would do, as the beginning of the message: "A question is a text (str)".
    """
    if not isinstance(value, kinds) and not (hasattr(value, "tolist") and isinstance(value.tolist(), kinds)):
        raise InputError(f"{what}, not {type_name(value)}.")


def items_of(values: object) -> Iterable[Any] | None:
    """Return the items of a list or of what passes for one: a generator, a column of pandas, an array.

    Args:
        values: What a caller passed.

    Returns:
        None for a single text, file name or buffer, for a mapping, and for a table, whose columns would be its items.
    """
    if isinstance(values, str | bytes | bytearray | memoryview | PathLike | Mapping) or getattr(values, "ndim", 1) != 1:
        return None
    return values if isinstance(values, Iterable) else None


def type_name(value: object) -> str:
    """Return the name of a value's type, for messages."""
    return "None" if value is None else type(value).__name__


class OutputError(NutgrafError):
    """An output that cannot be written."""


class BudgetError(NutgrafError):
    """A length limit that no summary can meet.

    Attributes:
        smallest: The smallest number of words that would do, or None if it is not known.
    """

    def __init__(self, message: str, smallest: int | None = None) -> None:
        super().__init__(message, smallest)
        self.smallest = smallest


class TrainingError(NutgrafError):
    """A training that cannot begin or go on."""


TaskCause = Literal["time", "memory", "ended", "other"]
"""Why a task has no result: a limit of time or memory, the end of its process, or anything else."""


class TaskError(NutgrafError):
    """One of many tasks without a result.

    It exceeded a limit, its process crashed, or it raised an unexpected exception.

    Attributes:
        details: The traceback, or "" if there is none.
        cause: What kept it from its result.
    """

    def __init__(self, message: str, details: str = "", cause: TaskCause = "other") -> None:
        super().__init__(message, details, cause)
        self.details = details
        self.cause = cause


class ServiceError(NutgrafError):
    """A request that a service does not take, or not now.

    Attributes:
        retry_after: Seconds after which the same request may be taken; None where it never will be.
    """

    def __init__(self, message: str, retry_after: int | None = None) -> None:
        super().__init__(message, retry_after)
        self.retry_after = retry_after
