"""Sentences and the pieces that they might lose: `sentence`, `spans`, `labels`.

`spans` are the pieces, [[start, end], …] in characters; `labels` say of each whether it may go: 1, or stays: 0. Beside
them may stand `features`, a list of numbers for each piece, `weights`, a number for each, and `source`, the name of the
set that the sentence is from; by default that of its file.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from nutgraf.datasets import Row
from nutgraf.datasets._classified import Classified, numbers_of, text_of, value_of
from nutgraf.datasets._classified import origin_of as origin_of
from nutgraf.errors import InputError
from nutgraf.text.tokenize import Span

ENTRY = {"id": "a", "sentence": "Rye is dark, he said.", "spans": [[11, 20]], "labels": [1]}


class Pieces(NamedTuple):
    """A sentence and its pieces, each with a label, a weight and features; `origin` is the name of its set."""

    sentence: str
    spans: list[Span]
    labels: list[int]
    weights: list[float]
    features: list[list[float]]
    origin: str


class Deletions(Classified):
    """A sentence is the document of an example; without the pieces that may go it is its reference."""

    column = "sentence"

    def reference(self, row: Row) -> str:
        """Return the sentence without the pieces that may go; see `Classified`."""
        found = pieces_of(row)
        gone = [span for span, label in zip(found.spans, found.labels, strict=True) if label]
        left = (letter for at, letter in enumerate(found.sentence) if not any(one <= at < end for one, end in gone))
        return "".join(left)


def pieces_of(row: Row, width: int = 0) -> Pieces:
    """Return the pieces of a row, with `width` features of each. Raises InputError."""
    text, spans, labels = text_of(row, Deletions.column), value_of(row, "spans"), value_of(row, "labels")
    if not isinstance(spans, list) or not all(_is_span(one, len(text)) for one in spans):
        raise InputError(f"{row.where}: 'spans' are [start, end] in characters of the sentence, which has {len(text)}.")
    count = len(spans)
    if not isinstance(labels, list) or len(labels) != count or any(one not in (0, 1) for one in labels):
        raise InputError(f"{row.where}: 'labels' has 1 or 0 for each of {count} spans.")
    weights = row.entry.get("weights")
    given = [1.0] * count if weights is None else numbers_of(weights, count, f"{row.where}: 'weights'")
    return Pieces(
        text,
        [(start, end) for start, end in spans],
        [int(one) for one in labels],
        given,
        _features(row, count, width) if width else [],
        origin_of(row),
    )


def _features(row: Row, count: int, width: int) -> list[list[float]]:
    found = value_of(row, "features")
    if not isinstance(found, list) or len(found) != count:
        raise InputError(f"{row.where}: 'features' has a list of {width} numbers for each of {count} spans.")
    return [numbers_of(one, width, f"{row.where}: 'features'", below=True) for one in found]


def _is_span(one: Any, length: int) -> bool:
    if not isinstance(one, list) or len(one) != 2:
        return False
    whole = all(isinstance(place, int) and not isinstance(place, bool) for place in one)
    return whole and 0 <= one[0] < one[1] <= length
