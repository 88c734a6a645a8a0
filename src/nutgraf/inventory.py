"""Models that are at hand: those of installed packages, of the cache of huggingface_hub, and of folders.

Nothing is loaded and no package of a model is imported: names, sizes and licences are read off files.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path
from typing import NamedTuple

from nutgraf.errors import InputError, NutgrafError
from nutgraf.inference import installed_networks
from nutgraf.inference.card import CARD as NETWORK_CARD
from nutgraf.inference.card import ENCODER_GRAPH
from nutgraf.inference.card import read_card as read_network_card
from nutgraf.model.pretrained_files import ADAPTER, GGUF, GGUF_MAGIC, gguf_files
from nutgraf.model_folder import PRESET
from nutgraf.model_folder import read_card as read_trained_card
from nutgraf.presets.installed import installed
from nutgraf.runtime.files import reading
from nutgraf.runtime.metadata import read_record

CONFIG, README = "config.json", "README.md"

LARGEST_HEAD = 1 << 16
"""Characters of a text file that are read."""

_SYSTEM = re.compile(r"^system *= *[\"']span_classifier[\"']", re.MULTILINE)

_LICENCE = re.compile(r"^license: *[\"']?([\w .+-]+)", re.IGNORECASE | re.MULTILINE)

DEPTH = 3
"""Folders below one that is named, in which models are looked for."""

HAS_NONE = (
    f"has no model in it: neither a trained one ({PRESET}), nor a network ({NETWORK_CARD}, {ENCODER_GRAPH}), nor one "
    f"of transformers ({CONFIG}), nor an adapter ({ADAPTER}), nor a GGUF file."
)

SUMMARIZE = "nutgraf summarize FILE --system {name}"
BEGIN = "nutgraf train PRESET --data DATA --init-from {name} --out FOLDER"
EXPORT = "nutgraf export {name} --to onnx --out FOLDER"
CHECK = "nutgraf check SUMMARY --source FILE --checker {name}"
ADD = "nutgraf summarize FILE --system hf:MODEL --set pretrained.adapter={name}"


@dataclass(frozen=True)
class Model:
    """A model that is at hand.

    Attributes:
        name: Its name.
        about: What it does.
        place: File or folder.
        size: Bytes of its files.
        licence: Its licence; "" where no file says it.
        command: A command that uses it; "" where nutgraf asks it by itself once it is installed.
        origin: Distribution that brought it; "" for none.
    """

    name: str
    about: str
    place: Path
    size: int
    licence: str
    command: str
    origin: str = ""


def models(folders: Iterable[Path] = ()) -> tuple[list[Model], list[str]]:
    """Return the models that are at hand, and a sentence about each that cannot be read.

    Args:
        folders: Models, or folders with models in them; without any, installed packages and the cache are looked into.

    Raises:
        InputError: If one of the folders is none, or has no model in it.
    """
    found, problems = list[Model](), list[str]()
    given = list(folders)
    if not given:
        announced, problems = installed()
        places = [_Place(one.folder, one.name, one.distribution) for one in announced.values()]
        places += [_Place(folder, name, "nutgraf-minilm") for name, folder in installed_networks().items()]
        places += [*_files_of_packages(), *_cached()]
        return _read(places, problems), problems
    empty = []
    for folder in given:
        with reading(folder):
            folder.stat()
        before = len(problems)
        here = _read(map(_Place, _below(folder, DEPTH)), problems)
        found += here
        empty += [] if here or len(problems) > before else [folder]
    if empty and not found and not problems:
        raise InputError(f"{' and '.join(map(str, empty))} {HAS_NONE}")
    return found, [*problems, *(f"{folder} {HAS_NONE}" for folder in empty)]


def _below(place: Path, depth: int) -> Iterator[Path]:
    """Yield a model, or else the models in a folder, and in the folders below it to some depth."""
    folder = place.is_dir() and os.access(place, os.R_OK | os.X_OK)
    if depth < 0 or not folder or _kind_of(place) is not None:
        yield place
    elif not place.is_symlink():
        for one in sorted(place.iterdir()):
            if not one.name.startswith("."):
                yield from _below(one, depth - 1)


class _Place(NamedTuple):
    """Where a model may be, and what is known of it besides."""

    path: Path
    name: str = ""
    origin: str = ""
    licence: str = ""


def _read(places: Iterable[_Place], problems: list[str]) -> list[Model]:
    """Return the models at these places; what cannot be read is told as a problem."""
    found = []
    for place in places:
        path = place.path
        try:
            if (kind := _kind_of(path)) is not None:
                told = kind.described(path)
                name, licence = place.name or f"{kind.scheme}{path}", place.licence or told.licence
                command = told.command.format(name=shlex.quote(name))
                found.append(Model(name, told.about, path, _size(path), licence, command, place.origin))
        except (NutgrafError, OSError) as error:
            problems.append(f"The model in {path} cannot be read: {error}")
    return found


class _Told(NamedTuple):
    """Words that the files of a model say of it."""

    about: str
    licence: str
    command: str


@dataclass(frozen=True)
class _Adapter:
    base_model_name_or_path: str = "a model"


@dataclass(frozen=True)
class _Configuration:
    architectures: list[str] | None = None


class _Kind(NamedTuple):
    """A kind of models: the files that tell it, what is read off them, and what stands before its place as a name."""

    files: tuple[str, ...]
    described: Callable[[Path], _Told]
    scheme: str = ""


def _trained(folder: Path) -> _Told:
    card = read_trained_card(folder)
    classifies = _SYSTEM.search(_head(folder / PRESET)) is not None
    begins = bool((card.get("converted") or {}).get("new"))
    command = EXPORT if classifies else BEGIN if begins else SUMMARIZE
    return _Told(str(card.get("title", "")), str(card.get("licence", "")), command)


def _network(folder: Path) -> _Told:
    card = read_network_card(folder)
    return _Told(card.title, card.licence, CHECK if card.task == "pairs" else "")


def _adapter(folder: Path) -> _Told:
    base = read_record(folder / ADAPTER, _Adapter, "the settings of an adapter").base_model_name_or_path
    return _Told(f"Weights that are added to those of {base}", _licence_of(folder), ADD)


def _of_transformers(folder: Path) -> _Told:
    name = (read_record(folder / CONFIG, _Configuration, "a configuration of a model").architectures or ["Model"])[0]
    writes = name.endswith(("ForConditionalGeneration", "ForCausalLM", "LMHeadModel"))
    about = f"{name}, which writes" if writes else f"{name}, which reads"
    return _Told(about, _licence_of(folder), SUMMARIZE if writes else "")


def _gguf(file: Path) -> _Told:
    with file.open("rb") as opened:
        if opened.read(len(GGUF_MAGIC)) != GGUF_MAGIC:
            raise InputError(f"it does not begin with {GGUF_MAGIC.decode()}, as GGUF files do.")
    return _Told("A language model, which writes", _licence_of(file.parent), SUMMARIZE)


KINDS = (
    _Kind((PRESET,), _trained),
    _Kind((NETWORK_CARD, ENCODER_GRAPH), _network),
    _Kind((ADAPTER,), _adapter),
    _Kind((CONFIG,), _of_transformers, "hf:"),
)
"""Kinds of folders, by the files that each has."""


def _kind_of(place: Path) -> _Kind | None:
    """Return the kind of model that a file or folder is; None if it is none."""
    if place.is_file():
        return _Kind((), _gguf, "hf:") if place.suffix.lower() == GGUF else None
    return next((kind for kind in KINDS if all((place / name).is_file() for name in kind.files)), None)


def _files_of_packages() -> Iterator[_Place]:
    """Yield the GGUF files of installed distributions."""
    for distribution in distributions():
        if GGUF in (distribution.read_text("RECORD") or ""):
            said = distribution.metadata
            licence = next((said[key] for key in ("License-Expression", "License") if key in said), "")
            paths = gguf_files(distribution)
            name = f"hf:{distribution.name}" if len(paths) == 1 else ""
            yield from (_Place(path, name, f"{distribution.name} {distribution.version}", licence) for path in paths)


def _cached() -> Iterator[_Place]:
    """Yield the models in the cache of huggingface_hub."""
    with suppress(ImportError):
        from huggingface_hub import scan_cache_dir
        from huggingface_hub.errors import CacheNotFound

        with suppress(CacheNotFound):
            for repository in sorted(scan_cache_dir().repos, key=lambda one: one.repo_id):
                newest = max(repository.revisions, key=lambda one: one.last_modified, default=None)
                if repository.repo_type == "model" and newest is not None:
                    yield _Place(newest.snapshot_path, f"hf:{repository.repo_id}", "the cache of huggingface_hub")


def _size(place: Path) -> int:
    """Return the bytes of a file, or of the files below a folder; one with two names counts once."""
    paths = [place] if place.is_file() else [one for one in place.rglob("*") if one.is_file()]
    return sum({(found.st_dev, found.st_ino): found.st_size for found in (path.stat() for path in paths)}.values())


def _licence_of(folder: Path) -> str:
    """Return the licence that the head of a README says; "" for none."""
    found = _LICENCE.search(_head(folder / README)) if (folder / README).is_file() else None
    return found[1].strip() if found else ""


def _head(path: Path) -> str:
    """Return the beginning of a text file."""
    with path.open(encoding="utf-8", errors="replace") as file:
        return file.read(LARGEST_HEAD)
