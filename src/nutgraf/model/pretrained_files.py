"""Bounds on the files of a folder of transformers: what they say is compared before time or memory is spent on it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import Distribution
from pathlib import Path
from threading import get_ident
from typing import Any

from nutgraf.errors import InputError
from nutgraf.model.safe_tensors import opened
from nutgraf.runtime.metadata import read_record

LARGEST_CONFIG, LARGEST_TEXT = 1 << 20, 1 << 26
"""Bytes of a configuration, and of another file of text beside the weights; the largest hold vocabularies."""

ADAPTER = "adapter_config.json"
"""Settings of an adapter, as peft writes them."""

GGUF, GGUF_MAGIC = ".gguf", b"GGUF"
"""End of the names of GGUF files, and beginning of what is in them."""

CONFIGS = ("config.json", "generation_config.json", ADAPTER)

TEXTS = ("*.json", "*.jinja", "*.txt", "*.model", "*.spm")
"""Files of text that the library reads."""

INDEX = "model.safetensors.index.json"
"""File that names the files in which the weights are."""

SPARE = 1 << 26
"""Numbers that a network may have beyond those of its files where some of its parts are not needed."""

COMPUTED = 1 << 22
"""Numbers that a network may compute beside those of its files, as sines of positions; each takes microseconds."""

LARGEST_BUFFERS = 1 << 30
"""Bytes of what a network computes once and keeps, such as masks and places."""

PACKED = 8
"""Numbers that a byte of quantized weights can hold at most."""

SHARED = 1024
"""Parameters that a network may have beyond twice the tensors of its files: layers can share them."""


def gguf_files(brought: Distribution) -> list[Path]:
    """Return the GGUF files of an installed distribution."""
    paths = (Path(str(file.locate())) for file in brought.files or () if file.suffix == GGUF)
    return [path for path in paths if path.is_file()]


def weight_files(folder: Path) -> list[Path]:
    """Return the safetensors files of a folder."""
    return [path for path in sorted(folder.glob("*.safetensors")) if path.is_file()]


def check_texts(folder: Path) -> None:
    """Raise InputError if a file is none, such as a pipe, or one of text is too large to be read."""
    texts = {
        path for place in (folder, folder / "additional_chat_templates") for one in TEXTS for path in place.glob(one)
    }
    for path in sorted({*texts, *folder.glob("*.safetensors")}):
        if not path.is_file():
            raise InputError(f"{path} is no plain file (a broken link, a folder, a pipe); fetch it anew, or remove it.")
        size, most = path.stat().st_size, LARGEST_CONFIG if path.name in CONFIGS else LARGEST_TEXT
        if path in texts and size > most:
            raise InputError(f"{path} has {size:,} bytes, where {most:,} are enough for any model; fetch it anew.")


@dataclass(frozen=True)
class _Index:
    weight_map: dict[str, str]


def indexed(folder: Path) -> list[Path]:
    """Return the files that the index of a folder names, none if there is no index. Raises InputError."""
    path = folder / INDEX
    if not path.is_file():
        return []
    names = set(read_record(path, _Index, "an index of weights").weight_map.values())
    if wrong := sorted(names - {one.name for one in weight_files(folder)}):
        raise InputError(f"{path} names {wrong[0][:99]!r}, and no safetensors file beside it has that name.")
    return [folder / name for name in sorted(names)]


def held(folder: Path, quantized: bool) -> tuple[int, int]:
    """Return how many tensors the files of a folder hold, and how many numbers, from their headers alone.

    Quantized weights may have several numbers in one. Raises InputError if a file is none of safetensors, was cut, or
    holds whole numbers alone.
    """
    tensors = numbers = 0
    for path in weight_files(folder):
        with opened(path) as file:
            slices = [file.get_slice(name) for name in file.keys()]  # noqa: SIM118
            shapes = [each.get_shape() for each in slices]
            if not any("F" in each.get_dtype() for each in slices):
                raise InputError(f"{path} holds whole numbers alone, where weights are fractions; fetch it anew.")
        tensors += len(shapes)
        numbers += PACKED * path.stat().st_size if quantized else sum(map(math.prod, shapes))
    return tensors, numbers


@contextmanager
def building(tensors: int, numbers: int, refusal: InputError) -> Iterator[None]:
    """Raise `refusal` as soon as the networks that are built here have far more parameters than files hold.

    A network may have twice as many tensors and numbers, before some are tied.
    """
    from torch.nn.modules.module import register_module_parameter_registration_hook

    here, left = get_ident(), [2 * tensors + SHARED, 2 * numbers]

    def count(module: Any, name: str, parameter: Any) -> None:
        if get_ident() == here:
            left[:] = left[0] - 1, left[1] - parameter.numel()
            if min(left) < 0:
                raise refusal

    handle = register_module_parameter_registration_hook(count)
    try:
        yield
    finally:
        handle.remove()
