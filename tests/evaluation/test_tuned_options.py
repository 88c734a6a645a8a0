"""Options that are found on examples and kept in a model folder: a tagger's number of sentences, ABS+'s weights."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

torch = pytest.importorskip("torch")

import nutgraf  # noqa: E402
from nutgraf.cli.app import app  # noqa: E402
from nutgraf.datasets import Record  # noqa: E402
from nutgraf.errors import InputError, OutputError  # noqa: E402
from nutgraf.evaluation.tuned_options import tune_options, tuning_of  # noqa: E402
from nutgraf.model_folder import read_card  # noqa: E402
from nutgraf.systems import read_preset as read  # noqa: E402
from nutgraf.text.document import Document  # noqa: E402
from nutgraf.training.run import train  # noqa: E402
from tiny_network import NOTICES  # noqa: E402

TINY: dict[str, Any] = {
    "dataset.kind": "jsonl",
    "tokenizer.kind": "words",
    "tokenizer.vocab_size": 75,
    "tokenizer.min_frequency": 1,
    "truncation.kind": "head",
    "truncation.source": 60,
    "model.d_model": 16,
    "training.max_steps": 2,
    "training.batch_size": 3,
    "training.batch_type": "examples",
    "training.gradient_accumulation_steps": 1,
    "training.validate_every": 2,
    "training.precision": "fp32",
    "training.device": "cpu",
}

STORY = "The ferry left at noon. Rain fell on the bridge. A goose stood on the quay. Nobody bought a ticket."


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    lines = [json.dumps({"text": text, "summary": " ".join(summary)}) for text, summary in NOTICES]
    for split in ("train", "validation"):
        (folder / f"{split}.jsonl").write_text("\n".join(lines))
    return folder


@pytest.fixture
def tagger(corpus: Path, tmp_path: Path) -> Path:
    changes = {**TINY, "model.encoder.hidden_size": 16, "model.encoder.num_layers": 1}
    train(read("bottom_up_selector_small", changes), corpus, tmp_path / "tagger")
    return tmp_path / "tagger"


def record(*sentences: str) -> Record:
    """The story, with some of its sentences as its summary."""
    return Record("1", Document.of(STORY), (sentences,))


def test_the_number_of_sentences_by_hand(tagger: Path) -> None:
    """Where a summary is the whole text, ROUGE rises with each of its four sentences, and not beyond."""
    assert read(tagger / "preset.toml").section("selection")["num_sentences"] == 3
    found = tune_options(nutgraf.load(tagger), [record(*STORY.split(". "))])
    assert found.options == {"selection.num_sentences": 4}
    assert found.after == 100
    assert found.before < 100
    assert len(nutgraf.load(tagger)(STORY).sentences) == 4
    assert len(nutgraf.load(tagger, ["selection.num_sentences=2"])(STORY).sentences) == 2
    assert tuning_of(tagger) == found
    assert "selection.num_sentences" in str(found)


def test_another_corpus_has_a_number_of_its_own(tagger: Path) -> None:
    """Where the summary is the sentence that is rated highest, one sentence is best."""
    (first,) = nutgraf.load(tagger)(STORY, sentences=1).said
    assert tune_options(nutgraf.load(tagger), [record(first)]).options == {"selection.num_sentences": 1}


def test_what_was_found_for_other_weights_does_not_count(tagger: Path) -> None:
    tune_options(nutgraf.load(tagger), [record("Rain fell on the bridge.")])
    card = json.loads((tagger / "card.json").read_text())
    card["tuning"]["weights"] = {"from": "average", "step": 7}
    (tagger / "card.json").write_text(json.dumps(card))
    assert tuning_of(tagger) is None


def test_nutgraf_tune_keeps_the_number_in_the_folder(tagger: Path, tmp_path: Path) -> None:
    data = tmp_path / "stories.jsonl"
    data.write_text(json.dumps({"text": STORY, "summary": STORY}) + "\n")
    before = sorted(path.name for path in tagger.iterdir())
    made = CliRunner().invoke(app, ["tune", str(tagger), "--data", str(data)])
    assert made.exit_code == 0, made.output
    assert "selection.num_sentences = 4" in made.stderr
    assert str(tagger / "preset.toml") in made.stderr
    assert sorted(path.name for path in tagger.iterdir()) == before
    told = CliRunner().invoke(app, ["info", str(tagger)])
    assert "selection.num_sentences = 4" in told.stdout
    refused = CliRunner().invoke(app, ["tune", str(tagger), "--data", str(data), "-o", "x.json"]).exception
    assert isinstance(refused, OutputError)
    assert "leave -o out" in str(refused)


def test_nutgraf_tune_finds_the_weights_of_abs_plus(corpus: Path, tmp_path: Path) -> None:
    """A network that has learned hardly anything is better when it takes words of the source, as the summaries do."""
    features = ("unigram", "bigram", "trigram", "reordered")
    changes = {
        **TINY,
        "training.max_epochs": "none",
        "truncation.target": 8,
        "decoding.beam_size": 20,
        "decoding.min_length": 5,
        "decoding.max_length": 8,
        **{f"decoding.processors.extractive_tuning.{name}": 0 for name in features},
    }
    train(read("abs_plus_small", changes), corpus, tmp_path / "abs")
    made = CliRunner().invoke(app, ["tune", str(tmp_path / "abs"), "--data", str(corpus / "validation.jsonl")])
    assert made.exit_code == 0, made.output
    found = tuning_of(tmp_path / "abs")
    assert found is not None
    assert found.after > found.before
    assert found.examples == len(NOTICES)
    weights = read(tmp_path / "abs" / "preset.toml").section("decoding.processors.extractive_tuning")
    assert {f"decoding.processors.extractive_tuning.{name}": weights[name] for name in features} == found.options
    assert weights["unigram"] != 0
    assert "decoding.processors.extractive_tuning.unigram = " in made.stderr
    assert read_card(tmp_path / "abs")["tuning"]["examples"] == len(NOTICES)


def test_mistakes_get_a_sentence(tagger: Path) -> None:
    before = (tagger / "preset.toml").read_text()
    with pytest.raises(InputError, match="reference"):
        tune_options(nutgraf.load(tagger), [Record("1", Document.of(STORY), ())])
    with pytest.raises(InputError, match="'lead'"):
        tune_options(nutgraf.load("lead"), [record("Rain fell.")])
    assert (tagger / "preset.toml").read_text() == before
