"""Verdicts worked by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from nutgraf.evaluation.scores import Column
from nutgraf.evaluation.significance import Difference, Interval
from nutgraf.evaluation.table import Cell
from nutgraf.reproduction.plan import Request, trial_of
from nutgraf.reproduction.published import published
from nutgraf.reproduction.report import results_of
from nutgraf.reproduction.verdict import give

UP = Difference(Interval(0.011, 0.004, 0.018, 50), 0.002)
"""Ours: +1.10 [+0.40, +1.80] points."""

DOWN = Difference(Interval(-0.011, -0.018, -0.004, 50), 0.002)
OPEN = Difference(Interval(0.002, -0.003, 0.007, 50), 0.4)
TOUCHING = Difference(Interval(0.002, 0.0, 0.004, 50), 0.06)


@pytest.mark.parametrize(
    ("published", "ours", "verdict"),
    [
        (1.73, UP, "holds"),
        (-1.00, DOWN, "holds"),
        (1.73, DOWN, "does not hold"),
        (-1.00, UP, "does not hold"),
        (1.73, OPEN, "cannot be told: our interval holds zero"),
        (1.73, TOUCHING, "cannot be told: our interval holds zero"),
        (0.0, UP, "cannot be told: the published figures are equal"),
    ],
)
def test_a_verdict_follows_the_sign(published: float, ours: Difference, verdict: str) -> None:
    assert str(give(published, ours)) == verdict


def test_what_does_not_compare_has_no_verdict_however_clear_ours_is() -> None:
    found = give(1.73, UP, ["the digits are reused", "ours are on squality"])
    assert (found.word, found.why) == ("cannot be told", "the digits are reused; ours are on squality")


def test_without_a_common_example_nothing_can_be_told() -> None:
    nothing = Difference(Interval(float("nan"), float("nan"), float("nan"), 0), float("nan"))
    assert str(give(1.0, nothing)) == "cannot be told: no example has a value of both"


def verdicts(variant: str, kind: str | None = None, without: str = "") -> dict[str, str]:
    """Verdicts on ROUGE-1 of W2, where every row but the baseline is 1.10 above it; a row may be missing."""
    table = published().tables["W2"]
    request = Request(table, Path("data"), Path("out"), kind=kind)
    columns = [Column(metric, "higher", 100, "rouge") for metric in ("ROUGE-1", "ROUGE-2", "ROUGE-L")]
    base = any(row.name == table.baseline != without for row in table.rows)
    cells = {
        trial_of(table, figure): {column.name: Cell(UP.interval, UP if base else None) for column in columns}
        for figure in table.figures()
        if figure.row.name != without
    }
    reasons = dict.fromkeys((trial_of(table, figure) for figure in table.figures()), "There is none.")
    found = list(results_of(request, columns, cells, reasons, {"cnn_dailymail": variant}))
    return {one.figure.row.name: str(one.verdict or one.reason) for one in found if one.figure.column.name == "ROUGE-1"}


def test_verdicts_of_a_table() -> None:
    """Published, from 39.53: 36.44 is below, 41.35 is above."""
    found = verdicts("non-anonymized")
    assert found["Pointer-generator"] == "does not hold"
    assert found["Transformer+selective+coverage (Zhang et al.)"] == "holds"
    assert found["Pointer-generator+coverage"] == ""
    assert (
        found["words-lvt2k-temp-att"]
        == found["Intra-attention+RL"]
        == found["Intra-attention+RL+ML"]
        == ("cannot be told: the published figure is of the anonymized corpus, that of its baseline is not")
    )
    assert found["Transformer+selective+coverage (proposed)"].startswith("cannot be told: the published label is that")


def test_another_variant_or_corpus_of_ours_has_no_verdict() -> None:
    other = "cannot be told: the published figures are of the non-anonymized corpus, ours of the anonymized one"
    assert verdicts("anonymized")["Pointer-generator"] == other
    stories = "cannot be told: ours are on squality, the published figures on CNN/Daily Mail"
    assert verdicts("", kind="squality")["Pointer-generator"] == stories


def test_without_its_baseline_a_row_has_no_verdict() -> None:
    found = verdicts("non-anonymized", without="Pointer-generator+coverage")
    assert found["Pointer-generator"] == "cannot be told: Pointer-generator+coverage was not trained here"
    assert found["Pointer-generator+coverage"] == "There is none."


def test_where_the_paper_prints_no_figures_ours_stand_without_a_verdict() -> None:
    """Figure 5 of MLS is a chart."""
    table = published().tables["M6"]
    cells = {trial_of(table, figure): {"ROUGE-1": Cell(UP.interval, UP)} for figure in table.figures()}
    columns = [Column(metric, "higher", 100, "rouge") for metric in ("ROUGE-1", "METEOR-ES")]
    found = [*results_of(Request(table, Path("data"), Path("out")), columns, cells, {}, {})]
    stars = [one for one in found if one.figure.row.metric == "ROUGE-1" and one.figure.column.name == "MLS*"]
    assert {str(one.verdict) for one in stars} == {"cannot be told: the paper prints no figures of these"}
    assert all(one.ours is not None and one.difference is not None for one in stars)
