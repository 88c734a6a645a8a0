"""`nutgraf prepare`: a corpus as a network reads it."""

from __future__ import annotations

from typing import Annotated

import typer

from nutgraf.cli._say import notice


def prepare(
    preset: Annotated[str, typer.Argument(help="A preset or .toml file of a trainable system.", show_default=False)],
    source: Annotated[
        str, typer.Argument(help="The corpus: a folder with train, validation and test files.", show_default=False)
    ],
    out: Annotated[str, typer.Argument(help="The folder to write.", show_default=False)],
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="Change the preset: dataset.kind=pubmed; may be repeated.", show_default=False),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Only the first so many of each split.", show_default=False)
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes.", show_default="as many as processors")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Neither progress nor notices on stderr.")] = False,
) -> None:
    """Prepare a corpus for training.

    Example: nutgraf prepare kpat corpora/multi_news prepared/multi_news

    Learns the vocabulary, truncates, finds the key phrases, and writes what the network will read. A run that was
    stopped goes on where it was.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from nutgraf.preparation import prepare
    from nutgraf.presets import read

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True, quiet=quiet), transient=True) as bar:
        tasks: dict[str, int] = {}

        def tell(what: str, done: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=limit)
            bar.update(tasks[what], completed=done)  # type: ignore[arg-type]

        manifest = prepare(read(preset, set_ or []), source, out, limit=limit, workers=workers, progress=tell)
    for split, counts in manifest["splits"].items():
        notice([f"{split}: {counts}"], quiet)
