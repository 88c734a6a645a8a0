"""Adapters of a network that was trained with LoRA, alone, as peft keeps them: a thousandth to a tenth of its weights.

`--set pretrained.adapter=FOLDER` adds them to the model that the training began with, and so does peft.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from nutgraf.checkpoint import load, weights, write_tensors
from nutgraf.errors import InputError, UnknownName
from nutgraf.model.adapters import SETTINGS, WEIGHTS
from nutgraf.model.pretrained import Pretrained
from nutgraf.presets import Sections
from nutgraf.runtime.files import atomic_folder, lock_new

TYPES = {"float32": torch.float32, "float16": torch.float16}
"""Types of the weights."""

OURS, THEIRS = "backbone.", "base_model.model."
"""Beginnings of the names of a model's weights here, and in peft's files."""

NAMED = ".default."
"""What peft puts into the name of a weight of an adapter in a network, and leaves out in its files."""


def write_adapter(
    folder: str | Path, out: str | Path, sections: Sections, quantization: str = "float32", trust: bool = False
) -> int:
    """Write the adapters of a trained network.

    Args:
        folder: A model folder.
        out: Folder to write.
        sections: Returns the `Config` of a system.
        quantization: Type of the weights: one of `TYPES`.
        trust: The preset may name modules outside nutgraf.

    Returns:
        Number of weights.

    Raises:
        InputError: If there is no such model, it is damaged, or has no adapters.
        OutputError: If the folder is there already, or cannot be written.
        PresetError: If the preset names a module and is not trusted.
        UnknownName: If there is no such type.
    """
    if quantization not in TYPES:
        raise UnknownName("quantization of adapters", quantization, TYPES)
    network = load(Path(folder), sections, trust=trust).network
    if not isinstance(network, Pretrained) or network.config.trains != "lora":
        raise InputError(f'{folder} has no adapters: a pretrained model that was trained with model.trains="lora" has.')
    tensors = {
        name.replace(OURS, THEIRS, 1).replace(NAMED, "."): tensor.to(TYPES[quantization]).contiguous()
        for name, tensor in weights(network).items()
        if NAMED in name
    }
    with lock_new(out) as target, atomic_folder(target) as made:
        (made / SETTINGS).write_text(json.dumps(_settings(network, tensors), indent=2) + "\n", encoding="utf-8")
        write_tensors(made / WEIGHTS, tensors)
    return sum(tensor.numel() for tensor in tensors.values())


def _settings(network: Pretrained, tensors: dict[str, Tensor]) -> dict[str, Any]:
    lora = network.config.lora
    return {
        "peft_type": "LORA",
        "task_type": "SEQ_2_SEQ_LM" if network.config.encodes else "CAUSAL_LM",
        "base_model_name_or_path": Path(network.config.folder).name,
        "r": lora.rank,
        "lora_alpha": lora.alpha,
        "target_modules": sorted({name.split(".lora_")[0].rpartition(".")[2] for name in tensors}),
        "bias": "none",
        "inference_mode": True,
    }
