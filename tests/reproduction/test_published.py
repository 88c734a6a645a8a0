"""The tables of the papers as printed: rows counted by hand, percentages that must sum to 100, figures read twice."""

from __future__ import annotations

import pytest

from nutgraf.errors import UnknownName
from nutgraf.presets import names
from nutgraf.reproduction.published import PublishedTable, published
from nutgraf.reproduction.report import without_ours

ROWS = {
    "K1": 2, "K2": 7, "K3": 12, "K4": 11, "K5": 3, "K6": 3, "K7": 6, "K8": 6, "K9": 6, "K10": 4, "K11": 4,
    "H1": 12, "H2": 6, "H3": 3, "H4": 4,
    "S2": 9, "S3": 10, "S4": 2,
    "M1": 2, "M2": 40, "M3": 30, "M4": 4, "M5": 8, "M6": 20, "M7": 30,
    "W1": 6, "W2": 7, "W3": 5, "W4": 5,
}  # fmt: skip
"""Rows of each table, counted on paper."""

TABLES = published().tables


def row(label: str, name: str) -> tuple[str, ...]:
    (found,) = [one.figures for one in TABLES[label].rows if one.name == name]
    return found


def test_every_table_has_the_rows_that_were_counted() -> None:
    assert {label: len(table.rows) for label, table in TABLES.items()} == ROWS


@pytest.mark.parametrize(
    ("label", "name", "figures"),
    [
        ("K1", "PubMed", ("133K", "3,016", "203")),
        ("K2", "Case report", ("24.4%", "28.3%", "28.8%")),
        ("K3", "KPAT (Weighted)", ("45.30", "15.96", "18.62")),
        ("K4", "DAA", ("38.95", "15.41", "15.63")),
        ("K6", "Fluency", ("27.0%", "25.0%", "48.0%", "0.622")),
        ("K7", "1/2 Heads All Layers", ("44.67", "15.54", "18.11")),
        ("K8", "TopicRank (top-20)", ("45.24", "15.93", "18.56")),
        ("K9", "tf-idf (top-20)", ("39.43", "15.55", "15.96")),
        ("K11", "w/o self-attention", ("37.63", "14.87", "15.14")),
        ("H1", "Highlight (Additive)", ("44.29", "15.46", "17.73")),
        ("H4", "w/o brightness", ("44.38", "15.44", "17.90")),
        ("S2", "SAGCopy Indegree-2", ("42.56", "19.89", "39.40")),
        ("S3", "ABS+*", ("29.76", "11.88", "26.96")),
        ("S4", "Readability", ("6.67%", "3.67%", "89.67%", "0.637")),
        ("M1", "D2 Thinking Machines", ("186", "82", "33", "33.23")),
        ("M2", "D1 ROUGE-L 1/16", ("42.50", "27.9", "33.07", "38.92")),
        ("M2", "D2 METEOR 1/2", ("44.79", "28.08", "25.82", "45.70")),
        ("M3", "D1 ΔCoherence 1/2", ("0.1", "0.06", "0.09", "0.1")),
        ("M4", "D2 Duration (s)", ("70.24", "68.9", "96.47", "20.95", "132.86")),
        ("W1", "Avg. docs len (word)", ("790.4", "768.9", "777.9")),
        ("W2", "Intra-attention+RL", ("41.16", "15.75", "39.08")),
        ("W3", "Transformer+coverage", ("38.7", "15.62", "36.48")),
        ("W4", "Transformer", ("36", "14.94", "35.04")),
    ],
)
def test_figures_are_as_printed(label: str, name: str, figures: tuple[str, ...]) -> None:
    assert row(label, name) == figures


@pytest.mark.parametrize("label", ["K5", "K6", "H3", "S4"])
def test_answers_of_people_sum_to_100_percent(label: str) -> None:
    """S4 counts thirds of a percent, which are printed with two digits: 20.67 + 13.67 + 65.67 = 100.01."""
    for one in TABLES[label].rows:
        assert sum(float(figure.rstrip("%")) for figure in one.figures[:3]) == pytest.approx(100, abs=0.0151)


