"""`nutgraf check`, as a person runs it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from nutgraf.cli.check import check
from nutgraf.errors import InputError, OutputError
from nutgraf.faithfulness.records import MEANING

SOURCE = "Four boats left the harbour at noon. The captain waited on the pier.\n"


@pytest.fixture(autouse=True)
def without_a_network(monkeypatch):
    """An installed network would read, too."""
    monkeypatch.setattr("nutgraf.entailment.installed.find_network", lambda name: None)


@pytest.fixture
def run() -> Any:
    app = typer.Typer()
    app.command()(check)
    return lambda *arguments: CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "harbour.txt"
    path.write_text(SOURCE)
    return path


def summary(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "summary.txt"
    path.write_text(text)
    return path


def test_each_sentence_has_its_verdict_its_flags_and_its_evidence(run, source, tmp_path):
    result = run(summary(tmp_path, "Five boats left the harbour. The captain waited."), source)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "2 sentences: 1 flagged, 1 not checked further; 17% novel bigrams; risk 0.51"
    assert lines[2] == "! 1  Five boats left the harbour."
    assert lines[3] == "     numbers, Five: No source has the number Five."
    assert lines[5] == "     novel bigrams 25%, risk 0.57"
    assert lines[7] == "- 2  The captain waited."
    shared = "100% of the weight of its content words, figures aside,"
    assert lines[8] == f"     shares {shared} with {source}: The captain waited on the pier."


@pytest.mark.parametrize(
    ("text", "bound", "status"),
    [
        ("Five boats left the harbour.", "flagged", 1),
        ("Zebras sleep upright.", "flagged", 0),
    ],
)
def test_a_pipeline_can_stop_on_a_verdict(run, source, tmp_path, text, bound, status):
    assert run(summary(tmp_path, text), source, "--fail-on", bound).exit_code == status


def test_what_only_a_checker_says_needs_one(run, source, tmp_path):
    for bound in ("contradicted", "not-told"):
        result = run(summary(tmp_path, "Four boats left."), source, "--fail-on", bound)
        assert isinstance(result.exception, InputError)
        assert "--checker" in str(result.exception)


def test_json(run, source, tmp_path):
    told = json.loads(run(summary(tmp_path, "Five boats left."), source, "--json").stdout)
    assert (told["schema"], told["verdict"], told["sources"]) == ("nutgraf.check/2", "flagged", [str(source)])
    assert told["sentences"][0]["flags"][0]["text"] == "Five"


def test_what_the_rules_lack_is_a_notice(run, source, tmp_path):
    written = summary(tmp_path, "Le bateau a quitté le port à midi avec quatre marins.")
    shown = run(written, source, "--language", "fr")
    assert "\nIn French, these are not checked: dates," in shown.stdout
    assert run(written, source, "--language", "fr", "--quiet").stderr == ""


def test_the_result_replaces_nothing_that_is_read(run, source, tmp_path):
    written = summary(tmp_path, "Four boats left.")
    assert isinstance(run(written, source, "-o", written).exception, OutputError)
    assert isinstance(run(tmp_path / "none.txt", source).exception, InputError)
    assert written.read_text() == "Four boats left."


def test_the_example_has_two_mistakes_that_the_rules_see(run):
    examples = Path(__file__).parents[2] / "examples"
    told = json.loads(run(examples / "island-summary.txt", examples / "island.txt", "--json").stdout)
    flagged = [flag["text"] for sentence in told["sentences"] for flag in sentence["flags"]]
    assert flagged == ["250", "Hamburg"]


def test_markdown_is_shown_in_order_and_only_sentences_are_judged(run, source, tmp_path):
    path = tmp_path / "summary.md"
    path.write_text("## Boats\n\n**Four** boats left the harbour.\n\nIt was so.\n\n**The end:**\n\n---\n")
    lines = run(path, source).stdout.splitlines()
    assert lines[0].startswith("2 sentences: 0 flagged, 2 not checked further; 2 headings or labels not judged")
    assert [line for line in lines[1:] if line[:1] in "#-!" and line] == [
        "#    Boats",
        "- 1  **Four** boats left the harbour.",
        "- 2  It was so.",
        "#    The end:",
    ]
    assert MEANING in lines
    assert "     No sentence of the sources shares enough of its words." in lines
    told = json.loads(run(path, source, "--json").stdout)
    found = [*told["unjudged"], *told["sentences"]]
    assert [(one["start"], one["end"]) for one in found] == [(3, 8), (58, 66), (10, 42), (44, 54)]


def test_an_empty_file_has_nothing_to_read(run, source, tmp_path):
    assert "is empty; there is nothing to read." in str(run(summary(tmp_path, ""), source).exception)
