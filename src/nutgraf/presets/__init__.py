"""Presets: what a user may write, and how a word finds its code."""

from nutgraf.presets.family import Choice, Family, configure, families, table_of
from nutgraf.presets.read import Preset, Sections, assignments, names, read

__all__ = [
    "Choice", "Family", "Preset", "Sections", "assignments", "configure", "families", "names", "read", "table_of",
]  # fmt: skip
