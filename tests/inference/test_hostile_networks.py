"""Folders that somebody changed: each is refused with a sentence that names the file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")

from onnx import TensorProto, helper

import tiny_networks
from nutgraf.errors import InputError
from nutgraf.inference import files as files_module
from nutgraf.inference import open_network


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny_networks.write(tmp_path / "tiny")


@pytest.mark.parametrize("name", ["encoder.onnx", "head.onnx", "words.npy", "word_scales.npy", "tokenizer.json"])
def test_a_file_that_was_changed_or_is_missing_is_refused(folder: Path, name: str) -> None:
    whole = (folder / name).read_bytes()
    for damaged in (whole[:-1], whole[:-1] + bytes([whole[-1] ^ 1]), b""):
        (folder / name).write_bytes(damaged)
        with pytest.raises(InputError, match=name):
            open_network(folder)
    (folder / name).unlink()
    with pytest.raises(InputError):
        open_network(folder)


def external(model: Any) -> None:
    tensor = model.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="../../secrets.bin")


def own_operator(model: Any) -> None:
    model.opset_import.append(helper.make_opsetid("evil", 1))
    model.graph.node[0].domain = "evil"


def loop(model: Any) -> None:
    model.graph.node[0].op_type = "Loop"


def nested(model: Any) -> None:
    model.graph.node[0].attribute.append(helper.make_attribute("body", model.graph))


def functions(model: Any) -> None:
    made = helper.make_function("evil", "Add", ["a"], ["b"], [], [helper.make_opsetid("", 17)])
    model.functions.append(made)


def other_input(model: Any) -> None:
    model.graph.input[0].name = "tokens"


def other_output(model: Any) -> None:
    model.graph.output.append(helper.make_tensor_value_info("more", TensorProto.FLOAT, None))


def other_width(model: Any) -> None:
    model.CopyFrom(tiny_networks.encoder(width=1))


def no_operators(model: Any) -> None:
    del model.graph.node[:]


def not_a_number(model: Any) -> None:
    model.graph.initializer[0].raw_data = np.full((2, 2), np.nan, dtype=np.float32).tobytes()


CHANGES = [external, own_operator, loop, nested, functions, other_input, other_output, other_width, no_operators]


@pytest.mark.parametrize("change", [*CHANGES, not_a_number], ids=lambda one: one.__name__)
def test_a_graph_that_no_network_needs_is_refused_though_its_digest_fits(
    folder: Path, change: Callable[[Any], None]
) -> None:
    model = tiny_networks.encoder()
    change(model)
    (folder / "encoder.onnx").write_bytes(model.SerializeToString())
    tiny_networks.sign(folder)
    with pytest.raises(InputError):
        open_network(folder)


@pytest.mark.parametrize(
    "data", [b"", b"hello", b"\x3a", b"\xff" * 40, b"\x0a\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"]
)
def test_bytes_that_are_no_graph_are_refused(folder: Path, data: bytes) -> None:
    (folder / "head.onnx").write_bytes(data)
    tiny_networks.sign(folder)
    with pytest.raises(InputError, match=r"head\.onnx"):
        open_network(folder)


def test_every_cut_of_a_graph_is_refused(folder: Path) -> None:
    whole = (folder / "head.onnx").read_bytes()
    for end in range(0, len(whole), 7):
        (folder / "head.onnx").write_bytes(whole[:end])
        tiny_networks.sign(folder)
        with pytest.raises(InputError):
            open_network(folder)


def test_words_that_are_pickled_or_do_not_fit_are_refused(folder: Path) -> None:
    for values in (np.array([{"a": 1}], dtype=object), np.zeros((10, 2), dtype=np.float32), np.zeros((3, 2), np.int8)):
        np.save(folder / "words.npy", values)
        tiny_networks.sign(folder)
        with pytest.raises(InputError):
            open_network(folder)


@pytest.mark.parametrize("part", ["model", "normalizer", "pre_tokenizer"])
def test_a_tokenizer_of_other_parts_is_refused(folder: Path, part: str) -> None:
    split = {"type": "Split", "pattern": {"Regex": "(a+)+$"}, "behavior": "Isolated", "invert": False}
    for other in (split, None, {"type": "BPE", "vocab": {}, "merges": []}):
        (folder / "tokenizer.json").write_text(json.dumps({**tiny_networks.TOKENIZER, part: other}))
        tiny_networks.sign(folder)
        with pytest.raises(InputError, match=r"tokenizer\.json"):
            open_network(folder)


def test_a_file_that_is_too_large_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files_module, "LARGEST", 100)
    with pytest.raises(InputError, match="100"):
        open_network(folder)


CARDS = [
    {"spans": 0},
    {"classes": []},
    {"width": 3},
    {"width": 10**9},
    {"longest": "many"},
    {"files": {}},
    {"schema": "nutgraf.network/2"},
    {"files": {"../encoder.onnx": "0" * 64}},
]


@pytest.mark.parametrize("changed", CARDS, ids=str)
def test_a_card_that_does_not_fit_is_refused(folder: Path, changed: dict[str, Any]) -> None:
    tiny_networks.sign(folder, **changed)
    with pytest.raises(InputError):
        open_network(folder)


def test_a_folder_without_a_card_is_no_network(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"card\.json"):
        open_network(tmp_path)
