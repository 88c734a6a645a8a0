"""A preset, its 'extends', and what the user sets on top.

A preset is a TOML file: top-level words say which system it makes and where it comes from; each section configures one
slot. A preset that `extends` another and changes a section's `kind` starts that section from the new kind's defaults;
whose paper the other follows and what was published of it are not inherited.

A name with a dot is a module outside nutgraf, and making such a part imports and runs it. What a person types or passes
in Python may name modules; a file may not, unless its reader is told to trust it.
"""

from __future__ import annotations

import copy
import hashlib
import json
import math
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

from nutgraf.errors import InputError, MissingPackage, PresetError, UnknownName, requires
from nutgraf.presets import family
from nutgraf.presets.family import ABSENT, Context, configure, plain, refuse_unknown, table_of
from nutgraf.presets.installed import OURS, installed
from nutgraf.runtime.files import read_bytes

T = TypeVar("T")

Table = dict[str, Any]

Sections = Callable[[str], type[Any]]
"""Returns the `Config` of the system of a name, whose fields are the sections of its presets. Systems stand above
presets, so that whoever reads a preset hands this in: `nutgraf.systems.sections_of`."""


@dataclass(frozen=True)
class Description:
    """Descriptions in a preset, which change nothing."""

    title: str = ""
    paper: str = ""
    about: str = ""
    published: str = ""


DESCRIPTION = tuple(family.names_of(Description))

OUTSIDE = (*DESCRIPTION, "system", "seed")
"""Keys outside the sections that every preset may have."""

NOT_INHERITED = ("paper", "published")
"""What is true of a preset, and seldom of one that extends it."""

SCHEMA = "nutgraf.preset/1"
"""Form of a preset in a model folder."""

RETIRED = {"weighted_coverage": ("leaning_weight", "pronoun_weight")}
"""Options that earlier versions had, by the kind of their section; presets in model folders have all options."""

LARGEST_SEED = (1 << 63) - 1
"""The largest seed that all generators of random numbers take."""

LARGEST = 1 << 20
"""Bytes of a preset file. Those that ship have less than a hundredth of it."""

_LONG_KEY = re.compile(r"(?:(?<![\w\"'-])(?:[\w-]+|\"[^\"\n]*\"|'[^'\n]*')[ \t]*\.[ \t]*){32}")
"""Keys that take the TOML reader quadratic time and memory."""

DEEPEST = 32
"""Parts of a key at most."""

LONGEST_CHAIN = 20
"""Presets that extend one another."""


@dataclass(frozen=True)
class Preset:
    """A preset: `table` is complete, nothing is left to inherit.

    `name` is the file's name; `sections` says which sections a system reads; `origin` is the path of a file of the
    user's own, "" for one that ships. `trust`: whether this file, and whatever other files it names, may name modules
    outside nutgraf. `checked`: whether values have to be compared with the types of their options, as all but those
    that ship have to.
    """

    name: str
    table: Table
    sections: Sections = field(compare=False, repr=False)
    origin: str = ""
    trust: bool = False
    checked: bool = True

    @property
    def system(self) -> str:
        """Which member of `systems/` this preset makes."""
        if "system" not in self.table:
            raise PresetError(
                f"The preset {self.name!r} does not say which 'system' it makes: it has no 'system' and no 'extends', "
                f"only {', '.join(map(repr, self.table)) or 'nothing'}."
            )
        return str(self.table["system"])

    @property
    def seed(self) -> int:
        """Seed of everything drawn at random; 0 by default."""
        seed = self.table.get("seed", 0)
        if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed <= LARGEST_SEED:
            given = "a larger one" if isinstance(seed, int) and seed > LARGEST_SEED else repr(seed)
            raise PresetError(f"The seed is a whole number from 0 to {LARGEST_SEED:,}, not {given}.")
        return seed

    def section(self, name: str) -> Table:
        """A copy of one section, {} where there is none. Dots descend: `section("magnifier.kernels")`."""
        found: Any = self.table
        for part in name.split("."):
            found = found.get(part, {}) if isinstance(found, dict) else {}
        return copy.deepcopy(found) if isinstance(found, dict) else {}

    @cached_property
    def config(self) -> Any:
        """All options, with defaults filled in and checked as a whole: the `Config` of the preset's system.

        Its fields are the top-level sections, and theirs the sections inside them. What is built, hashed for the
        signature, written into a model folder and compared on resume is this record. The sections of a network load
        torch; where it is not installed, mistakes in all other sections are named first.

        Raises:
            PresetError: If a key or a value does not fit.
            UnknownName: If a section has an unknown kind.
            MissingPackage: If the preset makes a network and torch is not installed.
        """
        sections = self.sections(self.system)
        refuse_unknown(self.table, sections, f"The preset {self.name!r} of the system {self.system!r}", OUTSIDE)
        table = {key: value for key, value in self.table.items() if key not in OUTSIDE}
        with self._needs_neural():
            return configure(sections, table, "", context=self._context)

    def options(self, name: str) -> Any:
        """Return the options of one section: its record, a `Choice` where it has a kind, None where it is absent.

        The other sections are left alone, so that a section of words can be read without torch.
        """
        if "config" in self.__dict__:
            return getattr(self.config, name)
        with self._needs_neural():
            return family.configure_field(self.sections(self.system), name, self.table, context=self._context)

    @property
    def _context(self) -> Context:
        return Context(self.seed, self.checked)

    def _needs_neural(self) -> AbstractContextManager[None]:
        return requires("neural", f"{self.name!r} is a network, and networks need")

    def check(self) -> None:
        """Raise PresetError if an option does not fit; those of a network are checked where torch is installed."""
        with suppress(MissingPackage):
            self.config  # noqa: B018

    def reads(self, name: str) -> bool:
        """Return whether the system of this preset has a section of this name."""
        return name in family.names_of(self.sections(self.system))

    def complete(self, *, compared: bool = False) -> Table:
        """Return the preset as a table with all its defaults, as a model folder keeps it.

        Args:
            compared: Leave out what may change when a training is resumed, and what only describes.
        """
        description = (
            {} if compared else {"schema": SCHEMA, **{key: self.table[key] for key in DESCRIPTION if key in self.table}}
        )
        return {**description, "system": self.system, "seed": self.seed, **table_of(self.config, compared=compared)}

    def digest(self) -> str:
        """Return a hash of everything that is set, defaults included; what only describes has no part in it."""
        settings = {"system": self.system, "seed": self.seed, **table_of(self.config)}
        return hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode()).hexdigest()[:8]


