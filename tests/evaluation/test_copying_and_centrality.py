"""Distance of copying from centrality: `nutgraf evaluate --centrality`."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

torch = pytest.importorskip("torch")

from nutgraf.checkpoint import load  # noqa: E402
from nutgraf.cli.evaluate import evaluate  # noqa: E402
from nutgraf.errors import OutputError, PresetError, UnknownName  # noqa: E402
from nutgraf.evaluation.centrality import Point, draw  # noqa: E402
from nutgraf.preparation import Preparation, batch  # noqa: E402
from nutgraf.preparation.shards import TOKENIZER  # noqa: E402
from nutgraf.systems import sections_of  # noqa: E402
from nutgraf.text.document import Document  # noqa: E402
from nutgraf.text.summary import Budget  # noqa: E402
from nutgraf.training.objectives import objectives  # noqa: E402
from tiny_network import NOTICES, tiny, train  # noqa: E402

app = typer.Typer()
app.command()(evaluate)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def guided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(tmp_path_factory.mktemp("guided"), tiny("sagcopy_indegree_2"), steps=30)[0]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "notices.jsonl"
    lines = [json.dumps({"id": text[:9], "text": text, "summary_sents": summary}) for text, summary in NOTICES]
    path.write_text("\n".join(lines))
    return path


def test_a_table_and_a_picture_beside_the_summaries(guided: Path, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    asked = [guided, "lead", "--data", data, "--out", out, "--centrality", "indegree-2,outdegree"]
    result = run(*asked)
    assert result.exit_code == 0, result.exception
    assert "centrality.csv, centrality.png" in result.stderr
    assert "centrality" in result.stderr.replace("\n", " ")
    assert (out / "centrality.png").read_bytes()[:4] == b"\x89PNG"
    rows = list(csv.DictReader((out / "centrality.csv").read_text().splitlines()))
    assert [(row["id"], row["centrality"]) for row in rows] == [
        (text[:9], name) for name in ("indegree-2", "outdegree") for text, _ in NOTICES
    ]
    assert {row["system"] for row in rows} == {guided.name}
    assert {row["budget"] for row in rows} == {"natural length"}
    kept = [json.loads(line) for line in (out / f"{guided.name}.jsonl").read_text().splitlines()]
    assert [float(row["ROUGE-1"]) for row in rows[:3]] == pytest.approx([one["scores"]["ROUGE-1"] for one in kept])
    table = (out / "centrality.csv").read_bytes()
    assert run(*asked).exit_code == 0
    assert (out / "centrality.csv").read_bytes() == table


def test_the_divergence_is_the_one_that_training_lowers(guided: Path, data: Path, tmp_path: Path) -> None:
    run(guided, "--data", data, "--out", tmp_path / "out", "--centrality", "indegree-2")
    rows = list(csv.DictReader((tmp_path / "out" / "centrality.csv").read_text().splitlines()))
    kept = [json.loads(line) for line in (tmp_path / "out" / f"{guided.name}.jsonl").read_text().splitlines()]
    trained = load(guided, sections_of)
    preparation = Preparation.of(trained.preset, trained.tokenizer, guided / TOKENIZER)
    for row, one, (text, _) in zip(rows, kept, NOTICES, strict=True):
        source = preparation.source(Document.of(text))
        given = batch([source], [preparation.target(one["summary"], source)])
        with torch.inference_mode():
            trace = trained.network(given)
        for column, direction in (
            ("kl_copying_centrality", "copying_centrality"),
            ("kl_centrality_copying", "centrality_copying"),
        ):
            loss = objectives.make("guidance", direction=direction)(None, given, trace).item()
            assert float(row[column]) == pytest.approx(loss, rel=1e-3, abs=1e-5)
        assert float(row["copying"]) == pytest.approx(trace.p_copy.mean().item(), rel=1e-3)


def test_networks_that_were_not_guided_are_compared_too(data: Path, tmp_path: Path) -> None:
    unguided = train(tmp_path / "copying", tiny("mass_copy"), steps=5)[0]
    assert run(unguided, "--data", data, "--out", tmp_path / "out", "--centrality", "outdegree").exit_code == 0
    assert len((tmp_path / "out" / "centrality.csv").read_text().splitlines()) <= 4


def test_mistakes_are_told_before_the_work(guided: Path, trained: Path, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    for asked, expected in (
        ([guided, "--data", data, "--centrality", "outdegree"], OutputError),
        ([guided, "--data", data, "--out", out, "--centrality", "indegree"], UnknownName),
        (["lead", "--data", data, "--out", out, "--centrality", "outdegree"], PresetError),
        ([trained, "--data", data, "--out", out, "--centrality", "outdegree"], PresetError),
    ):
        assert isinstance(run(*asked).exception, expected)
    assert not out.exists()


def test_a_picture_of_many_and_of_none(tmp_path: Path) -> None:
    points = [
        Point(system, Budget(), str(number), "outdegree", number / 7, number / 5, 0.5, {"ROUGE-1": 1 / (1 + number)})
        for system in ("one", "other")
        for number in range(101)
    ]
    assert draw(points, tmp_path / "many.png")
    assert (tmp_path / "many.png").stat().st_size > 10_000
    assert not draw([], tmp_path / "none.png")
