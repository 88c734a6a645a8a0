"""Weights of other programs become a model folder. One file, one converter.

No foreign code is run: safetensors are read as they are, pickled files only as far as they hold plain weights. The
folder of a published summarizer (OpenNMT-py's CopyTransformer, PreSumm, the pointer-generator of See et al.) is that
of a trained model, and summarizes. The folder of a pretrained network (BERT, BART, MASS) is what a training begins
with: it lacks weights that the source does not have, and `nutgraf train … --init-from` takes those that are there.
"""

from __future__ import annotations

import re
import tempfile
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from torch import Tensor

from nutgraf.checkpoint import build, create_folder, load_matching_weights, refuse_nonfinite, weights, write_tensors
from nutgraf.conversion._safe_copy import copy_safely
from nutgraf.errors import InputError, NutgrafError
from nutgraf.model_folder import WEIGHTS
from nutgraf.presets import Preset, Sections, read
from nutgraf.presets.family import Family, Member
from nutgraf.runtime.files import atomic_folder, lock_new
from nutgraf.tokenizers import Tokenizer
from nutgraf.version import __version__

LEAST = 300
"""Smallest size that every kind of tokenizer accepts."""


@dataclass(frozen=True)
class ForeignWeights:
    """Weights of another program, in our terms.

    Attributes:
        title: Name of the model.
        settings: Options in which its preset differs from `preset`, by dotted keys.
        tokenizer: Its tokenizer.
        tensors: Weights by our names.
        unused: Names of foreign tensors that have no counterpart here.
        notes: Sentences on what was assumed.
        beside: Weights that a tagger has and a network that writes has not, by our names.
        preset: Preset of the network.
    """

    title: str
    settings: Mapping[str, Any]
    tokenizer: Tokenizer
    tensors: Mapping[str, Tensor]
    unused: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    beside: Mapping[str, Tensor] = field(default_factory=dict)
    preset: str = "mass"


class Converter(Member, ABC):
    """Reads one format of foreign weights."""

    name: ClassVar[str]
    """Name of the format, for messages."""

    needs: ClassVar[str]
    """Files of the format, for messages."""

    @abstractmethod
    def recognizes(self, source: Path) -> bool:
        """Return True if a folder or file looks like this format."""

    @abstractmethod
    def read(self, source: Path, decoder: bool) -> ForeignWeights:
        """Read the weights of a folder or file.

        Args:
            source: Folder or file.
            decoder: Initialize a decoder that the source lacks with its encoder's weights.

        Raises:
            InputError: If the files are missing, damaged, or of a model that has no counterpart here.
        """


converters: Family[Converter] = Family(__name__, Converter)


@dataclass(frozen=True)
class Converted:
    """Result of a conversion: names of our tensors with and without weights, and of foreign ones without use."""

    folder: Path
    title: str
    matched: tuple[str, ...]
    new: tuple[str, ...]
    unused: tuple[str, ...]
    notes: tuple[str, ...]

    def table(self) -> str:
        """Return a table of the tensors of each part that were taken and that are new, and the names of the others."""
        taken, begins = (Counter(map(_part, names)) for names in (self.matched, self.new))
        rows = [("", "taken", "new")]
        rows += [(part, str(taken[part]), str(begins[part])) for part in dict.fromkeys([*taken, *begins])]
        width = max(len(row[0]) for row in rows)
        lines = [f"{part:<{width}}  {one:>5}  {other:>5}" for part, one, other in rows]
        for what, names in (("new", self.new), ("unused", self.unused)):
            lines += ["", f"{what}:", *(f"  {name}" for name in _gathered(names))] if names else []
        return "\n".join([*lines, *(["", *self.notes] if self.notes else [])])


