"""Steering of a pretrained model is tuned, and becomes a preset."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("torch")
pytest.importorskip("transformers")

import nutgraf
import tiny_pretrained
from nutgraf.cli.app import app
from nutgraf.errors import InputError
from nutgraf.evaluation import highlighting
from nutgraf.evaluation.highlighting import Trial
from nutgraf.systems import read_preset as read
from tiny_pretrained import ISLAND, SAID


def run(*arguments: object) -> object:
    return CliRunner().invoke(app, ["tune", *map(str, arguments)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_pretrained.bart(tmp_path_factory.mktemp("tuned") / "bart")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "island.jsonl"
    path.write_text(json.dumps({"text": ISLAND, "summary": SAID}) + "\n")
    return path


def test_the_best_setting_becomes_a_preset(folder, data, tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(highlighting, "GRID", {"column": (0.0, 50.0), "contrast": (1.0,)})
    output = tmp_path / "tuned.toml"
    result = run(f"hf:{folder}", "--data", data, "-o", output, "--loss", 100)
    assert result.exit_code == 0, result.exception  # type: ignore[attr-defined]
    assert "steering" in result.stderr  # type: ignore[attr-defined]
    head = output.read_text().splitlines()
    assert head[0].startswith("# Steering tuned on 1 examples of island.jsonl, among ")
    table = read(output).table
    assert table["pretrained"]["folder"] == str(folder)
    assert table["highlights"]["form"] in ("column", "contrast")
    assert nutgraf.load(output)(ISLAND, highlights=["seals"]).effect is not None


def test_the_bound_comes_first_then_coverage_then_rouge() -> None:
    trials = [Trial({"a": 1}, 0.9, 0.30), Trial({"a": 2}, 0.5, 0.40), Trial({"a": 3}, 0.5, 0.42)]
    assert highlighting._best(trials, 0.25) is trials[0]
    assert highlighting._best(trials, 0.35) is trials[2]
    assert highlighting._best(trials, 0.50) is None


def test_parts_of_layers_and_heads() -> None:
    assert list(highlighting._parts(5, 2)) == [[0, 1], [2, 3, 4]]
    assert list(highlighting._parts(2, 4)) == [[0], [1]]
    assert list(highlighting._parts(1, 2)) == []


def test_what_cannot_be(folder, data, tmp_path) -> None:  # type: ignore[no-untyped-def]
    output = tmp_path / "tuned.toml"
    (tmp_path / "empty.jsonl").write_text(json.dumps({"text": ISLAND, "summary": ""}) + "\n")
    for arguments, told in (
        ([f"hf:{folder}", "--data", tmp_path / "empty.jsonl"], "no example"),
        ([f"hf:{folder}", "--data", data, "--step", 0.5], "are for two-stage systems"),
        (["mls_plus", "--data", data, "--loss", 2], "--loss is for models of transformers"),
    ):
        mistake = run(*arguments, "-o", output).exception  # type: ignore[attr-defined]
        assert isinstance(mistake, InputError)
        assert told in str(mistake)
