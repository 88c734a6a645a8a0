"""Figures for people and for programs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from nutgraf.evaluation.scores import Column
from nutgraf.evaluation.significance import Difference, Interval
from nutgraf.text.clean import visible

ARROWS = {"higher": "↑", "lower": "↓", "descriptive": ""}


def show_interval(interval: Interval, scale: int) -> str:
    """`40.31 [39.98, 40.64]`: two decimals of a percentage, four of anything else."""
    if math.isnan(interval.mean):
        return "–"
    mean, low, high = (show_value(value, scale) for value in (interval.mean, interval.low, interval.high))
    return f"{mean} [{low}, {high}]"


def show_difference(difference: Difference, scale: int) -> str:
    """`+0.31 [-0.02, +0.64]`."""
    found = difference.interval
    if math.isnan(found.mean):
        return "–"
    mean, low, high = (f"{value * scale:+.{_decimals(scale)}f}" for value in (found.mean, found.low, found.high))
    return f"{mean} [{low}, {high}]"


def show_value(value: float, scale: int) -> str:
    """One figure, as above."""
    return f"{value * scale:.{_decimals(scale)}f}"


def _decimals(scale: int) -> int:
    return 2 if scale > 1 else 4


def name_with_arrow(column: Column) -> str:
    """The column's name, and which way is better."""
    return f"{column.name} {ARROWS[column.direction]}".strip()


def interval_to_json(interval: Interval) -> dict[str, Any]:
    """The mean, its interval and the number of examples; null where there is none."""
    return {
        "mean": or_null(interval.mean),
        "low": or_null(interval.low),
        "high": or_null(interval.high),
        "examples": interval.examples,
    }


def difference_to_json(difference: Difference) -> dict[str, Any]:
    """The mean difference with its interval, its p and the number of examples."""
    return {**interval_to_json(difference.interval), "p": or_null(difference.p)}


def or_null(value: float) -> float | None:
    """JSON has no NaN."""
    return None if math.isnan(value) else value


def align(rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as their widest cell, the first to the left; no line is broken, however wide."""
    rows = [[visible(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([lines[0], "─" * (sum(widths) + 2 * (len(widths) - 1)), *lines[1:]])
