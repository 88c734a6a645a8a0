"""The folder that a training writes, and the data that it reads."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from torch import nn

from nutgraf.datasets import datasets
from nutgraf.errors import InputError, OutputError, PresetError
from nutgraf.model.seq2seq import Seq2Seq
from nutgraf.model.span_classifier import Config as SpanConfig
from nutgraf.model_folder import CARD, PRESET, TOKENIZER, WEIGHTS, read_preset
from nutgraf.preparation import Shards, prepare
from nutgraf.preparation.prepare import Progress as Preparing
from nutgraf.preparation.shards import MANIFEST, differing
from nutgraf.preparation.span_shards import open_shards
from nutgraf.preparation.word_length import tokens_per_word
from nutgraf.presets import Preset, table_of
from nutgraf.presets.read import refuse_other_modules
from nutgraf.runtime.files import beside, list_names, remove_unfinished
from nutgraf.training.reports import BOARD, CURVE, LOG
from nutgraf.training.store import CHECKPOINTS, FAILED, CheckpointStore
from nutgraf.version import __version__


def open_folder(folder: Path, preset: Preset, resume: bool, main: bool) -> bool:
    """Make a model folder ready to be written, and return True if it holds a training to go on with.

    The main process removes what a killed training left unfinished.

    Raises:
        OutputError: If the folder holds something that would be lost.
        PresetError: If it holds the training of another preset.
    """
    ours = {CARD, PRESET, TOKENIZER, WEIGHTS, LOG, CURVE, BOARD, CHECKPOINTS}
    held = {name for name in list_names(folder) if not name.startswith((".", FAILED))}
    store = CheckpointStore(folder)
    if main:
        store.settle()
    if store.resumable:
        if not resume:
            raise OutputError(f"{folder} holds a training already: --resume goes on with it; or name another folder.")
        there = read_preset(folder, preset.sections, trust=True)
        refuse_other_modules(there.table, preset, folder / PRESET)
        keys = differing(preset.complete(compared=True), there.complete(compared=True))
        if keys:
            raise PresetError(
                f"{folder} holds the training of another preset: {'; '.join(keys)}. Take {folder / PRESET} itself to "
                "go on, or name another folder."
            )
    elif held - ours or WEIGHTS in held:
        name = sorted(held - ours)[0] if held - ours else WEIGHTS
        raise OutputError(f"{folder} is not empty ({name}) and holds no training to go on with; name another folder.")
    if not store.resumable:
        _refuse_frozen_noise(preset)
    if main:
        remove_unfinished(folder)
    return store.resumable


def _refuse_frozen_noise(preset: Preset) -> None:
    """Raise PresetError if a network is to begin with random weights and keep some of them."""
    model = preset.options("model")
    frozen = isinstance(model, SpanConfig) and (model.frozen_words or model.frozen_layers)
    if frozen and preset.config.training.init_from is None:
        raise PresetError(
            f"The preset {preset.name!r} keeps weights of a pretrained encoder, and was given none: --init-from "
            "FOLDER, which `nutgraf convert BERT FOLDER` makes. --set model.frozen_words=false and --set "
            "model.frozen_layers=0 learn all from nothing."
        )


def open_data(
    preset: Preset, data: Path, folder: Path, init_from: str | None, preparing: Preparing | None
) -> tuple[Shards, Shards | None]:
    """Return the training and validation examples; a corpus is prepared first, with the tokenizer of `init_from`."""
    if not data.exists():
        raise InputError(f"There is no {data}; --data is a corpus, or a folder that nutgraf prepare wrote.")
    prepared = data
    if not (data / MANIFEST).is_file():
        prepared = beside(folder, "{}.data")
        prepare(preset, data, prepared, tokenizer=init_from, progress=preparing)
    shards = open_shards(prepared, "train", preset)
    has = "validation" in shards.manifest["splits"]
    return shards, open_shards(prepared, "validation", preset) if has else None


def with_dataset(preset: Preset, shards: Shards) -> Preset:
    """Return the preset with the data set that the examples were prepared from, complete, in the place of its own."""
    prepared = datasets.choice(shards.manifest["configuration"]["dataset"])
    return replace(preset, table={**preset.table, "dataset": table_of(prepared)}, checked=True)


def first_card(
    preset: Preset, shards: Shards, network: nn.Module, command: str, before: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what is known before training; `before` is the card of a training that goes on.

    Raises InputError if that one had other data.
    """
    manifest = shards.manifest
    digest = hashlib.sha256((shards.folder / MANIFEST).read_bytes()).hexdigest()
    if before and before.get("data", {}).get("manifest") != digest:
        raise InputError(f"{shards.folder} is not the data that this training began with; --resume needs the same.")
    return {
        **before,
        "preset": preset.name,
        "title": preset.table.get("title", preset.name),
        "version": __version__,
        "seed": preset.seed,
        "parameters": sum(one.numel() for one in network.parameters()),
        "vocab_size": len(shards.tokenizer()),
        "commands": list(dict.fromkeys([*before.get("commands", []), command])),
        "data": {
            "manifest": digest,
            "dataset": manifest["configuration"]["dataset"]["kind"],
            "files": manifest["files"],
            "splits": manifest["splits"],
            "limit": manifest.get("limit"),
            "target_length": round(shards.target_length, 2),
            **_word_length(network, shards),
            **({"oracle": True} if manifest.get("oracle") else {}),
        },
        "licence": manifest.get("licence", "not said by the data; the terms of the texts it was trained on apply"),
    }


def _word_length(network: nn.Module, shards: Shards) -> dict[str, float]:
    """Return what a network that is told a length needs to make one of a budget in words."""
    if not isinstance(network, Seq2Seq) or not network.decoder.needs_length:
        return {}
    found = tokens_per_word(shards)
    return {} if found is None else {"tokens_per_word": round(found, 4)}
