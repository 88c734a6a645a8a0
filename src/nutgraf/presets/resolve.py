"""A preset becomes a frozen record of all its options, with defaults filled in and checked as a whole.

The record is the `Config` of the preset's system: its fields are the top-level sections, and theirs the sections inside
them. What is built, hashed for the signature, written into a model folder and compared on resume is this record. The
sections of a network load torch when they are resolved, and no sooner. Where torch is not installed, mistakes in all
other sections are named first.
"""

from __future__ import annotations

import dataclasses
import difflib
import importlib
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from nutgraf.errors import PresetError, requires
from nutgraf.presets.family import configure, configure_field

if TYPE_CHECKING:
    from nutgraf.presets.read import Preset

OUTSIDE = ("title", "paper", "about", "published", "system", "seed")
"""Keys outside the sections that every preset may have."""


def sections_of(preset: Preset) -> type[Any]:
    """Return the `Config` of the preset's system, whose fields are the sections that it reads.

    Raises:
        UnknownName: If there is no such system.
    """
    # Systems stand above presets: this one module is found by its name, as all members of families are.
    return importlib.import_module("nutgraf.systems").systems.config(preset.system)


def resolve(preset: Preset) -> Any:
    """Return the options of a preset, complete and checked.

    Raises:
        PresetError: If a key or a value does not fit.
        UnknownName: If a section has an unknown kind.
        MissingPackage: If the preset makes a network and torch is not installed.
    """
    config = sections_of(preset)
    table = {key: value for key, value in preset.table.items() if key not in OUTSIDE}
    known = [field.name for field in dataclasses.fields(config)]
    elsewhere = [field.name for field in dataclasses.fields(config) if field.metadata.get("names_preset")]
    for key, value in table.items():
        if key not in known:
            entry = f"a section [{key}]" if isinstance(value, dict) else f"{key} = {value!r}"
            near = difflib.get_close_matches(key, [*known, *OUTSIDE], n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            for name in elsewhere:
                hint += (
                    f" The preset that {name!r} names has options of its own: write a .toml file that extends that "
                    f"preset, and set {name} to the file."
                )
            raise PresetError(
                f"The preset {preset.name!r} has {entry}, but its system {preset.system!r} reads "
                f"{', '.join([*known, 'seed'])}.{hint}"
            )
    with _needs_neural(preset):
        return configure(config, table, "", seed=preset.seed, checked=preset.checked)


def resolve_section(preset: Preset, name: str) -> Any:
    """Return the options of one section alone: its record, a choice, or None where there is none; see `resolve`."""
    with _needs_neural(preset):
        return configure_field(sections_of(preset), name, preset.table, seed=preset.seed, checked=preset.checked)


def _needs_neural(preset: Preset) -> AbstractContextManager[None]:
    return requires("neural", f"{preset.name!r} is a network, and networks need")
