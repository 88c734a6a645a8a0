"""Small model folders: a network of ours without its training, in float32 or in 8 bits.

Such a folder has the files of any other model folder, and is read like one; checkpoints, the optimizer's state, the log
and the curves stay behind. With 8 bits it takes a quarter of the room.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nutgraf.checkpoint import create_folder, load, read_tensors, write_tensors
from nutgraf.errors import InputError, OutputError, UnknownName
from nutgraf.files import atomic_folder, list_names, lock_path
from nutgraf.model_folder import PRESET, TOKENIZER, WEIGHTS
from nutgraf.presets import Sections
from nutgraf.quantization import QUANTIZATIONS, pack

LEFT_OUT = ("precision_gate",)
"""Entries of a card that are true of the weights as they were, and need not be of those that are written."""


@dataclass(frozen=True)
class SlimFolder:
    """A model folder without its training.

    Attributes:
        quantization: Type of the weights.
        bytes_before: Size of the weights in the folder that was read, in bytes.
        bytes_after: Size of the weights in the folder that was written, in bytes.
    """

    quantization: str
    bytes_before: int
    bytes_after: int


def write_slim(
    folder: str | Path,
    out: str | Path,
    sections: Sections,
    quantization: str = "float32",
    command: str = "",
    trust: bool = False,
) -> SlimFolder:
    """Write a trained model without its training.

    Args:
        folder: A model folder.
        out: Folder to write.
        sections: Returns the `Config` of a system.
        quantization: Type of the weights: "float32" or "int8".
        command: Command that asked for it, which the card keeps; "" for none.
        trust: The preset may name modules outside nutgraf.

    Raises:
        InputError: If there is no such model, or it is damaged.
        OutputError: If the folder is there already, or cannot be written.
        PresetError: If the preset names a module and is not trusted.
        UnknownName: If there is no such quantization.
    """
    if quantization not in QUANTIZATIONS:
        raise UnknownName("quantization of nutgraf", quantization, QUANTIZATIONS)
    source, target = Path(folder), Path(out)
    if not (source / PRESET).is_file() and (source / "config.json").is_file():
        raise InputError(f"{source} is a model of transformers; --to nutgraf takes what `nutgraf train` wrote.")
    trained = load(source, sections, trust=trust)
    tensors = read_tensors(source / WEIGHTS)
    card = {key: value for key, value in trained.card.items() if key not in LEFT_OUT}
    card["quantization"] = quantization
    card["commands"] = [*card.get("commands", []), *([command] if command else [])]
    with lock_path(target):
        if target.exists() and (not target.is_dir() or list_names(target)):
            raise OutputError(f"{target} is there already; name another folder.")
        with atomic_folder(target) as made:
            create_folder(made, trained.preset, source / TOKENIZER, card)
            write_tensors(made / WEIGHTS, pack(tensors) if quantization == "int8" else tensors)
            load(made, sections, trust=trust)
    return SlimFolder(quantization, (source / WEIGHTS).stat().st_size, (target / WEIGHTS).stat().st_size)
