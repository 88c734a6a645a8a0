"""`nutgraf judge`: summaries judged by people, from the plan to the report."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

import typer

from nutgraf.cli._options import Command, Form, Output, Trust, listed
from nutgraf.cli._say import check_output, notice, put, put_result, say
from nutgraf.errors import InputError, requires

judge = typer.Typer(
    name="judge",
    help="Have people judge summaries: plan, sheet, serve, collect, report, export.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)

Folder = Annotated[
    str, typer.Argument(help="Folder of the study, as `nutgraf judge sheet` made it.", show_default=False)
]
Database = Annotated[
    str | None,
    typer.Option(
        help="Address of a PostgreSQL database for teams: postgresql://user@host/name.",
        show_default="judgements.sqlite in the folder",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Result as JSON.")]


@judge.command(cls=Command)
def plan(
    win: Annotated[
        float, typer.Option(help="Share of judgements that will prefer the first system.", show_default=False)
    ],
    lose: Annotated[
        float, typer.Option(help="Share that will prefer the second; the others are ties.", show_default=False)
    ],
    kappa: Annotated[float, typer.Option(help="Agreement of the judges (Fleiss' kappa) that is expected.")] = 0.6,
    judge_sd: Annotated[
        float, typer.Option(min=0, max=10, help="How differently judges lean, in standard deviations of one judgement.")
    ] = 0.2,
    judges: Annotated[
        list[str] | None,
        typer.Option(
            help="Numbers of judges to plan for, with commas between them; may be repeated.", show_default="3,5,10"
        ),
    ] = None,
    power: Annotated[float, typer.Option(min=0.05, max=0.99, help="Chance to find the difference.")] = 0.8,
    studies: Annotated[
        int, typer.Option(min=10, max=100_000, help="Number of studies that are simulated for each size.")
    ] = 400,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Seed of the simulation.")] = 0,
    json_: Json = False,
    output: Output = None,
) -> None:
    """Tell how many documents a study needs, before anybody works.

    Example: nutgraf judge plan --win 0.45 --lose 0.2 --judges 4,10 --studies 50

    Studies of simulated judges are tested as `nutgraf judge report` tests real ones: with fewer than ten judges, about
    these judges only. For grades, and for best and worst, take the shares of judgements in which the first system would
    be above and below the second.
    """
    from nutgraf.judging.power import need, table_of_needs
    from nutgraf.judging.simulation import with_kappa

    check_output(output)
    try:
        raters = with_kappa(win, lose, kappa, judge_sd)
    except ValueError as error:
        raise InputError(str(error)) from None
    needs = [need(raters, count, power, studies, seed) for count in _numbers(listed(judges, "3,5,10"))]
    table = table_of_needs(raters, needs, power, studies, seed)
    put_result(table, json_, output)


@judge.command(cls=Command)
def sheet(
    systems: Annotated[
        list[str],
        typer.Argument(
            help="Summaries of each system, NAME=FILE: text, one per line; JSONL; a folder; or what `nutgraf evaluate "
            "--out` wrote. The same NAME again brings longer summaries.",
            show_default=False,
        ),
    ],
    out: Annotated[str, typer.Option(help="Folder for the study: its key and the sheets.", show_default=False)],
    kind: Annotated[
        str, typer.Option(help="pairwise, pairwise_importance, likert, best_worst or fact_checking.")
    ] = "pairwise",
    sources: Annotated[
        str | None, typer.Option(help="Documents that were summarized, in the same form.", show_default=False)
    ] = None,
    questions: Annotated[
        str | None,
        typer.Option(
            help="JSONL with id, question, answer (yes or no) and dataset, for fact checking.", show_default=False
        ),
    ] = None,
    judges: Annotated[int, typer.Option(min=1, max=10_000, help="Number of judges.")] = 4,
    items: Annotated[
        int | None, typer.Option(min=1, max=10**6, help="Number of documents, drawn at random.", show_default="all")
    ] = None,
    format_: Annotated[str, typer.Option("--format", help="html or csv.")] = "html",
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help='Option of the kind: aspects=["fluency"]; may be repeated.', show_default=False),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Seed of all that is drawn.")] = 0,
    rehearsal: Annotated[
        bool, typer.Option("--rehearsal", help="Also write answers of simulated judges, to try the other commands.")
    ] = False,
) -> None:
    """Make a sheet for each judge, without names of systems.

    Example: nutgraf judge sheet first=examples/notices.jsonl second=examples/leads.txt --out study --rehearsal

    Send each judge one file of the folder's sheets, and keep study.json, which is the key, to yourself. A page needs no
    network: it keeps every answer in the judge's browser at once and saves them as a file.
    """
    from nutgraf.judging.items import parse_systems, read_items, sample
    from nutgraf.judging.protocols import protocols
    from nutgraf.judging.sheets import FORMATS, REHEARSAL, SHEETS, rehearse, write_sheets
    from nutgraf.judging.study import make_study
    from nutgraf.presets import assignments

    if format_ not in FORMATS:
        raise InputError(f"--format is {' or '.join(FORMATS)}, not {format_!r}.")
    choice = protocols.choose(kind, **dict(assignments(set_ or [])))
    chosen = sample(read_items(parse_systems(systems), sources, questions), items, seed)
    study = make_study(choice, chosen, judges, seed)
    study.check_format(format_)
    study.write(out)
    write_sheets(study, chosen, out, format_)
    tasks = f"{len(study.tasks):,} tasks for {len(study.judges)} judges about {len(chosen):,} documents"
    put(f"{tasks}: the sheets are in {out}/{SHEETS}, and {out}/study.json is the key to them.")
    if rehearsal:
        rehearse(study, chosen, out)
        notice([f"answers of simulated judges are in {out}/{REHEARSAL}."])


@judge.command(cls=Command)
def serve(
    folder: Folder,
    host: Annotated[str, typer.Option(help="Name or address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 for any that is free.")] = 8766,
    address: Annotated[
        str | None,
        typer.Option(
            help="Address by which judges reach the service, for the links.", show_default="that of host and port"
        ),
    ] = None,
    database: Database = None,
    trust: Trust = False,
) -> None:
    """Hand out the sheets by personal links, and store the answers.

    Example: nutgraf judge serve study --port 8766

    Prints a link for each judge, and one to the progress and the agreement for you alone. The links stay the same when
    the service starts again. It needs the pages that `nutgraf judge sheet` made, and stops at Ctrl-C.
    """
    from nutgraf.judging.store import Store
    from nutgraf.judging.study import read_study

    with requires("serve", "nutgraf judge serve needs"):
        import uvicorn

        from nutgraf.service.judges import create_judging_app, links_of, read_pages
        from nutgraf.service.run import address_of, bound
        from nutgraf.service.security import is_loopback

    study = read_study(folder, trust)
    pages = read_pages(folder, study)
    links = links_of(folder, study.judges)
    with Store(database or folder) as store, requires("judge", "The overview needs"), bound(host, port) as listening:
        base = (address or address_of(host, listening)).rstrip("/")
        put("\n".join(f"{judge}: {base}/judge/{token}" for judge, token in links.judges.items()))
        put(f"progress, for you alone: {base}/overview/{links.overview}")
        app = create_judging_app(study, pages, store, links, address=address or "", local=is_loopback(host))
        config = uvicorn.Config(app, log_level="warning", server_header=False)
        with suppress(KeyboardInterrupt):  # uvicorn stops in peace, and raises the signal once more
            say(f"ready on {base}; Ctrl-C stops it.")
            uvicorn.Server(config).run(sockets=[listening])


@judge.command(cls=Command)
def collect(
    folder: Folder,
    answers: Annotated[
        list[str], typer.Argument(help="Files that judges sent back, or folders of them.", show_default=False)
    ],
    database: Database = None,
    trust: Trust = False,
) -> None:
    """Store the answers of judges.

    Example: nutgraf judge collect study study/rehearsal

    Each file is stored completely or not at all, and one that cannot be stored does not keep the others from it; the
    exit status is 2 then. The same file again changes nothing, and a corrected answer is kept beside the first, with
    its time; the latest counts.
    """
    from nutgraf.judging.answers import ahead, read_each
    from nutgraf.judging.store import Store
    from nutgraf.judging.study import read_study

    study = read_study(folder, trust)
    with Store(database or folder) as store:
        refused = 0
        for path, given in read_each(answers, study):
            if isinstance(given, InputError):
                refused += 1
                say(str(given))
            else:
                put(f"{path}: {store.add(study, given):,} new of {len(given):,} judgements")
                if late := ahead(given):
                    notice([f"{path}: {late}"])
        put(study.progress(store.judgements(study)))
    if refused:
        say(f"{refused} {'file was' if refused == 1 else 'files were'} not stored, for the reasons above.")
        raise typer.Exit(2)


@judge.command(cls=Command)
def report(
    folder: Folder,
    database: Database = None,
    trust: Trust = False,
    form: Form = "text",
    json_: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    output: Output = None,
) -> None:
    """Print the tables of a study.

    Example: nutgraf judge report study

    Shares with Fleiss' kappa and Krippendorff's alpha, differences with intervals and tests, strengths by
    Bradley and Terry, or accuracy and time, as the kind of the study has them; then how far each judge is.
    """
    from nutgraf.evaluation.forms import check_form
    from nutgraf.judging.report import report as report_of
    from nutgraf.judging.store import Store, files_of
    from nutgraf.judging.study import read_study

    check_output(output, files_of(folder, database))
    check_form(form)
    if json_ and form not in ("text", "json"):
        raise InputError(f"--json is --format json; leave out --json or --format {form}.")
    study = read_study(folder, trust)
    with Store(database or folder) as store, requires("judge", "A report needs"):
        found = report_of(study, store.judgements(study))
    put(found.shown("json" if json_ else form), output)


@judge.command(cls=Command)
def export(folder: Folder, database: Database = None, trust: Trust = False, output: Output = None) -> None:
    """Write the judgements as lines of JSON.

    Example: nutgraf judge export study -o judgements.jsonl

    A line has the judge, the document, the order shown, the answers, the seconds and the versions. Answers that a judge
    has corrected are there, too, marked as superseded.
    """
    from nutgraf.judging.report import export as lines_of
    from nutgraf.judging.store import Store, files_of
    from nutgraf.judging.study import read_study

    check_output(output, files_of(folder, database))
    study = read_study(folder, trust)
    with Store(database or folder) as store:
        lines = list(lines_of(study, store.judgements(study)))
    put("\n".join(lines), output)


def _numbers(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts or not all(part.isdecimal() and 1 <= int(part) <= 1000 for part in parts):
        raise InputError(f"--judges takes numbers from 1 to 1,000 with commas between them, not {text!r}.")
    return list(dict.fromkeys(map(int, parts)))
