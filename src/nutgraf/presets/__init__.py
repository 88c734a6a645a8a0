"""Presets: what a user may write, and how a word finds its code."""

from nutgraf.presets.family import (
    CHANGEABLE,
    NAMES_PRESET,
    OPTIONS_OF,
    PERMANENT,
    PRESET_SEED,
    Choice,
    Family,
    NoOptions,
    configure,
    families,
    plain,
    table_of,
)
from nutgraf.presets.installed import InstalledModel, installed, installed_model
from nutgraf.presets.read import (
    DESCRIPTION,
    Preset,
    assignments,
    merge,
    names,
    read,
    refuse_modules,
    refuse_other_modules,
)
from nutgraf.presets.resolve import resolve

__all__ = [
    "CHANGEABLE",
    "DESCRIPTION",
    "NAMES_PRESET",
    "OPTIONS_OF",
    "PERMANENT",
    "PRESET_SEED",
    "Choice",
    "Family",
    "InstalledModel",
    "NoOptions",
    "Preset",
    "assignments",
    "configure",
    "families",
    "installed",
    "installed_model",
    "merge",
    "names",
    "plain",
    "read",
    "refuse_modules",
    "refuse_other_modules",
    "resolve",
    "table_of",
]
