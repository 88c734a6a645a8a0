"""Model folders without their tensors: names of the files, the card, the preset. It needs no torch."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from nutgraf.errors import InputError
from nutgraf.files import write_text
from nutgraf.metadata import Shape, mismatch, parse, read_object
from nutgraf.presets import Preset, Sections, read
from nutgraf.text.clean import encodable

PRESET, TOKENIZER, WEIGHTS, CARD = "preset.toml", "tokenizer", "weights.safetensors", "card.json"
SCHEMA = "nutgraf.trained/1"

CARD_SHAPE: Shape = {
    "schema": SCHEMA,
    "preset": str,
    "title?": str,
    "version?": str,
    "seed?": int,
    "parameters?": int,
    "vocab_size?": int,
    "commands?": [str],
    "training?": {
        "step": int, "epochs": float, "hours": float, "device": str, "precision": str, "processes": int, "ended": str,
        "kernels?": str, "threads?": int,
    },
    "weights?": {"from": str, "step": int, "of?": [int]},
    "init_from?": {"folder": str},
    "converted?": {"from": str},
    "scores?": {str: float},
    "data?": {
        "manifest?": str, "dataset?": str, "files?": {str: {str: str}},
        "splits?": {str: {"examples": int, "dropped?": {str: int}}},
        "target_length?": float, "tokens_per_word?": float, "oracle?": bool,
    },
    "licence?": str,
    "quantization?": str,
    "precision_gate?": {
        "weights": (dict, None), "examples?": int, "precisions": {str: {"passes": bool, "identical?": float}}
    },
    "tuning?": {
        "weights": (dict, None), "options": dict, "before": float, "after": float, "examples": int, "score": str
    },
    "length_calibration?": {"weights": (dict, None), "factor": float, "examples?": int, "scores?": {str: float}},
}  # fmt: skip

LARGEST_HEADER = 1 << 26
"""Bytes of the header of a file of tensors."""


def is_trained(path: str | Path) -> bool:
    """Return True if a path is a model folder."""
    return all((Path(path) / name).is_file() for name in (PRESET, WEIGHTS, CARD))


def write_card(folder: str | Path, card: Mapping[str, Any]) -> None:
    """Write `card.json`. Raises OutputError."""
    write_text(Path(folder) / CARD, json.dumps({"schema": SCHEMA, **card}, ensure_ascii=False, indent=2) + "\n")


def read_card(folder: str | Path) -> dict[str, Any]:
    """Read `card.json`.

    The part of the card that the weights carry takes precedence: they and the card are two files, so a kill can leave
    the card of earlier weights.

    Raises:
        InputError: If the card is missing or damaged.
    """
    path = Path(folder) / CARD
    if not path.is_file():
        foreign = (Path(folder) / "config.json").is_file()
        raise InputError(
            f"{folder} is not a trained model: {CARD} is missing. "
            + (
                f"A model of transformers has none; --system hf:{folder} lets it write."
                if foreign
                else "`nutgraf train` creates such folders."
            )
        )
    what = "a card of a trained network"
    card = {**read_object(path, CARD_SHAPE, what), **_card_of(Path(folder) / WEIGHTS)}
    wrong = mismatch(card, CARD_SHAPE)
    if wrong:
        raise InputError(f"{Path(folder) / WEIGHTS} does not carry {what}: {wrong}.")
    return card


def _card_of(path: Path) -> dict[str, Any]:
    """Return the part of a card that a file of weights carries; {} if it carries none or is not whole.

    A safetensors file begins with the length of its header, 8 bytes; the header is JSON.
    """
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            header = parse(file.read(length).decode("utf-8")) if length <= LARGEST_HEADER else {}
        card = parse(header.pop("__metadata__", {}).get("card", "{}"))
        ends = [entry["data_offsets"][1] for entry in header.values()]
        whole = path.stat().st_size == 8 + length + max(ends, default=0)
    except (OSError, ValueError, TypeError, KeyError, IndexError, AttributeError):
        return {}  # whoever reads the weights is told
    return card if whole and isinstance(card, dict) else {}


def change_preset(folder: str | Path, sections: Sections, options: Mapping[str, Any]) -> None:
    """Set options in the preset of a model folder.

    Args:
        folder: A model folder.
        sections: Returns the `Config` of a system.
        options: Values by their names, as after `--set`.

    Raises:
        PresetError: If the preset cannot be read, or an option does not fit.
        OutputError: If it cannot be written.
    """
    import tomli_w

    path = Path(folder) / PRESET
    write_text(path, encodable(tomli_w.dumps(read(path, sections, options, trust=True).complete())))


def read_preset(folder: str | Path, sections: Sections, trust: bool = False) -> Preset:
    """Read the preset of a model folder, by the name that it had.

    Args:
        folder: A model folder.
        sections: Returns the `Config` of a system.
        trust: The preset may name modules outside nutgraf.

    Raises:
        InputError: If the card cannot be read.
        PresetError: If the preset cannot be read, or names a module and is not trusted.
    """
    card = read_card(folder)
    return replace(read(Path(folder) / PRESET, sections, trust=trust), name=str(card["preset"]))
