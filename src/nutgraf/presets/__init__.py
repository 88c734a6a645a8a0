"""What a user may write, and how a word finds its code."""

from nutgraf.presets.family import Family, NoOptions, configure
from nutgraf.presets.read import DESCRIPTION, Preset, assignments, merge, names, needs_training, read, refuse_modules

__all__ = [
    "DESCRIPTION",
    "Family",
    "NoOptions",
    "Preset",
    "assignments",
    "configure",
    "merge",
    "names",
    "needs_training",
    "read",
    "refuse_modules",
]
