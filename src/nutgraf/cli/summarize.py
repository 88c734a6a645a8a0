"""`nutgraf summarize`: a summary of one or several documents."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from nutgraf.cli import _options as options
from nutgraf.cli._say import bar, check_apart, check_output, notice, put, put_json, reading, working
from nutgraf.errors import InputError, OutputError, PresetError
from nutgraf.text.clean import visible

if TYPE_CHECKING:
    from nutgraf.cli._minutes import Minuting
    from nutgraf.cli._minutes import Shown as Minuted
    from nutgraf.cli._summarizing import Shown, Summarizing
    from nutgraf.collation.records import Agreement
    from nutgraf.text.divisions import By
    from nutgraf.text.summary import Summary

MOST_NAMED = 5
"""Documents that a notice names."""


def summarize(
    files: options.Files,
    system: options.System = "adaptive",
    model: options.Model = None,
    words: options.Words = None,
    sentences: options.Sentences = None,
    share: options.Share = None,
    characters: options.Characters = None,
    highlight: options.Highlight = None,
    query: options.Query = None,
    compare: Annotated[
        bool,
        typer.Option(
            "--compare",
            help="Also make the summary without highlights, and show what they change; it takes as long again.",
        ),
    ] = False,
    whole_sentences: options.Whole = False,
    edit: options.Edit = False,
    edit_strength: options.Strength = None,
    keep_all: options.KeepAll = False,
    format_: options.Layout = "paragraph",
    minutes: Annotated[
        bool,
        typer.Option(
            "--minutes",
            help="Of a meeting, in place of a summary: what was decided, who does what by when, and what stayed open.",
        ),
    ] = False,
    each: Annotated[bool, typer.Option("--each", help="One summary per document instead of one of them all.")] = False,
    by: options.By = None,
    depth: options.Depth = None,
    language: options.Language = None,
    reader: options.Reader = None,
    fetch: options.Fetch = False,
    set_: options.Overrides = None,
    trust: options.Trust = False,
    seed: options.Seed = None,
    threads: Annotated[
        int | None,
        typer.Option(min=1, max=1024, help="Number of threads of a network.", show_default="the quickest, measured"),
    ] = None,
    device: options.Device = "auto",
    deterministic: Annotated[
        bool,
        typer.Option(
            "--deterministic", help="The same numbers every time, however busy the machine: one thread, fp32."
        ),
    ] = False,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="Also print where each sentence comes from, why it was chosen, and its rating (its worth by itself, "
            "on a scale of the system's own).",
        ),
    ] = False,
    ablate: Annotated[
        bool,
        typer.Option(
            "--ablate",
            help="Also tell which source sentences each sentence of a network rests on: the network reads up to 32 "
            "random subsets of each window's sentences, and as many forward passes are what this costs.",
        ),
    ] = False,
    agreement: Annotated[
        bool,
        typer.Option(
            "--agreement",
            help="Of several documents also tell what they agree on, what only one says, and where their numbers and "
            "dates may differ.",
        ),
    ] = False,
    json_: Annotated[
        bool, typer.Option("--json", help="Print everything as JSON: the text, where it comes from, and why.")
    ] = False,
    report: Annotated[
        str | None,
        typer.Option(help="File for an HTML page that shows the origin of each sentence and word.", show_default=False),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            help="File for the summary, and for what --explain, --compare, --ablate and --agreement tell; - is stdout.",
            show_default=False,
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No notices on stderr.")] = False,
) -> None:
    """Summarize documents.

    Example: nutgraf summarize examples/island.txt --words 100

    By its sections: nutgraf summarize examples/lease.txt --by section

    Several reports: nutgraf summarize examples/island.txt examples/bridge.md --agreement

    With a network: nutgraf summarize examples/island.txt --system hf:FOLDER --ablate --report page.html

    --system hf:FOLDER lets a model of transformers write that lies in a folder. Several files are one input, unless
    --each. The summary is as close below the length asked for as its sentences allow, and never above it; without a
    length the default system takes an eighth of the input's words, 60 to 250. Give one of --words, --sentences, --share
    and --characters. Files of a folder, or of a pattern in quotation marks
    ("notes/*.md"), that cannot be read are left out with a notice; a file that you name must be readable.
    """
    from nutgraf.cli._minutes import Minuting
    from nutgraf.cli._summarizing import Summarizing
    from nutgraf.runtime.hardware import Compute
    from nutgraf.text.formats import budget_in, check_format
    from nutgraf.text.language import check_code
    from nutgraf.text.request import Request
    from nutgraf.text.summary import Budget

    _check_files(files, output, report, each, reader)
    language = None if language is None else check_code(language)
    form = check_format(format_)
    if json_ and form != "paragraph":
        raise InputError(f"--json has the summary as data, in no format; leave out --format {form} or --json.")
    if minutes:
        _check_minutes(
            {
                "--words": words, "--sentences": sentences, "--share": share, "--characters": characters,
                "--highlight": highlight, "--query": query, "--edit": edit, "--compare": compare, "--explain": explain,
                "--ablate": ablate, "--model": model, "--set": set_, "--by": by,
                "--depth": depth, "--system": system != "adaptive", "--format": form not in ("paragraph", "markdown"),
            }
        )  # fmt: skip
        _put_minutes(files, Minuting(language, reader, fetch, form == "markdown"), each, json_, output, report, quiet)
        return
    budget = budget_in(form, Budget.of(words, sentences, share, characters))
    if compare and not highlight:
        raise InputError("--compare shows what highlights change; name one, as in --highlight 'swing bridge'.")
    _check_system(system, model, deterministic, threads)
    named = {"--model": None if model is None else f"endpoint.model={json.dumps(model)}"}
    _check_outline(by, depth, form, compare, ablate)
    job = Summarizing(
        name=system,
        overrides=tuple(options.changes(set_, {**named, "--seed": None if seed is None else f"seed={seed}"})),
        trust=trust,
        compute=Compute(deterministic, threads, device),
        request=Request(
            budget,
            tuple(highlight or ()),
            query or "",
            language,
            compare,
            whole_sentences,
            options.strength_of(edit, edit_strength),
            prose=not keep_all,
            by=_parts(by),
            depth=depth,
        ),
        format=form,
        reader=reader,
        fetch=fetch,
        explain=explain,
        json=json_,
    )
    if each:
        _check_each(ablate, agreement)
        _put_each(files, job, output, quiet)
    else:
        _put_one(files, job, output, report, ablate, agreement, quiet)


def _check_system(system: str, model: str | None, deterministic: bool, threads: int | None) -> None:
    """Raise PresetError or InputError for options that the system, or each other, have no use for."""
    if deterministic and threads not in (None, 1):
        raise PresetError("--deterministic computes in one thread; leave out --threads.")
    if model is not None and not system.startswith("endpoint") and not system.endswith(".toml"):
        raise InputError("--model names the model of a server; it belongs to --system endpoint:URL.")


def _parts(by: str | None) -> By | None:
    """Return the parts of an outline; None where none is asked for. Raises InputError if there are no such parts."""
    if by is None:
        return None
    from nutgraf.text.divisions import check_by

    return check_by(by)


def _check_outline(by: str | None, depth: int | None, form: str, compare: bool, ablate: bool) -> None:
    """Raise InputError if an outline cannot be what else is asked for."""
    if by is None:
        if depth is not None:
            raise InputError("--depth is the deepest level of an outline; add --by section.")
        return
    for given, option in ((compare, "--compare"), (ablate, "--ablate"), (form == "headline", "--format headline")):
        if given:
            raise InputError(f"{option} is for one summary, and --by makes an outline; leave out one of them.")


def _check_minutes(others: dict[str, object]) -> None:
    """Raise InputError for options that minutes do not have."""
    given = [name for name, value in others.items() if value]
    if given:
        raise InputError(
            f"--minutes lists what a meeting settled, whatever its length, as text, Markdown, JSON or a page; leave "
            f"out {', '.join(given)}."
        )


def _put_minutes(
    files: list[str], job: Minuting, each: bool, json_: bool, output: str | None, report: str | None, quiet: bool
) -> None:
    """Minutes of all documents together, or of each."""
    if each:
        from nutgraf.cli._each import each as of_each

        made, complete = of_each(files, job, "Reading", quiet)
        notice([line for one in made for line in one.notices], quiet)
        _put_all(made, json_, output)
        if not complete:
            raise typer.Exit(2)
        return
    from nutgraf.readers.reading import read
    from nutgraf.text.document import distinct, join

    with reading(files, quiet):
        document = join(
            distinct([one for file in files for one in read(file, job.language, job.reader, fetch=job.fetch)])
        )
    found = job.found(document)
    notice([*job.warnings(document), *document.notices, *found.notices], quiet)
    if report:
        from nutgraf.report.page import render
        from nutgraf.runtime.files import write_output

        write_output(report, render(found))
    shown = job.shown(found)
    if json_:
        put_json(shown.json, output)
    else:
        put(shown.text(output), output)


def _put_all(made: Sequence[Shown | Minuted], json_: bool, output: str | None) -> None:
    """Print the results of several documents, each below its name."""
    if made and json_:
        put_json([one.json for one in made], output)
    elif made:
        put("\n\n".join(f"==> {visible(one.name)} <==\n{one.text(output)}" for one in made), output)


def _check_each(ablate: bool, agreement: bool) -> None:
    """Raise InputError for what one summary has and several have not."""
    if ablate:
        raise InputError("--ablate looks into one summary; leave out --each.")
    if agreement:
        raise InputError("--agreement compares the documents of one summary; leave out --each.")


def _check_files(files: list[str], output: str | None, report: str | None, each: bool, reader: str | None) -> None:
    """Raise OutputError if a file that is asked for cannot be written, or is one of those that are read."""
    check_output(output, files)
    for path in (output, report):
        check_apart(path, files, reader)
    check_output(report, [*files, output])
    if report and each:
        raise OutputError("--report makes one page of one summary; leave out --each.")
    if report == "-":
        raise OutputError("--report needs a file; on stdout is the summary itself.")


def _put_one(
    files: list[str],
    job: Summarizing,
    output: str | None,
    report: str | None,
    ablate: bool,
    agreement: bool,
    quiet: bool,
) -> None:
    """One summary of all documents."""
    from nutgraf.readers.reading import read
    from nutgraf.text.document import distinct, join
    from nutgraf.text.outline import Outline

    summarizer = job.system
    with reading(files, quiet):
        found = [one for file in files for one in read(file, job.language, job.reader, fetch=job.fetch)]
        document = join(distinct(found))
    if agreement and len(document.parts) < 2:
        same = "all that are given have the same text" if len(found) > 1 else "there is only one; name two or more"
        raise InputError(f"--agreement compares several documents, and {same}.")
    said = [*document.notices, *job.warnings(document)]
    notice(said, quiet)
    with working(f"Summarizing {len(document.sentences):,} sentences …", quiet):
        made = summarizer(document, job.request)
    summary = made.summary if isinstance(made, Outline) else made
    notice((one for one in summary.notices if one not in said), quiet and bool(summary.sentences))
    if not summary.sentences:
        raise typer.Exit(2)
    if job.request.compare and summary.effect is None:
        notice(["No highlight occurs, so there is nothing to compare."], quiet)
    if summary.unused:
        more = f" and {len(summary.unused) - MOST_NAMED} more" if len(summary.unused) > MOST_NAMED else ""
        notice([f"No sentence comes from {', '.join(summary.unused[:MOST_NAMED])}{more}."], quiet)
    ablation = summarizer.ablate(summary, track=bar("Leaving sentences out …", quiet)) if ablate else None
    if ablation is not None:
        notice(ablation.notices, quiet)
    compared = _compared(summary, quiet) if agreement else None
    if report:
        from nutgraf.report.page import render
        from nutgraf.runtime.files import write_output

        with working("Drawing …", quiet):
            page = render(made, summarizer.attention(summary), summarizer.signals(summary), ablation, compared)
        write_output(report, page)
    shown = job.shown(made, ablation, compared)
    if job.json:
        put_json(shown.json, output)
    else:
        put(shown.text(output), output)


def _compared(summary: Summary, quiet: bool) -> Agreement:
    """Compare the documents of a summary."""
    from nutgraf.collation.agreement import agreement

    with working("Comparing …", quiet):
        found = agreement(summary.document)
    notice((one for one in found.notices if one not in summary.document.notices), quiet)
    return found


def _put_each(files: list[str], job: Summarizing, output: str | None, quiet: bool) -> None:
    """One summary a document. One that cannot be made does not stop the others, but the command ends with status 2."""
    from nutgraf.cli._each import each

    made, complete = each(files, job, "Summarizing", quiet)
    notice([line for one in made for line in one.notices], quiet and all(one.summary for one in made))
    _put_all(made, job.json, output)
    if not complete or not all(one.summary for one in made):
        raise typer.Exit(2)
