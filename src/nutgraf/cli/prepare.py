"""`nutgraf prepare`: a corpus in the form that a network reads."""

from __future__ import annotations

from typing import Annotated

import typer

from nutgraf.cli._options import Cluster, Corpus, Limit, Trust
from nutgraf.cli._say import put


def prepare(
    preset: Annotated[str, typer.Argument(help="Preset or .toml file of a network.", show_default=False)],
    source: Corpus,
    out: Annotated[str, typer.Argument(help="Folder to write.", show_default=False)],
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="Change of the preset: dataset.kind=pubmed; may be repeated.", show_default=False),
    ] = None,
    trust: Trust = False,
    limit: Limit = None,
    workers: Annotated[
        int | None, typer.Option(min=1, max=1024, help="Number of processes.", show_default="as many as processors")
    ] = None,
    cluster: Cluster = None,
    tokenizer: Annotated[
        str | None,
        typer.Option(
            help="Trained model or prepared corpus whose tokenizer is taken, to train its network further.",
            show_default=False,
        ),
    ] = None,
    oracle: Annotated[
        bool,
        typer.Option(
            "--oracle",
            help="Highlight the summaries' own key phrases, to see what perfect guidance would bring; marks all that "
            "is made of it.",
        ),
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
) -> None:
    """Prepare a corpus for training.

    Example: nutgraf prepare kpat examples/notices.jsonl prepared

    Trains the tokenizer on the training part, truncates, finds the key phrases, and writes what the network will
    read. Files in another form than that of the preset's corpus, such as JSON lines of your own, are read as
    `nutgraf evaluate` reads them. A run that was stopped goes on where it was. The table says what was kept and what
    was dropped.
    """
    from nutgraf.batch.cluster import connected
    from nutgraf.cli._training import own_kind, preparing
    from nutgraf.preparation import overview, prepare
    from nutgraf.runtime.workers import Workers
    from nutgraf.systems import read_preset

    given = read_preset(preset, [*own_kind(preset, source, set_, trust, quiet), *(set_ or [])], trust)
    with connected(cluster) as pool, preparing(quiet, limit) as tell:
        manifest = prepare(
            given,
            source,
            out,
            limit=limit,
            workers=workers,
            oracle=oracle,
            tokenizer=tokenizer,
            progress=tell,
            pool=pool or Workers,
        )
    put(overview(manifest))
