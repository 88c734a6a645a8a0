"""Prepared examples of networks that classify spans: columns as in `shards.py`.

source       rows of tokens, one after the other; each begins with BOS
stretches    of the spans: number of the span, first position and position behind the last one, in the source
labels       class of each item, from 1; 0: nothing is learned of it
weights      weight of each label; none: 1
features     numbers of each item, item after item
texts        id, name of the set and references, as JSON
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nutgraf.preparation.shards import Row, Shards
from nutgraf.preparation.source import BOS, Ids
from nutgraf.preparation.tasks import NO_LABEL, SpanExample
from nutgraf.runtime.metadata import load

if TYPE_CHECKING:
    from torch import Tensor

    from nutgraf.model.span_classifier import SpanBatch

_STRETCH = np.dtype([("span", "<u4"), ("first", "<u4"), ("last", "<u4")])
_FLOAT = np.dtype("<f4")

SPAN_COLUMNS: Mapping[str, np.dtype[Any]] = {
    "source": np.dtype("<u4"),
    "stretches": _STRETCH,
    "labels": np.dtype("u1"),
    **dict.fromkeys(("weights", "shares", "gains", "features"), _FLOAT),
    "texts": np.dtype("u1"),
}

OF_ITEMS = ("weights", "shares", "gains")
"""Columns that have one number of each item, or none."""

Floats = np.typing.NDArray[np.float32]


@dataclass(frozen=True)
class _Texts:
    id: str
    origin: str
    references: tuple[tuple[str, ...], ...] = ()
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class SpanRows:
    """An example as its columns have it; see the head of this file.

    Attributes:
        rows: Rows of tokens.
        stretches: Span, row, first position and position behind the last one, [stretches, 4].
        labels: Class of each item; −1: none.
        numbers: Weights, shares, gains of the items, by the name of the column; [] where there are none.
        features: Numbers of each item, [items, features].
        origin: Number of the set that it is from.
    """

    rows: Sequence[Ids]
    stretches: Ids
    labels: Ids
    numbers: Mapping[str, Floats]
    features: Floats
    origin: int = 0


def rows_of_example(example: SpanExample) -> SpanRows:
    """Return an example as it would be read from its columns."""
    count = len(example.spans)
    numbers = {
        "weights": np.array(example.weights, dtype=_FLOAT),
        "shares": np.array(example.shares, dtype=_FLOAT),
        "gains": np.array(example.gains, dtype=_FLOAT),
    }
    spans = [span for item in example.spans for span in item]
    stretches = [(number, *stretch) for number, span in enumerate(spans) for stretch in span]
    return SpanRows(
        rows=[np.asarray(row, dtype=np.int64) for row in example.rows],
        stretches=np.array(stretches, dtype=np.int64).reshape(-1, 4),
        labels=np.array(example.labels or [NO_LABEL] * count, dtype=np.int64),
        numbers=numbers,
        features=np.array(example.features, dtype=_FLOAT).reshape(count, -1),
    )


def row_of_spans(example: SpanExample) -> Row:
    """Return an example as rows of the columns."""
    found = rows_of_example(example)
    bases = np.cumsum([0, *(len(row) for row in example.rows)])
    span, row, first, last = found.stretches.T
    stretches = np.zeros(len(span), dtype=_STRETCH)
    stretches["span"], stretches["first"], stretches["last"] = span, bases[row] + first, bases[row] + last
    texts: dict[str, Any] = {"id": example.id, "origin": example.origin}
    texts |= {"references": example.references} if example.references else {}
    texts |= {"texts": example.texts} if example.texts else {}
    return {
        "source": np.concatenate(found.rows).astype("<u4"),
        "stretches": stretches,
        "labels": (found.labels + 1).astype("u1"),
        **found.numbers,
        "features": found.features.ravel(),
        "texts": np.frombuffer(json.dumps(texts, ensure_ascii=False).encode(), dtype="u1"),
    }


class SpanShards(Shards):
    """One split of a corpus that was prepared for a task."""

    columns = SPAN_COLUMNS

    @cached_property
    def lengths(self) -> tuple[Ids, Ids]:
        """Numbers of tokens and of items."""
        return self._columns["source"].lengths, self._columns["labels"].lengths

    @property
    def target_length(self) -> float:
        """Mean number of items."""
        return float(self.lengths[1].mean())

    @cached_property
    def origins(self) -> Sequence[str]:
        """Names of the sets that the examples are from."""
        return sorted({name for counts in self.manifest["splits"].values() for name in counts.get("origins", ())})

    def example(self, index: int) -> SpanRows:
        """Return an example. Raises InputError if it is damaged."""
        columns, texts = self._columns, self._read_texts(index)
        source = np.array(columns["source"][index], dtype=np.int64)
        begins = np.flatnonzero(source == BOS)
        stretches, labels = columns["stretches"][index], np.array(columns["labels"][index], dtype=np.int64) - 1
        numbers = {name: np.array(columns[name][index]) for name in OF_ITEMS}
        features = np.array(columns["features"][index])
        whole = len(source) and not begins[0] and source.max(initial=0) < self.entries
        row = np.searchsorted(begins, stretches["first"], side="right") - 1
        ends = np.append(begins[1:], len(source)) if len(begins) else begins
        items = max(1, len(labels))
        if (
            not whole
            or (stretches["first"] >= stretches["last"]).any()
            or (stretches["last"] > ends[row]).any()
            or (len(stretches) and stretches["span"].max() >= self.spans * len(labels))
            or any(len(one) not in (0, len(labels)) for one in numbers.values())
            or len(features) % items
            or not all(np.isfinite(one).all() for one in (features, *numbers.values()))
        ):
            raise self._damaged(index, "its columns do not belong together")
        shifted = [stretches["span"], row, stretches["first"] - begins[row], stretches["last"] - begins[row]]
        return SpanRows(
            rows=np.split(source, begins[1:]),
            stretches=np.stack([one.astype(np.int64) for one in shifted], axis=1),
            labels=labels,
            numbers=numbers,
            features=features.reshape(len(labels), -1),
            origin=self.origins.index(texts.origin) if texts.origin in self.origins else 0,
        )

    def batch(self, indices: Sequence[int]) -> SpanBatch:
        """Return some examples as a batch."""
        return span_batch([self.example(index) for index in indices], self.spans)

    def references(self, index: int) -> tuple[tuple[str, ...], ...]:
        """Return the references of an example, each as its sentences."""
        return self._read_texts(index).references

    def name(self, index: int) -> str:
        """Return an example's id in its corpus."""
        return self._read_texts(index).id

    def origin(self, index: int) -> str:
        """Return the name of the set that an example is from."""
        return self._read_texts(index).origin

    def item_texts(self, index: int) -> tuple[str, ...]:
        """Return the texts of the items of an example, as far as they are kept."""
        return self._read_texts(index).texts

    @property
    def spans(self) -> int:
        """Number of an item's spans."""
        return int(self.manifest["spans"])

    def _read_texts(self, index: int) -> _Texts:
        try:
            return load(self._columns["texts"][index].tobytes().decode("utf-8"), _Texts)
        except ValueError as error:
            raise self._damaged(index, str(error)) from error


