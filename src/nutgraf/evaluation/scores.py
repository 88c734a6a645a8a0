"""Values of metrics for many examples: one for each example and column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from nutgraf.datasets import Record
from nutgraf.errors import InputError, PresetError
from nutgraf.metrics import Example, Metric
from nutgraf.presets import assignments

Array = npt.NDArray[np.float64]
Values = dict[str, float | None]

DATASET = "dataset."
"""Beginning of an option of the data set, after `--set`."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its name, its direction, its factor in tables, and its signature."""

    name: str
    direction: Literal["higher", "lower", "descriptive"]
    scale: int
    signature: str

    def to_json(self) -> dict[str, Any]:
        """Return what a column says of its figures."""
        return {"better": self.direction, "shown_times": self.scale, "signature": self.signature}


def parted(options: Iterable[str]) -> tuple[list[str], dict[str, Any]]:
    """Part lines "key=value" in those of other parts and, without that word, those that begin with "dataset.".

    Raises:
        PresetError: If a line does not fit.
    """
    lines = list(options)
    of_data = dict(assignments([line.removeprefix(DATASET) for line in lines if line.startswith(DATASET)]))
    if "kind" in of_data:
        raise PresetError(f"--kind names the data set; write --kind {of_data['kind']}, without --set dataset.kind=….")
    return [line for line in lines if not line.startswith(DATASET)], of_data


def columns_of(chosen: Sequence[Metric]) -> list[Column]:
    """The columns that metrics give, in order."""
    return [
        Column(name, direction, metric.scale, metric.signature)
        for metric in chosen
        for name, direction in metric.directions.items()
    ]


def rate(chosen: Sequence[Metric], example: Example) -> Values:
    """Return the values of all metrics for one example."""
    values: Values = {}
    for metric in chosen:
        values.update(metric(example))
    return values


def tabulate(rows: Iterable[Values], columns: Sequence[Column]) -> Array:
    """Values as numbers, NaN where a metric says nothing: [examples × columns]."""
    cells = [[np.nan if row[column.name] is None else row[column.name] for column in columns] for row in rows]
    return np.array(cells, dtype=np.float64).reshape(len(cells), len(columns))


def check_references(chosen: Sequence[Metric], records: Sequence[Record], where: str) -> None:
    """Raise InputError if a metric compares with references, and no example has one."""
    needing = [metric.signature.split("|", 1)[0] for metric in chosen if "references" in metric.needs]
    if needing and records and not any(any(record.references) for record in records):
        raise InputError(
            f"No example of {where} has a reference summary, which {', '.join(needing)} needs. For the kinds jsonl, "
            "csv and parquet, --set dataset.summary_column=NAME names its column; other metrics (--metrics) may need "
            "none."
        )


def check_needs(chosen: Sequence[Metric], example: Example) -> None:
    """Raise InputError if a metric looks at something that examples like this one do not have."""
    for metric in chosen:
        name = metric.signature.split("|", 1)[0]
        if "source" in metric.needs and example.source is None:
            raise InputError(f"The metric {name} compares a summary with what it summarizes; give --sources too.")
        if "references" in metric.needs and not example.references:
            raise InputError(f"The metric {name} compares a summary with references; give --references too.")
