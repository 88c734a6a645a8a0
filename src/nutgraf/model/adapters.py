"""Adapters of the library peft: small matrices, trained apart, that are added to those of a model.

LoRA (Hu et al. 2022, LoRA: Low-Rank Adaptation of Large Language Models): W + (alpha / r) · B A. Only safetensors are
read, and only those settings that say what is added where; a file that asks for more is refused, since it could name
modules of Python to import.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nutgraf.errors import InputError, requires
from nutgraf.model.library_errors import told
from nutgraf.model.pretrained_files import check_texts
from nutgraf.model.safe_tensors import opened
from nutgraf.runtime.metadata import read_object

SETTINGS, WEIGHTS = "adapter_config.json", "adapter_model.safetensors"

TAKEN = (
    "r", "lora_alpha", "target_modules", "exclude_modules", "layers_to_transform", "layers_pattern", "rank_pattern",
    "alpha_pattern", "use_rslora", "use_dora", "fan_in_fan_out", "bias",
)  # fmt: skip
"""Settings that say what is added where."""

LEFT_ASIDE = (
    "peft_type", "task_type", "base_model_name_or_path", "revision", "inference_mode", "lora_dropout",
    "init_lora_weights", "auto_mapping", "peft_version",
)  # fmt: skip
"""Settings of the training, and names."""


@dataclass(frozen=True)
class _Settings:
    peft_type: str
    r: int


def with_adapter(network: Any, folder: Path) -> Any:
    """Return a network to whose weights those of an adapter were added.

    Args:
        network: A network of transformers; its weights change.
        folder: Folder with `adapter_config.json` and `adapter_model.safetensors`.

    Raises:
        InputError: If the folder holds no adapter, or one that does not fit the network.
        MissingPackage: If the package peft is not installed.
    """
    with requires("pretrained", "Adapters need"):
        from peft import LoraConfig, get_peft_model, set_peft_model_state_dict
    settings, tensors = _settings(folder), _tensors(folder)
    with told(folder), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        adapted = get_peft_model(network, LoraConfig(**settings))
        found = set_peft_model_state_dict(adapted, tensors)
        lost = [name for name in found.missing_keys if "lora_" in name]
        if lost or found.unexpected_keys:
            what = f"{found.unexpected_keys[0]!r} too much" if found.unexpected_keys else f"no {lost[0]!r}"
            raise InputError(f"The adapter in {folder} is of another model: it has {what}.")
        return adapted.merge_and_unload()


def fingerprint_of_adapter(folder: Path) -> str:
    """Return a hash of the files of an adapter."""
    found = hashlib.sha256()
    for name in (SETTINGS, WEIGHTS):
        found.update((folder / name).read_bytes())
    return found.hexdigest()[:8]


def _settings(folder: Path) -> Mapping[str, Any]:
    """Return the settings that are taken. Raises InputError if there are others."""
    from peft import LoraConfig

    check_texts(folder)
    for name in (SETTINGS, WEIGHTS):
        if not (folder / name).is_file():
            raise InputError(f"{folder} holds no adapter: there is no {name} in it, as peft writes it.")
    given = read_object(folder / SETTINGS, _Settings, "the settings of an adapter")
    if given["peft_type"] != "LORA":
        raise InputError(f"{folder} holds an adapter of the kind {given['peft_type']!r}; LORA can be read.")
    usual = vars(LoraConfig())
    for name, value in given.items():
        if name not in (*TAKEN, *LEFT_ASIDE) and value not in (usual.get(name), None, False, [], {}):
            raise InputError(f"{folder / SETTINGS} says {name} = {str(value)[:60]}, which nutgraf does not read.")
    return {name: given[name] for name in TAKEN if name in given}


def _tensors(folder: Path) -> dict[str, Any]:
    with opened(folder / WEIGHTS) as file:
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    wrong = next((name for name, one in tensors.items() if not bool(one.isfinite().all())), None)
    if wrong is not None:
        raise InputError(f"{folder / WEIGHTS} has weights that are not finite numbers, such as in {wrong!r}.")
    return tensors
