"""`nutgraf check`: what the sources say to a summary that anybody wrote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from nutgraf.cli._options import Fetch, Files, Language, Output, Reader
from nutgraf.cli._say import bar, check_apart, check_output, notice, put, put_json, reading, working
from nutgraf.errors import InputError, OutputError
from nutgraf.text.tokenize import flatten

if TYPE_CHECKING:
    from nutgraf.faithfulness.records import CheckedSentence, CheckerVerdict, Faithfulness
    from nutgraf.text.document import Document

SIGNS = {"flagged": "!", "not checked further": "-"}
"""Signs of the verdicts, at the beginning of a line."""

QUOTED = 200
"""Characters of a source sentence that are quoted."""


class Bound(StrEnum):
    """Verdicts that can end the command with status 1; each counts those before it, too."""

    flagged = "flagged"
    contradicted = "contradicted"
    not_told = "not-told"


def check(
    summary: Annotated[str, typer.Argument(help="File with the summary; - is standard input.", show_default=False)],
    sources: Files,
    language: Language = None,
    reader: Reader = None,
    fetch: Fetch = False,
    checker: Annotated[
        str | None,
        typer.Option(
            help="Folder of a model of transformers that checks each sentence, too: a classifier with labels such as "
            "entailment and contradiction, or hallucinated.",
            show_default=False,
        ),
    ] = None,
    fail_on: Annotated[
        Bound | None,
        typer.Option(
            help="Exit status 1 if a sentence is flagged; with contradicted also if the checker says so of one; with "
            "not-told also if it says that.",
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
    With --checker a model that you have says beside the rules whether the sources support a sentence, contradict it,
    or do not tell it.
    """
    from nutgraf.faithfulness.check import check as check_summary
    from nutgraf.readers.reading import read
    from nutgraf.text.document import distinct, join
    from nutgraf.text.language import UNDETERMINED, check_code, doubts_of

    if checker is None and fail_on not in (None, Bound.flagged):
        raise InputError(f"--fail-on {fail_on} needs --checker: only a model says that. The rules say flagged.")
    language = None if language is None else check_code(language)
    check_output(output, [summary, *sources])
    check_output(report, [summary, *sources, output])
    if report == "-":
        raise OutputError("--report needs a file; on stdout is the check itself.")
    check_apart(output, sources, reader)
    model = None
    if checker is not None:
        from nutgraf.systems.verify import read_checker

        model = read_checker(checker)
    with reading([summary, *sources], quiet):
        document = join(distinct([one for file in sources for one in read(file, language, reader, fetch=fetch)]))
        spoken = language or (document.language if document.language != UNDETERMINED else None)
        written = join(list(read(summary, spoken, fetch=fetch, marked=True)))
    with working("Checking …", quiet or model is None):
        checked = check_summary(written, document, model, bar("Checking …", quiet or model is not None))
    notice(
        [*doubts_of(language, document.text), *written.notices, *document.notices, *(checked.notices if json_ else ())],
        quiet,
    )
    if report is not None:
        from nutgraf.report.checked import render_check
        from nutgraf.runtime.files import write_output

        write_output(report, render_check(checked, written, document))
    if json_:
        put_json({**checked.to_json(), "sources": [part.name for part in document.parts]}, output)
    else:
        put(_text(checked, document), output)
    verdicts = {checked.verdict, (checked.checker_verdict or "").replace(" ", "-")}
    bounds = list(Bound)
    if fail_on is not None and not verdicts.isdisjoint(bounds[: bounds.index(fail_on) + 1]):
        raise typer.Exit(1)


def _text(checked: Faithfulness, document: Document) -> str:
    from nutgraf.faithfulness.records import MEANING, NOVEL

    names = [part.name or f"source {number}" for number, part in enumerate(document.parts, 1)]
    told = [(one.start, ["", f"#    {flatten(one.text)}"]) for one in checked.unjudged]
    told += [(one.start, list(_lines(number, one, names))) for number, one in enumerate(checked, 1)]
    novel = [NOVEL] if checked.novel_bigrams is not None else []
    meaning = [] if all(one.flags for one in checked) else [MEANING]
    below = [*meaning, *novel, *checked.notices]
    lines = [line for _, its in sorted(told) for line in its]
    return "\n".join([_overview(checked), *lines, "", *below])


def _opinion(found: CheckerVerdict) -> str:
    """Return the verdict of a checker with the probabilities of its classes."""
    probabilities = ", ".join(f"{label} {probability:.0%}" for label, probability in found.probabilities.items())
    doubts = ", ".join(f"“{flatten(one.text)}” {one.probability:.0%}" for one in found.doubts)
    return f"checker {found.name}: {found.verdict} ({probabilities}){f'; not told: {doubts}' if doubts else ''}"


def _overview(checked: Faithfulness) -> str:
    line = f"{len(checked)} sentence{'' if len(checked) == 1 else 's'}: {_counts(checked, SIGNS)}"
    if count := len(checked.unjudged):
        line += f"; {count} heading{'' if count == 1 else 's'} or label{'' if count == 1 else 's'} not judged"
    if checked.novel_bigrams is not None:
        line += f"; {checked.novel_bigrams:.0%} novel bigrams"
    verdicts = [sentence.checker for sentence in checked if sentence.checker is not None]
    labels = dict.fromkeys(label for one in verdicts for label in one.probabilities)
    return f"{line}\nchecker {verdicts[0].name}: {_counts(verdicts, labels)}" if verdicts else line


def _counts(judged: Iterable[CheckedSentence | CheckerVerdict], verdicts: Iterable[str]) -> str:
    """Return how many there are with each verdict."""
    counts: Counter[str] = Counter(one.verdict for one in judged)
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in verdicts)


def _lines(number: int, sentence: CheckedSentence, names: Sequence[str]) -> Iterator[str]:
    yield ""
    yield f"{SIGNS[sentence.verdict]} {number}  {flatten(sentence.text)}"
    for flag in sentence.flags:
        yield f"     {flag.kind}, {flatten(flag.text)}: {flatten(flag.reason)}"
    if sentence.checker is not None:
        yield f"     {_opinion(sentence.checker)}"
    if not sentence.evidence:
        yield "     No sentence of the sources shares enough of its words."
    for place, one in enumerate(sentence.evidence):
        further = "a further " if place else ""
        quoted = flatten(one.text)
        shown = quoted if len(quoted) <= QUOTED else quoted[: QUOTED - 1].rstrip() + "…"
        share = f"{further}{one.share:.0%} of the weight of its content words, figures aside,"
        yield f"     shares {share} with {names[one.source]}: {shown}"
    if sentence.novel_bigrams is not None:
        yield f"     novel bigrams {sentence.novel_bigrams:.0%}"
