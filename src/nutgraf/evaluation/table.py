"""Systems on a data set: every system summarizes every example at every budget, and every metric scores it.

One pass over the data: a few examples are read, summarized by all and scored by all before the next ones are read, so
that a network can write several summaries at a time, and what metrics know of a source is worked out once.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, islice
from typing import Any, TypeVar

import numpy as np

from nutgraf.datasets import Record
from nutgraf.errors import BudgetError, InputError, NutgrafError, TaskError
from nutgraf.evaluation.outputs import Key, Output, Outputs
from nutgraf.evaluation.scores import Array, Column, columns_of, rate, tabulate
from nutgraf.evaluation.show import (
    align,
    difference_to_json,
    interval_to_json,
    name_with_arrow,
    or_null,
    show_difference,
    show_interval,
)
from nutgraf.evaluation.significance import Bootstrap, Difference, Interval
from nutgraf.metrics import Example, Metric
from nutgraf.runtime.workers import MakePool, Workers
from nutgraf.systems import System
from nutgraf.text.request import Request
from nutgraf.text.summary import Budget, Summary

SCHEMA = "nutgraf.table/1"
SIGNIFICANT = 0.05

ORACLE = (
    "ORACLE: highlighted phrases were taken from the references, which no system has; these are no system's results"
)

T = TypeVar("T")

INLINE = 8
"""Tasks that are done in this process: starting others would take longer."""

Numbered = tuple[int, Record]

_Task = tuple[list[Numbered], dict[Key, list[int]]]
"""Some examples, and the numbers of those that have no output yet."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A mean with its interval, and its difference from the first system's at the same budget, but for that system."""

    interval: Interval
    difference: Difference | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the figure unscaled."""
        found = interval_to_json(self.interval)
        return found if self.difference is None else {**found, "difference": difference_to_json(self.difference)}


@dataclass(frozen=True, slots=True)
class Row:
    """A system at a budget.

    Attributes:
        words: Mean length.
        used: Mean share of the budget; NaN if the budget is not in words.
        empty: Number of examples without a summary.
    """

    system: str
    budget: Budget
    words: float
    used: float
    empty: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows by budget, then by system; each row has one cell per column.

    Attributes:
        signatures: Signatures of the systems, by label.
        data: Signature of the examples.
        oracle: True if key phrases were taken from the references.
        notices: What speaks against the figures.
    """

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    examples: int
    bootstrap: Bootstrap
    signatures: Mapping[str, str] = field(default_factory=dict)
    data: str = ""
    oracle: bool = False
    notices: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The table unscaled, in the schema `nutgraf.table/1`; null where there is no figure."""
        return {
            "schema": SCHEMA,
            "data": self.data,
            "examples": self.examples,
            **({"oracle": True} if self.oracle else {}),
            **({"notices": list(self.notices)} if self.notices else {}),
            "systems": dict(self.signatures),
            "columns": {column.name: column.to_json() for column in self.columns},
            "interval": self.bootstrap.signature,
            "test": self.bootstrap.test_signature,
            "rows": [self._row_to_json(row) for row in self.rows],
        }

    def _row_to_json(self, row: Row) -> dict[str, Any]:
        cells = zip(self.columns, row.cells, strict=True)
        return {
            "system": row.system,
            "budget": str(row.budget),
            "words": or_null(row.words),
            "used": or_null(row.used),
            "empty": row.empty,
            "scores": {column.name: cell.to_json() for column, cell in cells},
        }

    def __str__(self) -> str:
        """The table for a terminal or a text file; lines are not broken."""
        lengths = [[f"{row.words:.1f}", "" if math.isnan(row.used) else f"{row.used:.0%}"] for row in self.rows]
        kept = 2 if any(used for _, used in lengths) else 1
        head = ["system", "budget", *["words", "used"][:kept], *map(name_with_arrow, self.columns)]
        lines = [
            [row.system, str(row.budget), *length[:kept], *map(self._show, self.columns, row.cells)]
            for row, length in zip(self.rows, lengths, strict=True)
        ]
        return "\n".join([align([head, *lines]), "", *self._paired(), *self._legend()])

    def _paired(self) -> list[str]:
        """Return the differences from the first system at the same budget, if there are other systems."""
        rows = [row for row in self.rows if row.cells and row.cells[0].difference is not None]
        if not rows:
            return []
        head = [f"difference from {self.rows[0].system}", "budget", *map(name_with_arrow, self.columns)]
        lines = [
            [row.system, str(row.budget)]
            + [
                show_difference(one.difference, column.scale) + _star(one)
                for column, one in zip(self.columns, row.cells, strict=True)
                if one.difference
            ]
            for row in rows
        ]
        return [align([head, *lines]), ""]

    def _show(self, column: Column, cell: Cell) -> str:
        text = show_interval(cell.interval, column.scale)
        if 0 < cell.interval.examples < self.examples:
            text += f" (n={cell.interval.examples})"
        return text + _star(cell)

    def _legend(self) -> list[str]:
        warning = [ORACLE] if self.oracle else []
        lines = [
            *warning,
            f"{self.examples} examples{f' of {self.data}' if self.data else ''}",
            self.bootstrap.signature,
        ]
        if len({row.system for row in self.rows}) > 1:
            first = self.rows[0].system
            lines.append(
                f"* differs from {first} at the same budget, p < {SIGNIFICANT}; {self.bootstrap.test_signature}"
            )
        if any(0 < cell.interval.examples < self.examples for row in self.rows for cell in row.cells):
            lines.append("(n=…) examples for which there is a value; the others are left out of that figure")
        for row in self.rows:
            if row.empty:
                lines.append(f"{row.system}, {row.budget}: no summary for {row.empty} of {self.examples} examples")
        for signature, columns in groupby(self.columns, key=lambda column: column.signature):
            lines.append(f"{', '.join(column.name for column in columns)} = {signature}")
        return [*lines, *(f"{name} = {signature}" for name, signature in self.signatures.items())]


def evaluate(
    records: Iterable[Record],
    systems: Mapping[str, System],
    budgets: Sequence[Budget],
    metrics: Sequence[Metric],
    outputs: Outputs | None = None,
    bootstrap: Bootstrap | None = None,
    data: str = "",
    oracle: bool = False,
    processes: int | None = 1,
    pool: MakePool = Workers,
) -> Table:
    """Summarize and score examples, except those that `outputs` holds already.

    Args:
        records: The examples.
        systems: Systems by their labels in the table; the others are tested against the first.
        budgets: Lengths of the summaries.
        metrics: Metrics that score them.
        outputs: Outputs made so far; new ones are added.
        bootstrap: Settings of intervals and tests.
        data: Signature of the examples, by which a reader of the table can find them again.
        oracle: Have systems that highlight phrases highlight those of the reference; the table says so.
        processes: Number of processes that share the examples; None leaves it to the pool.
        pool: Makes the pool of processes.

    Raises:
        InputError: If there is no example.
    """
    outputs = Outputs() if outputs is None else outputs
    keys = [(name, budget) for budget in budgets for name in systems]
    at_once = max(system.at_once for system in systems.values())
    examples, tasks = 0, deque[_Task]()

    def waiting() -> Iterator[_Task]:
        nonlocal examples
        for chunk in _chunks(enumerate(records), at_once):
            examples += len(chunk)
            missing = {key: [index for index, _ in chunk if index not in outputs.of(key)] for key in keys}
            if any(missing.values()):
                tasks.append((chunk, missing))
                yield chunk, missing

    with pool(_Scoring, (systems, metrics, oracle), processes=processes, inline=INLINE) as workers:
        for made in workers.map(_Scoring.outputs, waiting()):
            task = tasks.popleft()
            for key, output in _failures(task, made, metrics) if isinstance(made, NutgrafError) else made:
                outputs.add(key, output)
    if not examples:
        of = f" of {data}" if data else ""
        raise InputError(f"There is no example to evaluate on{of}; look at the data set, --query and --limit.")
    kept = {key: [outputs.of(key)[index] for index in range(examples)] for key in keys}
    table = make_table(kept, columns_of(metrics), bootstrap or Bootstrap())
    signatures = {name: system.signature for name, system in systems.items()}
    return replace(table, signatures=signatures, data=data, oracle=oracle)


class _Scoring:
    """Summarizes examples and scores the summaries, in any process."""

    def __init__(self, systems: Mapping[str, System], metrics: Sequence[Metric], oracle: bool) -> None:
        self.systems, self.metrics, self.oracle = systems, metrics, oracle

    def outputs(self, chunk: Sequence[Numbered], missing: Mapping[Key, Sequence[int]]) -> list[tuple[Key, Output]]:
        """The outputs of some examples."""
        records = dict(chunk)
        made = {key: self._summarize(records, key, indices) for key, indices in missing.items() if indices}
        return [
            (key, _output(index, record, key[1], made[key][index], self.metrics, not self.systems[key[0]].writes))
            for index, record in chunk
            for key in made
            if index in made[key]
        ]

    def _summarize(
        self, records: Mapping[int, Record], key: Key, indices: Sequence[int]
    ) -> dict[int, Summary | BudgetError | InputError]:
        asked = [records[index] for index in indices]
        name, budget = key
        made: list[Any] = self.systems[name].many(
            [record.document for record in asked],
            Request(budget),
            oracles=[record.references[0] if record.references else () for record in asked] if self.oracle else None,
        )
        return dict(zip(indices, made, strict=True))


def _failures(task: _Task, error: NutgrafError, metrics: Sequence[Metric]) -> Iterator[tuple[Key, Output]]:
    """Empty outputs in the place of those that a crash has prevented. Raises what is a mistake of the user's."""
    if not isinstance(error, TaskError):
        raise error
    chunk, missing = task
    for index, record in chunk:
        for key, indices in missing.items():
            if index in indices:
                yield key, _output(index, record, key[1], error, metrics)


