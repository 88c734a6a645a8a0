"""A BERT and a span classifier as graphs: they compute what the plain formulas say, and what torch computes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

import torch
from safetensors.torch import load_file
from typer.testing import CliRunner

import tiny_bert
from nutgraf.checkpoint import build, create_folder, weights, write_tensors
from nutgraf.cli.app import app
from nutgraf.errors import InputError, UnknownName
from nutgraf.export import _graph
from nutgraf.export.networks import write_network
from nutgraf.inference import Reading, open_network
from nutgraf.model_folder import WEIGHTS
from nutgraf.presets import Preset
from nutgraf.systems import preset_of, sections_of
from nutgraf.tokenizers import tokenizers

SMALL = {
    "model.d_model": 24,
    "model.num_heads": 2,
    "model.item_size": 16,
    "model.encoder.num_layers": 3,
    "model.encoder.ffn_dim": 40,
    "tokenizer.vocab_size": 300,
}

LAYERS = {"model.layers.kind": "transformer", "model.layers.num_layers": 2, "model.layers.ffn_dim": 30}


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT as another library keeps it."""
    folder = tmp_path_factory.mktemp("bert") / "bert"
    tiny_bert.plain_bert(folder)
    return folder


@pytest.fixture(scope="module")
def begun(bert: Path) -> Path:
    """The same, converted."""
    folder = bert.with_name("begun")
    assert CliRunner().invoke(app, ["convert", str(bert), str(folder)]).exit_code == 0
    return folder


def trained(folder: Path, options: dict[str, Any]) -> tuple[Path, Any]:
    """A span classifier with random weights, and its folder."""
    preset: Preset = preset_of("checker", {**SMALL, **options})
    tokenizer = tokenizers.build(preset.options("tokenizer"))
    tokenizer.train(
        ["The ferry left the harbour at noon, and it came back at dusk. " * 3, "Nobody was on board in 1998."]
    )
    network = build(preset, len(tokenizer)).eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(
                0.2 * torch.randn(parameter.shape, generator=torch.Generator().manual_seed(parameter.numel()))
            )
    folder.with_name("words").mkdir()
    tokenizer.save(folder.with_name("words"))
    create_folder(folder, preset, folder.with_name("words"), {"preset": "checker"})
    write_tensors(folder / WEIGHTS, weights(network))
    return folder, network


def test_the_states_of_a_bert_are_those_of_its_formula(bert: Path, begun: Path, tmp_path: Path) -> None:
    write_network(begun, tmp_path / "out", sections_of, "float32")
    network = open_network(tmp_path / "out")
    words = network.words
    row = words.row(words.encode("the ferrys left").ids, words.encode("at noon.").ids)
    tensors = load_file(bert / "model.safetensors")
    ids = [tiny_bert.PIECES.index(piece) for piece in "[CLS] the ferry ##s left [SEP] at noon . [SEP]".split()]
    near = torch.from_numpy(words.vectors(np.array(row)))
    exact = tensors["embeddings.word_embeddings.weight"][ids]
    assert (near - exact).abs().max() <= exact.abs().max() / 127 / 2 + 1e-6
    tensors["embeddings.word_embeddings.weight"][ids] = near  # the graph gets what is kept in 8 bits
    wanted = tiny_bert.plain_states(tensors, ids, [0] * 6 + [1] * 4).numpy()
    each = network.vectors(Reading([row], [[[(0, place, place + 1)]] for place in range(len(row))]))
    assert each == pytest.approx(wanted, abs=1e-4)
    some = network.vectors(Reading([row], [[[(0, 3, 5)]]]))
    assert some[0] == pytest.approx(wanted[3:5].mean(0), abs=1e-4)


@pytest.mark.parametrize(
    "options", [{}, LAYERS, {**LAYERS, "model.layers.norm": "post"}, {"model.encoder.activation": "relu"}], ids=str
)
def test_a_span_classifier_computes_what_torch_computes(options: dict[str, Any], tmp_path: Path) -> None:
    folder, _ = trained(tmp_path / "trained", options)
    found = write_network(folder, tmp_path / "out", sections_of, "float32")
    assert found.task == "pairs"
    assert found.cosine > 0.999
    assert found.difference < 0.05
    card = open_network(tmp_path / "out").card
    assert (card.spans, card.classes, card.layers) == (2, ("entailment", "neutral", "contradiction"), 3)


def test_eight_bits_stay_near(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_graph, "FEW", 0)
    folder, _ = trained(tmp_path / "trained", LAYERS)
    found = write_network(folder, tmp_path / "out", sections_of)
    assert found.quantization == "int8"
    assert found.cosine > 0.98
    again = write_network(folder, tmp_path / "again", sections_of)
    assert again == found
    files = [json.loads((tmp_path / name / "card.json").read_text())["files"] for name in ("out", "again")]
    assert files[0] == files[1]


def test_sixteen_bits_take_half_the_room_and_compute_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_graph, "FEW", 0)
    folder, _ = trained(tmp_path / "trained", LAYERS)
    full = write_network(folder, tmp_path / "full", sections_of, "float32")
    half = write_network(folder, tmp_path / "half", sections_of, "float16")
    assert half.cosine > 0.9999
    assert half.difference == pytest.approx(full.difference, abs=1e-3)
    assert half.size < full.size
    assert open_network(tmp_path / "half").card.quantization == "float16"


def test_a_channel_that_reaches_far_is_divided_and_the_product_stays() -> None:
    reach = np.array([1, 2, 1, 30], dtype=np.float32)
    assert _graph._divisor(reach).tolist() == pytest.approx([1, 1, 1, 30 / 4.5])
    whole, scales = _graph._quantized(np.array([[1.0, 0.0], [-4.0, 0.0]], dtype=np.float32))
    assert (whole.tolist(), scales.tolist()) == ([[16, 0], [-64, 0]], [1 / 16, 1.0])


def test_the_command_writes_a_network_and_refuses_others(begun: Path, tmp_path: Path) -> None:
    line = ["export", str(begun), "--to", "onnx", "--quantization", "int8", "--out", str(tmp_path / "out")]
    ran = CliRunner().invoke(app, line)
    assert ran.exit_code == 0, ran.output
    assert str(tmp_path / "out") in ran.stdout
    assert open_network(tmp_path / "out").card.commands[-1].startswith("nutgraf export")
    with pytest.raises(UnknownName):
        write_network(begun, tmp_path / "half", sections_of, "int4")
    folder, _ = trained(tmp_path / "trained", {"model.embedding.position_embedding": "sinusoidal"})
    with pytest.raises(InputError, match="trained"):
        write_network(folder, tmp_path / "other", sections_of)
    assert not (tmp_path / "other").exists()
