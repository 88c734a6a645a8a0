"""`nutgraf evaluate`, from the outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from nutgraf.cli.evaluate import evaluate
from nutgraf.errors import UnknownName

NOTICES = Path(__file__).parents[2] / "examples" / "notices.jsonl"

app = typer.Typer()
app.command()(evaluate)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "test.jsonl"
    text = "The {0} is old. Nobody knows who built the {0}. People like the {0} all the same."
    path.write_text(
        "".join(
            json.dumps({"id": noun, "text": text.format(noun), "summary": f"The {noun} is old."}) + "\n"
            for noun in ("bridge", "tower", "mill")
        )
    )
    return path


def test_a_table_and_a_folder(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ["lead", "random", "--data", data, "--sentences", 1, "--share", "3/4", "--out", out]
    result = run(*arguments)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[2].split()[:7] == ["lead", "1", "sentence", "4.0", "100.00", "[100.00,", "100.00]"]
    assert [line.split()[0] for line in lines[2:6]] == ["lead", "random", "lead", "random"]
    assert f"{out}" in result.stderr
    assert sorted(path.name for path in out.iterdir()) == [
        "lead.1-sentences.jsonl",
        "lead.share-3-4.jsonl",
        "manifest.json",
        "random.1-sentences.jsonl",
        "random.share-3-4.jsonl",
        "table.json",
    ]
    assert run(*arguments).stdout == result.stdout


def test_json_and_nothing_else(data: Path) -> None:
    result = run("lead", "--data", data, "--limit", 2, "--json", "--quiet")
    content = json.loads(result.stdout)
    assert (content["examples"], result.stderr) == (2, "")
    assert content["rows"][0]["budget"] == "natural length"


def test_a_system_that_is_not_there(data: Path) -> None:
    assert isinstance(run("lede", "--data", data).exception, UnknownName)


def test_the_example_of_its_help_works() -> None:
    result = run("lead", "mls_plus", "--data", NOTICES, "--words", 25)
    assert result.exit_code == 0
    assert "ROUGE-SU4 ↑" in result.stdout
    assert "ROUGE-SU* ↑" in result.stdout


def test_a_trained_folder_is_a_system_among_others(trained: Path, tmp_path: Path) -> None:
    from tiny_network import NOTICES

    data = tmp_path / "notices.jsonl"
    lines = [json.dumps({"id": text[:9], "text": text, "summary_sents": summary}) for text, summary in NOTICES * 4]
    data.write_text("\n".join(lines))
    out = tmp_path / "out"
    arguments = ["lead", trained, "--data", data, "--metrics", "rouge,copying", "--out", out]
    result = run(*arguments)
    assert result.exit_code == 0, result.stderr
    network = next(line.split() for line in result.stdout.splitlines() if line.startswith("trained "))
    assert network[4:6] == ["100.00", "[100.00,"]
    assert "trained = kpat|options:" in result.stdout
    assert "|weights:" in result.stdout
    kept = [json.loads(line) for line in (out / "trained.jsonl").read_text().splitlines()]
    assert [one["index"] for one in kept] == list(range(12))
    assert all(one["scores"]["copied right"] > one["scores"]["source right"] for one in kept)
    (out / "trained.jsonl").write_text("".join(json.dumps(one) + "\n" for one in kept[:5]))
    assert run(*arguments).stdout == result.stdout


def test_an_oracle_marks_the_table(trained: Path, data: Path) -> None:
    result = run("lead", trained, "--data", data, "--oracle")
    assert "ORACLE: highlighted phrases were taken from the references" in result.stdout
    assert "oracle:True" in result.stdout
    assert json.loads(run("lead", "--data", data, "--oracle", "--json").stdout)["oracle"] is True
    assert "ORACLE" not in run("lead", "--data", data).stdout
