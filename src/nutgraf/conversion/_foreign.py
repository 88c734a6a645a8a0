"""Files of other programs: settings, and tensors that are taken out by name."""

from __future__ import annotations

import argparse
import pickletools
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

import torch
from torch import Tensor

from nutgraf.errors import InputError
from nutgraf.model.pretrained_files import indexed
from nutgraf.model.safe_tensors import opened
from nutgraf.runtime import metadata

SAFE, PICKLED = "model.safetensors", "pytorch_model.bin"
CONFIG = "config.json"

PROGRAMS = ("onmt.", "torchtext.", "models.", "torch.optim.", "functools.partial")
"""Beginnings of the classes of objects that OpenNMT-py and PreSumm keep beside their weights."""


class ForeignTensors:
    """Foreign tensors by their names; each is taken once."""

    def __init__(self, tensors: Mapping[str, Tensor], where: Path) -> None:
        self._tensors, self.where = dict(tensors), where

    def take(self, *names: str) -> Tensor:
        """Take the first of these tensors that exists, in single precision. Raises InputError if none does."""
        for name in names:
            if name in self._tensors:
                return self._tensors.pop(name).float()
        raise InputError(f"{self.where} lacks {names[0]!r}, which such a network has.")

    def __contains__(self, name: str) -> bool:
        return name in self._tensors

    def pair(self, theirs: str, ours: str) -> dict[str, Tensor]:
        """Take weight and bias of a linear map or a norm (gamma and beta in older files), by our names."""
        return {
            f"{ours}.weight": self.take(f"{theirs}.weight", f"{theirs}.gamma"),
            f"{ours}.bias": self.take(f"{theirs}.bias", f"{theirs}.beta"),
        }

    def attention(self, theirs: str, parts: Sequence[str], ours: str) -> dict[str, Tensor]:
        """Take the projections of an attention, by our names.

        `parts` are theirs for queries, keys, values and the output; one matrix of the first three, as in older fairseq,
        is taken as it is.
        """
        *inputs, output = parts
        taken = self.pair(f"{theirs}.{output}", f"{ours}.out_proj")
        for kind in ("weight", "bias"):
            if f"{theirs}.in_proj_{kind}" in self:
                taken[f"{ours}.qkv_proj.{kind}"] = self.take(f"{theirs}.in_proj_{kind}")
            else:
                taken[f"{ours}.qkv_proj.{kind}"] = torch.cat([self.take(f"{theirs}.{one}.{kind}") for one in inputs])
        return taken

    def renamed(self, old: str, new: str) -> ForeignTensors:
        """Return the tensors with another prefix of their names."""
        tensors = {
            new + name.removeprefix(old) if name.startswith(old) else name: one for name, one in self._tensors.items()
        }
        return ForeignTensors(tensors, self.where)

    def count(self, pattern: str) -> int:
        """Return one more than the highest number that a pattern finds in the names."""
        found = (re.match(pattern, name) for name in self._tensors)
        return 1 + max((int(match.group(1)) for match in found if match), default=-1)

    def drop(self, *names: str) -> None:
        """Drop tensors that repeat others."""
        for name in names:
            self._tensors.pop(name, None)

    @property
    def unused(self) -> tuple[str, ...]:
        """Names of the tensors that were not taken."""
        return tuple(self._tensors)

    def refuse_unused(self) -> None:
        """Raise InputError if tensors were not taken, of a format whose networks are converted as a whole."""
        if self._tensors:
            names = [repr(name) for name in self._tensors]
            others = f" and {len(names) - 3} more" if len(names) > 3 else ""
            raise InputError(
                f"{self.where} holds {', '.join(names[:3])}{others}, for which such a network has no place."
            )


class ForeignObject:
    """An object of another program's class, of which nothing but its attributes is kept: no code of it is run."""

    def __new__(cls, *args: Any, **options: Any) -> ForeignObject:
        """Make one without attributes, whatever its own class would make of the arguments."""
        return super().__new__(cls)

    def __init__(self, *args: Any, **options: Any) -> None:
        pass

    def __setstate__(self, state: Any) -> None:
        if isinstance(state, dict):
            vars(self).update({name: value for name, value in state.items() if isinstance(name, str)})


def read_config(folder: Path) -> dict[str, Any]:
    """Return a Hugging Face folder's `config.json`. Raises InputError."""
    config = read_json(folder / CONFIG)
    if not isinstance(config, dict):
        raise InputError(f"{folder / CONFIG} is no configuration of a model.")
    return config


def model_type(source: Path) -> str | None:
    """Return the model type of a Hugging Face folder; None for anything else."""
    return str(read_config(source).get("model_type")) if (source / CONFIG).is_file() else None