def convert(
    source: str | Path, out: str | Path, sections: Sections, *, decoder: bool = False, command: str = ""
) -> Converted:
    """Convert the weights of another program into a model folder; what it recognizes are the files of this package.

    Args:
        source: Folder or file with the foreign weights.
        out: Model folder to write.
        sections: Returns the `Config` of a system.
        decoder: Initialize self-attention and feed-forward of a decoder that the source lacks with the encoder's.
        command: Command to record on the card.

    Returns:
        Names of the tensors that were taken, are new, or have no use.

    Raises:
        InputError: If the weights cannot be read.
        OutputError: If the folder cannot be written.
    """
    with lock_new(out) as folder:
        return _convert(Path(source), folder, sections, decoder, command)


def _convert(path: Path, folder: Path, sections: Sections, decoder: bool, command: str) -> Converted:
    """Convert while no other process writes the same folder."""
    kind = _recognized(path)
    foreign = _read(kind, path, decoder)
    refuse_nonfinite({**foreign.tensors, **foreign.beside}, path)
    sized = {"tokenizer.vocab_size": max(len(foreign.tokenizer), LEAST), **foreign.settings}
    base = read(foreign.preset, sections, sized)
    described = {**base.table, "title": foreign.title, "about": f"Weights of {path}.", "published": ""}
    preset = Preset(kind, described, sections)
    network = build(preset, len(foreign.tokenizer))
    found = load_matching_weights(network, foreign.tensors)
    if found.other_shape or found.unused:
        name = (found.other_shape or found.unused)[0]
        shape = tuple(foreign.tensors[name].shape)
        needed = tuple(weights(network)[name].shape) if found.other_shape else "none"
        raise InputError(
            f"{path} does not fit what it says of itself: for {name} it has {shape}, where {needed} is needed."
        )
    done = Converted(folder, foreign.title, found.matched, found.new, foreign.unused, foreign.notes)
    _write(preset, foreign, done, path, command)
    return done


def _read(kind: str, path: Path, decoder: bool) -> ForeignWeights:
    """Read weights of a format. Raises InputError, also for files whose parts contradict one another."""
    try:
        return converters.make(kind).read(path, decoder)
    except (NutgrafError, OSError, MemoryError):
        raise
    except Exception as error:
        raise InputError(
            f"{path} is not a whole {converters.find(kind).name}: what its files say does not fit "
            f"({type(error).__name__}: {error})."
        ) from error


def _recognized(path: Path) -> str:
    for kind in converters.names():
        if converters.make(kind).recognizes(path):
            return kind
    if not path.exists():
        raise InputError(f"There is no {path}; name a folder or a file with weights.")
    needs = "; ".join(converters.make(kind).needs for kind in converters.names())
    raise InputError(
        f"{path} holds nothing that can be converted. What can: {needs}; a language model in a file *.gguf."
    )


def _write(preset: Preset, foreign: ForeignWeights, done: Converted, source: Path, command: str) -> None:
    card = {
        "preset": preset.name,
        "title": foreign.title,
        "version": __version__,
        "seed": preset.seed,
        "parameters": sum(tensor.numel() for tensor in foreign.tensors.values()),
        "vocab_size": len(foreign.tokenizer),
        "commands": [command] if command else [],
        "converted": {
            "from": str(source),
            "new": list(done.new),
            "unused": list(done.unused),
            "notes": list(done.notes),
        },
        "licence": f"that of {source}, which it was made of",
    }
    with tempfile.TemporaryDirectory() as learned, atomic_folder(done.folder) as folder:
        foreign.tokenizer.save(learned)
        create_folder(folder, preset, learned, card)
        write_tensors(folder / WEIGHTS, {**foreign.tensors, **foreign.beside})


def _part(name: str) -> str:
    """Return the part that a tensor belongs to, for the table."""
    return ".".join(name.split(".")[: 2 if name.startswith("decoder.layers") else 1]).removesuffix(".layers")


def _gathered(names: Iterable[str]) -> list[str]:
    """Join names that differ in the number of their layer alone, with their count."""
    counts = Counter(re.sub(r"\.\d+\.", ".*.", name) for name in names)
    return [name if count == 1 else f"{name} ({count})" for name, count in counts.items()]


__all__ = ["Converted", "Converter", "ForeignWeights", "convert", "converters", "copy_safely"]
