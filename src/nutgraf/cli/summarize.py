"""`nutgraf summarize`: a summary of one or several documents."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nutgraf.cli._options import Trust
from nutgraf.cli._say import check_output, notice, put, working, wrapped
from nutgraf.errors import NutgrafError
from nutgraf.text.clean import visible

if TYPE_CHECKING:
    from collections.abc import Callable

    from nutgraf.text.document import Document
    from nutgraf.text.summary import Summary

MANY = 100_000
"""Sentences from which a summary takes more than a few seconds."""

NAMED = 5
"""Documents that failed which the closing sentence of a batch names."""


def summarize(
    files: Annotated[
        list[str],
        typer.Argument(help="Text, Markdown, HTML, PDF, DOCX or JSONL; - is standard input.", show_default=False),
    ],
    system: Annotated[
        str, typer.Option(help="A preset (see `nutgraf presets`), a .toml file or a trained folder.")
    ] = "mls_plus",
    words: Annotated[int | None, typer.Option(help="At most so many words.", show_default=False)] = None,
    sentences: Annotated[int | None, typer.Option(help="So many sentences.", show_default=False)] = None,
    share: Annotated[
        str | None, typer.Option(help="At most this share of the input's words: 1/8, 0.125, 12.5%.", show_default=False)
    ] = None,
    highlight: Annotated[
        list[str] | None,
        typer.Option(
            help='A phrase to see more of, as "phrase" or "phrase:weight"; may be repeated.', show_default=False
        ),
    ] = None,
    each: Annotated[bool, typer.Option("--each", help="One summary a document, not one of them all.")] = False,
    language: Annotated[
        str | None, typer.Option(help="Of the documents, as en, de, fr.", show_default="recognize English")
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="Change the preset: section.key=value; may be repeated.", show_default=False),
    ] = None,
    trust: Trust = False,
    seed: Annotated[int | None, typer.Option(help="For what is drawn at random.", show_default=False)] = None,
    threads: Annotated[
        int | None,
        typer.Option(min=1, max=1024, help="Number of threads of a network.", show_default="the quickest, measured"),
    ] = None,
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
            help="Also tell where each sentence comes from, what each kernel gave, what the network looked at.",
        ),
    ] = False,
    json_: Annotated[bool, typer.Option("--json", help="The summary and why, as JSON.")] = False,
    report: Annotated[
        str | None,
        typer.Option(
            help="Also write an HTML page that shows where each sentence and word comes from.", show_default=False
        ),
    ] = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="Write the summary here; - is stdout.", show_default=False)
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No notices on stderr.")] = False,
) -> None:
    """Summarize documents.

    Example: nutgraf summarize examples/island.txt --words 100

    Several files are one input, unless --each. The summary is as close below the length asked for as its sentences
    allow, and never above it.
    """
    from nutgraf.errors import OutputError
    from nutgraf.hardware import Compute
    from nutgraf.readers import read
    from nutgraf.systems import load
    from nutgraf.text.document import join

    check_output(output)
    check_output(report)
    if report and each:
        raise OutputError("--report makes one page of one summary; leave out --each.")
    if report == "-":
        raise OutputError("--report needs a file; on stdout is the summary itself.")
    overrides = [*(set_ or []), *([] if seed is None else [f"seed={seed}"])]
    summarizer = load(system, overrides, trust, compute=Compute(deterministic, threads))

    def summary_of(document: Document) -> Summary:
        notice(_patience(document, system), quiet)
        with working(f"Summarizing {len(document.sentences):,} sentences …", quiet or each):
            made = summarizer(document, words=words, sentences=sentences, share=share, highlights=highlight or ())
        notice(made.notices, quiet)
        return made

    def shown(summary: Summary) -> str:
        if not explain:
            return _shown(summary, output)
        from nutgraf.cli._explain import explained

        return f"{_shown(summary, output)}\n\n{explained(summary, summarizer.reading(summary))}"

    def told(summary: Summary) -> dict[str, Any]:
        return summary.to_json(summarizer.reading(summary) if explain else None)

    if each:
        _put_each(files, language, summary_of, shown, told if json_ else None, output)
        return
    with working("Reading …", quiet):
        document = join([document for file in files for document in read(file, language)])
    summary = summary_of(document)
    if report:
        from nutgraf.files import write_text
        from nutgraf.report.page import render

        with working("Drawing …", quiet):
            page = render(summary, summarizer.attention(summary), summarizer.reading(summary))
        write_text(report, page)
    put(_dumped(told(summary)) if json_ else shown(summary), output)


def _put_each(
    files: list[str],
    language: str | None,
    summary_of: Callable[[Document], Summary],
    shown: Callable[[Summary], str],
    told: Callable[[Summary], dict[str, Any]] | None,
    output: str | None,
) -> None:
    """One summary a document, shown or, where there is `told`, as JSON. One that cannot be made does not stop the
    others, but the command ends with status 2."""
    from rich.console import Console
    from rich.progress import track

    from nutgraf.readers import read

    documents: list[Document] = []
    made: list[Summary] = []
    failed: list[str] = []
    for file in files:
        try:
            documents += read(file, language)
        except NutgrafError as error:
            failed.append(file)
            notice([str(error)])
    total = len(documents) + len(failed)
    console = Console(stderr=True)
    for document in track(documents, "Summarizing", console=console, transient=True, disable=len(documents) < 5):
        try:
            made.append(summary_of(document))
        except NutgrafError as error:
            failed.append(document.name)
            notice([f"{document.name}: {error}"])
    if made and told:
        put(_dumped([told(summary) for summary in made]), output)
    elif made:
        put("\n\n".join(f"==> {visible(summary.document.name)} <==\n{shown(summary)}" for summary in made), output)
    if failed:
        notice([_failures(failed, total)])
        raise typer.Exit(2)


def _patience(document: Document, system: str) -> list[str]:
    """What is said before a summary that will take more than a few seconds."""
    if len(document.sentences) < MANY or system == "lead":
        return []
    return [
        f"{len(document.sentences):,} sentences can take a minute or more; --system lead, which takes the first of "
        "them, is done at once."
    ]


def _failures(failed: list[str], total: int) -> str:
    """The closing sentence of a batch in which some failed; why each of them did was said before."""
    named = ", ".join(failed[:NAMED])
    others = f" and {len(failed) - NAMED} others" if len(failed) > NAMED else ""
    return (
        f"{len(failed)} of {total} documents {'was' if len(failed) == 1 else 'were'} not summarized, for the reasons "
        f"above: {named}{others}."
    )


def _dumped(told: object) -> str:
    return json.dumps(told, ensure_ascii=False, indent=2)


def _shown(summary: Summary, output: str | None) -> str:
    return wrapped(summary.text) if output in (None, "-") else summary.text
