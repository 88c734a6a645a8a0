"""Trained models that installed packages announce: `--system title` names one.

A distribution announces a model folder in its package by an entry point:

    [project.entry-points."nutgraf.presets"]
    title = "nutgraf_models:title"

The name is `title`, and the folder is `title` in the package `nutgraf_models`. An entry point usually says what to
import; here nothing is imported or run: only the place of the package is looked up, and the folder is read like any
other model folder. An announced name stands for a model only where no preset and no folder has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

GROUP = "nutgraf.presets"
"""Group of the entry points."""

OURS = frozenset({"title", "tldr"})
"""Models of nutgraf-models, which this project publishes beside nutgraf."""

PRESET = "preset.toml"
"""File that every model folder has."""


@dataclass(frozen=True)
class InstalledModel:
    """A model folder of an installed package.

    Attributes:
        name: The name that stands where that of a system stands.
        folder: The model folder.
        distribution: Name and version of the distribution, as "nutgraf-models 0.1.0".
    """

    name: str
    folder: Path
    distribution: str


def installed() -> tuple[dict[str, InstalledModel], list[str]]:
    """Return the models of installed packages by name, and what is announced in vain, one sentence each.

    Of two distributions that announce one name, the first in the order of their names has it.
    """
    from importlib.metadata import entry_points

    found, problems = dict[str, InstalledModel](), list[str]()
    announced = (
        (point, "" if point.dist is None else f"{point.dist.name} {point.dist.version}")
        for point in entry_points(group=GROUP)
    )
    for point, distribution in sorted(announced, key=lambda pair: (pair[0].name, pair[1])):
        folder = _folder_of(point)
        if folder is None:
            problems.append(
                f"{distribution} announces the model {point.name!r} as {point.value!r}, where no model folder is; "
                "package:folder would do."
            )
        elif point.name in found:
            problems.append(
                f"{distribution} announces the model {point.name!r}, and so does {found[point.name].distribution}, "
                f"which has the name; {folder} names the other one."
            )
        else:
            found[point.name] = InstalledModel(point.name, folder, distribution)
    return found, problems


def installed_model(name: str | Path) -> InstalledModel | None:
    """Return the model that an installed package announces under a name; None if there is none."""
    return None if isinstance(name, Path) else installed()[0].get(name)


def _folder_of(point: EntryPoint) -> Path | None:
    """Return the model folder that an entry point names; None if it names none."""
    package, colon, folder = point.value.partition(":")
    if not colon or not package.isidentifier() or not folder.isidentifier():
        return None
    places = (place / folder for place in _places_of(package, point.dist))
    return next((place for place in places if (place / PRESET).is_file()), None)


def _places_of(package: str, distribution: Distribution | None) -> Iterator[Path]:
    """Yield the folders of a package: beside the files of its distribution, or where Python would import it from."""
    if distribution is not None:
        yield Path(str(distribution.locate_file(package)))
    try:
        spec = find_spec(package)  # a name without a dot, so that no package above it is imported
    except (ImportError, ValueError):  # a module that was made by hand
        return
    yield from map(Path, (spec and spec.submodule_search_locations) or ())
