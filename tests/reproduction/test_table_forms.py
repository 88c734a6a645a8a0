"""A tiny table in every form."""

from __future__ import annotations

import csv
import io
import json
from math import nan

import pytest

from nutgraf.evaluation.significance import Difference, Interval
from nutgraf.reproduction.published import Line, PublishedTable, published
from nutgraf.reproduction.report import Report, Result, without_ours
from nutgraf.reproduction.show import shown
from nutgraf.reproduction.verdict import Verdict

TABLE = PublishedTable(
    label="S9",
    paper="sagcopy",
    title="copying & guidance",
    kind="scores",
    corpus="cnn_dailymail",
    baseline="plain_copy",
    columns=(Line("RG-1", metric="ROUGE-1"),),
    rows=(
        Line("plain_copy", ("40.0",), system="mass_copy"),
        Line("guided*", ("41.25",), system="sagcopy_outdegree"),
        Line("other", ("39.5",), system="abs"),
    ),
)


@pytest.fixture
def report() -> Report:
    plain, guided, other = TABLE.figures()
    verdict = Verdict("cannot be told", "our interval holds zero")
    difference = Difference(Interval(0.002, -0.003, 0.007, 5), 0.4)
    results = (
        Result(plain, Interval(0.3, 0.29, 0.31, 5), 100),
        Result(guided, Interval(0.302, 0.2925, 0.3115, 5), 100, "", plain, difference, verdict),
        Result(other, scale=100, reason="There is no preset 'abs' yet.", baseline=plain),
    )
    return Report(TABLE, results, "small", {"cnn_dailymail": "5 examples"}, {"ROUGE-1": "rouge|stem:yes"}, ("Said.",))


def test_text(report: Report) -> None:
    lines = shown(report, "text").splitlines()
    assert lines[0] == "S9, table 9 of sagcopy: copying & guidance, beside ours at the scale 'small'"
    assert lines[2].split() == ["RG-1", "ours"]
    assert lines[4:7] == [
        "plain_copy  40.0   30.00 [29.00, 31.00]",
        "guided*     41.25  30.20 [29.25, 31.15]",
        "other       39.5   –",
    ]
    verdict = "guided* RG-1 +1.25 +0.20 [-0.30, +0.70] cannot be told: our interval holds zero"
    assert " ".join(lines[10].split()) == verdict
    assert lines[12:] == [
        "Published in Xu et al. 2020, Self-Attention Guided Copy Mechanism for Abstractive Summarization.",
        "The published figures are of CNN/Daily Mail, non-anonymized.",
        "other: not trained here. There is no preset 'abs' yet.",
        "Said.",
        "cnn_dailymail: 5 examples",
        "RG-1 is ROUGE-1 = rouge|stem:yes",
    ]


def test_markdown(report: Report) -> None:
    found = shown(report, "markdown").splitlines()
    assert found[2:7] == [
        "|  | RG-1 | ours |",
        "| --- | --- | --- |",
        r"| plain\_copy | 40.0 | 30.00 [29.00, 31.00] |",
        r"| guided\* | 41.25 | 30.20 [29.25, 31.15] |",
        "| other | 39.5 | – |",
    ]
    assert found[-1] == r"* RG-1 is ROUGE-1 = rouge\|stem:yes"


def test_latex(report: Report) -> None:
    found = shown(report, "latex").splitlines()
    assert found[:2] == [
        r"\begin{table}",
        r"\caption{S9, table 9 of sagcopy: copying \& guidance, beside ours at the scale 'small'}",
    ]
    assert r"plain\_copy & 40.0 & 30.00 [29.00, 31.00] \\" in found
    assert r"other & 39.5 & -- \\" in found
    assert found.count(r"\bottomrule") == 2
    assert found[-1] == r"\end{table}"


def test_csv(report: Report) -> None:
    head, plain, guided, other = csv.reader(io.StringIO(shown(report, "csv")))
    named = dict(zip(head, guided, strict=True))
    assert (named["ours"], named["low"], named["high"]) == ("30.20", "29.25", "31.15")
    assert (named["published_difference"], named["difference"], named["p"]) == ("1.25", "0.20", "0.4")
    assert (named["verdict"], named["why"]) == ("cannot be told", "our interval holds zero")
    assert plain[3:5] == ["40.0", "30.00"]
    assert other[4:] == ["", "", "", "-0.5", "", "", "", "", "", "There is no preset 'abs' yet."]


def test_json(report: Report) -> None:
    found = json.loads(shown(report, "json"))
    assert found["schema"] == "nutgraf.reproduction/1"
    guided = found["figures"][1]
    assert guided["ours"] == {"mean": 0.302, "low": 0.2925, "high": 0.3115, "examples": 5}
    assert (guided["published"], guided["printed"]) == (41.25, "41.25")
    assert guided["baseline"] == ["plain_copy", "RG-1"]
    assert guided["verdict"] == {"verdict": "cannot be told", "why": "our interval holds zero"}
    assert found["figures"][2]["ours"] is None


def test_counts_are_whole_and_means_have_two_decimals() -> None:
    table = published().tables["W1"]
    results = tuple(
        Result(figure, Interval(value, nan, nan, 3))
        for figure, value in zip(table.figures(), [11490.0] * 6 + [34.17] * 12, strict=True)
    )
    lines = shown(Report(table, results), "text").splitlines()
    assert lines[4].split() == ["Source", "docs", "287227", "11,490", "13368", "11,490", "11490", "11,490"]
    assert lines[6].split()[4:] == ["39.8", "34.17", "33.6", "34.17", "34.2", "34.17"]


def test_a_table_alone_has_no_place_for_ours() -> None:
    lines = shown(without_ours(published().tables["K5"]), "text").splitlines()
    assert lines[2].split() == ["Win", "Lose", "Tie", "kappa"]
    assert lines[4].split() == ["Informativeness", "46.5%", "21.5%", "32.0%", "0.664"]
    assert "200 judgements for each aspect" in lines[-7]
    commands = [line.split(" --")[0] for line in lines[-5:-1]]
    assert commands == [
        "nutgraf judge plan",
        "nutgraf judge sheet kpat=FILE copy_transformer=FILE",
        "nutgraf judge collect STUDY ANSWERS",
        "nutgraf reproduce kpat table5",
    ]
    assert "--sources DOCUMENTS" in lines[-4]
    flagged = (
        "No verdict on Informativeness, Fluency, Non-Redundancy: the same digits stand in a table of another paper"
    )
    assert lines[-1].startswith(flagged)
