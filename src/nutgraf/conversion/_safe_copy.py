"""A Hugging Face folder of pickled weights becomes one of safetensors, which any program may open."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from safetensors.torch import save_file
from torch import Tensor

from nutgraf.conversion._foreign import CONFIG, PICKLED, SAFE, read_json, read_pickled
from nutgraf.errors import InputError
from nutgraf.model.pretrained_files import INDEX
from nutgraf.runtime.files import atomic_folder, lock_new

TEXTS = ("*.json", "*.txt", "*.model", "*.jinja")
"""Files that are copied: the configuration and the tokenizer."""

PARTS = f"{PICKLED}.index.json"


def copy_safely(source: str | Path, out: str | Path) -> int:
    """Write a Hugging Face folder anew, with safetensors in place of pickled weights, of which nothing else is read.

    Args:
        source: Folder with pickled weights, in one file or several.
        out: Folder to write.

    Returns:
        Number of tensors.

    Raises:
        InputError: If the folder holds no pickled weights, or more than plain ones.
        OutputError: If the other folder cannot be written.
    """
    folder = Path(source)
    if not (folder / CONFIG).is_file():
        raise InputError(f"{folder} holds no model: there is no {CONFIG} in it.")
    names = _files(folder)
    with lock_new(out) as target, atomic_folder(target) as made:
        for path in sorted(one for pattern in TEXTS for one in folder.glob(pattern) if one.name != PARTS):
            shutil.copyfile(path, made / path.name)
        return _write(folder, names, made)


def _files(folder: Path) -> list[str]:
    """Names of the files with weights. Raises InputError."""
    if (folder / PICKLED).is_file():
        return [PICKLED]
    index = read_json(folder / PARTS) if (folder / PARTS).is_file() else {}
    parts = index.get("weight_map") if isinstance(index, dict) else None
    names = sorted({str(name) for name in parts.values()}) if isinstance(parts, dict) else []
    if not names or any(Path(name).name != name for name in names):
        raise InputError(f"{folder} has no pickled weights: neither {PICKLED} nor {PARTS} with the names of its parts.")
    return names


def _write(folder: Path, names: list[str], made: Path) -> int:
    where: dict[str, str] = {}
    for number, name in enumerate(names, 1):
        tensors = _tensors(read_pickled(folder / name), folder / name)
        written = SAFE if len(names) == 1 else f"model-{number:05}-of-{len(names):05}.safetensors"
        save_file(tensors, made / written, metadata={"format": "pt"})
        where |= dict.fromkeys(tensors, written)
    if len(names) > 1:
        (made / INDEX).write_text(json.dumps({"metadata": {}, "weight_map": where}), encoding="utf-8")
    return len(where)


def _tensors(found: Mapping[str, Any], path: Path) -> dict[str, Tensor]:
    """Return tensors that share no memory. Raises InputError if there is anything else."""
    wrong = next((name for name, one in found.items() if not isinstance(one, Tensor)), None)
    if wrong is not None or not found:
        raise InputError(f"{path} holds more than weights: {wrong!r} is none." if found else f"{path} is empty.")
    return {name: one.detach().clone().contiguous() for name, one in found.items()}