def names() -> list[str]:
    """The presets that ship."""
    return sorted(path.name[:-5] for path in resources.files(__package__).iterdir() if path.name.endswith(".toml"))


def read(
    name: str | Path, sections: Sections, overrides: Iterable[str] | Mapping[str, Any] = (), trust: bool = False
) -> Preset:
    """Read a preset by name, or a `.toml` file by path.

    Args:
        name: A preset that ships, or the path of a `.toml` file.
        sections: Returns the `Config` of a system.
        overrides: Lines "section.key=value" as written after `--set`, or a mapping of dotted keys to values. They may
            name modules outside nutgraf.
        trust: Let the file, and those that it extends, name modules outside nutgraf.

    Returns:
        The preset, complete.

    Raises:
        UnknownName: If there is no such preset.
        PresetError: If it cannot be read, or names a module and is not trusted.
    """
    table, origin = _read_chain(name, (), trust)
    changes = assignments(overrides)
    # Kinds first: they start their sections anew, in whatever order they were written.
    for key, value in sorted(changes, key=lambda pair: pair[0].split(".")[-1] != "kind"):
        _assign(table, key, value)
    checked = bool(origin or changes)
    described = {key: table[key] for key in DESCRIPTION if key in table}
    configure(Description, described, "", context=Context(None, checked))
    return Preset(Path(name).stem if origin else str(name), table, sections, origin, trust, checked)


def merge(base: Mapping[str, Any], difference: Mapping[str, Any]) -> Table:
    """`difference` laid over `base`. A section whose `kind` changes starts anew."""
    merged = copy.deepcopy(dict(base))
    for key, value in difference.items():
        below = merged.get(key)
        kind = below.get("kind") if isinstance(below, dict) else None
        if isinstance(value, dict) and isinstance(below, dict) and value.get("kind", kind) == kind:
            merged[key] = merge(below, value)
        else:
            merged[key] = copy.deepcopy(value)
    return merged


