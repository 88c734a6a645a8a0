"""Evaluations as a person asks for them, on a data set of a few lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from nutgraf.datasets import Record, datasets
from nutgraf.errors import BudgetError, InputError, PresetError, UnknownName
from nutgraf.evaluation.metrics import choose
from nutgraf.evaluation.plan import Plan, budgets_of
from nutgraf.evaluation.scores import parted
from nutgraf.evaluation.table import Table
from nutgraf.text.segmentation import described

NOUNS = ["ferry", "harbour", "bakery", "mill", "bridge", "island", "garden", "tower", "market", "school", "river"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two questions about each of eleven stories."""
    path = tmp_path / "stories.jsonl"
    records = [
        {
            "id": f"{noun}-{question}",
            "documents": [
                f"The {noun} is old. Nobody knows who built the {noun}. People like the {noun} all the same."
            ],
            "summaries": [f"Nobody knows who built the {noun}.", f"An old {noun}."],
            "query": question,
        }
        for noun in NOUNS
        for question in ("What is the plot?", "Who built it?")
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def run(data: Path, *systems: str, out: Path | None = None, **options: Any) -> Table:
    plan = Plan(systems or ("lead",), str(data), choose("rouge"), **options)
    return plan.run(None if out is None else str(out))


def test_a_table_of_two_systems(data: Path, tmp_path: Path) -> None:
    table = run(data, "lead", "random", out=tmp_path / "out", budgets=budgets_of(sentences=[1, 2]))
    assert [(row.system, str(row.budget)) for row in table.rows] == [
        ("lead", "1 sentence"),
        ("random", "1 sentence"),
        ("lead", "2 sentences"),
        ("random", "2 sentences"),
    ]
    assert table.examples == 22
    assert json.loads((tmp_path / "out" / "table.json").read_text()) == table.to_json()
    assert table.data.startswith("stories.jsonl sha256:")


def test_what_the_data_set_skips_is_told_with_the_table(tmp_path: Path) -> None:
    """Of six clusters one has eleven articles, two have one, and one has none."""
    path = tmp_path / "clusters.jsonl"
    counts = [2, 11, 1, 1, 3, 0]
    lines = [{"documents": [f"The {noun} is old." for noun in NOUNS[:n]], "summary": "It is old."} for n in counts]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    table = run(path, kind="multi_news")
    assert table.examples == 2
    assert table.data.endswith("|kind:multi_news|dropped:3 × fewer than 2 articles, 1 × more than 10 articles")
    assert run(path).data.endswith("|kind:jsonl|dropped:1 × no text")
    path.write_text(json.dumps(lines[2]))
    with pytest.raises(InputError, match=r"1.*2 articles"):
        run(path, kind="multi_news")


def test_a_folder_takes_more_examples_later_whatever_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "clusters.jsonl"
    lines = [{"documents": ["The ferry is old."] * n, "summary": "It is old."} for n in (2, 1, 3)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert run(path, kind="multi_news", limit=1, out=tmp_path / "out").examples == 1
    assert run(path, kind="multi_news", out=tmp_path / "out").examples == 2


def test_queries_limits_and_parts_choose_examples(data: Path) -> None:
    assert run(data, query="PLOT").examples == 11
    assert run(data, query="plot", limit=3).examples == 3
    # Of eleven stories 9, 1 and 1 (a twentieth, but at least one); each has two questions.
    assert [run(data, part=part).examples for part in ("train", "validation", "test")] == [18, 2, 2]
    assert run(data, part="train", limit=5).data.endswith("|kind:jsonl|part:train")
    with pytest.raises(UnknownName, match=r"'tset'.*'test'"):
        run(data, part="tset")
    with pytest.raises(InputError, match="no example"):
        run(data, query="weather")


def test_a_file_is_evaluated_on_the_part_that_no_network_was_trained_on(data: Path) -> None:
    """The split is that of a preparation of the same file with the same options."""
    lines = [json.loads(line) for line in data.read_text(encoding="utf-8").splitlines()]
    renamed = [{"id": one["id"], "body": one["documents"][0], "tldr": one["summaries"][0]} for one in lines]
    data.write_text("".join(json.dumps(one) + "\n" for one in renamed), encoding="utf-8")
    columns = {"text_column": "body", "summary_column": "tldr"}
    prepared = datasets.make("jsonl", **columns)
    trained = {one.id for one in prepared.examples(prepared.splits(data)["train"])}
    found = Plan(["lead"], str(data), [], dataset=columns, part="test").examples()
    assert {one.id for one in found.training} == trained
    assert found.records
    assert not trained & {one.id for one in found.records}


def test_what_segments_words_stands_with_the_data(data: Path) -> None:
    entries = [
        {"document": "渡船来了。它又走了。", "summary": "渡船来了。"},
        {"document": "The ferry is old.", "summary": "Old."},
    ]
    for number, end in ((1, "|kind:jsonl"), (0, f"|words:zh={described('zh')}")):
        data.write_text(json.dumps(entries[number]) + "\n")
        assert Plan(["lead"], str(data), choose("novelty"), budgets_of(sentences=[1])).run().data.endswith(end)


def test_columns_are_named_and_their_names_stand_with_the_data(data: Path) -> None:
    data.write_text(json.dumps({"body": "The ferry is old. It runs.", "tldr": "The ferry is old."}) + "\n")
    metrics, dataset = parted(["rouge.stem=false", "dataset.text_column=body", "dataset.summary_column=tldr"])
    table = Plan(["lead"], str(data), choose("rouge", metrics), budgets_of(sentences=[1]), dataset=dataset).run()
    assert table.rows[0].cells[0].interval.mean == 1
    assert "|kind:jsonl|dataset.text_column:body|dataset.summary_column:tldr" in table.data
    with pytest.raises(PresetError, match=r"'jsonl'.*'tekst_column'"):
        Plan(["lead"], str(data), [], dataset={"tekst_column": "body"})


def test_examples_without_references_are_refused_where_a_metric_needs_them(data: Path) -> None:
    data.write_text(json.dumps({"text": "The ferry is old. It runs.", "tldr": "The ferry is old."}) + "\n")
    message = r"stories\.jsonl has a reference summary, which rouge needs\. .*--set dataset\.summary_column=NAME"
    with pytest.raises(InputError, match=message):
        run(data)
    novelty = Plan(["lead"], str(data), choose("novelty")).run()
    assert novelty.examples == 1


def test_systems_are_fitted(data: Path, tmp_path: Path) -> None:
    # Without training a natural length is an eighth of the text's 18 words, so one sentence of 6 or 8 is enough; here
    # the reference for training is as long as the text.
    training = tmp_path / "training.jsonl"
    text = "The ferry is old. Nobody knows who built the ferry. People like the ferry all the same."
    training.write_text(json.dumps({"text": text, "summary": text}) + "\n", encoding="utf-8")
    assert 6 <= run(data, "salience").rows[0].words <= 8
    assert run(data, "salience", fit=str(training)).rows[0].words >= 13  # at least the two sentences that are no scraps


def test_progress_is_told(data: Path) -> None:
    seen: list[str] = []

    def progress(records: Iterator[Record], total: int) -> Iterable[Record]:
        seen.append(f"{total} in all")
        for record in records:
            seen.append(record.id)
            yield record

    Plan(["lead"], str(data), choose("rouge"), limit=2).run(progress=progress)
    assert seen == ["2 in all", "ferry-What is the plot?", "ferry-Who built it?"]


def test_a_seed_is_part_of_what_is_kept(data: Path, tmp_path: Path) -> None:
    table = run(data, "random", seed=3, out=tmp_path / "out")
    assert "seed:3" in table.signatures["random"]
    assert "seed:3" in (tmp_path / "out" / "manifest.json").read_text()


def test_mistakes_are_told(data: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'lead'"):
        run(data, "lead", "lead")
    with pytest.raises(UnknownName, match=r"'lede'.*'lead'"):
        run(data, "lede")
    with pytest.raises(UnknownName, match="No dataset 'xml'"):
        run(data, kind="xml")
    with pytest.raises(InputError, match="no file"):
        run(tmp_path / "nowhere.jsonl")


def test_budgets_are_collected() -> None:
    assert [str(budget) for budget in budgets_of([50, 50], [2], ["1/8", "12.5%"])] == [
        "50 words",
        "2 sentences",
        "1/8 of the input",
    ]
    assert [str(budget) for budget in budgets_of()] == ["natural length"]
    with pytest.raises(BudgetError, match="0 words"):
        budgets_of([0])


def test_what_a_network_writes_is_checked_beside_rouge_and_what_is_copied_has_a_dash(
    data: Path, trained: Path, tmp_path: Path
) -> None:
    def columns(*systems: str, out: str, **options: Any) -> dict[str, Any]:
        plan = Plan(systems, str(data), choose("rouge"), budgets_of(sentences=[1]), flags=True, limit=3, **options)
        table = plan.run(str(tmp_path / out))
        return {row["system"]: row["scores"].get("unflagged") for row in table.to_json()["rows"]} | {"": str(table)}

    found = columns("lead", str(trained), out="both")
    assert found["lead"]["mean"] is None
    assert found["lead"]["examples"] == 0
    assert 0 <= found[trained.name]["mean"] <= 1
    assert "(n=0)" not in found[""]
    assert columns("lead", out="alone")["lead"] is None
    assert columns("lead", str(trained), out="alone")[trained.name] is None, "a folder keeps its columns"
    assert columns("random", out="both")["random"]["mean"] is None
