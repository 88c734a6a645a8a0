"""Pairs of a text and a sentence that it entails, contradicts, or neither: `premise`, `hypothesis`, `label`.

A label is `entailment`, `neutral` or `contradiction` (Bowman et al. 2015; Williams et al. 2018). `weight` is the pair's
weight in training, 1 by default, and `source` the name of the set that it is from; by default that of its file.
"""

from __future__ import annotations

from nutgraf.datasets import Row
from nutgraf.datasets._classified import Classified, number_of, text_of
from nutgraf.datasets._rows import field
from nutgraf.errors import InputError
from nutgraf.text.clean import encodable

LABELS = ("entailment", "neutral", "contradiction")

ENTRY = {"id": "a", "premise": "Rye is dark.", "hypothesis": "Rye is no wheat.", "label": "neutral"}


class Pairs(Classified):
    """A pair is an example: the premise is its document, the hypothesis its reference."""

    column = "premise"

    def reference(self, row: Row) -> tuple[str, ...]:
        """Return the hypothesis; see `Classified`."""
        text = text_of(row, "hypothesis")
        return (text,) if text.strip() else ()


def pair_of(row: Row) -> tuple[str, str, str]:
    """Return premise, hypothesis and label of a row. Raises InputError."""
    label = field(row, "label")
    if label not in LABELS:
        raise InputError(f"{row.where}: the label is one of {', '.join(LABELS)}, not {label!r:.60}.")
    return text_of(row, "premise"), text_of(row, "hypothesis"), label


def weight_of(row: Row) -> float:
    """Return the weight of a pair, 1 by default. Raises InputError."""
    return number_of(row, "weight", 1.0)


def origin_of(row: Row) -> str:
    """Return the name of the set that a row is from: its `source`, or the name of its file without suffixes."""
    return encodable(str(row.entry.get("source") or row.file.name.partition(".")[0]))