def read_json(path: Path) -> Any:
    """Return the content of a JSON file. Raises InputError."""
    return metadata.read_json(path, "a JSON file")


def need(config: Mapping[str, Any], key: str, where: Path) -> int:
    """Return a whole number that a configuration must have. Raises InputError."""
    value = config.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= metadata.LARGEST_COUNT:
        raise InputError(f"{where} should say {key!r}, a whole number from 1, but says {value!r}.")
    return value


def read_folder(folder: Path) -> ForeignTensors:
    """Return the weights of a Hugging Face folder. Raises InputError."""
    files = indexed(folder) or [path for path in [folder / SAFE] if path.is_file()]
    if files:
        return ForeignTensors({name: one for path in files for name, one in _safe(path).items()}, folder)
    if (folder / PICKLED).is_file():
        return ForeignTensors(read_pickled(folder / PICKLED), folder)
    raise InputError(f"{folder} has no weights: neither {SAFE} nor {PICKLED} is in it.")


def _safe(path: Path) -> dict[str, Tensor]:
    with opened(path) as file:
        return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118


def read_pickled(path: Path) -> dict[str, Any]:
    """Return the content of a pickled file if it is plain data: no code in it is run. Raises InputError."""
    return _read_pickled(path, [argparse.Namespace])  # fairseq's options, plain data too


def read_checkpoint(path: Path) -> dict[str, Any]:
    """Return the content of a checkpoint with objects of the programs that train summarizers (`PROGRAMS`).

    No code is run, theirs or other: each such object becomes a `ForeignObject`. Raises InputError for anything else
    that is not plain data.
    """
    foreign = [name for name in names_in(path).classes if name.startswith(PROGRAMS)]
    plain = [(_nothing, "collections.defaultdict"), (dict, "builtins.dict"), (int, "builtins.int")]
    return _read_pickled(path, [argparse.Namespace, *plain, *((ForeignObject, name) for name in foreign)])


def _nothing(*_: Any) -> dict[Any, Any]:
    """Stand for `defaultdict`, which would keep a function."""
    return {}


def _read_pickled(path: Path, allowed: list[Any]) -> dict[str, Any]:
    names_in(path)
    try:
        with torch.serialization.safe_globals(allowed):
            found = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # whatever the library makes of bytes that are no checkpoint
        raise InputError(
            f"{path} holds no plain weights: to read it, code in it would have to be run, or it was cut. "
            "Ask for a file of safetensors, or save its state_dict() alone."
        ) from error
    if not isinstance(found, dict):
        raise InputError(f"{path} holds no weights by their names, but {type(found).__name__}.")
    return found


@dataclass(frozen=True)
class Names:
    """Names in a pickled file."""

    classes: frozenset[str] = frozenset()
    """Classes and functions."""

    strings: frozenset[str] = frozenset()
    """Strings, names of tensors among them."""


def names_in(path: Path) -> Names:
    """Return the names in a file of PyTorch, without unpickling it; none for a file of another kind.

    A file is an archive with the pickle in it or, before PyTorch 1.6, four pickles (a mark, the version, the machine,
    the content) and the numbers behind them. Raises InputError if its pickle is compressed, which PyTorch never does:
    it could unpack without end.
    """
    try:
        return _names_in(path, path.stat().st_mtime_ns)
    except (OSError, ValueError, EOFError, StopIteration, zipfile.BadZipFile):
        return Names()


@lru_cache(maxsize=4)
def _names_in(path: Path, changed: int) -> Names:
    if not zipfile.is_zipfile(path):
        with path.open("rb") as file:
            return [_names_of(file) for _ in range(4)][-1]
    with zipfile.ZipFile(path) as archive:
        entry = next(one for one in archive.infolist() if one.filename.endswith("/data.pkl"))
        if entry.compress_type != zipfile.ZIP_STORED:
            raise InputError(f"{path} is compressed, as PyTorch writes no file; save its state_dict() with torch.save.")
        with archive.open(entry) as content:
            return _names_of(content)


def _names_of(file: IO[bytes]) -> Names:
    """Return the names in one pickle. Raises ValueError if it is none."""
    classes, strings = set(), set()
    for code, value, _ in pickletools.genops(file):
        if code.name == "GLOBAL":
            classes.add(str(value).replace(" ", "."))
        elif isinstance(value, str):
            strings.add(value)
    return Names(frozenset(classes), frozenset(strings))


def checkpoint_in(source: Path) -> Path | None:
    """Return a file of PyTorch (`.pt`), or the only one in a folder; None if there is none, or several."""
    files = [source] if source.is_file() else [*source.glob("*.pt")]
    return files[0] if len(files) == 1 and files[0].suffix == ".pt" else None
