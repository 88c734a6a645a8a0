"""`nutgraf evaluate`: systems on a data set, as one table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from nutgraf.cli._options import Asking, Cluster, Deterministic, Kind, Limit, Output, Part, Stem, Trust, changes, listed
from nutgraf.cli._say import bar, check_output, notice, put_result
from nutgraf.errors import OutputError, requires

WITHOUT_CENTRALITY = 'it takes a network that copies and whose encoder has plain attention (kind = "dot_product")'

if TYPE_CHECKING:
    from collections.abc import Callable

    from nutgraf.evaluation.plan import Plan


def evaluate(
    systems: Annotated[
        list[str],
        typer.Argument(
            help="Presets (see `nutgraf presets`), .toml files or trained models; the others are compared with the "
            "first.",
            show_default=False,
        ),
    ],
    data: Annotated[str, typer.Option(help="File of the data set; with --part, also its folder.", show_default=False)],
    kind: Kind = "jsonl",
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            help="Metrics, separated by commas; may be repeated.",
            show_default="rouge, and faithfulness of what networks write",
        ),
    ] = None,
    words: Annotated[
        list[int] | None, typer.Option(help="Maximum length in words; may be repeated.", show_default="natural length")
    ] = None,
    sentences: Annotated[
        list[int] | None, typer.Option(help="Maximum number of sentences; may be repeated.", show_default=False)
    ] = None,
    share: Annotated[
        list[str] | None,
        typer.Option(help="Maximum length as a share of the input's words; may be repeated.", show_default=False),
    ] = None,
    characters: Annotated[
        list[int] | None, typer.Option(help="Maximum length in characters; may be repeated.", show_default=False)
    ] = None,
    limit: Limit = None,
    query: Asking = None,
    part: Part = None,
    fit: Annotated[
        str | None,
        typer.Option(help="File that systems are fitted to: term frequencies, usual length.", show_default=False),
    ] = None,
    stem: Stem = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="Option of a metric or of the data set: rouge.references=best, dataset.text_column=body; may be "
            "repeated. For options of a system, write a .toml file that extends its preset.",
            show_default=False,
        ),
    ] = None,
    trust: Trust = False,
    seed: Annotated[int | None, typer.Option(help="Seed of the systems.", show_default="the presets'")] = None,
    deterministic: Deterministic = True,
    workers: Annotated[
        int | None, typer.Option(min=1, max=1024, help="Number of processes.", show_default="as many as cores")
    ] = None,
    cluster: Cluster = None,
    oracle: Annotated[
        bool,
        typer.Option(
            "--oracle", help="Networks highlight the references' phrases; the table is marked: no system has these."
        ),
    ] = False,
    centrality: Annotated[
        list[str] | None,
        typer.Option(
            help="For networks that copy: how far what they copy from is from words' centrality, beside the scores, as "
            "centrality.csv and .png in the folder of --out. outdegree, indegree-1, -2, -3, with commas between them; "
            "may be repeated.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            help="Folder for summaries and scores. The same command goes on where it stopped; other systems can be "
            "added, and table.json is that of the last command.",
            show_default=False,
        ),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Start anew in a folder that holds another evaluation.")
    ] = False,
    json_: Annotated[bool, typer.Option("--json", help="Table as JSON.")] = False,
    output: Output = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no notices on stderr.")] = False,
) -> None:
    """Evaluate systems on a data set.

    Example: nutgraf evaluate lead adaptive --data examples/notices.jsonl --words 25 --out runs/notices

    The table has the mean of each score, its 95 % bootstrap interval, and below it how far the others are from the
    first, example by example, with a star where they differ (paired bootstrap, p < 0.05). --out keeps every summary
    with its scores. Where a network writes, the table also has the share of sentences without a number, a name, a date
    or a quotation that the source does not bear out; for systems that copy sentences it has a dash.
    """
    from nutgraf.batch.cluster import connected
    from nutgraf.evaluation.metrics import choose
    from nutgraf.evaluation.plan import Plan, budgets_of
    from nutgraf.evaluation.scores import parted

    check_output(output, [*systems, data, fit])
    if fresh and out is None:
        raise OutputError("--fresh begins anew in a folder that holds an evaluation; name it with --out.")
    own = {"--stem": None if stem is None else f"rouge.stem={str(stem).lower()}"}
    options, of_data = parted(changes(set_, own))
    plan = Plan(
        systems=systems,
        data=data,
        kind=kind,
        dataset=of_data,
        metrics=choose(listed(metrics, "rouge"), options),
        flags=not metrics,
        budgets=budgets_of(words or (), sentences or (), share or (), characters or ()),
        limit=limit,
        query=query,
        part=part,
        fit=fit,
        seed=seed,
        oracle=oracle,
        trust=trust,
        deterministic=deterministic,
        workers=workers,
    )
    look = _looking(plan, listed(centrality), out, quiet) if centrality else None
    with connected(cluster) as pool:
        shown = bar("Evaluating", quiet)
        table = plan.run(out, fresh, progress=shown, caution=lambda lines: notice(lines, quiet), pool=pool)
    if out:
        notice([f"summaries, scores and the table are in {out}."], quiet)
    if look is not None:
        notice([f"what networks copy from, beside what is central, is there too: {', '.join(look())}."], quiet)
    put_result(table, json_, output)


def _looking(plan: Plan, centrality: str, out: str | None, quiet: bool) -> Callable[[], list[str]]:
    """Return the function that writes the files of --centrality, and say which systems they leave out.

    Raises NutgrafError for every mistake that can be known now.
    """
    if out is None:
        raise OutputError("--centrality writes files; name a folder for them with --out.")
    with requires("neural", "Networks need"):
        from nutgraf.evaluation.centrality import compare, measures_of, networks_of, write
    measures, networks = measures_of(centrality), networks_of(plan)
    left_out = [label for label in plan.labels if label not in networks]
    if left_out:
        notice([f"centrality is not compared for {', '.join(left_out)}: {WITHOUT_CENTRALITY}."], quiet)
    return lambda: write(compare(plan, out, networks, measures), out)
