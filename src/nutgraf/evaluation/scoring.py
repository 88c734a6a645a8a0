"""Scores of summaries that were made elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from nutgraf.errors import InputError
from nutgraf.evaluation.cautions import of_few
from nutgraf.evaluation.scores import Array, Column, check_needs, columns_of, rate, tabulate
from nutgraf.evaluation.show import align, interval_to_json, name_with_arrow, or_null, show_value
from nutgraf.evaluation.significance import Bootstrap, Interval
from nutgraf.metrics import Example, Metric
from nutgraf.text.segmentation import described_all

SCHEMA = "nutgraf.scores/1"


@dataclass(frozen=True)
class Scores:
    """Scores of one set of summaries: the mean of each column, and every example's value.

    Attributes:
        values: [examples × columns], NaN where a metric is undefined.
        pairing: How the texts were read, which changes some scores.
    """

    names: tuple[str, ...]
    columns: tuple[Column, ...]
    values: Array
    intervals: tuple[Interval, ...]
    bootstrap: Bootstrap
    pairing: str

    @property
    def pedigree(self) -> str:
        """The part of the signature that all columns share: how texts were read and intervals made."""
        return f"{self.pairing}|examples:{len(self.names)}|{self.bootstrap.signature}"

    @property
    def notices(self) -> tuple[str, ...]:
        """Cautions about the figures."""
        return tuple(of_few(len(self.names)))

    def to_json(self) -> dict[str, Any]:
        """Unscaled, in the schema `nutgraf.scores/1`; null where there is no figure."""
        return {
            "schema": SCHEMA,
            "pedigree": self.pedigree,
            **({"notices": list(self.notices)} if self.notices else {}),
            "scores": {
                column.name: {**interval_to_json(interval), **column.to_json()}
                for column, interval in zip(self.columns, self.intervals, strict=True)
            },
            "examples": [
                {"id": name, **{column.name: or_null(value) for column, value in zip(self.columns, row, strict=True)}}
                for name, row in zip(self.names, self.values.tolist(), strict=True)
            ],
        }

    def __str__(self) -> str:
        """A table, and below it the signature of each metric."""
        level = f"{self.bootstrap.level:.0%} interval".replace("%", " %")
        lines = [["metric", "value", level, "examples"]]
        for column, interval in zip(self.columns, self.intervals, strict=True):
            mean, low, high = (
                show_value(value, column.scale) for value in (interval.mean, interval.low, interval.high)
            )
            counted = str(interval.examples)
            if interval.examples < len(self.names):
                counted += f" ({len(self.names) - interval.examples} without a value excluded)"
            figures = [mean, f"{low} – {high}"] if interval.examples else ["–", "–"]
            lines.append([name_with_arrow(column), *figures, counted])
        signatures = [
            f"{', '.join(column.name for column in columns)} = {signature}|{self.pedigree}"
            for signature, columns in groupby(self.columns, key=lambda column: column.signature)
        ]
        return "\n".join([align(lines), "", *signatures])


def score(
    names: Sequence[str],
    examples: Sequence[Example],
    metrics: Sequence[Metric],
    pairing: str = "",
    bootstrap: Bootstrap | None = None,
) -> Scores:
    """Score examples with every metric.

    Raises InputError where there is no example, or a metric needs what the examples do not have.
    """
    if not examples:
        raise InputError("There is no summary to score.")
    check_needs(metrics, examples[0])
    bootstrap = bootstrap or Bootstrap()
    columns = columns_of(metrics)
    values = tabulate((rate(metrics, example) for example in examples), columns)
    counts = sorted({len(example.references) for example in examples})
    counted = f"references:{'-'.join(map(str, dict.fromkeys((counts[0], counts[-1]))))}"
    segmented = described_all(example.source.language for example in examples if example.source is not None)
    return Scores(
        names=tuple(names),
        columns=tuple(columns),
        values=values,
        intervals=tuple(bootstrap.intervals(values)),
        bootstrap=bootstrap,
        pairing="|".join(filter(None, (pairing, counted, segmented and f"words:{segmented}"))),
    )
