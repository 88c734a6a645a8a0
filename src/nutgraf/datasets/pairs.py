"""Pairs of a text and a sentence that it entails, contradicts, or neither: `premise`, `hypothesis`, `label`.

A label is `entailment`, `neutral` or `contradiction` (Bowman et al. 2015; Williams et al. 2018). `weight` is the pair's
weight in training, 1 by default, and `source` the name of the set that it is from; by default that of its file.
"""

from __future__ import annotations

from typing import NamedTuple

from nutgraf.datasets import Row
from nutgraf.datasets._classified import Classified, numbers_of, text_of, value_of
from nutgraf.datasets._classified import origin_of as origin_of
from nutgraf.errors import InputError

LABELS = ("entailment", "neutral", "contradiction")

ENTRY = {"id": "a", "premise": "Rye is dark.", "hypothesis": "Rye is no wheat.", "label": "neutral"}


class Pair(NamedTuple):
    """A pair; `origin` is the name of the set that it is from."""

    premise: str
    hypothesis: str
    label: str
    weight: float
    origin: str


class Pairs(Classified):
    """A pair is an example: the premise is its document, the hypothesis its reference."""

    column = "premise"

    def reference(self, row: Row) -> str:
        """Return the hypothesis; see `Classified`."""
        return text_of(row, "hypothesis")


def pair_of(row: Row) -> Pair:
    """Return the pair of a row. Raises InputError."""
    label = value_of(row, "label")
    if label not in LABELS:
        raise InputError(f"{row.where}: the label is one of {', '.join(LABELS)}, not {label!r:.60}.")
    (weight,) = numbers_of([row.entry.get("weight", 1.0)], 1, f"{row.where}: 'weight'")
    return Pair(text_of(row, "premise"), text_of(row, "hypothesis"), label, weight, origin_of(row))
