"""A tagger as a system: trained on a few notices, it selects sentences within a length, and says where they stand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import nutgraf  # noqa: E402
from nutgraf.errors import BudgetError, InputError, PresetError  # noqa: E402
from nutgraf.prose.dependence import leanings  # noqa: E402
from nutgraf.systems import System  # noqa: E402
from nutgraf.systems import read_preset as read  # noqa: E402
from nutgraf.text.document import Document  # noqa: E402
from nutgraf.training.run import train  # noqa: E402
from tiny_network import NOTICES  # noqa: E402

SMALL: dict[str, Any] = {
    "dataset.kind": "jsonl",
    "tokenizer.kind": "words",
    "tokenizer.vocab_size": 75,
    "tokenizer.min_frequency": 1,
    "truncation.kind": "head",
    "truncation.source": 60,
    "model.d_model": 16,
    "model.num_heads": 2,
    "model.dropout": 0.0,
    "model.max_positions": 64,
    "training.max_steps": 40,
    "training.max_epochs": "none",
    "training.batch_size": 3,
    "training.batch_type": "examples",
    "training.gradient_accumulation_steps": 1,
    "training.validate_every": 20,
    "training.precision": "fp32",
    "training.optimizer.kind": "adam",
    "training.schedule.kind": "constant",
    "training.schedule.learning_rate": 0.02,
}
RECURRENT = {"model.encoder.hidden_size": 16, "model.encoder.num_layers": 1}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    lines = [json.dumps({"text": text, "summary": " ".join(summary)}) for text, summary in NOTICES]
    for split in ("train", "validation"):
        (folder / f"{split}.jsonl").write_text("\n".join(lines))
    return folder


@pytest.fixture(scope="module")
def selector(corpus: Path) -> Path:
    """A tagger of tokens that knows the notices by heart."""
    train(read("bottom_up_selector", {**SMALL, **RECURRENT}), corpus, corpus.parent / "selector")
    return corpus.parent / "selector"


@pytest.fixture(scope="module")
def system(selector: Path) -> System:
    return nutgraf.load(selector)


def test_it_learns_which_tokens_the_summaries_have(selector: Path) -> None:
    card = json.loads((selector / "card.json").read_text())
    assert card["scores"]["f1"] > 0.9
    assert card["scores"]["loss"] < 0.3


def test_a_summary_has_sentences_as_they_stand_with_their_places(system: System) -> None:
    text = NOTICES[0][0]
    summary = system(text, sentences=2)
    assert len(summary.sentences) == 2
    for sentence in summary.sentences:
        (origin,) = sentence.origins
        assert text[origin.start : origin.end] == sentence.text
        assert sentence.operation == "copied"
    assert len(summary.ratings) == 4
    assert all(0 < rating < 1 for rating in summary.ratings)
    assert "|weights:" in summary.signature
    assert summary.text == system(text, sentences=2).text


def test_the_best_rated_are_taken_and_a_sentence_has_the_mean_of_its_tokens(system: System) -> None:
    document = Document.of(NOTICES[2][0], language="en")
    summary = system(document, sentences=1)
    alone = [index for index, one in enumerate(leanings(document)) if one is None or not one.leans]
    best = max(alone, key=lambda index: summary.ratings[index])
    assert summary.text == document.printed[best]
    source = system._preparation.source(document)
    tagged = system._trained.network.probabilities(nutgraf.preparation.batch([source]))[0].tolist()
    start, end = document.sentences[best].start, document.sentences[best].end
    inside = [
        one for one, span in zip(tagged, source.spans.tolist(), strict=True) if start <= span[0] and span[1] <= end
    ]
    assert summary.ratings[best] == pytest.approx(sum(inside) / len(inside), abs=1e-6)


@pytest.mark.parametrize("words", [8, 13, 30])
def test_a_budget_holds(system: System, words: int) -> None:
    summary = system(NOTICES[0][0], words=words)
    assert 0 < summary.words <= words


def test_where_nothing_fits_that_is_said(system: System) -> None:
    with pytest.raises(BudgetError, match="2 words"):
        system(NOTICES[0][0], words=2)


def test_what_it_does_not_read_it_does_not_take_and_says_so(system: System) -> None:
    long = " ".join(text for text, _ in NOTICES)
    summary = system(long, words=200)
    assert any("network read" in notice and "selects" in notice for notice in summary.notices)
    assert summary.words < len(long.split())


def test_a_highlight_is_heard(system: System) -> None:
    assert "piano" in system(NOTICES[0][0], words=10, highlights=["piano"]).text


def test_a_tagger_of_sentences_is_trained_and_used_likewise(corpus: Path, tmp_path: Path) -> None:
    changes = {
        **SMALL,
        "labels.unit": "sentences",
        "model.interval_segments": True,
        "model.embedding.position_embedding": "sinusoidal",
        "model.encoder.kind": "transformer",
        "model.encoder.num_layers": 1,
        "model.encoder.ffn_dim": 32,
        "model.sentence_encoder.kind": "inter_sentence",
        "model.sentence_encoder.ffn_dim": 32,
        "training.schedule.learning_rate": 0.01,
    }
    train(read("bottom_up_selector", changes), corpus, tmp_path / "out")
    assert json.loads((tmp_path / "out" / "card.json").read_text())["scores"]["f1"] > 0.9
    system = nutgraf.load(tmp_path / "out")
    assert system(NOTICES[1][0], sentences=2).text == (
        "The swing bridge of Ossington is closed until May. Walkers can cross by a small boat, which leaves every hour."
    )


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"training.rouge_examples": 3}, "tagger"),
        ({"training.scheduled_sampling": 0.5}, "tagger"),
        ({"model.interval_segments": True}, "sentences"),
        ({"labels.unit": "words"}, "'tokens' or 'sentences'"),
        ({"decoding.beam_size": 2}, "'tagger'"),
        ({"model.sentence_encoder.kind": "inter_sentence", "labels.unit": "sentences",
          "model.sentence_encoder.norm": "post"}, r"sentence_encoder\.norm = 'post' .*'pre'"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(PresetError, match=said):
        read("bottom_up_selector", changes).config  # noqa: B018


def test_it_writes_nothing_that_precisions_could_be_compared_by(selector: Path) -> None:
    from nutgraf.evaluation.precision import gate

    with pytest.raises(InputError, match="selects"):
        gate(selector, f"{selector}.data")


def test_labels_cannot_be_changed_after_training(selector: Path) -> None:
    with pytest.raises(PresetError, match="trained"):
        nutgraf.load(selector, {"labels.unit": "sentences"})
