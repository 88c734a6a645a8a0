"""Tables of a report: raw values for programs, aligned text for people."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nutgraf.evaluation.show import align

SHARE, SCORE, SIGNED, P, SECONDS, TEXT = "{:.1%}", "{:.3f}", "{:+.3f}", "{:.4f}", "{:.1f}", "{}"
"""Formats of columns."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with notes.

    Attributes:
        title: Heading.
        columns: Formats of the columns by their names.
        rows: Values of the columns by their names; NaN and None are unknown.
        notes: Sentences below it.
    """

    title: str
    columns: Mapping[str, str]
    rows: Sequence[Mapping[str, Any]]
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the values; null for those that are unknown."""
        rows = [{name: _plain(row.get(name)) for name in self.columns} for row in self.rows]
        return {"title": self.title, "rows": rows, "notes": list(self.notes)}

    def __str__(self) -> str:
        cells = [[_shown(row.get(name), form) for name, form in self.columns.items()] for row in self.rows]
        notes = ["", *self.notes] if self.notes else []
        return "\n".join([self.title, "", align([list(self.columns), *cells]), *notes])


def interval(low: float, high: float, form: str) -> str:
    """Return an interval as text: `[-0.020, +0.310]`."""
    return "–" if math.isnan(low) or math.isnan(high) else f"[{form.format(low)}, {form.format(high)}]"


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value


def _shown(value: Any, form: str) -> str:
    unknown = value is None or (isinstance(value, float) and math.isnan(value))
    return "–" if unknown else form.format(value)
