"""`nutgraf tune`: the magnifier's weights by grid search, saved as a preset."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from nutgraf.cli._options import Trust
from nutgraf.cli._say import check_output, notice, put


def tune(
    system: Annotated[str, typer.Argument(help="Two-stage preset or .toml file, such as mls_plus.")],
    data: Annotated[str, typer.Option(help="Validation data; with --part, the whole data set.", show_default=False)],
    output: Annotated[str, typer.Option("-o", "--output", help="Preset file to write: NAME.toml.", show_default=False)],
    kind: Annotated[str, typer.Option(help="Kind of data set.")] = "jsonl",
    share: Annotated[
        list[str] | None,
        typer.Option(help="Budget; may be repeated.", show_default="1/32, 1/16, 1/8, 1/4, 1/2"),
    ] = None,
    step: Annotated[float, typer.Option(help="Step of the grid over [-1, 1].")] = 0.1,
    limit: Annotated[
        int | None, typer.Option(min=1, max=10**9, help="Maximum number of examples.", show_default=False)
    ] = None,
    query: Annotated[
        str | None, typer.Option(help="Text that the query of an example must contain.", show_default=False)
    ] = None,
    part: Annotated[
        str | None,
        typer.Option(
            help="train, validation or test, split as `nutgraf prepare` does; the system is fitted to train.",
            show_default="all",
        ),
    ] = None,
    fit: Annotated[
        str | None, typer.Option(help="File that the system is fitted to first.", show_default=False)
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="Change of the preset, or option of the data set: section.key=value, dataset.text_column=body; may be "
            "repeated.",
            show_default=False,
        ),
    ] = None,
    trust: Trust = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no notices on stderr.")] = False,
) -> None:
    """Tune the magnifier's weights on examples with references.

    Example: nutgraf tune mls_plus --data examples/notices.jsonl --step 0.5 -o tuned.toml

    Every set of weights on the grid is tried at every budget; the best by mean ROUGE-1 F1 is written as a preset, for
    `nutgraf summarize --system tuned.toml`. A search that was stopped goes on where it was.
    """
    from pathlib import Path

    from rich.console import Console
    from rich.progress import Progress

    from nutgraf.errors import InputError, OutputError
    from nutgraf.evaluation.plan import Plan, count_reasons
    from nutgraf.evaluation.scores import parted
    from nutgraf.evaluation.tuning import SHARES, as_preset, tune
    from nutgraf.systems import load
    from nutgraf.systems.two_stage import TwoStage
    from nutgraf.text.summary import parse_share

    check_output(output, [system, data, fit])
    if not output.endswith(".toml"):
        raise OutputError(f"A preset is a .toml file; write {output}.toml, say.")
    changes, of_data = parted(set_ or [])
    loaded = load(system, changes, trust)
    if not isinstance(loaded, TwoStage):
        raise InputError(f"The system {system!r} has no weights to tune; two-stage systems have, as mls_plus.")
    plan = Plan([system], data, [], kind=kind, dataset=of_data, limit=limit, query=query, part=part, fit=fit)
    records, training, dropped, _ = plan.examples()
    notice([f"examples left out: {', '.join(count_reasons(dropped))}."] if dropped else [], quiet)
    if training:
        loaded.fit(training)
    fitted = f"{fit or ''} {part or ''}".strip()
    keep = Path(f"{output}.scores.jsonl")
    with Progress(console=Console(stderr=True, quiet=quiet or not sys.stderr.isatty()), transient=True) as bar:
        task = bar.add_task("Tuning", total=len(records))
        shares = [parse_share(one) for one in share] if share else SHARES
        tuned = tune(
            loaded, records, shares=shares, step=step, keep=keep, fit=fitted, progress=lambda: bar.advance(task)
        )
    put(as_preset(tuned, loaded.preset, shares, Path(data).name, changes), output)
    keep.unlink(missing_ok=True)
    best = ", ".join(f"{name} {weight:g}" for name, weight in tuned.weights.items())
    notice([f"the best weights are {best}; they are in {output}."], quiet)
