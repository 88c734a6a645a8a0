"""Folders that say odd things of themselves: models, prepared corpora, the weights of other programs."""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from table import Case

CARD = {"schema": "nutgraf.trained/1", "preset": "theirs"}
WORDS = {"schema": "nutgraf.vocabulary/1", "specials": ["<pad>", "<unk>", "<s>", "</s>", "<sep>"], "words": ["a", "b"]}
PRESET = """system = "neural"
[dataset]
kind = "jsonl"
[tokenizer]
kind = "words"
[model]
d_model = 32
num_heads = 2
"""
COUNTS = {"examples": 1, "source": 1, "target": 1, "places": 0, "cut": 0, "unknown": 0, "dropped": {}}
MANIFEST = {
    "schema": "nutgraf.shards/1",
    "configuration": {
        "dataset": {"kind": "jsonl"},
        "tokenizer": {"kind": "words"},
        "keyphrases": {},
        "truncation": {},
    },
    "files": {},
    "splits": {"train": COUNTS},
}
BERT = {
    "model_type": "bert",
    "num_hidden_layers": 1,
    "hidden_size": 4,
    "num_attention_heads": 2,
    "intermediate_size": 6,
}

USE = ["summarize", "given.txt", "--system", "model"]
TRAIN = ["train", "copy_transformer_small", "--data", "data", "--out", "out"]
CONVERT = ["convert", "bert", "out"]

Builder = Callable[[Path], None]


def _safetensors(head: object, data: bytes = b"\0" * 8) -> bytes:
    header = json.dumps(head).encode()
    return struct.pack("<Q", len(header)) + header + data


ONE = {"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}


def _model(card: Any = CARD, preset: str = PRESET, words: Any = WORDS, weights: bytes | None = None) -> Builder:
    def build(folder: Path) -> None:
        (folder / "given.txt").write_text("The ferry left at noon. It carried a piano. Nobody was hurt.\n")
        (folder / "model" / "tokenizer").mkdir(parents=True)
        (folder / "model" / "card.json").write_text(card if isinstance(card, str) else json.dumps(card))
        (folder / "model" / "preset.toml").write_text(preset)
        (folder / "model" / "tokenizer" / "words.json").write_text(json.dumps(words))
        (folder / "model" / "weights.safetensors").write_bytes(_safetensors(ONE) if weights is None else weights)
        (folder / "model" / "evil.py").write_text("raise SystemExit(70)\n")

    return build


def _data(manifest: Any) -> Builder:
    def build(folder: Path) -> None:
        (folder / "data").mkdir()
        (folder / "data" / "manifest.json").write_text(manifest if isinstance(manifest, str) else json.dumps(manifest))

    return build


def _bert(config: Any = BERT, **files: Any) -> Builder:
    def build(folder: Path) -> None:
        (folder / "bert").mkdir()
        for name, content in {"config_json": config, **files}.items():
            path = (
                folder / "bert" / name.replace("_json", ".json").replace("_txt", ".txt").replace("_st", ".safetensors")
            )
            data = content if isinstance(content, (str, bytes)) else json.dumps(content)
            path.write_bytes(data.encode() if isinstance(data, str) else data)

    return build


def _whole_bert(folder: Path) -> None:
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tiny_bert import plain_bert

    plain_bert(folder / "bert")


VOCAB = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\n"

CASES = [
    Case("a model that names code", USE, "refused", _model(preset=PRESET.replace("words", "model.evil")), "--trust"),
    Case("a model that names a program", USE, "refused", _model(preset='system = "unittest.__main__"'), "--trust"),
    Case("a card that is a list", ["info", "model"], "refused", _model([CARD]), "it is a list"),
    Case(
        "a card of wrong types",
        ["info", "model"],
        "refused",
        _model({**CARD, "scores": {"loss": "low"}}),
        "scores.loss",
    ),
    Case("a card with NaN", ["info", "model"], "refused", _model(json.dumps({**CARD, "x": float("nan")})), "NaN"),
    Case("a card nested without end", ["info", "model"], "refused", _model("[" * 200_000), "nested too deeply"),
    Case("a card that was cut", ["info", "model"], "refused", _model(json.dumps(CARD)[:30]), "is not a card"),
    Case("a card that would forge a line", ["info", "model"], "ok", _model({**CARD, "licence": "x\nnutgraf: \x1b[2J"})),
    Case("a network of terabytes", USE, "refused", _model(preset=PRESET.replace("32", "100000")), "GB of weights"),
    Case("a network of a width beyond 64 bits", USE, "refused", _model(preset=PRESET.replace("32", "4000000000000"))),
    Case(
        "a network of a billion layers",
        USE,
        "refused",
        _model(preset=f'{PRESET}encoder.kind = "transformer"\nencoder.num_layers = 1000000000'),
        "at most",
    ),
    Case(
        "a million beams",
        [*USE, "--set", "decoding.beam_size=1000000"],
        "refused",
        _model(),
        "decoding.beam_size",
    ),
    Case("a device that is not there", [*USE, "--device", "cuda:99"], "refused", _model(), "no device 'cuda:99'"),
    Case("weights of another network", USE, "refused", _model(), "does not fit the preset"),
    Case("weights that were cut", USE, "refused", _model(weights=_safetensors(ONE)[:20]), "cannot be read"),
    Case("weights whose head lies", USE, "refused", _model(weights=struct.pack("<Q", 1 << 60)), "cannot be read"),
    Case("a vocabulary of numbers", USE, "refused", _model(words={**WORDS, "words": [1, 2]}), "words[0] is 1"),
    Case(
        "a vocabulary with a word twice", USE, "refused", _model(words={**WORDS, "words": ["a", "a"]}), "more than once"
    ),
    Case("a manifest that is a number", TRAIN, "refused", _data("7"), "it is 7"),
    Case("a manifest without splits", TRAIN, "refused", _data({**MANIFEST, "splits": []}), "splits is a list"),
    Case(
        "a manifest with odd counts", TRAIN, "refused", _data({**MANIFEST, "splits": {"train": {**COUNTS, "cut": "x"}}})
    ),
    Case("a manifest without its arrays", TRAIN, "refused", _data(MANIFEST)),
    Case("a BERT without anything", CONVERT, "refused", _bert()),
    Case("a BERT of wrong sizes", CONVERT, "refused", _bert({**BERT, "num_hidden_layers": True})),
    Case("a BERT nested without end", CONVERT, "refused", _bert("[" * 200_000), "nested too deeply"),
    Case("a BERT whose tokenizer is a list", CONVERT, "refused", _bert(tokenizer_json=[], vocab_txt=VOCAB)),
    Case(
        "a BERT whose configuration is a list",
        CONVERT,
        "refused",
        _bert(tokenizer_config_json=[1], vocab_txt=VOCAB, model_st=_safetensors(ONE)),
        "is not a whole BERT",
    ),
    Case(
        "a BERT whose index leads out of its folder",
        CONVERT,
        "refused",
        _bert(vocab_txt=VOCAB, **{"model.safetensors.index_json": {"weight_map": {"a": "../../etc/passwd"}}}),
        "model.safetensors.index.json names",
    ),
    Case(
        "a BERT whose index is a list",
        CONVERT,
        "refused",
        _bert(vocab_txt=VOCAB, **{"model.safetensors.index_json": {"weight_map": ["a"]}}),
        "weight_map is a list",
    ),
    Case("a BERT into a folder of bytes that are no text", ["convert", "bert", "\udc80"], "ok", _whole_bert),
    Case("a BERT of one number", CONVERT, "refused", _bert(vocab_txt=VOCAB, model_st=_safetensors(ONE)), "lacks"),
]
