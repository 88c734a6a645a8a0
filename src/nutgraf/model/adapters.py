"""Adapters of the library peft: small matrices, trained apart, that are added to those of a model.

LoRA (Hu et al. 2022, LoRA: Low-Rank Adaptation of Large Language Models): W + (alpha / r) · B A. Only safetensors are
read, and only those settings that say what is added where; a file that asks for more is refused, since it could name
modules of Python to import, or patterns that never end.
"""

from __future__ import annotations

import hashlib
import math
import re
import warnings
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from nutgraf.errors import InputError, requires
from nutgraf.model.library_errors import told
from nutgraf.model.pretrained_files import ADAPTER, check_texts
from nutgraf.model.safe_tensors import opened
from nutgraf.runtime.metadata import Range, read_object, read_record

SETTINGS, WEIGHTS = ADAPTER, "adapter_model.safetensors"

ADDED = re.compile(r"base_model\.model\.[\w.]+\.lora_(?:[AB](?:\.weight)?|magnitude_vector(?:\.weight)?)")
"""Names of the tensors of an adapter."""

FRACTIONS = ("F16", "BF16", "F32")
"""Types of these."""

LARGEST_RANK, LARGEST_ALPHA, MOST_MODULES = 4096, 1e6, 1000

LEFT_ASIDE = (
    "peft_type", "task_type", "base_model_name_or_path", "revision", "inference_mode", "lora_dropout",
    "init_lora_weights", "auto_mapping", "peft_version",
)  # fmt: skip
"""Settings of the training, and names."""


@dataclass(frozen=True)
class _Settings:
    """Settings that say what is added where."""

    r: Annotated[int, Range(ge=1, le=LARGEST_RANK)]
    target_modules: list[str] | Literal["all-linear"]
    lora_alpha: Annotated[float, Range(ge=0, le=LARGEST_ALPHA)] = 8.0
    use_rslora: bool = False
    use_dora: bool = False
    fan_in_fan_out: bool = False
    bias: Literal["none"] = "none"


@dataclass(frozen=True)
class _Kind:
    peft_type: str


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
    settings = _settings(folder)
    tensors = _tensors(folder, settings.r, sum(one.numel() for one in network.parameters()))
    with told(folder), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        adapted = get_peft_model(network, LoraConfig(**asdict(settings)))
        found = set_peft_model_state_dict(adapted, tensors)
        lost = [name for name in found.missing_keys if "lora_" in name]
        if lost or found.unexpected_keys:
            what = f"{found.unexpected_keys[0]!r} too much" if found.unexpected_keys else f"no {lost[0]!r}"
            raise InputError(f"The adapter in {folder} is of another model: it has {what}.")
        merged = adapted.merge_and_unload()
    if not all(bool(one.isfinite().all()) for one in merged.parameters()):
        raise InputError(f"The adapter in {folder} makes weights of the model infinite; fetch it anew.")
    return merged


def fingerprint_of_adapter(folder: Path) -> str:
    """Return a hash of the files of an adapter."""
    found = hashlib.sha256((folder / SETTINGS).read_bytes())
    with (folder / WEIGHTS).open("rb") as file:
        found.update(hashlib.file_digest(file, "sha256").digest())
    return found.hexdigest()[:8]


def _settings(folder: Path) -> _Settings:
    """Return the settings that are taken. Raises InputError if there are others."""
    from peft import LoraConfig

    if not folder.is_dir():
        raise InputError(f"There is no folder {folder} with an adapter.")
    check_texts(folder)
    for name in (SETTINGS, WEIGHTS):
        if not (folder / name).is_file():
            raise InputError(f"{folder} holds no adapter: there is no {name} in it, as peft writes it.")
    given = read_object(folder / SETTINGS, _Kind, "the settings of an adapter")
    if given["peft_type"] != "LORA":
        raise InputError(f"{folder} holds an adapter of the kind {given['peft_type']!r}; LORA can be read.")
    usual, taken = vars(LoraConfig()), _Settings.__dataclass_fields__
    for name, value in given.items():
        if name not in (*taken, *LEFT_ASIDE) and value not in (usual.get(name), None, False, [], {}):
            raise InputError(f"{folder / SETTINGS} says {name} = {str(value)[:60]}, which nutgraf does not read.")
    found = read_record(folder / SETTINGS, _Settings, "the settings of an adapter")
    modules = [] if found.target_modules == "all-linear" else found.target_modules
    if len(modules) > MOST_MODULES or not all(re.fullmatch(r"[\w.]{1,200}", one) for one in modules):
        raise InputError(
            f"{folder / SETTINGS} says target_modules = {str(modules)[:60]}; at most {MOST_MODULES:,} names of layers "
            "would do."
        )
    return found


def _tensors(folder: Path, rank: int, most: int) -> dict[str, Any]:
    """Return the tensors of an adapter, whose heads are looked at before they are read. Raises InputError."""
    path = folder / WEIGHTS
    with opened(path) as file:
        numbers = 0
        for name in file.keys():  # noqa: SIM118
            head = file.get_slice(name)
            shape, kind = head.get_shape(), head.get_dtype()
            numbers += math.prod(shape)
            if not ADDED.fullmatch(name) or kind not in FRACTIONS or len(shape) > 2 or numbers > most:
                raise InputError(
                    f"{path} has {name[:99]!r} of {'×'.join(map(str, shape))} {kind}, which is no part of an "
                    "adapter of the model."
                )
            if "lora_A" in name and shape[0] != rank:
                raise InputError(f"{path} has the rank {shape[0]} in {name[:99]!r}, and its settings say {rank}.")
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    wrong = next((name for name, one in tensors.items() if not bool(one.isfinite().all())), None)
    if wrong is not None:
        raise InputError(f"{path} has weights that are not finite numbers, such as in {wrong!r}.")
    return tensors
