"""Liu and Lapata 2019, Text Summarization with Pretrained Encoders (BertExt): a tiny BERT reads marked sentences.

The oracle is in `tests/preparation/test_labels.py`, the layers over sentences in `tests/model/test_tagger.py`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from safetensors.torch import load_file  # noqa: E402

import nutgraf  # noqa: E402
from nutgraf.checkpoint import build  # noqa: E402
from nutgraf.conversion import convert  # noqa: E402
from nutgraf.preparation import Preparation, batch  # noqa: E402
from nutgraf.preparation.shards import read_tokenizer  # noqa: E402
from nutgraf.presets import Preset  # noqa: E402
from nutgraf.systems import read_preset as read  # noqa: E402
from nutgraf.systems import sections_of  # noqa: E402
from nutgraf.text.document import Document  # noqa: E402
from nutgraf.training.initial import initialize  # noqa: E402
from nutgraf.training.run import train  # noqa: E402
from nutgraf.training.schedules import schedules  # noqa: E402
from tiny_bert import PIECES, plain_bert, plain_states  # noqa: E402

TEXT = "The ferrys left at noon. Agnesington left. The bridge left at noon, the ferry."
IDS = (
    "[CLS] the ferry ##s left at noon . [SEP] [CLS] agnes ##ington left . [SEP] "
    "[CLS] the bridge left at noon , the ferry . [SEP]"
)
SEGMENTS = [0] * 9 + [1] * 6 + [0] * 11
LONG = 70


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A converted BERT of 64 positions; beside it, what it was made of."""
    folder = tmp_path_factory.mktemp("bert")
    plain_bert(folder / "plain")
    convert(folder / "plain", folder / "begun", sections_of)
    return folder / "begun"


def small(begun: Path, **changes: Any) -> Preset:
    return read(
        "bert_ext",
        {
            "dataset.kind": "jsonl",
            "tokenizer.vocab_size": 300,
            "truncation.kind": "head",
            "truncation.source": 64,
            "labels.num_sentences": 2,
            "model.d_model": 4,
            "model.num_heads": 2,
            "model.dropout": 0.0,
            "model.max_positions": LONG,
            "model.encoder.num_layers": 1,
            "model.encoder.ffn_dim": 6,
            "model.sentence_encoder.num_heads": 2,
            "model.sentence_encoder.ffn_dim": 6,
            "selection.num_sentences": 2,
            "training.init_from": str(begun),
            **changes,
        },
    )


@pytest.fixture(scope="module")
def network(begun: Path):
    preset = small(begun)
    tokenizer = read_tokenizer(preset.options("tokenizer"), begun / "tokenizer")
    made = build(preset, len(tokenizer))
    notices, record = initialize(preset, made, tokenizer, None)
    assert "positions" in notices[0]
    assert {name.split(".")[0] for name in record["init_from"]["new"]} == {"sentence_encoder", "score_proj"}
    return made.eval(), Preparation.of(preset, tokenizer), record


def test_sentences_are_read_between_cls_and_sep_with_interval_segments(network, begun: Path):
    """The states of our encoder are those of the BERT's own formula with token types 0, 1, 0, computed step by step."""
    made, preparation, _ = network
    source = preparation.source(Document.of(TEXT, language="en"))
    given = batch([source])
    ours = made.encoder(made.embed_source(given), given).encoder_hidden_states[0]
    theirs = load_file(begun.parent / "plain" / "model.safetensors")
    expected = plain_states(theirs, [PIECES.index(piece) for piece in IDS.split()], SEGMENTS)
    assert torch.allclose(ours, expected, atol=1e-5)


def test_positions_beyond_berts_repeat_its_last(network):
    table = network[0].source_embedding.position_embeddings
    assert table.shape == (LONG, 4)
    assert torch.equal(table[64:], table[63:64].expand(LONG - 64, 4))
    assert not torch.equal(table[62], table[63])
    assert network[2]["init_from"]["repeated_positions"] == ["source_embedding.position_embeddings"]


def test_the_published_rate_is_the_presets():
    """2e-3 · min(s^-0.5, s · 10000^-1.5)."""
    choice = read("bert_ext").config.training.schedule
    made = schedules.build(choice, 768)
    for step in (1, 500, 10_000, 50_000):
        assert made(step) == pytest.approx(2e-3 * min(step**-0.5, step * 10_000**-1.5))


def test_a_training_begins_with_a_bert_and_leaves_a_system(begun: Path, tmp_path: Path):
    lines = [json.dumps({"text": TEXT, "summary": "The bridge left at noon. Agnesington left."})] * 2
    for split in ("train", "validation"):
        (tmp_path / f"{split}.jsonl").write_text("\n".join(lines))
    changes = {
        "training.max_steps": 40,
        "training.validate_every": 40,
        "training.precision": "fp32",
        "training.schedule.kind": "constant",
        "training.schedule.learning_rate": 0.02,
    }
    train(small(begun, **changes), tmp_path, tmp_path / "out")
    system = nutgraf.load(tmp_path / "out")
    summary = system(TEXT)
    assert summary.text == "Agnesington left. The bridge left at noon, the ferry."
    assert [(one.start, one.end) for sentence in summary for one in sentence.origins] == [(25, 42), (43, 78)]
    assert system(TEXT, words=7).text == "The bridge left at noon, the ferry."
