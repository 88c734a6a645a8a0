"""Files of one's own are recognized, whatever corpus a preset names; those of a corpus stay its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from nutgraf.cli.app import app
from nutgraf.datasets import GENERIC, datasets, generic_kind
from nutgraf.errors import InputError

NOTICES = Path(__file__).parents[2] / "examples" / "notices.jsonl"
# Of a corpus's examples some are left out: too few articles, or no article at all.
LEFT_OUT = {"document": "It rained.", "documents": ["It rained."], "article": "", "text": ""}
FERRY, BAKER = "The ferry left at noon. It rained.", "The baker sold bread. A dog slept."


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)))


def write(path: Path, *entries: dict[str, Any]) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", ["multi_news", "cnn_dailymail", "gigaword", "pubmed"])
def test_json_lines_of_ones_own_are_in_no_corpus_form(kind: str) -> None:
    assert generic_kind(datasets.make(kind), NOTICES) == "jsonl"


@pytest.mark.parametrize("kind", GENERIC)
def test_generic_data_sets_read_them_themselves(kind: str) -> None:
    assert generic_kind(datasets.make(kind), NOTICES) is None


@pytest.mark.parametrize(
    ("kind", "entry"),
    [
        ("multi_news", {"document": f"{FERRY} ||||| {BAKER}", "summary": "The ferry left."}),
        ("multi_news", {"documents": [FERRY, BAKER], "summary": "The ferry left."}),
        ("cnn_dailymail", {"article": f"{FERRY} {BAKER}", "highlights": "The ferry left."}),
        (
            "gigaword",
            {"document": "the old ferry left the harbour at noon on friday .", "summary": "old ferry left port"},
        ),
        (
            "pubmed",
            {
                "article_id": "1",
                "sections": [[BAKER] * 9],
                "section_names": ["introduction"],
                "abstract_text": [f"<S> {FERRY} </S>"] * 9,
            },
        ),
        ("texts", {"text": FERRY}),
    ],
)
def test_a_corpus_in_its_own_form_stays_one(tmp_path: Path, kind: str, entry: dict[str, Any]) -> None:
    first = {key: LEFT_OUT.get(key, value) for key, value in entry.items()}
    path = write(tmp_path / "corpus" / "train.jsonl", first, entry)
    assert generic_kind(datasets.make(kind), path) is None
    assert generic_kind(datasets.make(kind), path.parent) is None


def test_a_folder_and_other_formats(tmp_path: Path) -> None:
    write(tmp_path / "mine" / "train.jsonl", {"text": FERRY, "summary": "It rained."})
    assert generic_kind(datasets.make("multi_news"), tmp_path / "mine") == "jsonl"
    table = tmp_path / "mine.csv"
    table.write_text(f"text,summary\n{FERRY},It rained.\n")
    assert generic_kind(datasets.make("multi_news"), table) == "csv"
    assert generic_kind(None, table) == "csv"
    assert generic_kind(datasets.make("multi_news"), tmp_path / "nowhere") is None


def test_prepare_reads_what_evaluate_reads(tmp_path: Path) -> None:
    plain = run("prepare", "kpat", NOTICES, tmp_path / "plain", "--workers", 1)
    named = run("prepare", "kpat", NOTICES, tmp_path / "named", "--workers", 1, "--set", "dataset.kind=jsonl")
    assert plain.exit_code == named.exit_code == 0, plain.output
    assert plain.stdout == named.stdout
    assert "multi_news" in plain.stderr
    assert named.stderr == ""
    manifests = [json.loads((tmp_path / name / "manifest.json").read_text()) for name in ("plain", "named")]
    assert manifests[0] == manifests[1]


def test_reproduce_reads_what_evaluate_reads(tmp_path: Path) -> None:
    line = ("reproduce", "kpat", "table10", "--data", NOTICES, "--out", tmp_path / "out", "--plan")
    plain, named = run(*line), run(*line, "--kind", "jsonl")
    assert plain.exit_code == named.exit_code == 0, plain.output
    assert plain.stdout == named.stdout
    assert "multi_news" in plain.stderr


def test_a_corpus_that_was_named_stays_and_says_what_it_left_out(tmp_path: Path) -> None:
    result = run("prepare", "kpat", NOTICES, tmp_path / "out", "--set", "dataset.kind=multi_news")
    assert isinstance(result.exception, InputError)
    assert str(result.exception).endswith("Examples left out: 4 × fewer than 2 articles.")
