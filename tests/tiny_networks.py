"""A network that can be done by hand: the states are the words' vectors, and a logit is a sum of two means."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

PIECES = ["<pad>", "<unk>", "<s>", "</s>", "<sep>", "the", "ferry", "left", "##s", "."]
"""Piece number i has the vector (i, −i)."""

TOKENIZER: dict[str, Any] = {
    "version": "1.0",
    "truncation": None,
    "padding": None,
    "added_tokens": [],
    "normalizer": {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": True,
        "strip_accents": None,
        "lowercase": True,
    },
    "pre_tokenizer": {"type": "BertPreTokenizer"},
    "post_processor": None,
    "decoder": None,
    "model": {
        "type": "WordPiece",
        "unk_token": "<unk>",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "vocab": {piece: number for number, piece in enumerate(PIECES)},
    },
}

CARD: dict[str, Any] = {
    "schema": "nutgraf.network/1",
    "task": "pairs",
    "title": "Tiny",
    "layers": 1,
    "width": 2,
    "longest": 12,
    "spans": 2,
    "features": 1,
    "classes": ["no", "yes"],
}


def node(kind: str, inputs: list[str], output: str, **attributes: Any) -> Any:
    from onnx import helper

    return helper.make_node(kind, inputs, [output], **attributes)


def model(nodes: list[Any], constants: Mapping[str, Any], inputs: Mapping[str, Any], outputs: list[str]) -> Any:
    """A model of ONNX; of each input the shape, and whole numbers where it says so first."""
    from onnx import TensorProto, helper, numpy_helper

    given = [
        helper.make_tensor_value_info(name, TensorProto.INT64 if shape[0] == "int" else TensorProto.FLOAT, shape[1])
        for name, shape in inputs.items()
    ]
    taken = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
    tensors = [numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()]
    graph = helper.make_graph(nodes, "tiny", given, taken, tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def encoder(width: int = 2) -> Any:
    """The states of the positions that are kept: their words, plus 100 in the second text."""
    inputs = {"words": ("float", [1, "n", width]), "segments": ("int", [1, "n"]), "kept": ("int", ["k"])}
    table = np.array([[0.0, 0.0], [100.0, 100.0]], dtype=np.float32)[:, :width]
    nodes = [
        node("Gather", ["table", "segments"], "texts"),
        node("Add", ["words", "texts"], "all"),
        node("Gather", ["all", "kept"], "states", axis=1),
    ]
    return model(nodes, {"table": table}, inputs, ["states"])


def head() -> Any:
    """The first numbers of both means, and the feature."""
    inputs = {"vectors": ("float", ["n", 4]), "features": ("float", ["n", 1])}
    weights = np.array([[1], [0], [1], [0]], dtype=np.float32)
    nodes = [node("MatMul", ["vectors", "weights"], "product"), node("Add", ["product", "features"], "logits")]
    return model(nodes, {"weights": weights}, inputs, ["logits"])


def write(folder: Path, **changed: Any) -> Path:
    """Write it into a folder, with digests of what is written; `changed` are entries of the card."""
    folder.mkdir(parents=True, exist_ok=True)
    numbers = np.arange(len(PIECES))
    np.save(folder / "words.npy", np.stack([numbers, -numbers], axis=1).astype(np.int8))
    np.save(folder / "word_scales.npy", np.ones(len(PIECES), dtype="<f4"))
    (folder / "tokenizer.json").write_text(json.dumps(TOKENIZER))
    (folder / "encoder.onnx").write_bytes(encoder().SerializeToString())
    (folder / "head.onnx").write_bytes(head().SerializeToString())
    sign(folder, **changed)
    return folder


def sign(folder: Path, **changed: Any) -> None:
    """Write the card with the digests of what lies in the folder."""
    files = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
        if path.name != "card.json"
    }
    (folder / "card.json").write_text(json.dumps({**CARD, "files": files, **changed}))