def test_tables_of_two_papers_have_the_digits_in_common_that_they_are_flagged_for() -> None:
    assert [one.figures for one in TABLES["K5"].rows] == [one.figures for one in TABLES["H3"].rows]
    assert row("K10", "w/o block linear") == row("H1", "Highlight (Weighted)")
    assert {one.flag for one in TABLES["K5"].rows} == {"reused"}


def test_flagged_rows_are_those_that_do_not_compare() -> None:
    flagged = {(label, one.name) for label, table in TABLES.items() for one in table.rows if one.flag}
    assert {label for label, _ in flagged} == {"K5", "H3", "K10", "M2", "M3", "W2"}
    assert {name for label, name in flagged if label == "M3"} == {
        f"D1 {metric} {share}" for metric in ("Topic", "Sentiment", "ΔCoherence") for share in ("1/8", "1/16", "1/32")
    }
    assert sum(label == "M2" for label, _ in flagged) == 2 * 3
    assert {one.name: one.variant for one in TABLES["W2"].rows if one.variant} == dict.fromkeys(
        ("words-lvt2k-temp-att", "Intra-attention+RL+ML", "Intra-attention+RL"), "anonymized"
    )
    assert published().corpora["cnn_dailymail"].variant == "non-anonymized"


@pytest.mark.parametrize("label", [label for label, table in TABLES.items() if table.kind == "scores"])
def test_every_row_of_scores_has_a_system_and_a_metric(label: str) -> None:
    for figure in TABLES[label].figures():
        assert figure.find("system") in published().systems
        assert figure.find("metric")
        assert (figure.value is None) == bool(TABLES[label].place)
        assert TABLES[label].corpus_of(figure) in published().corpora


def test_every_row_of_judgements_has_a_study_and_every_row_of_statistics_a_count() -> None:
    for table in TABLES.values():
        assert bool(table.study) == (table.kind == "judgements")
        if table.kind == "statistics":
            assert all(figure.find("statistic") for figure in table.figures())


def test_presets_that_rows_name_exist() -> None:
    named = {name for one in published().systems.values() for name in (one.preset, one.small) if name}
    assert named <= set(names())


def test_every_paper_has_the_whole_run_of_its_tables() -> None:
    """Numbers have no gap; SAGCopy's Table 2 is CNN/Daily Mail, its first with figures."""
    for paper, last in {"kpat": 11, "highlight_transformer": 4, "sagcopy": 4, "mls": 7, "selective": 4}.items():
        first = 2 if paper == "sagcopy" else 1
        assert [table.number for table in published().of(paper)] == list(range(first, last + 1))


def test_a_table_has_a_number_and_a_label() -> None:
    found = published()
    assert found.table("kpat", "table3") is found.table("kpat", "3") is found.table("kpat", "k3") is TABLES["K3"]
    with pytest.raises(UnknownName, match=r"'kpta'.*'kpat'"):
        found.table("kpta", "table3")
    with pytest.raises(UnknownName, match=r"No table 'table12'.*table2, .*, table9, table10, table11\."):
        found.table("kpat", "table12")


def test_numbers_are_read_as_they_are_meant() -> None:
    def values(label: str) -> list[float | None]:
        return [figure.value for figure in TABLES[label].figures()]

    assert values("K1") == [56_000, 2103, 264, 133_000, 3016, 203]
    assert values("W1")[:3] == [287227, 13368, 11490]
    assert values("K5")[:4] == [46.5, 21.5, 32.0, 0.664]
    # "27.35 % (D1), 8.75 % (D2)" has several numbers, and is none.
    assert values("M5")[4] is None


def test_the_baseline_is_a_row_or_a_column() -> None:
    table = TABLES["K3"]
    figures = {(figure.row.name, figure.column.name): figure for figure in table.figures()}
    assert table.baseline_of(figures["KPAT (Weighted)", "R-2"]) == figures["CopyTransformer", "R-2"]
    assert table.baseline_of(figures["CopyTransformer", "R-2"]) is None
    table = TABLES["M2"]
    figures = {(figure.row.name, figure.column.name): figure for figure in table.figures()}
    assert table.baseline_of(figures["D2 METEOR 1/8", "MLS"]) == figures["D2 METEOR 1/8", "A3"]
    assert table.baseline_of(figures["D2 METEOR 1/8", "A3"]) is None


