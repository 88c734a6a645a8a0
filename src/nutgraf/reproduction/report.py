"""A published table beside ours: every figure with its interval, its difference from the baseline and its verdict."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nutgraf.errors import InputError
from nutgraf.evaluation.scores import Column
from nutgraf.evaluation.show import difference_to_json, interval_to_json
from nutgraf.evaluation.significance import Difference, Interval
from nutgraf.evaluation.table import Cell
from nutgraf.reproduction.plan import Beginning, Request, Trial, trial_of
from nutgraf.reproduction.published import Figure, PublishedTable, published
from nutgraf.reproduction.verdict import Verdict, give

SCHEMA = "nutgraf.reproduction/1"

NO_STUDY = "Only people can give these figures. Such a study is planned, made, and shown here, by these commands:"
"""Sentence on a table of judgements that nobody has given here."""

MEASURED_BY = "These commands give ours of those that can be measured:"
"""Sentence on what a text states."""

COLLECT = "nutgraf judge collect STUDY ANSWERS"


@dataclass(frozen=True)
class Result:
    """A published figure beside ours.

    Attributes:
        ours: Our mean with its interval, unscaled; of a count only the mean. None where there is none.
        scale: Factor that brings ours to the scale of the published figure.
        reason: The reason why there is none.
        baseline: The figure that it is compared with.
        difference: Our difference from that one, unscaled.
    """

    figure: Figure
    ours: Interval | None = None
    scale: int = 1
    reason: str = ""
    baseline: Figure | None = None
    difference: Difference | None = None
    verdict: Verdict | None = None

    @property
    def published_difference(self) -> float | None:
        """The published difference from the baseline, None where there is none."""
        if self.baseline is None or self.figure.value is None or self.baseline.value is None:
            return None
        return round(self.figure.value - self.baseline.value, 6)

    def to_json(self) -> dict[str, Any]:
        """Return the figure as JSON; ours is unscaled, null where there is none."""
        return {
            "row": self.figure.row.name,
            "column": self.figure.column.name,
            "published": self.figure.value,
            "printed": self.figure.printed,
            "ours": None if self.ours is None else interval_to_json(self.ours),
            "shown_times": self.scale,
            **({"reason": self.reason} if self.reason else {}),
            "baseline": None if self.baseline is None else [self.baseline.row.name, self.baseline.column.name],
            "published_difference": self.published_difference,
            "difference": None if self.difference is None else difference_to_json(self.difference),
            "verdict": None if self.verdict is None else {"verdict": self.verdict.word, "why": self.verdict.why},
        }


@dataclass(frozen=True)
class Report:
    """A published table beside ours.

    Attributes:
        scale: Scale of our networks; "" where nothing of ours is shown.
        data: Signatures of the examples, by corpus.
        signatures: Signatures of the metrics, by their columns.
        notes: What else a reader should know, one sentence each.
        beginnings: What networks of ours began with whose published ones begin with weights that were trained
            elsewhere, by row.
    """

    table: PublishedTable
    results: tuple[Result, ...]
    scale: str = ""
    data: Mapping[str, str] = field(default_factory=dict)
    signatures: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    beginnings: Mapping[str, Beginning] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Label, place and subject of the table, and the scale of ours."""
        ours = f", beside ours at the scale {self.scale!r}" if self.scale else ""
        place = self.table.place or f"table {self.table.number}"
        return f"{self.table.label}, {place} of {self.table.paper}: {self.table.title}{ours}"

    @property
    def remarks(self) -> list[str]:
        """Everything that stands below the table."""
        return [
            f"Published in {published().papers[self.table.paper]}.",
            *self._study(),
            *([self.table.comment] if self.table.comment else []),
            *self._variants(),
            *self._flags(),
            *self._missing(),
            *self._begun(),
            *self.notes,
            *(f"{corpus}: {signature}" for corpus, signature in self.data.items()),
            *self._metrics(),
        ]

    def to_json(self) -> dict[str, Any]:
        """Return the table as JSON, in the schema `nutgraf.reproduction/1`."""
        return {
            "schema": SCHEMA,
            "label": self.table.label,
            "paper": self.table.paper,
            "title": self.table.title,
            "scale": self.scale or None,
            "data": dict(self.data),
            "metrics": dict(self.signatures),
            "began_with": {
                row: None if one.folder is None else str(one.folder) for row, one in self.beginnings.items()
            },
            "figures": [one.to_json() for one in self.results],
            "remarks": self.remarks,
        }

    def _study(self) -> Iterator[str]:
        """Yield what people did and the commands that give figures of ours, where none are shown."""
        if self.table.study:
            yield self.table.study
        if self.table.kind == "statements":
            yield from (MEASURED_BY, *self.table.commands)
        elif self.table.commands and not any(one.ours for one in self.results):
            shown = f"nutgraf reproduce {self.table.paper} {self.table.name} --judgements STUDY"
            yield from (NO_STUDY, *self.table.commands, COLLECT, shown)

    def _variants(self) -> Iterator[str]:
        for name in self.table.corpora:
            corpus = published().corpora[name]
            if corpus.variant:
                others = {f"{row.name}: {row.variant}" for row in self.table.rows if row.variant}
                besides = f" ({'; '.join(sorted(others))})" if others else ""
                yield f"The published figures are of {corpus.title}, {corpus.variant}{besides}."

    def _flags(self) -> Iterator[str]:
        for flag, why in published().flags.items():
            rows = [row.name for row in self.table.rows if row.flag == flag]
            if rows:
                yield f"No verdict on {', '.join(rows)}: {why}."

    def _missing(self) -> list[str]:
        """Return why rows or columns have no figure of ours, each reason once."""
        by_row = len({one.figure.row.system for one in self.results}) > 1
        counted = self.table.kind == "statistics"
        told: dict[str, None] = {}
        for one in self.results:
            if one.reason:
                line = one.figure.row if by_row or counted else one.figure.column
                told[f"{line.name}: not {'counted' if counted else 'trained'} here. {one.reason}"] = None
        return list(told)

    def _begun(self) -> Iterator[str]:
        """Yield what the published networks begin with where ours began with random weights."""
        for theirs in dict.fromkeys(one.theirs for one in self.beginnings.values()):
            rows = [row for row, one in self.beginnings.items() if one.theirs == theirs and one.folder is None]
            if rows:
                yield (
                    f"{', '.join(rows)}: the published networks begin with {theirs}, ours with random weights; "
                    f"--init-from '{rows[0]}=FOLDER' begins with those of a model folder."
                )

    def _metrics(self) -> list[str]:
        """Return which printed metric is which of ours, with the signatures."""
        named: dict[str, dict[str, None]] = {}
        for one in self.results:
            metric = one.figure.find("metric")
            if metric in self.signatures:
                printed = one.figure.column.name if one.figure.column.metric else metric
                pair = metric if printed == metric else f"{printed} is {metric}"
                named.setdefault(self.signatures[metric], {})[pair] = None
        return [f"{', '.join(pairs)} = {signature}" for signature, pairs in named.items()]


