"""`nutgraf presets`: the systems there are."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from nutgraf.cli._say import put


def presets(
    name: Annotated[str | None, typer.Argument(help="Show this one whole.", show_default=False)] = None,
    json_: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """List the systems, with their papers and published scores.

    Example: nutgraf presets mls_plus
    """
    from nutgraf.presets import names, read

    if name is not None:
        preset = read(name)
        put(json.dumps(preset.table, indent=2, ensure_ascii=False) if json_ else _whole(preset.table))
        return
    found = [read(one) for one in names()]
    if json_:
        put(json.dumps({preset.name: preset.table for preset in found}, indent=2, ensure_ascii=False))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("Name", "System", "What it does", "Paper", "Published", box=None, header_style="bold", pad_edge=False)
    for preset in found:
        table.add_row(
            preset.name, *(str(preset.table.get(key, "")) for key in ("title", "about", "paper", "published"))
        )
    Console().print(table)


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
