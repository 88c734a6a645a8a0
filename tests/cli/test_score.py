"""`nutgraf score`, from the outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from nutgraf.cli.score import score
from nutgraf.errors import InputError, OutputError

NOTICES = Path(__file__).parents[2] / "examples" / "notices.jsonl"

app = typer.Typer()
app.command()(score)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    ours, theirs = tmp_path / "ours.txt", tmp_path / "theirs.txt"
    ours.write_text("The ferry left at noon.\nBread was baked.\n")
    theirs.write_text("The ferry left at noon.\nNobody spoke.\n")
    return ours, theirs


def test_a_table_with_its_signature(files: tuple[Path, Path]) -> None:
    result = run("--hypotheses", files[0], "--references", files[1], "--metrics", "rouge,meteor")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[2].split()[:3] == ["ROUGE-1", "↑", "50.00"]
    assert result.stderr.startswith("nutgraf: There are only 2 examples: intervals are wide")
    assert any(line.startswith("METEOR-ES ↑") for line in lines)
    signature = next(line for line in lines if line.startswith("ROUGE-1, ROUGE-2"))
    assert "|stem:yes|" in signature
    assert "|split:sentences|references:1|examples:2|" in signature


def test_options_reach_the_metrics(files: tuple[Path, Path]) -> None:
    result = run(
        "-H", files[0], "-R", files[1], "-R", files[0], "--no-stem", "--lines", "--set", "rouge.references=best"
    )
    assert "|stem:no|refs:best|" in result.stdout
    assert "|split:lines|references:2|" in result.stdout
    assert result.stdout.splitlines()[2].split()[2] == "100.00"


def test_json_into_a_file(files: tuple[Path, Path], tmp_path: Path) -> None:
    result = run("-H", files[0], "-R", files[1], "--json", "-o", tmp_path / "scores.json")
    assert (result.exit_code, result.stdout) == (0, "")
    content = json.loads((tmp_path / "scores.json").read_text())
    assert content["scores"]["ROUGE-1"]["mean"] == 0.5
    assert [example["ROUGE-1"] for example in content["examples"]] == [1.0, 0.0]


def test_scores_replace_nothing_that_is_read(files: tuple[Path, Path]) -> None:
    for read in files:
        result = run("--hypotheses", files[0], "--references", files[1], "-o", read)
        assert isinstance(result.exception, OutputError)
        assert "is used twice" in str(result.exception)
    assert files[0].read_text().startswith("The ferry")


def test_mistakes_are_sentences(files: tuple[Path, Path], tmp_path: Path) -> None:
    files[1].write_text("One line.\n")
    assert isinstance(run("-H", files[0], "-R", files[1]).exception, InputError)
    assert isinstance(run("-H", files[0]).exception, InputError)
    assert isinstance(run("-H", files[0], "-R", files[0], "-o", tmp_path / "no" / "such").exception, OutputError)


def test_the_example_of_its_help_works() -> None:
    result = run("--hypotheses", NOTICES, "--metrics", "rouge,meteor")
    assert result.exit_code == 0
    assert "ROUGE-SU4 ↑" in result.stdout
    assert "ROUGE-SU* ↑" in result.stdout


def test_what_is_named_as_json_lines_is_read_as_such(tmp_path: Path) -> None:
    path = tmp_path / "lists.jsonl"
    path.write_text('["The ferry left at noon.", "Bread was baked."]\n')
    with pytest.raises(InputError, match=r"lists\.jsonl.*line 1"):
        app(["--hypotheses", str(path), "--references", str(path)], standalone_mode=False)
