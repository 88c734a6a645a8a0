"""Model folders without their tensors: names of the files, the card, the preset. It needs no torch."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from nutgraf.errors import InputError
from nutgraf.presets import Preset, Sections, read
from nutgraf.runtime.files import write_text
from nutgraf.runtime.metadata import Count, load, parse, read_object
from nutgraf.text.clean import encodable

PRESET, TOKENIZER, WEIGHTS, CARD = "preset.toml", "tokenizer", "weights.safetensors", "card.json"
SCHEMA = "nutgraf.trained/1"

LARGEST_HEADER = 1 << 26
"""Bytes of the header of a file of tensors."""


@dataclass(frozen=True)
class _Training:
    step: Count
    epochs: float
    hours: float
    device: str
    precision: str
    processes: Count
    ended: str
    kernels: str = ""
    threads: Count = 0


@dataclass(frozen=True)
class _Weights:
    from_: str
    step: Count
    of: tuple[Count, ...] = ()


@dataclass(frozen=True)
class _Folder:
    folder: str


@dataclass(frozen=True)
class _Converted:
    from_: str


@dataclass(frozen=True)
class _Split:
    examples: Count
    dropped: dict[str, Count] = field(default_factory=dict)


@dataclass(frozen=True)
class _Data:
    manifest: str = ""
    dataset: str = ""
    files: dict[str, dict[str, str]] = field(default_factory=dict)
    splits: dict[str, _Split] = field(default_factory=dict)
    target_length: float = 0.0
    tokens_per_word: float = 0.0
    oracle: bool = False


@dataclass(frozen=True)
class _Precision:
    passes: bool
    identical: float = 0.0


@dataclass(frozen=True)
class Precisions:
    """Verdicts on lower precisions, and the weights that they are of."""

    weights: _Weights | None
    precisions: dict[str, _Precision]
    examples: Count = 0


@dataclass(frozen=True)
class Tuning:
    """Options that were found on examples, and the weights that they were found for."""

    weights: _Weights | None
    options: dict[str, Any]
    before: float
    after: float
    examples: Count
    score: str


@dataclass(frozen=True)
class _Calibration:
    weights: _Weights | None
    factor: float
    examples: Count = 0
    scores: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Card:
    """A card; only its schema and the name of its preset have to be there."""

    schema: Literal["nutgraf.trained/1"]
    preset: str
    title: str = ""
    version: str = ""
    seed: Count | None = None
    parameters: Count = 0
    vocab_size: Count = 0
    commands: tuple[str, ...] = ()
    training: _Training | None = None
    weights: _Weights | None = None
    init_from: _Folder | None = None
    converted: _Converted | None = None
    scores: dict[str, float] = field(default_factory=dict)
    data: _Data | None = None
    licence: str = ""
    quantization: str = ""
    precision_gate: Precisions | None = None
    tuning: Tuning | None = None
    length_calibration: _Calibration | None = None


def is_trained(path: str | Path) -> bool:
    """Return True if a path is a model folder."""
    return all((Path(path) / name).is_file() for name in (PRESET, WEIGHTS, CARD))


def write_card(folder: str | Path, card: Mapping[str, Any]) -> None:
    """Write `card.json`. Raises OutputError."""
    write_text(Path(folder) / CARD, json.dumps({"schema": SCHEMA, **card}, ensure_ascii=False, indent=2) + "\n")


def read_card(folder: str | Path) -> dict[str, Any]:
    """Read `card.json`.

    The part of the card that the weights carry takes precedence: they and the card are two files, so a kill can leave
    the card of earlier weights. A key whose value is null is left out.

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
    card = {**read_object(path, Card, what), **_card_of(Path(folder) / WEIGHTS)}
    try:
        record_of(card)
    except ValueError as error:
        raise InputError(f"{Path(folder) / WEIGHTS} does not carry {what}: {error}.") from error
    return {key: value for key, value in card.items() if value is not None}


def record_of(card: Mapping[str, Any]) -> Card:
    """Return a card as a record, with defaults of what it does not say. Raises ValueError if it does not fit."""
    return load(json.dumps(card), Card)


def _card_of(path: Path) -> dict[str, Any]:
    """Return the part of a card that a file of weights carries; {} if it carries none or is not whole.

    A safetensors file begins with the length of its header, 8 bytes; the header is JSON.
    """
    if not path.is_file():
        return {}
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
