"""`nutgraf presets`: the list of systems."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from nutgraf.cli._options import Trust
from nutgraf.cli._say import put

if TYPE_CHECKING:
    from nutgraf.presets import Preset


def presets(
    name: Annotated[str | None, typer.Argument(help="Preset to show in full.", show_default=False)] = None,
    trust: Trust = False,
    json_: Annotated[bool, typer.Option("--json", help="JSON output.")] = False,
) -> None:
    """List the systems, with their papers and published scores.

    Example: nutgraf presets adaptive

    Some are networks: `nutgraf train NAME --data DATA --out FOLDER` makes one, and FOLDER is its name then.
    """
    from nutgraf.presets import names, read
    from nutgraf.systems import lacking

    if name is not None:
        preset = read(name, trust=trust)
        preset.check()
        put(json.dumps(preset.table, indent=2, ensure_ascii=False) if json_ else _whole(preset.table))
        return
    found = [read(one) for one in names()]
    if json_:
        put(json.dumps({preset.name: preset.table for preset in found}, indent=2, ensure_ascii=False))
        return
    later = [preset for preset in found if lacking(preset)]
    networks = [preset for preset in later if preset.reads("training")]
    _list("Ready for use", [preset for preset in found if preset not in later])
    _list("Networks: nutgraf train NAME --data DATA --out FOLDER, then use FOLDER as the name", networks)
    _list("On a network that was trained: --set prototype=FOLDER", [one for one in later if one.reads("prototype")])
    models = [one for one in later if one not in networks and not one.reads("prototype")]
    _list("A model that you have: its name stands where that of a system stands", models)


def _list(head: str, found: list[Preset]) -> None:
    """Paper by paper, and name by name: title, what it does, and what was published."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, padding=(0, 2, 1, 0))
    table.add_column(no_wrap=True, style="bold")
    table.add_column()
    for paper, presets in groupby(sorted(found, key=lambda one: (not _paper(one), _paper(one))), _paper):
        table.add_row("", Text(paper or "Of no paper", "dim underline"))
        for preset in presets:
            title, about, published = (str(preset.table.get(key, "")) for key in ("title", "about", "published"))
            cell = [Text(title, "bold"), Text(about), *([Text(published, "dim")] if published else [])]
            table.add_row(preset.name, Text("\n").join(cell))
    Console().print(Text(head + "\n", "underline"), table, sep="\n")


def _paper(preset: Preset) -> str:
    return str(preset.table.get("paper", ""))


def _whole(table: dict[str, object], prefix: str = "") -> str:
    """A preset as TOML-like lines, sections after values."""
    values = [
        f"{key} = {json.dumps(value, ensure_ascii=False)}"
        for key, value in table.items()
        if not isinstance(value, dict)
    ]
    sections = [
        f"\n[{prefix}{key}]\n{_whole(value, f'{prefix}{key}.')}".rstrip()
        for key, value in table.items()
        if isinstance(value, dict)
    ]
    return "\n".join([*values, *sections])
