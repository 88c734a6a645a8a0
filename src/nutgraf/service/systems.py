"""Systems that a service has: presets that need no training, and model folders that were named when it started.

A request names one of them. Nothing else is ever loaded, so that no request can name a path or a module.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from nutgraf.errors import InputError
from nutgraf.model_folder import read_card
from nutgraf.presets import Preset, names
from nutgraf.presets.installed import installed_model
from nutgraf.systems import lacking, preset_of, read_preset


@dataclass(frozen=True)
class ServedSystem:
    """A system that a service has.

    Attributes:
        about: How it works, in a sentence or two; "" if nothing is said.
        folder: Model folder of a trained network; None for a preset that needs no training.
    """

    name: str
    title: str
    about: str
    preset: str
    folder: str | None = None


def served_systems(folders: Mapping[str, str | Path] | None = None) -> dict[str, ServedSystem]:
    """Return the systems of a service by their names.

    Raises:
        InputError: If a name is that of a preset which needs no training, or a folder is not a trained model.
        PresetError: If a folder's preset does not fit, or lacks what it needs.
    """
    ready = {preset.name: _served(preset.name, preset) for preset in map(read_preset, names()) if not lacking(preset)}
    trained = {name: _trained(name, Path(folder), ready) for name, folder in (folders or {}).items()}
    return ready | trained


def parse_folders(lines: Iterable[str]) -> dict[str, str]:
    """Return model folders by name, of lines "NAME=FOLDER", or "NAME" for a model of an installed package.

    Raises:
        InputError: If a line is not written so, or a name is given twice.
    """
    found: dict[str, str] = {}
    for line in lines:
        name, _, folder = line.partition("=")
        if name == line and (announced := installed_model(line.strip())):
            folder = str(announced.folder)
        if not name.strip() or not folder.strip():
            raise InputError(
                f"A system is named as NAME=FOLDER, for example news=models/kpat, not {line!r}; a NAME alone is that "
                "of an installed package's model, which `nutgraf presets` lists."
            )
        if name.strip() in found:
            raise InputError(f"The system {name.strip()!r} is named twice; give each folder a name of its own.")
        found[name.strip()] = folder.strip()
    return found


def _trained(name: str, folder: Path, ready: Mapping[str, ServedSystem]) -> ServedSystem:
    if name in ready:
        raise InputError(f"{name!r} is the name of a system that every service has; choose another name for {folder}.")
    read_card(folder)
    preset = preset_of(folder)
    if lack := lacking(preset):
        raise InputError(lack)
    return _served(name, preset, str(folder.resolve()))


def _served(name: str, preset: Preset, folder: str | None = None) -> ServedSystem:
    title, about = (str(preset.table.get(key, "")) for key in ("title", "about"))
    return ServedSystem(name, title, about, preset.name, folder)
