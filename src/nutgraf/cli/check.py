"""`nutgraf check`: what the sources say to a summary that anybody wrote."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nutgraf.cli._options import Fetch, Files, Language, Output, Reader
from nutgraf.cli._say import bar, check_apart, check_output, notice, put, put_json, reading, working
from nutgraf.errors import InputError, OutputError

if TYPE_CHECKING:
    from nutgraf.faithfulness.check import Checker

NO_CHECKER = "none"
"""Word for no model."""


class Bound(StrEnum):
    """Verdicts that can end the command with status 1; each counts those before it, too."""

    flagged = "flagged"
    contradicted = "contradicted"
    not_told = "not-told"


BOUNDS = {
    "flagged": Bound.flagged,
    "contradicted": Bound.contradicted,
    "not told": Bound.not_told,
    "undecided": Bound.not_told,
}
"""Bounds that verdicts of the rules and of a checker reach."""


def check(
    summary: Annotated[str, typer.Argument(help="File with the summary; - is standard input.", show_default=False)],
    sources: Files,
    language: Language = None,
    reader: Reader = None,
    fetch: Fetch = False,
    checker: Annotated[
        str | None,
        typer.Option(
            help="Folder of a model that checks each sentence, too: one of transformers, a classifier with labels such "
            "as entailment and contradiction, or hallucinated; or a network that runs without torch. Default: the "
            "installed network, for English; none: no model.",
            show_default=False,
        ),
    ] = None,
    fail_on: Annotated[
        Bound | None,
        typer.Option(
            help="Exit status 1 if a sentence is flagged; with contradicted also if the checker says so of one; with "
            "not-told also if it says that, or is undecided.",
            show_default=False,
        ),
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="Evidence, labels of words and flags, as JSON.")] = False,
    report: Annotated[
        str | None,
        typer.Option(
            help="File for an HTML page with the summary and its flags beside the sources.", show_default=False
        ),
    ] = None,
    output: Output = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No notices on stderr.")] = False,
) -> None:
    """Check a summary against its sources.

    Example: nutgraf check examples/island-summary.txt examples/island.txt

    Each sentence begins with the verdict of the rules: ! flagged, - not checked further. Flags are numbers, dates,
    names and quotations that the sources do not bear out, each with its reason; below stand the source sentences that
    share most of its words, as evidence to look at. Sentences that are not flagged may still be wrong: nothing else is
    looked for. Markdown is read as such: headings, heads of tables and labels claim nothing and begin with #, and a row
    of a table is one sentence. --report writes a page that shows the same beside the sources. The rules know English
    best; for other languages they check numbers in figures and quotations, and names where only names have capitals.
    A model says beside the rules whether the sources support a sentence, contradict it, or do not tell it: the
    installed network, or with --checker one that you have. What it says is an opinion: it may be undecided, and wrong.
    """
    from nutgraf.cli._verdicts import as_text
    from nutgraf.entailment.installed import installed_checker, lacking_checker
    from nutgraf.faithfulness.check import check as check_summary
    from nutgraf.readers.reading import read
    from nutgraf.text.document import distinct, join
    from nutgraf.text.language import UNDETERMINED, check_code, doubts_of

    language = None if language is None else check_code(language)
    check_output(output, [summary, *sources])
    check_output(report, [summary, *sources, output])
    if report == "-":
        raise OutputError("--report needs a file; on stdout is the check itself.")
    check_apart(output, sources, reader)
    with reading([summary, *sources], quiet):
        document = join(distinct([one for file in sources for one in read(file, language, reader, fetch=fetch)]))
        spoken = language or (document.language if document.language != UNDETERMINED else None)
        written = join(list(read(summary, spoken, fetch=fetch, marked=True)))
    model = installed_checker(document.language) if checker is None else _chosen(checker)
    if model is None and fail_on not in (None, Bound.flagged):
        raise InputError(
            f"--fail-on {fail_on} needs a checker, the installed one or --checker: only a model says that. Without "
            "one, --fail-on flagged works."
        )
    with working("Checking …", quiet or model is None):
        checked = check_summary(written, document, model, bar("Checking …", quiet or model is not None))
    notice(
        [
            *doubts_of(language, document.text),
            *written.notices,
            *document.notices,
            *(checked.notices if json_ else ()),
            *filter(None, [lacking_checker(document.language) if checker is None else None]),
        ],
        quiet,
    )
    if report is not None:
        from nutgraf.report.checked import render_check
        from nutgraf.runtime.files import write_output

        write_output(report, render_check(checked, written, document))
    if json_:
        put_json({**checked.to_json(), "sources": [part.name for part in document.parts]}, output)
    else:
        put(as_text(checked, document), output)
    bounds = list(Bound)
    reached = {BOUNDS.get(checked.verdict), BOUNDS.get(checked.checker_verdict or "")}
    if fail_on is not None and not reached.isdisjoint(bounds[: bounds.index(fail_on) + 1]):
        raise typer.Exit(1)


def _chosen(checker: str) -> Checker | None:
    """Return the checker of a folder, or none."""
    if checker == NO_CHECKER:
        return None
    from nutgraf.inference.card import CARD

    if (Path(checker) / CARD).is_file():
        from nutgraf.entailment.checker import open_checker

        return open_checker(checker)
    from nutgraf.systems.verify import read_checker

    return read_checker(checker)
