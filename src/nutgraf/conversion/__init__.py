"""Weights that other programs left become a folder that a network begins with. One file, one form.

Nothing of theirs is run: safetensors are read as they are, pickled files only as far as they hold plain weights. The
folder is like one that training leaves, but for weights that the source had none for: `nutgraf train … --init-from`
takes what it has, and says so.
"""

from __future__ import annotations

import re
import tempfile
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import Tensor

from nutgraf.checkpoint import WEIGHTS, begin, build, put_matching, refuse_nonfinite, weights, write_tensors
from nutgraf.errors import InputError, NutgrafError, OutputError
from nutgraf.files import atomic_folder, lock_path, recover_folder
from nutgraf.presets import Preset, read
from nutgraf.presets.family import Family, NoOptions
from nutgraf.tokenizers import Tokenizer
from nutgraf.version import __version__

LEAST = 300
"""The smallest size that every kind of tokenizer may be given."""


@dataclass(frozen=True)
class Foreign:
    """What was read, in our terms.

    title: what it is. settings: what its preset has other than `mass`, by dotted keys. tensors: by our names. left: the
    names of theirs that nothing here has a use for. notes: sentences on what was assumed.
    """

    title: str
    settings: Mapping[str, Any]
    tokenizer: Tokenizer
    tensors: Mapping[str, Tensor]
    left: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Form(ABC):
    """One way in which others keep their weights."""

    needs: str
    """What such a place looks like, for messages."""

    def __init__(self, config: NoOptions) -> None:
        self.config = config

    @abstractmethod
    def recognizes(self, source: Path) -> bool:
        """Whether a folder or file looks like it."""

    @abstractmethod
    def read(self, source: Path, decoder: bool) -> Foreign:
        """What is in it. decoder: whether a decoder that it lacks begins with what its encoder has. Raises
        InputError."""


forms: Family[Form] = Family(__name__, Form)


@dataclass(frozen=True)
class Converted:
    """What came of it: names of our tensors with and without weights, and of theirs that were left."""

    folder: Path
    title: str
    matched: tuple[str, ...]
    new: tuple[str, ...]
    left: tuple[str, ...]
    notes: tuple[str, ...]

    def table(self) -> str:
        """Part by part: how many tensors have weights, and how many are still to begin. Below, which these are, and
        what was left."""
        taken, begins = (Counter(map(_part, names)) for names in (self.matched, self.new))
        rows = [("", "taken", "new")]
        rows += [(part, str(taken[part]), str(begins[part])) for part in dict.fromkeys([*taken, *begins])]
        width = max(len(row[0]) for row in rows)
        lines = [f"{part:<{width}}  {one:>5}  {other:>5}" for part, one, other in rows]
        for what, names in (("new", self.new), ("left", self.left)):
            lines += ["", f"{what}:", *(f"  {name}" for name in _gathered(names))] if names else []
        return "\n".join([*lines, *(["", *self.notes] if self.notes else [])])


def convert(source: str | Path, out: str | Path, *, decoder: bool = False, command: str = "") -> Converted:
    """Make the folder `out` of a Hugging Face folder (BERT, BART) or a fairseq checkpoint (MASS).

    decoder: where the source has no decoder, its self-attention and feed-forward parts begin with the encoder's.
    command: what to write on the card. Raises InputError, OutputError.
    """
    with lock_path(out):
        return _convert(Path(source), Path(out), decoder, command)


def _convert(path: Path, folder: Path, decoder: bool, command: str) -> Converted:
    """What `convert` does where nobody else makes the same folder."""
    recover_folder(folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise OutputError(f"{folder} is there already; name another folder.")
    kind = _recognized(path)
    foreign = _read(kind, path, decoder)
    refuse_nonfinite(foreign.tensors, path)
    mass = read("mass", {"tokenizer.vocab_size": max(len(foreign.tokenizer), LEAST), **foreign.settings})
    preset = Preset(kind, {**mass.table, "title": foreign.title, "about": f"Weights of {path}.", "published": ""})
    network = build(preset, len(foreign.tokenizer))
    found = put_matching(network, foreign.tensors)
    if found.other_shape or found.unused:
        name = (found.other_shape or found.unused)[0]
        shape = tuple(foreign.tensors[name].shape)
        needed = tuple(weights(network)[name].shape) if found.other_shape else "none"
        raise InputError(
            f"{path} does not fit what it says of itself: for {name} it has {shape}, where {needed} is needed."
        )
    done = Converted(folder, foreign.title, found.matched, found.new, foreign.left, foreign.notes)
    _write(preset, foreign, done, path, command)
    return done


def _read(kind: str, path: Path, decoder: bool) -> Foreign:
    """What is in a place of this kind. Raises InputError, also for files whose parts contradict one another in ways
    that their form leaves open."""
    try:
        return forms.make(kind).read(path, decoder)
    except (NutgrafError, OSError, MemoryError):
        raise
    except Exception as error:
        raise InputError(
            f"{path} is not a whole {kind.upper()}: what its files say does not fit ({type(error).__name__}: {error})."
        ) from error


def _recognized(path: Path) -> str:
    if not path.exists():
        raise InputError(f"There is no {path}; name a folder or a file with weights.")
    for kind in forms.names():
        if forms.make(kind).recognizes(path):
            return kind
    needs = "; ".join(forms.make(kind).needs for kind in forms.names())
    raise InputError(f"{path} holds nothing that can be converted. What can: {needs}.")


def _write(preset: Preset, foreign: Foreign, done: Converted, source: Path, command: str) -> None:
    card = {
        "preset": preset.name,
        "title": foreign.title,
        "version": __version__,
        "seed": preset.seed,
        "parameters": sum(tensor.numel() for tensor in foreign.tensors.values()),
        "vocab_size": len(foreign.tokenizer),
        "commands": [command] if command else [],
        "converted": {"from": str(source), "new": list(done.new), "left": list(done.left), "notes": list(done.notes)},
        "licence": f"that of {source}, which it was made of",
    }
    with tempfile.TemporaryDirectory() as learned, atomic_folder(done.folder) as folder:
        foreign.tokenizer.save(learned)
        begin(folder, preset, learned, card)
        write_tensors(folder / WEIGHTS, foreign.tensors)


def _part(name: str) -> str:
    """What a tensor belongs to, for the table."""
    return ".".join(name.split(".")[: 2 if name.startswith("decoder.layers") else 1]).removesuffix(".layers")


def _gathered(names: Iterable[str]) -> list[str]:
    """Names that differ in the number of their layer alone are one, with how many there are."""
    counts = Counter(re.sub(r"\.\d+\.", ".*.", name) for name in names)
    return [name if count == 1 else f"{name} ({count})" for name, count in counts.items()]


__all__ = ["Converted", "Foreign", "Form", "convert", "forms"]
