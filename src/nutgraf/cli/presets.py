"""`nutgraf presets`: the list of systems."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from nutgraf.cli._options import Trust
from nutgraf.cli._say import notice, put, put_json
from nutgraf.errors import NutgrafError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from nutgraf.presets import Preset
    from nutgraf.presets.installed import InstalledModel


def presets(
    name: Annotated[str | None, typer.Argument(help="Preset to show in full.", show_default=False)] = None,
    trust: Trust = False,
    json_: Annotated[bool, typer.Option("--json", help="JSON output.")] = False,
) -> None:
    """List the systems, with their papers and published scores.

    Example: nutgraf presets adaptive

    Some are networks: `nutgraf train NAME --data DATA --out FOLDER` makes one, and FOLDER is its name then. Trained
    models that installed packages announce stand at the end; nutgraf models lists all models that are at hand.
    """
    from nutgraf.presets import names
    from nutgraf.systems import lacking, preset_of, read_preset

    if name is not None:
        preset = preset_of(name, trust=trust)
        preset.check()
        if json_:
            put_json(preset.table)
        else:
            put(_whole(preset.table))
        return
    found = [read_preset(one) for one in names()]
    models, problems = _announced(names())
    notice(problems)
    if json_:
        tables = {preset.name: preset.table for preset in found}
        tables |= {name: preset.table for name, (_, preset) in models.items()}
        put_json(tables)
        return
    later = [preset for preset in found if lacking(preset)]
    networks = [preset for preset in later if preset.reads("training")]
    _list("Ready for use", [preset for preset in found if preset not in later])
    _list("Networks: nutgraf train NAME --data DATA --out FOLDER, then use FOLDER as the name", networks)
    _list("On a network that was trained: --set prototype=FOLDER", [one for one in later if one.reads("prototype")])
    others = [one for one in later if one not in networks and not one.reads("prototype")]
    _list("A model that you have: its name stands where that of a system stands", others)
    if models:
        named = sorted(models.items())
        rows = [_row(name, preset, f"{model.distribution}, {model.folder}") for name, (model, preset) in named]
        _print("Trained models of installed packages", rows)


def _list(head: str, found: list[Preset]) -> None:
    """Paper by paper, and name by name: title, what it does, and what was published."""
    from rich.text import Text

    rows: list[tuple[str, Text]] = []
    for paper, presets in groupby(sorted(found, key=lambda one: (not _paper(one), _paper(one))), _paper):
        rows.append(("", Text(paper or "Of no paper", "dim underline")))
        rows += [_row(one.name, one, str(one.table.get("published", ""))) for one in presets]
    _print(head, rows)


def _row(name: str, preset: Preset, further: str) -> tuple[str, Text]:
    """The name of a preset; its title, what it does, and what else there is to say of it."""
    from rich.text import Text

    title, about = (str(preset.table.get(key, "")) for key in ("title", "about"))
    return name, Text("\n").join([Text(title, "bold"), Text(about), *([Text(further, "dim")] if further else [])])


def _print(head: str, rows: Sequence[tuple[str, Text]]) -> None:
    """Print rows below a heading."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, padding=(0, 2, 1, 0))
    table.add_column(no_wrap=True, style="bold")
    table.add_column()
    for name, cell in rows:
        table.add_row(name, cell)
    Console().print(Text(head + "\n", "underline"), table, sep="\n")


def _announced(shipped: Sequence[str]) -> tuple[dict[str, tuple[InstalledModel, Preset]], list[str]]:
    """Return the models of installed packages with their presets, and why others cannot be named."""
    from nutgraf.presets.installed import installed
    from nutgraf.systems import preset_of

    found: dict[str, tuple[InstalledModel, Preset]] = {}
    announced, problems = installed()
    for model in announced.values():
        if model.name in shipped:
            problems.append(
                f"{model.distribution} announces the model {model.name!r}, which is the name of a preset and stays it; "
                f"{model.folder} names the model."
            )
            continue
        try:
            found[model.name] = model, preset_of(model.folder)
        except NutgrafError as error:
            problems.append(f"The model {model.name!r} of {model.distribution} cannot be read: {error}")
    return found, problems


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
