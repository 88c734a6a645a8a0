"""A network writes candidates for the notices, a re-ranker learns their order, and the network chooses by it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

import nutgraf
from nutgraf.datasets import datasets
from nutgraf.errors import InputError, OutputError, PresetError
from nutgraf.evaluation.candidates import write_candidates
from nutgraf.systems import System
from nutgraf.systems import read_preset as read
from nutgraf.training.run import train
from tiny_network import NOTICES

BEAMS = {"decoding.beam_size": 4, "decoding.diversity.num_beam_groups": 2, "decoding.max_length": 20}
SMALL: dict[str, Any] = {
    "tokenizer.kind": "words",
    "tokenizer.vocab_size": 75,
    "tokenizer.min_frequency": 1,
    "truncation.kind": "head",
    "truncation.source": 60,
    "model.d_model": 16,
    "model.num_heads": 2,
    "model.dropout": 0.0,
    "model.max_positions": 80,
    "model.encoder.num_layers": 1,
    "model.encoder.ffn_dim": 16,
    "training.max_steps": 2,
    "training.batch_size": 3,
    "training.validate_every": 1,
    "training.threads": 1,
    "training.precision": "fp32",
    "training.schedule.kind": "constant",
    "training.schedule.learning_rate": 0.02,
}


def writer(trained: Path, **options: Any) -> System:
    return nutgraf.load(trained, {**BEAMS, **options}, threads=1, deterministic=True)


@pytest.fixture(scope="module")
def candidates(trained: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    corpus = tmp_path_factory.mktemp("notices")
    lines = [json.dumps({"text": text, "summary": " ".join(summary), "no": 7}) for text, summary in NOTICES]
    for split in ("train", "validation"):
        (corpus / f"{split}.jsonl").write_text("\n".join(lines))
    made = write_candidates(writer(trained), datasets.make("jsonl"), corpus, corpus.parent / "candidates")
    assert made == {"train": 3, "validation": 3}
    return corpus.parent / "candidates"


@pytest.fixture(scope="module")
def reranker(candidates: Path) -> Path:
    train(read("reranker_small", SMALL), candidates, candidates.parent / "reranker")
    return candidates.parent / "reranker"


def test_every_example_has_its_candidates(candidates: Path, trained: Path) -> None:
    rows = [json.loads(line) for line in (candidates / "train.jsonl").read_text().splitlines()]
    assert [row["text"] for row in rows] == [text for text, _ in NOTICES]
    assert rows[1]["no"] == 7
    for row in rows:
        assert 1 < len(row["candidates"]) == len(set(row["candidates"])) <= 4
    assert rows[0]["candidates"][0] == str(writer(trained)(NOTICES[0][0]))


def test_what_was_interrupted_goes_on_and_is_the_same(candidates: Path, trained: Path) -> None:
    path = candidates / "train.jsonl"
    whole, corpus = path.read_bytes(), next(candidates.parent.glob("notices*"))
    path.write_bytes(whole[: len(whole) // 2])
    write_candidates(writer(trained), datasets.make("jsonl"), corpus, candidates)
    assert path.read_bytes() == whole
    with pytest.raises(OutputError, match="system"):
        write_candidates(writer(trained, seed=3), datasets.make("jsonl"), corpus, candidates)


def test_a_system_with_one_summary_has_no_candidates(candidates: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'lead'"):
        write_candidates(nutgraf.load("lead"), datasets.make("jsonl"), candidates, tmp_path / "out")


def test_the_card_says_how_well_it_orders(reranker: Path) -> None:
    card = json.loads((reranker / "card.json").read_text())
    assert 0 <= card["scores"]["order"] <= 1


def test_the_hypothesis_with_the_highest_score_becomes_the_summary(reranker: Path, trained: Path, candidates) -> None:
    """The re-ranker is looked for where it is named; twice is the same."""
    system = writer(trained, **{"decoding.rerank.model": str(reranker)})
    for (text, _), line in zip(NOTICES, (candidates / "train.jsonl").read_text().splitlines(), strict=True):
        made = system(text)
        offered = json.loads(line)["candidates"]
        scores = system._reranker.scores(made.document, [[one] for one in offered])
        assert str(made) in offered
        assert max(scores) <= 1
        assert str(system(text)) == str(made)
    assert f"|reranker:{system._reranker.digest}|" in system.signature


def test_a_folder_that_is_missing_or_holds_something_else_is_named(trained: Path) -> None:
    with pytest.raises(InputError, match="nowhere"):
        writer(trained, **{"decoding.rerank.model": "nowhere"})
    with pytest.raises(InputError, match="re-ranker"):
        writer(trained, **{"decoding.rerank.model": str(trained)})
    with pytest.raises(PresetError, match="re-ranker"):
        nutgraf.load(trained, {"decoding.rerank": {"model": "none"}})
    with pytest.raises(PresetError, match="exclude"):
        writer(trained, **{"decoding.rerank.model": "x", "decoding.mbr.weights": "uniform"})


def test_a_reranker_writes_nothing_and_says_so(reranker: Path) -> None:
    with pytest.raises(PresetError, match="writes none"):
        nutgraf.load(reranker)


def test_a_corpus_without_candidates_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "train.jsonl"
    path.write_text("\n".join(json.dumps({"text": text, "summary": " ".join(said)}) for text, said in NOTICES))
    with pytest.raises(InputError, match=r"MODEL.*CORPUS.*OUT"):
        train(read("reranker_small", SMALL), tmp_path, tmp_path / "out")