def assignments(overrides: Iterable[str] | Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Dotted keys and their values, from lines "section.key=value" or a mapping. Raises PresetError."""
    lines = list(overrides) if isinstance(overrides, Iterable) else [overrides]
    for line in lines:
        if not isinstance(line, str):
            raise PresetError(f"Overrides are lines 'section.key=value', or a mapping of keys to values, not {line!r}.")
    if isinstance(overrides, Mapping):
        return [(key, plain(value)) for key, value in overrides.items()]
    pairs = []
    for line in lines:
        key, sign, value = line.partition("=")
        if not sign or not all(part.strip() for part in key.split(".")):
            raise PresetError(f"--set {line!r} does not fit: write it as section.key=value.")
        if key.count(".") >= DEEPEST:
            raise PresetError(f"--set {key[:40]}… does not fit: a key has {DEEPEST} parts at most.")
        pairs.append((key.strip(), _value(value.strip())))
    return pairs


def refuse_modules(table: Mapping[str, Any], where: str | Path) -> None:
    """Raise PresetError if what was read from a file names a module outside nutgraf.

    Args:
        table: A preset, or the sections of one.
        where: The file, for the message.
    """
    for key, name in _modules(table):
        raise PresetError(
            f"{where} names code outside nutgraf: {key} = {name!r}. Using it would import and run that module. If you "
            "trust whoever made this file, add --trust (in Python: trust=True)."
        )


def refuse_other_modules(table: Mapping[str, Any], preset: Preset, where: str | Path) -> None:
    """Raise PresetError if a file names a module outside nutgraf that a preset does not name, unless it is trusted.

    Args:
        table: Table that was read from the file.
        preset: Preset that the user gave; the modules that it names may be imported.
        where: The file, for the message.
    """
    if not preset.trust and not set(_modules(preset.table)).issuperset(_modules(table)):
        refuse_modules(table, where)


def _modules(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    """Keys and names that `Family.find` would take for a module: kinds, the system, and sections named like a kind."""
    for key, value in table.items():
        place = f"{above}{key}"
        if (key == "kind" or place == "system") and isinstance(value, str) and "." in value:
            yield place, value
        if "." in key:
            yield f"{above}kind", key
        for below in value if isinstance(value, list) else [value]:
            if isinstance(below, Mapping):
                yield from _modules(below, f"{place}.")


def _read_chain(name: str | Path, seen: tuple[str, ...], trust: bool) -> tuple[Table, str]:
    text, origin = _text(name)
    place = str(Path(origin).resolve()) if origin else str(name)
    if place in seen:
        raise PresetError(f"The preset {str(name)!r} extends itself: {' → '.join((*seen, str(name)))}.")
    if len(seen) >= LONGEST_CHAIN:
        raise PresetError(f"The preset {seen[0]!r} extends another, and so on, more than {LONGEST_CHAIN} times.")
    table = _parsed(text, name)
    if origin and not trust:
        refuse_modules(table, origin)
    schema = table.pop("schema", None)
    if schema not in (None, SCHEMA):
        raise PresetError(
            f"The preset {str(name)!r} was written by another version of nutgraf: its schema is not {SCHEMA}."
        )
    if schema:
        table = _without_retired(table)
    base = table.pop("extends", None)
    if base is None:
        return table, origin
    if not isinstance(base, str):
        raise PresetError(f"The preset {str(name)!r} extends {base!r}; the name of a preset is needed.")
    if origin and base.endswith(".toml"):
        base = str(Path(origin).parent / base)
    below, _ = _read_chain(base, (*seen, place), trust)
    below = {key: value for key, value in below.items() if key not in NOT_INHERITED}
    return merge(below, table), origin


def _without_retired(value: Any) -> Any:
    """Return a table that nutgraf wrote without options that only earlier versions had."""
    if isinstance(value, list):
        return [_without_retired(one) for one in value]
    if not isinstance(value, dict):
        return value
    retired = RETIRED.get(str(value.get("kind")), ())
    return {key: _without_retired(below) for key, below in value.items() if key not in retired}


def _parsed(text: str, name: str | Path) -> Table:
    try:
        return _plain(tomllib.loads(text))
    except (ValueError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else error
        raise PresetError(f"The preset {str(name)!r} is not valid TOML: {reason}.") from error


def _plain(value: T) -> T:
    """Return a value whose numbers fit into 64 bits and are finite, as TOML promises.

    Raises ValueError for any other.
    """
    if isinstance(value, int) and abs(value) >= 1 << 63:
        raise ValueError("a whole number of more than 64 bits")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value} is no number that an option can have")
    for below in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _plain(below)
    return value


def _text(name: str | Path) -> tuple[str, str]:
    if str(name).endswith(".toml"):
        path = Path(name)
        try:
            text = read_bytes(path, LARGEST).decode("utf-8")
            if _LONG_KEY.search(text):
                raise ValueError("it has a key of more than 32 parts")
            return text, str(path)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise PresetError(
                f"The preset file {str(path)!r} cannot be read: {reason}. `nutgraf presets` lists those that ship."
            ) from error
    if isinstance(name, Path) or "/" in name or os.sep in name:
        raise InputError(f"No folder {str(name)!r}. A system is a preset, a .toml file or a trained model.")
    if name in OURS:
        raise MissingPackage(
            f"{name!r} is a network of nutgraf-models, which is not installed: run pip install ./models in a checkout "
            "of nutgraf."
        )
    if name not in names():
        raise UnknownName("preset", name, [*names(), *installed()[0]], "`nutgraf presets`")
    return (resources.files(__package__) / f"{name}.toml").read_text(encoding="utf-8"), ""


def _value(text: str) -> Any:
    """A TOML value; whatever is none is text, as people type it. A number out of range is refused where it is used."""
    try:
        value = tomllib.loads(f"value = {text}")["value"]
        return value if isinstance(value, int) else _plain(value)
    except (ValueError, KeyError, RecursionError):
        return text


def _assign(table: Table, key: str, value: Any) -> None:
    *parents, last = key.split(".")
    for part in parents:
        if table.get(part) == ABSENT:
            table[part] = {}
        below = table.setdefault(part, {})
        if not isinstance(below, dict):
            raise PresetError(f"--set {key}: {part!r} is a value ({below!r}), not a section.")
        table = below
    if last == "kind" and table.get("kind") != value:
        table.clear()
    table[last] = value
