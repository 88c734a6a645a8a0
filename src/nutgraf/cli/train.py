"""`nutgraf train`: a preset and a corpus become a trained folder."""

from __future__ import annotations

from typing import Annotated

import typer


def train(
    preset: Annotated[str, typer.Argument(help="A preset or .toml file of a network.", show_default=False)],
    data: Annotated[
        str,
        typer.Option(
            help="What `nutgraf prepare` wrote, or a corpus, which is then prepared in OUT.data.", show_default=False
        ),
    ],
    out: Annotated[str, typer.Option(help="The folder to write.", show_default=False)],
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="Change the preset: training.epochs=3; may be repeated.", show_default=False),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the last checkpoint in OUT; without one, begin.")
    ] = False,
    from_: Annotated[
        str | None, typer.Option("--from", help="A trained folder whose weights it begins with.", show_default=False)
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Neither progress nor notices on stderr.")] = False,
) -> None:
    """Train a network.

    Example: nutgraf train kpat --data prepared/multi_news --out trained/kpat

    OUT is then a system: nutgraf summarize --system OUT. Ctrl-C stops and saves (exit status 130), --resume goes on.
    On several GPUs: accelerate launch --multi_gpu -m nutgraf.cli.main train …; in several processes on processors:
    torchrun --nproc-per-node 2 -m nutgraf.cli.main train …
    """
    import shlex
    import sys

    from nutgraf.cli._training import Screen, preparing
    from nutgraf.errors import PresetError
    from nutgraf.presets import read

    chosen = read(preset, [*(set_ or []), *([f"training.warm_start={from_}"] if from_ else [])])
    try:
        from nutgraf.experiment import train
    except ModuleNotFoundError as error:
        raise PresetError(f"Training needs the package {error.name}: run pip install 'nutgraf[neural]'.") from error
    command = shlex.join(["nutgraf", *sys.argv[1:]])
    with preparing(quiet) as tell, Screen(quiet) as screen:
        outcome = train(chosen, data, out, resume=resume, listeners=[screen], preparing=tell, command=command)
    if not outcome.finished:
        raise typer.Exit(130)
