"""GGUF files, in which llama.cpp keeps a model with its tokenizer, become folders of transformers.

The library transformers makes numbers in single precision of the quantized ones. They are written once, so that all
that reads folders of models reads these, too. Nothing in such a file is code but its template for conversations, which
transformers fills in in its sandbox.
"""

from __future__ import annotations

import hashlib
import io
import shutil
from collections.abc import Mapping
from contextlib import redirect_stderr
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from nutgraf.errors import InputError, OutputError, requires
from nutgraf.model.library_errors import quiet, told
from nutgraf.model.pretrained_files import COMPUTED, building
from nutgraf.runtime.files import atomic_folder, lock_new, reading

SUFFIX = ".gguf"

MAGIC = b"GGUF"

WIDTH = 4
"""Bytes of a number in single precision."""


def is_gguf(path: Path) -> bool:
    """Return True if a path is a file whose name ends in `.gguf`."""
    return path.suffix.lower() == SUFFIX and path.is_file()


def gguf_file(name: str) -> Path | None:
    """Return the GGUF file of a name: a file, or that of an installed distribution which has one; None for others."""
    if is_gguf(Path(name)):
        return Path(name)
    try:
        files = distribution(name).files or ()
    except (PackageNotFoundError, ValueError):
        return None
    found = [path for path in (Path(str(file.locate())) for file in files if file.suffix == SUFFIX) if path.is_file()]
    return found[0] if len(found) == 1 else None


def unpacked(file: Path) -> Path:
    """Return the folder of a GGUF file in the cache of huggingface_hub, and write it if it is not there yet.

    The folder's name is the file's digest. Raises what `unpack` raises.
    """
    from huggingface_hub import cached_assets_path

    with reading(file), file.open("rb") as opened:
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
    folder = cached_assets_path("nutgraf", "gguf") / digest[:32]
    if not folder.is_dir():
        unpack(file, folder)
    return folder


def unpack(file: Path, out: str | Path) -> int:
    """Write the model of a GGUF file as a folder of transformers, with weights in single precision.

    Args:
        file: The file.
        out: Folder to write.

    Returns:
        Number of weights.

    Raises:
        InputError: If the file is none, is damaged, or holds a model that transformers cannot read.
        MissingPackage: If the package gguf is not installed.
        OutputError: If the folder exists, cannot be written, or has no room.
    """
    with requires("gguf", "GGUF files need"):
        import gguf  # noqa: F401
    with lock_new(out) as target:
        tensors, numbers = _held(file)
        if (free := shutil.disk_usage(target.parent).free) < WIDTH * numbers:
            raise OutputError(
                f"{target} needs {WIDTH * numbers / 1e9:,.1f} GB for the weights of {file}, and {free / 1e9:,.1f} are "
                "free; name another folder with nutgraf convert, or set HF_HOME to one."
            )
        with atomic_folder(target) as made:
            _write(file, made, tensors, numbers)
    return numbers


def _held(file: Path) -> tuple[int, int]:
    """Return how many tensors and numbers a file holds, from its head alone. Raises InputError."""
    with reading(file), file.open("rb") as opened:
        if opened.read(len(MAGIC)) != MAGIC:
            raise InputError(f"{file} is no GGUF file: it does not begin with {MAGIC.decode()}.")
    from gguf import GGUFReader

    with _told(file):
        sizes = [int(tensor.n_elements) for tensor in GGUFReader(file).tensors]
    return len(sizes), sum(sizes)


def _write(file: Path, made: Path, tensors: int, numbers: int) -> None:
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

    named: Mapping[str, Any] = {"gguf_file": file.name, "local_files_only": True, "trust_remote_code": False}
    refusal = InputError(f"{file} lacks weights: the model that it describes has more than its {numbers:,} numbers.")
    with _told(file), quiet(), redirect_stderr(io.StringIO()):  # where a bar would stand
        config = AutoConfig.from_pretrained(file.parent, **named)
        with building(tensors, numbers + COMPUTED, refusal), torch.device("meta"):
            network = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
        read, found = AutoModelForCausalLM.from_pretrained(
            file.parent, dtype=torch.float32, output_loading_info=True, **named
        )
        if lost := sorted(found["missing_keys"]):
            raise InputError(f"{file} lacks {len(lost)} of the weights of its model, such as {lost[0]!r}.")
        network.load_state_dict(read.state_dict(), assign=True)  # since transformers saves nothing that it dequantized
        network.tie_weights()
        network.generation_config = read.generation_config
        network.save_pretrained(made)
        AutoTokenizer.from_pretrained(file.parent, **named).save_pretrained(made)


def _told(file: Path) -> Any:
    return told(file, "cannot be read", "it")
