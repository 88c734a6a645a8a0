"""`nutgraf train`: a preset and a corpus become a trained model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nutgraf.cli._options import Trust, changes
from nutgraf.cli._say import notice
from nutgraf.errors import InputError, requires


def train(
    preset: Annotated[str, typer.Argument(help="Preset or .toml file of a network.", show_default=False)],
    data: Annotated[
        str, typer.Option(help="Prepared corpus, or a corpus, which is then prepared in OUT.data.", show_default=False)
    ],
    out: Annotated[str, typer.Option(help="Folder to write.", show_default=False)],
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="Change of the preset: training.max_epochs=3, or seed=1 for other first weights and another order of "
            "the batches; may be repeated.",
            show_default=False,
        ),
    ] = None,
    trust: Trust = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continuation from the last checkpoint in OUT, if there is one.")
    ] = False,
    init_from: Annotated[
        str | None, typer.Option(help="Model folder whose weights training begins with.", show_default=False)
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(min=1, max=1024, help="Number of threads.", show_default="the quickest, measured again and again"),
    ] = None,
    deterministic: Annotated[
        bool,
        typer.Option(
            "--deterministic",
            help="The same numbers every time on this machine; on a GPU, torch warns where it cannot.",
        ),
    ] = False,
    compare: Annotated[
        bool,
        typer.Option(
            "--compare-precisions/--no-compare-precisions",
            help="At the end, compare summaries in lower precisions, so that the fastest good one is used.",
        ),
    ] = True,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no notices on stderr.")] = False,
) -> None:
    """Train a network.

    Example: nutgraf train copy_transformer_small --data examples/notices.jsonl --set training.max_steps=5 --out trained

    OUT is then a system: nutgraf summarize --system OUT. Ctrl-C stops and saves (exit status 130), --resume goes on.
    On several GPUs: accelerate launch --multi_gpu -m nutgraf train …; in several processes on processors: torchrun
    --nproc-per-node 2 -m nutgraf train …
    """
    import shlex

    from nutgraf.cli._training import Screen, own_kind, preparing
    from nutgraf.systems import read_preset

    if init_from and (Path(init_from) / "config.json").is_file() and not (Path(init_from) / "card.json").is_file():
        raise InputError(
            f"{init_from} is a folder of transformers: nutgraf convert {init_from} FOLDER makes one that training "
            "begins with; then --init-from FOLDER."
        )
    own = {
        "--init-from": f"training.init_from={init_from}" if init_from else None,
        "--threads": f"training.threads={threads}" if threads else None,
        "--deterministic": "training.deterministic=true" if deterministic else None,
    }
    chosen = read_preset(preset, [*own_kind(preset, data, set_, trust, quiet), *changes(set_, own)], trust)
    chosen.config  # noqa: B018  every mistake in the preset is named before torch is asked for
    with requires("neural", "Networks need"):
        from nutgraf.training.outcome import FEWEST_TO_COMPARE
        from nutgraf.training.run import train
    given = [part for line in set_ or [] for part in ("--set", line)]
    origin = ["--init-from", init_from] if init_from else []
    command = shlex.join(
        ["nutgraf", "train", preset, "--data", data, "--out", out, *given, *origin, *(["--trust"] if trust else [])]
    )
    with preparing(quiet) as tell, Screen(quiet) as screen:
        outcome = train(chosen, data, out, resume=resume, listeners=[screen], preparing=tell, command=command)
    if not outcome.finished:
        raise typer.Exit(130)
    if compare and outcome.comparison == "few":
        notice([f"Too few validation examples to compare precisions; {FEWEST_TO_COMPARE} would do."], quiet)
    elif compare and outcome.comparison == "possible":
        from nutgraf.cli.precision import measured

        found = measured(outcome.folder, outcome.data, quiet)
        notice([f"{name}: {verdict}." for name, verdict in found.items()], quiet)
