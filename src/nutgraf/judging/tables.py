"""Tables of a report: raw values for programs, aligned text for people."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nutgraf.evaluation import forms
from nutgraf.evaluation.show import or_null

SHARE, SCORE, SIGNED, P, SECONDS, TEXT = "{:.1%}", "{:.3f}", "{:+.3f}", "{:.4f}", "{:.1f}", "{}"
"""Formats of columns."""

UNKNOWN = "–"


@dataclass(frozen=True, slots=True)
class Table:
    """A table with notes.

    Attributes:
        columns: Formats of the columns by their names.
        rows: Values of the columns by their names: numbers, texts, or both ends of an interval; NaN and None are
            unknown.
    """

    title: str
    columns: Mapping[str, str]
    rows: Sequence[Mapping[str, Any]]
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the values; null for those that are unknown."""
        rows = [{name: _plain(row.get(name)) for name in self.columns} for row in self.rows]
        return {"title": self.title, "rows": rows, "notes": list(self.notes)}

    def to_leaf(self, notes: Sequence[str] = ()) -> forms.Leaf:
        """Return the table as text, with further notes below its own."""
        rows = [[_shown(row.get(name), form) for name, form in self.columns.items()] for row in self.rows]
        return forms.Leaf(self.title, [forms.Sheet(list(self.columns), rows)], (*self.notes, *notes))

    def __str__(self) -> str:
        return forms.text(self.to_leaf())


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return None if math.isnan(value[0]) else list(value)
    return or_null(value) if isinstance(value, float) else value


def _shown(value: Any, form: str) -> str:
    plain = _plain(value)
    if isinstance(plain, list):
        return f"[{', '.join(map(form.format, plain))}]"
    return UNKNOWN if plain is None else form.format(plain)
