"""A network begins with what another one learned: what matches is taken, and what came of it is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from nutgraf.checkpoint import read_tensors  # noqa: E402
from nutgraf.training.run import train  # noqa: E402
from tiny_network import NOTICES, tiny  # noqa: E402

ONCE = {
    "tokenizer.kind": "words",
    "tokenizer.vocab_size": 75,
    "model.embedding.position_embedding": "learned",
    "training.max_steps": 1,
    "training.validate_every": 0,
    "training.rouge_examples": 0,
    "training.precision": "fp32",
    "training.batch_size": 3,
    "training.batch_type": "examples",
    "training.gradient_accumulation_steps": 1,
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    lines = [json.dumps({"text": text, "summary": " ".join(summary)}) for text, summary in NOTICES]
    for split in ("train", "validation"):
        (folder / f"{split}.jsonl").write_text("\n".join(lines))
    return folder


@pytest.fixture(scope="module")
def spans(corpus: Path) -> Path:
    """A network that has learned masked spans."""
    masked = {"dataset.kind": "masked_spans", "dataset.of": {"kind": "jsonl"}}
    return learned("mass_pretraining", corpus, corpus.parent / "spans", **masked)


def learned(name: str, corpus: Path, out: Path, **changes: Any) -> Path:
    """The folder of a tiny network after a step."""
    train(tiny(name, **{**ONCE, **changes}), corpus, out)
    return out


def warm_start_of(folder: Path) -> dict[str, Any]:
    warm: dict[str, Any] = json.loads((folder / "card.json").read_text())["init_from"]
    return warm


def parts(names: list[str]) -> set[str]:
    return {".".join(name.split(".")[:2]) for name in names}


def test_from_hidden_spans_to_summaries_to_copying_to_guidance(spans: Path, corpus: Path, tmp_path: Path) -> None:
    below = spans
    for name, new in (
        ("mass", set()),
        ("mass_copy", {"head.p_copy_proj"}),
        ("sagcopy_indegree_1", {"head.centrality_weight"}),
    ):
        folder = learned(name, corpus, tmp_path / name, **{"training.init_from": str(below)})
        warm = warm_start_of(folder)
        assert parts(warm["new"]) == new
        assert warm["unused"] == warm["other_shape"] == []
        assert warm["matched"] > 40
        below = folder


def test_the_weights_are_those_of_the_trunk_before_the_first_step(spans: Path, corpus: Path, tmp_path: Path) -> None:
    still = {
        "training.schedule.kind": "constant",
        "training.schedule.learning_rate": 1e-12,
        "training.init_from": str(spans),
    }
    folder = learned("mass_copy", corpus, tmp_path / "out", **still)
    ours, theirs = (read_tensors(place / "weights.safetensors") for place in (folder, spans))
    for name, tensor in theirs.items():
        torch.testing.assert_close(ours[name], tensor, rtol=0, atol=1e-9)


def test_another_kind_of_network_takes_what_it_can(corpus: Path, tmp_path: Path) -> None:
    """ "Pre" has a norm at the end of each stack, "post" norms the embeddings: neither finds its own in the other."""
    trunk = learned("copy_transformer", corpus, tmp_path / "trunk")
    warm = warm_start_of(learned("mass", corpus, tmp_path / "out", **{"training.init_from": str(trunk)}))
    assert parts(warm["new"]) == {"source_embedding.norm", "target_embedding.norm"}
    assert {"encoder.norm", "decoder.norm", "head.p_copy_proj"} <= parts(warm["unused"])
    deeper = {"model.encoder.num_layers": 3, "model.decoder.ffn_dim": 48, "training.init_from": str(trunk)}
    warm = warm_start_of(learned("copy_transformer", corpus, tmp_path / "deeper", **deeper))
    assert all(name.startswith("encoder.layers.2.") for name in warm["new"])
    assert all("decoder" in name and "feed_forward" in name for name in warm["other_shape"])