def test_rows_have_a_figure_for_each_column() -> None:
    for table in TABLES.values():
        assert {len(row.figures) for row in table.rows} <= {len(table.columns), *([0] if table.place else [])}


def test_every_name_in_the_tables_is_there() -> None:
    found = published()
    for table in TABLES.values():
        lines = [*table.rows, *table.columns]
        assert table.paper in found.papers
        assert set(table.corpora) <= set(found.corpora)
        assert {line.system for line in lines} - {None} <= set(found.systems)
        assert {line.flag for line in lines} - {None} <= set(found.flags)
        assert {table.baseline} - {None} <= {line.name for line in lines}
    assert {needed for entry in found.systems.values() for needed in entry.needs.values()} <= set(found.systems)


def test_a_table_is_a_record() -> None:
    assert isinstance(TABLES["K3"], PublishedTable)
    assert TABLES["M2"].corpora == ("msr_narrative", "thinking_machines")


def test_a_budget_is_said_to_be_unbound_only_where_mls_scores_the_same() -> None:
    """D1's ROUGE-L is 40.89, 42.50 and 43.01 at 1/32, 1/16 and 1/8; its ROUGE-2 35.97, 35.97 and 35.98."""
    for label in ("M2", "M3"):
        scores: dict[str, list[float]] = {}
        for one in TABLES[label].rows:
            if one.flag == "unbound":
                metric, _, share = one.name.rpartition(" ")
                assert share in ("1/32", "1/16", "1/8")
                scores.setdefault(metric, []).append(float(one.figures[0]))
        assert scores
        for found in scores.values():
            assert len(found) == 3
            assert max(found) - min(found) < 0.0101


def test_what_is_no_table_says_where_it_stands() -> None:
    """M5 holds what stands in the text alone, M6 a chart, M7 an ablation that is told in a section."""
    assert {label: one.place for label, one in TABLES.items() if one.place} == {
        "M5": "the text", "M6": "Figure 5", "M7": "Section 3.1.2",
    }  # fmt: skip
    found = published()
    assert found.table("mls", "figure5") is found.table("mls", "Figure 5") is found.table("mls", "M6") is TABLES["M6"]
    assert found.table("mls", "table5") is found.table("mls", "text") is TABLES["M5"]
    title = without_ours(TABLES["M5"]).title
    assert title == "M5, the text of mls: figures that stand only in the paper's text, in no table"


def test_systems_are_those_of_the_papers() -> None:
    """KPAT's PG has coverage (7.3.2); A3 of MLS is fine-tuned, and its kernels are replaced one at a time (3.1.2)."""
    rows = {(label, one.name): one.system for label in ("K3", "K4", "H1") for one in TABLES[label].rows}
    assert {rows[label, "PG"] for label in ("K3", "K4", "H1")} == {"pointer_generator_coverage"}
    systems = published().systems
    for label in ("M2", "M3"):
        (a3,) = [one for one in TABLES[label].columns if one.name == "A3"]
        assert systems[str(a3.system)].needs == {"training.init_from": "length_controlled_news"}
    assert systems["length_controlled_news"].corpus == "cnn_dailymail"
    assert [one.name for one in TABLES["M6"].columns] == ["MLS", "MLS*", "MLS+"]
    assert [systems[str(one.system)].preset for one in TABLES["M6"].columns] == ["mls", "mls_star", "mls_plus_paper"]
    assert "training.init_from" not in systems[systems["mls_star"].needs["prototype"]].needs
    kernels = [one.set for one in TABLES["M7"].columns]
    assert kernels == [
        (), *((f"magnifier.kernels.{name}.shuffle_seed=1",) for name in ("topics", "keywords", "redundancy"))
    ]  # fmt: skip


def test_inferred_judges_are_said_to_be_inferred() -> None:
    """SAGCopy names 100 examples and no number of judges; 20.67 % is 62 of 300."""
    assert "is inferred" in TABLES["S4"].study
    for one in TABLES["S4"].rows:
        for figure in one.figures[:3]:
            judgements = float(figure.rstrip("%")) * 3
            assert judgements == pytest.approx(round(judgements), abs=0.02)
