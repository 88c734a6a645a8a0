"""Menu of systems: two that do for nearly everybody, the models of this service, and all others behind "More…"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from nutgraf.service.systems import ServedSystem

FIRST = {"adaptive": "Automatic", "lead": "First sentences"}
"""Systems at the top, and what a reader who knows no method calls them."""

BASELINES = frozenset({"random", "systematic", "graph_sample"})
"""Presets that others are measured against, which nobody wants to read; they stand at the end."""


@dataclass(frozen=True)
class Group:
    """Systems under a label.

    Attributes:
        folds: They are shown when somebody asks for more; where no script runs, always.
    """

    label: str
    systems: tuple[ServedSystem, ...]
    folds: bool = True


@dataclass(frozen=True)
class Menu:
    """Systems in the order of the menu."""

    first: tuple[ServedSystem, ...]
    groups: tuple[Group, ...]


def menu_of(systems: Iterable[ServedSystem]) -> Menu:
    """Return the menu of the systems of a service."""
    named = {one.name: one for one in systems}
    first = [replace(named.pop(name), title=title) for name, title in FIRST.items() if name in named]
    models = [replace(one, title=f"{one.name} ({one.title})") for one in named.values() if one.folder is not None]
    presets = [one for one in named.values() if one.folder is None]
    groups = (
        Group("Models of this service", tuple(models), folds=False),
        Group("More", tuple(one for one in presets if one.preset not in BASELINES)),
        Group("Only to compare with", tuple(one for one in presets if one.preset in BASELINES)),
    )
    return Menu(tuple(first), tuple(group for group in groups if group.systems))
