"""`nutgraf prepare`, from the outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from nutgraf.cli.app import app
from nutgraf.cli.main import main
from nutgraf.errors import InputError

NOTICES = Path(__file__).parents[2] / "examples" / "notices.jsonl"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["prepare", *map(str, arguments)])


def test_a_table_tells_what_was_prepared(tmp_path: Path) -> None:
    result = run("kpat", NOTICES, tmp_path / "out", "--set", "dataset.kind=jsonl", "--set", "tokenizer.vocab_size=200")
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    assert result.stdout.splitlines()[1].split()[:2] == ["train", "2"]
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["configuration"]["tokenizer"] == {
        "kind": "words",
        "vocab_size": 200,
        "lower": True,
        "min_frequency": 1,
    }


def test_mistakes_are_sentences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    result = run("kpat", tmp_path / "missing", tmp_path / "out")
    assert isinstance(result.exception, InputError)
    monkeypatch.setattr("sys.argv", ["nutgraf", "prepare", "kpat", str(tmp_path / "missing"), str(tmp_path / "out")])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    assert capsys.readouterr().err.startswith("nutgraf: There is no ")


def test_limit_and_oracle(tmp_path: Path) -> None:
    result = run("kpat", NOTICES, tmp_path / "out", "--set", "dataset.kind=jsonl", "--limit", 1, "--oracle", "-q")
    assert result.stdout.splitlines()[1].split()[:2] == ["train", "1"]
    assert "The phrases are an oracle's" in result.stdout


def test_a_tokenizer_may_come_from_another_folder(tmp_path: Path) -> None:
    asked = ("--set", "dataset.kind=jsonl", "--set", "tokenizer.vocab_size=40")
    assert run("kpat", NOTICES, tmp_path / "first", *asked, "-q").exit_code == 0
    result = run("kpat", NOTICES, tmp_path / "second", *asked, "--tokenizer", tmp_path / "first")
    assert f"The tokenizer is that of {tmp_path / 'first'}; none was trained." in result.stdout
