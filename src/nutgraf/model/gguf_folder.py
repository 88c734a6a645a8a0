"""GGUF files, in which llama.cpp keeps a model with its tokenizer, become folders of transformers.

The library transformers makes numbers in single precision of the quantized ones. They are written once, so that all
that reads folders of models reads these, too. Nothing in such a file is code but its template for conversations, which
transformers fills in in its sandbox; and nothing is read that lies beside it.
"""

from __future__ import annotations

import io
import json
import shutil
import struct
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, BinaryIO

from nutgraf.errors import InputError, OutputError, requires
from nutgraf.model.library_errors import quiet, told
from nutgraf.model.pretrained_files import COMPUTED, GGUF, GGUF_MAGIC, building, gguf_files
from nutgraf.model.pretrained_folder import checked_config, read_tokenizer
from nutgraf.runtime.files import atomic_folder, lock_new, reading

VERSIONS = (2, 3)
"""Versions of the format that are read."""

WIDTH = 4
"""Bytes of a number in single precision."""

DENSEST = 6
"""Numbers that a byte of quantized weights can hold at most; types of one and a half bits hold five."""

MOST_KEYS, MOST_TENSORS = 1 << 16, 1 << 16
"""Entries of the head of a file."""

SCALARS = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
"""Bytes of the values of each type but texts and lists."""

TEXT, LIST = 8, 9
"""Types of these."""

NEEDED = ("block_count", "embedding_length", "context_length", "attention.head_count")
"""Keys that a file has behind the name of its architecture: without them the library guesses."""


def is_gguf(path: Path) -> bool:
    """Return True if a path is a file whose name ends in `.gguf`."""
    return path.suffix.lower() == GGUF and path.is_file()


def gguf_file(name: str) -> Path | None:
    """Return the GGUF file of a name: a file, or that of an installed distribution which has one; None for others."""
    if is_gguf(Path(name)):
        return Path(name)
    try:
        found = gguf_files(distribution(name))
    except (PackageNotFoundError, ValueError):
        return None
    return found[0] if len(found) == 1 else None


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
    _check_head(file)
    with lock_new(out) as target, _alone(file) as named:
        tensors, numbers = _held(file)
        if (free := shutil.disk_usage(target.parent).free) < WIDTH * numbers:
            raise OutputError(
                f"{target} needs {WIDTH * numbers / 1e9:,.1f} GB for the weights of {file}, and {free / 1e9:,.1f} are "
                "free; name another folder with nutgraf convert, or set HF_HOME to one."
            )
        with atomic_folder(target) as made:
            _write(file, named, made, tensors, numbers)
    return numbers


@contextmanager
def _alone(file: Path) -> Iterator[Path]:
    """Yield another name of a file, in a folder that has nothing else, since libraries read what lies beside it."""
    with tempfile.TemporaryDirectory() as place:
        named = Path(place, f"model{GGUF}")
        try:
            named.symlink_to(file.resolve())
        except OSError:  # where links are not allowed
            shutil.copyfile(file, named)
        yield named


def _check_head(file: Path) -> None:
    """Raise InputError if the head of a file is none, or says more than the file can hold."""
    size = file.stat().st_size
    with reading(file), file.open("rb") as opened:
        if opened.read(len(GGUF_MAGIC)) != GGUF_MAGIC:
            raise InputError(f"{file} is no GGUF file: it does not begin with {GGUF_MAGIC.decode()}.")
        try:
            keys = _keys(opened, size)
        except (struct.error, ValueError, OverflowError, UnicodeDecodeError) as error:
            raise InputError(
                f"{file} is damaged or was cut: its head does not fit into its {size:,} bytes ({error}); fetch it anew."
            ) from error
    architecture = keys.get("general.architecture")
    lacking = [name for name in NEEDED if f"{architecture}.{name}" not in keys]
    if not isinstance(architecture, str) or lacking:
        raise InputError(f"{file} describes no model: {architecture or 'general'}.{(lacking or ['?'])[0]} is missing.")


