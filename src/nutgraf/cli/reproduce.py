"""`nutgraf reproduce`: a table of a paper, and ours beside it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nutgraf.cli._options import Form, Output
from nutgraf.cli._say import bar, check_output, notice, put
from nutgraf.errors import InputError, UnknownName, requires

if TYPE_CHECKING:
    from nutgraf.reproduction.plan import Request
    from nutgraf.reproduction.published import PublishedTable
    from nutgraf.reproduction.report import Report


def reproduce(
    paper: Annotated[
        str | None,
        typer.Argument(help="kpat, highlight_transformer, sagcopy, mls or selective.", show_default="a list of them"),
    ] = None,
    table: Annotated[
        str | None, typer.Argument(help="Table: table3, or its label, K3.", show_default="a list of the paper's tables")
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(
            help="Folder that holds the corpora in folders of their names (DATA/multi_news), or the one corpus itself.",
            show_default="only what was published is printed",
        ),
    ] = None,
    out: Annotated[
        str, typer.Option(help="Folder for prepared corpora, trained models, summaries and scores.")
    ] = "runs/reproduce",
    scale: Annotated[
        str,
        typer.Option(
            help="small: networks of some 8 million parameters (the presets that end in _small), 2,000 steps, 40,000 "
            "examples to train on and 500 to summarize; paper: the papers' presets, and all examples."
        ),
    ] = "small",
    kind: Annotated[
        str | None,
        typer.Option(
            help="Data set that takes the place of the table's, such as squality; no verdict is given then.",
            show_default=False,
        ),
    ] = None,
    part: Annotated[str, typer.Option(help="Split that is summarized.")] = "test",
    row: Annotated[
        list[str] | None,
        typer.Option(help="Only this row, and the one that it is compared with; may be repeated.", show_default="all"),
    ] = None,
    init_from: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ROW=FOLDER",
            help="Model folder whose weights the network of a row begins with, for rows that begin with a BERT or MASS "
            "in the paper; may be repeated.",
            show_default="random weights",
        ),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set", help="Change of every network: training.max_steps=500; may be repeated.", show_default=False
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            min=1, max=10**9, help="Examples of each split that are prepared or counted.", show_default="by the scale"
        ),
    ] = None,
    test_limit: Annotated[
        int | None, typer.Option(min=1, max=10**9, help="Examples that are summarized.", show_default="by the scale")
    ] = None,
    judgements: Annotated[
        str | None,
        typer.Option(
            help="Folder of a study that `nutgraf judge sheet` made: what people found there stands beside a table of "
            "judgements.",
            show_default="only what was published is printed",
        ),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(help="Address of the study's PostgreSQL database.", show_default="a file in its folder"),
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Print what it will cost, and do nothing.")] = False,
    form: Form = "text",
    output: Output = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no notices on stderr.")] = False,
) -> None:
    """Reproduce a table of a paper.

    Example: nutgraf reproduce kpat table10

    With --data, every row is prepared, trained and evaluated, and stands beside the published one with its 95 %
    interval. What it will cost is said before it begins. Then it may be stopped at any time: the same command goes on,
    and what is finished is not made again, in other tables either.

    A verdict says whether a published difference from the row that the table is about has the same sign here: it holds,
    it does not hold, or it cannot be told, because the paired interval has zero in it, or because the figures do not
    compare. Rows whose system is not there are shown with the reason.

    Tables of judgements need people: they name the commands that make such a study, and with --judgements STUDY its
    figures stand beside the published ones.
    """
    from nutgraf.evaluation.forms import check_form
    from nutgraf.reproduction.published import published
    from nutgraf.reproduction.report import without_ours
    from nutgraf.reproduction.show import shown

    check_output(output)
    check_form(form)
    if paper is None:
        put("\n".join(f"{name:<22} {title}" for name, title in published().papers.items()), output)
        return
    if table is None:
        put("\n".join(f"{one.name:<13} {one.label:<4} {one.title}" for one in published().of(paper)), output)
        return
    chosen = published().table(paper, table)
    if judgements is not None:
        from nutgraf.judging.store import files_of

        check_output(output, files_of(judgements, database))
        put(shown(_judged(chosen, judgements, database), form), output)
        return
    if data is None:
        heeds_data = {"--row": row, "--set": set_, "--init-from": init_from, "--plan": plan}
        if option := next((name for name, value in heeds_data.items() if value), None):
            raise InputError(f"{option} needs --data: without it, only the published figures are shown.")
    if data is None or chosen.kind in ("judgements", "statements"):
        put(shown(without_ours(chosen), form), output)
        return
    from nutgraf.reproduction.plan import Request

    if scale not in ("small", "paper"):
        raise UnknownName("scale", scale, ("small", "paper"))
    request = Request(
        table=chosen,
        data=Path(data),
        out=Path(out),
        scale="small" if scale == "small" else "paper",
        kind=kind,
        part=part,
        limit=limit,
        test_limit=test_limit,
        changes=tuple(set_ or ()),
        rows=tuple(row or ()),
        init_from=_folders(init_from or ()),
    )
    request = _recognized(request, quiet)
    costs = _costs(request)
    if plan:
        put("\n".join(costs), output)
        return
    notice(costs, quiet)
    changes = [part for line in set_ or () for part in ("--set", line)]
    changes += [part for line in init_from or () for part in ("--init-from", line)]
    command = ["nutgraf", "reproduce", paper, table, "--data", data, "--out", out, "--scale", scale, *changes]
    put(shown(_reproduce(request, quiet, shlex.join(command)), form), output)


def _folders(lines: Iterable[str]) -> dict[str, Path]:
    """Return the folder of each row. Raises InputError for a line that is not ROW=FOLDER, or a row named twice."""
    folders: dict[str, Path] = {}
    for line in lines:
        row, _, folder = line.partition("=")
        if not row or not folder:
            raise InputError(f"--init-from {line!r} names no row and its folder: --init-from ROW=FOLDER.")
        if row in folders:
            raise InputError(f"--init-from names the row {row} twice: {folders[row]} and {folder}.")
        folders[row] = Path(folder)
    return folders


def _recognized(request: Request, quiet: bool) -> Request:
    """Return the request with the generic data set if no corpus is there in a form of its own."""
    from nutgraf.datasets import datasets, generic_kind

    if request.kind is not None:
        return request
    kinds = {}
    for corpus in request.table.corpora:
        with suppress(InputError):
            kinds[generic_kind(datasets.make(corpus), request.corpus(corpus))] = corpus
    if len(kinds) != 1 or None in kinds:
        return request
    [(kind, corpus)] = kinds.items()
    notice([f"{request.data} is not in the form of {corpus} and is read as {kind}; --kind names another."], quiet)
    return replace(request, kind=kind)


def _judged(table: PublishedTable, folder: str, database: str | None) -> Report:
    """Return a table of judgements beside what people found in a study. Raises NutgrafError."""
    from nutgraf.judging.figures import figures_of
    from nutgraf.judging.report import report
    from nutgraf.judging.store import Store
    from nutgraf.judging.study import read_study
    from nutgraf.reproduction.published import published
    from nutgraf.reproduction.report import with_judgements

    if not table.protocol:
        others = ", ".join(one.label for one in published().tables.values() if one.protocol)
        raise InputError(f"{table.label} holds no judgements of people; {others} do.")
    study = read_study(folder)
    if study.kind != table.protocol:
        raise InputError(f"{folder} is a study of the kind {study.kind}; {table.label} is one of {table.protocol}.")
    pair = table.pair_in(study.systems)
    with Store(database or folder) as store, requires("judge", "A table of judgements needs"):
        given = store.judgements(study)
        found, made = figures_of(study, given, pair), report(study, given)
    ours = f"Ours is of {', '.join(pair or study.systems)} in {folder}."
    return with_judgements(table, found, study.systems, pair, [ours, *made.notes, made.signature])


def _costs(request: Request) -> list[str]:
    """Return what will be done, and what it will cost. Raises NutgrafError for every mistake that can be known now."""
    from nutgraf.reproduction.cost import costs_of, in_all
    from nutgraf.reproduction.plan import NOT_ASKED, beginnings_of, check_corpora, jobs_of, trainings_of

    check_corpora(request)
    if request.table.kind == "statistics":
        return [f"{request.table.label} is counted in the data; nothing is trained."]
    jobs = jobs_of(request)
    beginnings = [
        f"{row}: begins with {one}, the published network with {one.theirs}."
        for row, one in beginnings_of(request, jobs).items()
    ]
    costs = costs_of(trainings_of([*jobs.values()]))
    left = [cost for cost in costs if not cost.finished]
    missing = dict.fromkeys(
        f"{job.trial.system}: not trained here. {job.reason}"
        for job in jobs.values()
        if job.reason not in ("", NOT_ASKED)
    )
    total = f"{len(left)} of {len(costs)} networks are to be trained into {request.out / 'trained'}"
    time = f", {in_all(costs)} in all; preparing the corpus and summarizing come on top" if left else ""
    return [*missing, *beginnings, *map(str, costs), f"{total}{time}."]


def _reproduce(request: Request, quiet: bool, command: str) -> Report:
    """Run the request with its progress on the screen."""
    from nutgraf.cli._training import Screen, preparing
    from nutgraf.reproduction.run import Stopped, Watching, reproduce

    with preparing(quiet, request.limit) as tell, Screen(quiet) as screen:
        watching = Watching(
            say=lambda line: notice([line], quiet),
            preparing=tell,
            training=[screen],
            evaluating=bar("Evaluating", quiet),
            counting=lambda done: tell("Counting", done) if done % 100 == 0 else None,
        )
        try:
            return reproduce(request, watching, command)
        except Stopped as stopped:
            notice([f"{stopped} was stopped and saved; the same command goes on with it."], quiet)
            raise typer.Exit(130) from None