def _chunks(records: Iterator[Numbered], size: int) -> Iterator[list[Numbered]]:
    while chunk := list(islice(records, size)):
        yield chunk


def _output(
    index: int,
    record: Record,
    budget: Budget,
    made: Summary | NutgrafError,
    metrics: Sequence[Metric],
    copied: bool = False,
) -> Output:
    """A summary's scores. Where a budget allows none, an empty one is scored."""
    found = made.sentences if isinstance(made, Summary) else ()
    sentences = tuple(sentence.text for sentence in found)
    written = tuple(sentence.words for sentence in found)
    example = Example(sentences, record.references, record.document, written, copied)
    words = sum(map(record.document.length_of, sentences))
    problem = "" if isinstance(made, Summary) else str(made)
    return Output(index, record.id, sentences, words, rate(metrics, example), problem, budget.words_of(record.document))


def make_table(kept: Mapping[Key, Sequence[Output]], columns: Sequence[Column], bootstrap: Bootstrap) -> Table:
    """The table of outputs on the same examples, by system and budget. Raises InputError if one lacks a score."""
    names = {column.name for column in columns}
    for (system, budget), outputs in kept.items():
        for missing in (names - output.scores.keys() for output in outputs):
            if missing:
                raise InputError(
                    f"A summary of {system} ({budget}) was kept without its {min(missing)}; begin anew with --fresh."
                )
    values = {key: tabulate((output.scores for output in outputs), columns) for key, outputs in kept.items()}
    intervals = _in_rows(bootstrap.intervals(np.hstack(list(values.values()))), len(columns))
    differences = _differences(values, len(columns), bootstrap)
    rows = [
        Row(
            system=key[0],
            budget=key[1],
            words=_mean([output.words for output in outputs]),
            used=_mean([output.words / output.limit for output in outputs if output.limit]),
            empty=sum(not output.summary for output in outputs),
            cells=tuple(map(Cell, means, differences.get(key, [None] * len(columns)))),
        )
        for (key, outputs), means in zip(kept.items(), intervals, strict=True)
    ]
    return Table(tuple(columns), tuple(rows), max(len(outputs) for outputs in kept.values()), bootstrap)


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else math.nan


def _differences(values: Mapping[Key, Array], columns: int, bootstrap: Bootstrap) -> dict[Key, list[Difference]]:
    """Every system's differences from the first one's at the same budget."""
    first: dict[Budget, Key] = {}
    for key in values:
        first.setdefault(key[1], key)
    others = [key for key in values if first[key[1]] != key]
    if not others:
        return {}
    ours = np.hstack([values[key] for key in others])
    theirs = np.hstack([values[first[key[1]]] for key in others])
    return dict(zip(others, _in_rows(bootstrap.tests(ours, theirs), columns), strict=True))


def _star(cell: Cell) -> str:
    """Mark of a difference from the first system."""
    return "*" if cell.difference is not None and cell.difference.p < SIGNIFICANT else " "


def _in_rows(cells: Sequence[T], columns: int) -> list[list[T]]:
    return [list(cells[start : start + columns]) for start in range(0, len(cells), columns)]