def open_shards(folder: str | Path, split: str, preset: Any = None) -> Shards:
    """Open a split of a corpus that was prepared for a preset: of spans where it has a task; see `Shards.open`."""
    kind = SpanShards if preset is not None and preset.reads("task") else Shards
    return kind.open(folder, split, preset)


def span_batch(examples: Sequence[SpanRows], spans: int, kept: Floats | None = None) -> SpanBatch:
    """Return examples as a batch.

    Args:
        examples: The examples.
        spans: Number of an item's spans.
        kept: Vectors of all items, where they were computed before; their rows are left out then.
    """
    import torch

    from nutgraf.model.records import Phrases
    from nutgraf.model.span_classifier import FIRST_CLASS, SpanBatch

    counts = [len(one.labels) for one in examples]
    width = max(1, *counts)
    target = np.zeros((len(examples), 1 + width), dtype=np.int64)
    target[:, 0] = BOS
    stretches, row_base, span_base = [], 0, 0
    for at, one in enumerate(examples):
        target[at, 1 : 1 + counts[at]] = np.where(one.labels >= 0, one.labels + FIRST_CLASS, 0)
        stretches.append(one.stretches + np.array([span_base, row_base, 0, 0]))
        row_base, span_base = row_base + len(one.rows), span_base + spans * counts[at]
    rows = [row for one in examples for row in one.rows] if kept is None else [np.zeros(1, dtype=np.int64)]
    longest = max(map(len, rows))
    source = np.zeros((len(rows), longest), dtype=np.int64)
    for line, row in zip(source, rows, strict=True):
        line[: len(row)] = row
    lengths = np.array([len(row) for row in rows])
    ids, labels = torch.from_numpy(source), torch.from_numpy(target)
    features = np.concatenate([one.features for one in examples])
    return SpanBatch(
        source=ids,
        source_extended=ids,
        key_padding_mask=torch.from_numpy((np.arange(longest) >= lengths[:, None]) | (kept is not None)),
        phrases=Phrases.none(),
        target=labels,
        target_extended=labels,
        label_weights=_laid(examples, "weights", width, 1.0),
        shares=_laid(examples, "shares", width, 0.0),
        gains=_laid(examples, "gains", width, 0.0),
        stretches=torch.from_numpy(np.concatenate(stretches)),
        counts=torch.tensor(counts),
        features=torch.from_numpy(features) if features.shape[1] else None,
        origins=torch.tensor([one.origin for one in examples]),
        kept=None if kept is None else torch.from_numpy(kept),
    )


def _laid(examples: Sequence[SpanRows], name: str, width: int, padding: float) -> Tensor | None:
    """Return a column of numbers of items, a line for each example; None where no example has them."""
    import torch

    if not any(len(one.numbers[name]) for one in examples):
        return None
    laid = np.full((len(examples), width), padding, dtype=np.float32)
    for line, one in zip(laid, examples, strict=True):
        line[: len(one.numbers[name])] = one.numbers[name]
    return torch.from_numpy(laid)
