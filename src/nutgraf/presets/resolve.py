"""A preset becomes a frozen record of all its options, with defaults filled in and checked as a whole.

The record is the `Config` of the preset's system: its fields are the top-level sections, and theirs the sections inside
them. What is built, hashed for the signature, written into a model folder and compared on resume is this record. The
sections of a network load torch when they are resolved, and no sooner. Where torch is not installed, mistakes in all
other sections are named first.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from nutgraf.errors import PresetError, requires
from nutgraf.presets.family import configure, configure_field

OUTSIDE = ("title", "paper", "about", "published", "system", "seed")
"""Keys outside the sections that every preset may have."""


def resolve(config: type[Any], table: Mapping[str, Any], name: str, seed: int, checked: bool = True) -> Any:
    """Return the options of a preset, complete and checked.

    Args:
        config: The `Config` of its system.
        table: All that the preset says.
        name: Its name, for messages.
        seed: Its seed.
        checked: Compare values with the types of their options; see `configure`.

    Raises:
        PresetError: If a key or a value does not fit.
        UnknownName: If a section has an unknown kind.
        MissingPackage: If the preset makes a network and torch is not installed.
    """
    sections = {key: value for key, value in table.items() if key not in OUTSIDE}
    known = [field.name for field in dataclasses.fields(config)]
    elsewhere = [field.name for field in dataclasses.fields(config) if field.metadata.get("names_preset")]
    for key, value in sections.items():
        if key not in known:
            entry = f"a section [{key}]" if isinstance(value, dict) else f"{key} = {value!r}"
            near = difflib.get_close_matches(key, [*known, *OUTSIDE], n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            for other in elsewhere:
                hint += (
                    f" The preset that {other!r} names has options of its own: write a .toml file that extends that "
                    f"preset, and set {other} to the file."
                )
            raise PresetError(
                f"The preset {name!r} has {entry}, but its system {table['system']!r} reads "
                f"{', '.join([*known, 'seed'])}.{hint}"
            )
    with _needs_neural(name):
        return configure(config, sections, "", seed=seed, checked=checked)


def resolve_section(
    config: type[Any], table: Mapping[str, Any], section: str, name: str, seed: int, checked: bool = True
) -> Any:
    """Return the options of one section alone: its record, a choice, or None where there is none; see `resolve`."""
    with _needs_neural(name):
        return configure_field(config, section, table, seed=seed, checked=checked)


def _needs_neural(name: str) -> AbstractContextManager[None]:
    return requires("neural", f"{name!r} is a network, and networks need")
