"""A report as text, Markdown, LaTeX, CSV and JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

from nutgraf.evaluation.forms import FORMS, Leaf, Sheet, comma_separated
from nutgraf.evaluation.show import show_difference, show_interval, show_value
from nutgraf.evaluation.significance import Interval
from nutgraf.reproduction.published import NO_FIGURE
from nutgraf.reproduction.report import Report, Result


def shown(report: Report, form: str) -> str:
    """Return a report in a form of `evaluation.forms`."""
    if form in FORMS:
        return FORMS[form](Leaf(report.title, list(sheets(report)), report.remarks))
    if form == "csv":
        return as_csv(report)
    return json.dumps(report.to_json(), ensure_ascii=False, indent=2)


def sheets(report: Report) -> Iterator[Sheet]:
    """Yield the figures, row by row as they are printed, and then the verdicts, one a line."""
    columns = report.table.columns
    ours = any(one.ours is not None or one.reason for one in report.results)
    results = {(one.figure.row.name, one.figure.column.name): one for one in report.results}
    head = [name for column in columns for name in ([column.name, "ours"] if ours else [column.name])]
    rows = []
    for row in report.table.rows:
        found = [results[row.name, column.name] for column in columns]
        pairs = ((one.figure.printed, show_ours(one)) for one in found)
        beginning = report.beginnings.get(row.name)
        name = row.name if beginning is None else f"{row.name} (ours from {beginning})"
        rows.append([name, *(cell for pair in pairs for cell in (pair if ours else pair[:1]))])
    yield Sheet(["", *head], rows)
    judged = [one for one in report.results if one.verdict is not None]
    if judged:
        yield Sheet(
            [f"difference from {report.table.baseline}", "", "published", "ours", "verdict"],
            [
                [
                    one.figure.row.name,
                    one.figure.column.name,
                    NO_FIGURE if one.published_difference is None else f"{one.published_difference:+.2f}",
                    NO_FIGURE if one.difference is None else show_difference(one.difference, one.scale),
                    str(one.verdict),
                ]
                for one in judged
            ],
        )


def show_ours(result: Result) -> str:
    """Return our figure: with its interval; a mean with two decimals, or more where the published one has; a count."""
    if result.ours is None:
        return NO_FIGURE
    if not math.isnan(result.ours.low):
        return show_interval(result.ours, result.scale)
    printed, statistic = result.figure.printed, str(result.figure.find("statistic"))
    whole = statistic.startswith(("pairs", "max_"))
    value = f"{result.ours.mean * result.scale:,.{0 if whole else max(2, len(printed.partition('.')[2].rstrip('%')))}f}"
    return f"{value}%" if printed.endswith("%") else value


def as_csv(report: Report) -> str:
    """Return a report as CSV, one line for each figure; ours are on the scale of the published ones."""
    rows = [
        "table row column published ours low high published_difference difference difference_low difference_high p "
        "verdict why".split()
    ]
    for one in report.results:
        difference = one.difference
        why = one.reason if one.verdict is None else one.verdict.why
        beginning = report.beginnings.get(one.figure.row.name)
        rows.append(
            [
                *(report.table.label, one.figure.row.name, one.figure.column.name, one.figure.printed),
                *_scaled(one, one.ours),
                "" if one.published_difference is None else f"{one.published_difference:g}",
                *_scaled(one, None if difference is None else difference.interval),
                "" if difference is None else f"{difference.p:.4g}",
                "" if one.verdict is None else one.verdict.word,
                "; ".join(filter(None, [why, "" if beginning is None else f"ours from {beginning}"])),
            ]
        )
    return comma_separated(rows).rstrip("\n")


def _scaled(result: Result, interval: Interval | None) -> list[str]:
    """Return a mean and its interval on the scale of the published figure; empty where there is none."""
    if interval is None:
        return ["", "", ""]
    numbers = (interval.mean, interval.low, interval.high)
    return ["" if math.isnan(one) else show_value(one, result.scale) for one in numbers]