def _keys(opened: BinaryIO, size: int) -> dict[str, object]:
    """Return the keys of a head, with their values where these are texts. Raises ValueError and struct.error."""
    version, tensors, count = struct.unpack("<IQQ", opened.read(20))
    if version not in VERSIONS or tensors > MOST_TENSORS or count > MOST_KEYS:
        raise ValueError(f"version {version}, {tensors:,} tensors, {count:,} keys")

    def text() -> str:
        [length] = struct.unpack("<Q", opened.read(8))
        if length > size - opened.tell():
            raise ValueError(f"a text of {length:,} bytes")
        return opened.read(length).decode("utf-8", "replace")

    def value(kind: int, nested: bool = False) -> object:
        if kind in SCALARS:
            if len(found := opened.read(SCALARS[kind])) < SCALARS[kind]:
                raise ValueError("a value is cut")
            return found
        if kind == TEXT:
            return text()
        if kind != LIST or nested:
            raise ValueError(f"a value of type {kind}")
        inner, length = struct.unpack("<IQ", opened.read(12))
        if length > size - opened.tell():
            raise ValueError(f"a list of {length:,} values")
        if inner in SCALARS:
            opened.seek(length * SCALARS[inner], io.SEEK_CUR)
        else:
            for _ in range(length):
                value(inner, nested=True)
        if opened.tell() > size:
            raise ValueError(f"a list of {length:,} values")
        return None

    return {text(): value(*struct.unpack("<I", opened.read(4))) for _ in range(count)}


def _held(file: Path) -> tuple[int, int]:
    """Return how many tensors and numbers a file holds. Raises InputError if they cannot be in it."""
    from gguf import GGUFReader

    with _told(file):
        sizes = [int(tensor.n_elements) for tensor in GGUFReader(file).tensors]
    if sum(sizes) > DENSEST * file.stat().st_size:
        raise InputError(f"{file} is damaged: its head tells of {sum(sizes):,} numbers, more than its bytes can hold.")
    return len(sizes), sum(sizes)


def _write(file: Path, named: Path, made: Path, tensors: int, numbers: int) -> None:
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

    given: Mapping[str, Any] = {"gguf_file": named.name, "local_files_only": True, "trust_remote_code": False}
    refusal = InputError(f"{file} lacks weights: the model that it describes has more than its {numbers:,} numbers.")
    with _told(file), quiet(), redirect_stderr(io.StringIO()):  # where a bar would stand
        config = AutoConfig.from_pretrained(named.parent, **given)
        with building(tensors, numbers + COMPUTED, refusal), torch.device("meta"):
            network = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
        read, found = AutoModelForCausalLM.from_pretrained(
            named.parent, dtype=torch.float32, output_loading_info=True, **given
        )
        if lost := sorted(found["missing_keys"]):
            raise InputError(f"{file} lacks {len(lost)} of the weights of its model, such as {lost[0]!r}.")
        weights = read.state_dict()
        for name, tensor in weights.items():
            if not bool(tensor.isfinite().all()):
                raise InputError(f"{file} has weights that are not finite numbers, such as in {name!r}; fetch it anew.")
        network.load_state_dict(weights, assign=True)  # since transformers saves nothing that it dequantized
        network.tie_weights()
        network.generation_config = read.generation_config
        network.save_pretrained(made)
        AutoTokenizer.from_pretrained(named.parent, **given).save_pretrained(made)
        _leave_out_unknown(made / "tokenizer.json", network.get_input_embeddings().weight.shape[0])
    checked_config(made)
    read_tokenizer(made)


def _leave_out_unknown(path: Path, known: int) -> None:
    """Leave out the marks that the library adds to a tokenizer, for which the model has no vector."""
    tokenizer = json.loads(path.read_text(encoding="utf-8"))
    tokenizer["added_tokens"] = [one for one in tokenizer["added_tokens"] if one["id"] < known]
    path.write_text(json.dumps(tokenizer, ensure_ascii=False), encoding="utf-8")


def _told(file: Path) -> Any:
    return told(file, "cannot be read", "it")
