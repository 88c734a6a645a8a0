"""What a user can get wrong, and the way out.

NutgrafError            any mistake that a user can mend; the command prints its sentence and leaves with status 2
├── UnknownName         a name that is in no folder; the message lists the valid ones
├── PresetError         a preset or a `--set` that cannot be read or holds an unknown key or a wrong value
├── InputError          a document, data set or file that cannot be used
├── OutputError         a place that cannot be written to
├── BudgetError         a length that no summary can have
├── TrainingError       a training that cannot go on
└── TaskError           one of many tasks that has no result

A message says what was given, what would do, and where to look. Our own mistakes are `ValueError` or an assertion.
"""

from __future__ import annotations

from collections.abc import Iterable


class NutgrafError(Exception):
    """A mistake that the user can mend. Its text is a whole sentence for the user."""


class UnknownName(NutgrafError):
    """`name` is none of `valid`."""

    def __init__(self, what: str, name: str, valid: Iterable[str]) -> None:
        self._given = (what, name, tuple(sorted(valid)))
        super().__init__(f"{what} has no {name!r}; it has {', '.join(self._given[2]) or 'nothing yet'}.")
        self.name = name

    def __reduce__(self) -> tuple[type[UnknownName], tuple[str, str, tuple[str, ...]]]:
        """Exceptions travel between processes; by default only their message would."""
        return UnknownName, self._given


class PresetError(NutgrafError):
    """A preset, or what was set on top of it, does not fit."""


class InputError(NutgrafError):
    """Something that was to be read cannot be used."""


class OutputError(NutgrafError):
    """Something that was to be written cannot be."""


class BudgetError(NutgrafError):
    """No summary has the length that was asked for. `smallest` words would do, where that is known."""

    def __init__(self, message: str, smallest: int | None = None) -> None:
        super().__init__(message, smallest)
        self.smallest = smallest

    def __str__(self) -> str:
        return str(self.args[0])


class TrainingError(NutgrafError):
    """A training cannot begin or go on."""


class TaskError(NutgrafError):
    """One of many tasks has no result: it exceeded a limit, its process crashed, or an exception was not foreseen.

    Attributes:
        details: The traceback, where there is one.
    """

    def __init__(self, message: str, details: str = "") -> None:
        super().__init__(message, details)
        self.details = details

    def __str__(self) -> str:
        return str(self.args[0])
