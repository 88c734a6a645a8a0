"""Evaluations side by side: what compares, what is refused, and that nothing of a folder is changed."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nutgraf.cli.app import app
from nutgraf.errors import InputError, NutgrafError
from nutgraf.evaluation.compare import compare
from nutgraf.evaluation.metrics import choose
from nutgraf.evaluation.outputs import keys_in
from nutgraf.evaluation.plan import Plan, budgets_of
from nutgraf.evaluation.significance import Bootstrap
from nutgraf.text.summary import Budget

NOUNS = ["ferry", "harbour", "bakery", "mill", "bridge"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "stories.jsonl"
    lines = [
        {
            "id": noun,
            "text": f"The {noun} is old. Nobody knows who built the {noun}. People like it all the same.",
            "summary": f"Nobody knows who built the {noun}.",
        }
        for noun in NOUNS
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def evaluated(data: Path, system: str, out: Path, metrics: str = "rouge", **options: object) -> Path:
    plan = Plan([system], str(data), choose(metrics), budgets_of(sentences=[1]), **options)
    plan.run(str(out))
    return out


def test_two_runs_make_the_table_that_one_evaluation_makes(data: Path, tmp_path: Path) -> None:
    one, two = evaluated(data, "lead", tmp_path / "one"), evaluated(data, "random", tmp_path / "two")
    together = Plan(["lead", "random"], str(data), choose("rouge"), budgets_of(sentences=[1])).run()
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert compare([one, two]).to_json() == together.to_json()
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_the_difference_is_that_of_the_first_run(data: Path, tmp_path: Path) -> None:
    """The reference is the second sentence; the lead is the first: "the" and the noun are 2 of its 4 and 6 words."""
    mine = tmp_path / "second.toml"
    mine.write_text('extends = "lead"\n[selection]\nnum_sentences = 2\n')
    one = evaluated(data, "lead", tmp_path / "one")
    plan = Plan([str(mine)], str(data), choose("rouge"), budgets_of(sentences=[2]))
    plan.run(str(tmp_path / "two"))
    table = compare([one, tmp_path / "two"], Bootstrap(resamples=10, test_resamples=10))
    assert [(row.system, str(row.budget)) for row in table.rows] == [("lead", "1 sentence"), ("second", "2 sentences")]
    # P = 2/4, R = 2/6, F = 0.4. Only systems at the same length are compared.
    assert table.rows[0].cells[0].interval.mean == pytest.approx(0.4, abs=1e-4)
    assert table.rows[1].cells[0].difference is None


def test_a_system_of_two_runs_is_named_after_both(data: Path, tmp_path: Path) -> None:
    one, two = (evaluated(data, "random", tmp_path / str(seed), seed=seed) for seed in (1, 2))
    assert [row.system for row in compare([one, two]).rows] == [f"{one}/random", f"{two}/random"]


def test_a_renamed_file_is_the_same_and_a_changed_one_is_not(data: Path, tmp_path: Path) -> None:
    one = evaluated(data, "lead", tmp_path / "one")
    renamed = data.rename(tmp_path / "renamed.jsonl")
    two = evaluated(renamed, "random", tmp_path / "two")
    assert compare([one, two]).examples == 5
    renamed.write_text(renamed.read_text().replace("old", "new"))
    three = evaluated(renamed, "random", tmp_path / "three")
    with pytest.raises(InputError, match=r"one.*renamed\.jsonl.*sha256"):
        compare([one, three])


def test_other_metrics_and_other_examples_are_refused(data: Path, tmp_path: Path) -> None:
    one = evaluated(data, "lead", tmp_path / "one")
    with pytest.raises(InputError, match=r"ROUGE-1.*1-grams"):
        compare([one, evaluated(data, "random", tmp_path / "novelty", "novelty")])
    plan = Plan(["random"], str(data), choose("rouge", ["rouge.stem=false"]), budgets_of(sentences=[1]))
    plan.run(str(tmp_path / "unstemmed"))
    with pytest.raises(InputError, match="ROUGE-1"):
        compare([one, tmp_path / "unstemmed"])
    with pytest.raises(InputError, match=r"1 sentence.*3 examples.*--limit"):
        compare([one, evaluated(data, "random", tmp_path / "short", limit=3)])
    part = evaluated(data, "random", tmp_path / "part", part="train")
    with pytest.raises(InputError, match="'train'"):
        compare([one, part])


def test_other_ids_are_refused(data: Path, tmp_path: Path) -> None:
    one, two = evaluated(data, "lead", tmp_path / "one"), evaluated(data, "random", tmp_path / "two")
    path = two / "random.1-sentences.jsonl"
    path.write_text(path.read_text().replace('"id": "mill"', '"id": "mole"'))
    with pytest.raises(InputError, match=r"example 4.*'mole'.*'mill'"):
        compare([one, two])


def test_folders_without_a_finished_evaluation_are_refused(data: Path, tmp_path: Path) -> None:
    one = evaluated(data, "lead", tmp_path / "one")
    with pytest.raises(InputError, match="system"):
        compare([one, one])
    with pytest.raises(InputError, match="evaluation"):
        compare([one, tmp_path / "nowhere"])
    (one / "table.json").unlink()
    with pytest.raises(InputError, match="stopped"):
        compare([one])


def test_lengths_are_read_off_the_names_of_files(tmp_path: Path) -> None:
    names = [
        "mls.jsonl",
        "mls.25-words.jsonl",
        "mls.share-1-8.jsonl",
        "mls.2-sentences.jsonl",
        "mls.9-characters.jsonl",
    ]
    for name in [*names, "mls_plus.jsonl", "mls.25-wordss.jsonl", "manifest.json"]:
        (tmp_path / name).write_text("")
    found = {budget for _, budget in keys_in(tmp_path, "mls")}
    asked = [Budget(), Budget(words=25), Budget.of(share="1/8"), Budget(sentences=2), Budget(characters=9)]
    assert found == set(asked)


def test_the_command(data: Path, tmp_path: Path) -> None:
    one, two = evaluated(data, "lead", tmp_path / "one"), evaluated(data, "random", tmp_path / "two")
    shown = CliRunner().invoke(app, ["compare", str(one), str(two)])
    assert shown.exit_code == 0
    assert "difference from lead" in shown.stdout
    assert "5 examples" in shown.stderr
    found = json.loads(CliRunner().invoke(app, ["compare", str(one), str(two), "--json", "-q"]).stdout)
    assert [row["system"] for row in found["rows"]] == ["lead", "random"]


def test_variants_of_a_corpus_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "test.jsonl"
    for name, variant in (("the ferry agnes", "non-anonymized"), ("@entity3", "anonymized")):
        path.write_text(json.dumps({"article": f"{name} left . it rained .", "highlights": f"{name} left ."}) + "\n")
        table = Plan(["lead"], str(path), choose("rouge"), kind="cnn_dailymail").run()
        assert table.data.endswith(f"|kind:cnn_dailymail|variant:{variant}")


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("lead.1-sentences.jsonl", ["index"], []),
        ("lead.1-sentences.jsonl", ["index"], {}),
        ("lead.1-sentences.jsonl", ["words"], None),
        ("lead.1-sentences.jsonl", ["words"], "x"),
        ("lead.1-sentences.jsonl", ["scores"], None),
        ("lead.1-sentences.jsonl", ["scores"], {}),
        ("lead.1-sentences.jsonl", ["scores", "ROUGE-1"], True),
        ("lead.1-sentences.jsonl", ["scores", "ROUGE-1"], math.nan),
        ("manifest.json", ["settings", "data"], 3),
        ("manifest.json", ["systems", "lead"], 3),
        ("table.json", ["columns"], {}),
        ("table.json", ["columns", "ROUGE-9"], {"better": "higher", "shown_times": 1, "signature": ""}),
    ],
)
def test_a_folder_that_was_changed_is_refused(
    data: Path, tmp_path: Path, name: str, place: list[str], value: object
) -> None:
    plan = Plan(["lead", "random"], str(data), choose("rouge"), budgets_of(sentences=[1]))
    plan.run(str(tmp_path / "one"))
    path = tmp_path / "one" / name
    content, *others = path.read_text().splitlines() if name.endswith("l") else [path.read_text()]
    changed = json.loads(content)
    *above, last = place
    inner = changed
    for key in above:
        inner = inner[key]
    inner[last] = value
    path.write_text("\n".join([json.dumps(changed), *others, ""]))
    with pytest.raises(NutgrafError):
        compare([tmp_path / "one"])
