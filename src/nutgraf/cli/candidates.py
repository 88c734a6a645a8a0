"""`nutgraf candidates`: what a search finds for each example of a corpus, for a re-ranker to learn from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nutgraf.cli._options import Corpus, Device, Limit, Trust
from nutgraf.cli._say import put
from nutgraf.errors import InputError


def candidates(
    system: Annotated[str, typer.Argument(help="Trained model.", show_default=False)],
    source: Corpus,
    out: Annotated[
        str, typer.Argument(help="Folder to write. The same command goes on where it stopped.", show_default=False)
    ],
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="Change of the preset: decoding.beam_size=12, or dataset.kind=jsonl for another corpus than it was "
            "trained on; may be repeated.",
            show_default=False,
        ),
    ] = None,
    trust: Trust = False,
    limit: Limit = None,
    device: Device = "auto",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
) -> None:
    """Write the candidate summaries of every example of a corpus.

    Example: nutgraf candidates trained examples/notices.jsonl candidates --set decoding.beam_size=8

    OUT is the corpus once more, as JSON lines, and each example has the texts of all hypotheses that the search found,
    without a budget. `nutgraf train reranker_small --data OUT` learns from it which of them is best.
    """
    from nutgraf.cli._training import preparing
    from nutgraf.datasets import datasets, generic_kind
    from nutgraf.evaluation.candidates import write_candidates
    from nutgraf.systems import load

    writer = load(system, set_ or [], trust, device=device, threads=1, deterministic=True)
    if not writer.preset.reads("dataset"):
        raise InputError(f"{system} was trained on no corpus, and its search finds one summary; name a trained model.")
    dataset = datasets.build(writer.preset.options("dataset"))
    named = any(line.startswith("dataset.kind=") for line in set_ or [])
    if not named and (kind := generic_kind(dataset, Path(source))) is not None:
        dataset = datasets.make(kind)
    with preparing(quiet, limit) as tell:
        made = write_candidates(writer, dataset, source, out, limit=limit, progress=tell)
    put("\n".join(f"{split}: {count:,} examples" for split, count in made.items()))
