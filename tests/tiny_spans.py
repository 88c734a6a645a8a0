"""Presets of networks that classify spans, made tiny, and data for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from json_lines import write_lines
from nutgraf.presets import Preset
from nutgraf.systems import read_preset as read
from tiny_network import NOTICES

SMALL: dict[str, Any] = {
    "tokenizer.vocab_size": 300,
    "tokenizer.min_frequency": 1,
    "model.d_model": 16,
    "model.num_heads": 2,
    "model.item_size": 8,
    "model.dropout": 0.1,
    "model.frozen_layers": 0,
    "model.frozen_words": False,
    "model.encoder.num_layers": 2,
    "model.encoder.ffn_dim": 16,
    "training.max_steps": 40,
    "training.max_epochs": "none",
    "training.batch_size": 4,
    "training.batch_type": "examples",
    "training.validate_every": 20,
    "training.precision": "fp32",
    "training.schedule.kind": "constant",
    "training.schedule.learning_rate": 0.02,
}
"""Changes that make such a preset tiny."""

CHECKS = [
    ("The ferry Agnes left at noon.", "Agnes left at noon.", "entailment"),
    ("The ferry Agnes left at noon.", "Agnes did not leave.", "contradiction"),
    ("The ferry Agnes left at noon.", "Agnes carried a piano.", "neutral"),
    ("Walkers can cross by a small boat.", "They can cross by boat.", "entailment"),
    ("Walkers can cross by a small boat.", "Nobody can cross.", "contradiction"),
    ("Walkers can cross by a small boat.", "The boat is blue.", "neutral"),
]

CUTS = [
    ("The ferry, which was late, left at noon.", [", which was late,", "left at noon"], [1, 0]),
    ("The town, said the mayor, pays for it.", [", said the mayor,", "The town", "for it"], [1, 0, 0]),
]


def tiny_spans(name: str, **changes: Any) -> Preset:
    """A preset of such a network, made tiny; its layers over sentences are one."""
    small = {"model.layers.num_layers": 1, "model.layers.ffn_dim": 8}
    layers = small if name == "selector" else {}
    return read(name, {**SMALL, **layers, **changes})


def write_pairs(folder: Path) -> Path:
    """Pairs of two sets, the same ones for training and validation."""
    lines = [
        {"premise": one, "hypothesis": other, "label": label, "source": f"set {number // 3}"}
        for number, (one, other, label) in enumerate(CHECKS)
    ]
    return _both(folder, lines)


def write_deletions(folder: Path) -> Path:
    """Sentences with their pieces."""
    lines = [
        {"sentence": text, "spans": [[text.index(one), text.index(one) + len(one)] for one in pieces], "labels": labels}
        for text, pieces, labels in CUTS
    ]
    return _both(folder, lines)


def write_documents(folder: Path) -> Path:
    """The notices with their summaries."""
    return _both(folder, [{"text": text, "summary_sents": summary} for text, summary in NOTICES])


WRITE = {"checker": write_pairs, "editor": write_deletions, "selector": write_documents}
"""Writes data for each preset."""


def _both(folder: Path, lines: list[dict[str, Any]]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for split in ("train", "validation"):
        write_lines(folder / f"{split}.jsonl", lines)
    return folder