def without_ours(table: PublishedTable, notes: Sequence[str] = ()) -> Report:
    """Return a published table alone."""
    return Report(table, tuple(Result(figure) for figure in table.figures()), notes=tuple(notes))


def with_judgements(
    table: PublishedTable,
    found: Mapping[tuple[str, str], float],
    systems: Sequence[str],
    pair: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> Report:
    """Return a published table of judgements beside ours.

    Args:
        table: The published table.
        found: Figures of a study, by the names of rows and columns that the table's lines have as `judged`.
        systems: Systems of the study.
        pair: Those of them that the table compares; without them, a row or a column is of each.
        notes: What a reader should know about the study.

    Raises:
        InputError: If the study has no figure of the table.
    """
    results = []
    for figure in table.figures():
        value = found.get((str(figure.row.judged), str(figure.column.judged)))
        shown = None if value is None else value * (100 if figure.printed.endswith("%") else 1)
        ours = None if shown is None else Interval(shown, math.nan, math.nan, 0)
        results.append(Result(figure, ours))
    there = {line.name for one in results if one.ours for line in (one.figure.row, one.figure.column)}
    if not there:
        lines = ", ".join(str(line.judged) for line in (*table.rows, *table.columns))
        raise InputError(f"The study of {', '.join(systems)} has no figure of {table.label}, which has {lines}.")
    without = [line.name for line in (*table.rows, *table.columns) if line.name not in there]
    named = {*pair, *(line.judged for line in (*table.rows, *table.columns))}
    others = [name for name in systems if name not in named]
    told = [f"The study has nothing on {', '.join(without)}."] if without else []
    told += [f"Not in the table, but in the study: {', '.join(others)}."] if others else []
    return Report(table, tuple(results), notes=(*told, *notes))


def results_of(
    request: Request,
    columns: Sequence[Column],
    cells: Mapping[Trial, Mapping[str, Cell]],
    reasons: Mapping[Trial, str],
    variants: Mapping[str, str],
) -> Iterator[Result]:
    """Yield every figure of a table of scores beside ours."""
    scales = {column.name: column.scale for column in columns}
    for figure in request.table.figures():
        trial, metric = trial_of(request.table, figure), str(figure.find("metric"))
        assert trial is not None, f"{request.table.label} has a row without a system: {figure.row.name}"
        cell = cells.get(trial, {}).get(metric)
        baseline = request.table.baseline_of(figure)
        if cell is None:
            yield Result(figure, scale=scales.get(metric, 1), reason=reasons.get(trial, ""), baseline=baseline)
            continue
        result = Result(figure, cell.interval, scales[metric], baseline=baseline, difference=cell.difference)
        yield result if baseline is None else _judged(request, result, baseline, variants)


def _judged(request: Request, result: Result, baseline: Figure, variants: Mapping[str, str]) -> Result:
    """Return a result with its verdict."""
    obstacles = list(_obstacles(request, result.figure, baseline, variants))
    if result.difference is None:
        name = baseline.row.name if baseline.row != result.figure.row else baseline.column.name
        verdict = Verdict("cannot be told", "; ".join([*obstacles, f"{name} was not trained here"]))
    elif result.published_difference is None:
        verdict = Verdict("cannot be told", "; ".join(obstacles))
    else:
        verdict = give(result.published_difference, result.difference, obstacles)
    return Result(result.figure, result.ours, result.scale, "", baseline, difference=result.difference, verdict=verdict)


def _obstacles(request: Request, figure: Figure, baseline: Figure, variants: Mapping[str, str]) -> Iterator[str]:
    """Yield the reasons why the published difference and ours do not compare."""
    found = published()
    name = request.table.corpus_of(figure)
    if figure.value is None or baseline.value is None:
        yield "the paper prints no figures of these"
    for flag in dict.fromkeys(filter(None, (figure.find("flag"), baseline.find("flag")))):
        yield found.flags[flag]
    corpus = found.corpora[name]
    theirs, others = (one.find("variant") or corpus.variant for one in (figure, baseline))
    ours = variants.get(name, "")
    if theirs != others:
        yield f"the published figure is of the {theirs} corpus, that of its baseline is not"
    elif theirs and ours and theirs != ours:
        yield f"the published figures are of the {theirs} corpus, ours of the {ours} one"
    if request.kind not in (None, name):
        yield f"ours are on {request.kind}, the published figures on {corpus.title}"
