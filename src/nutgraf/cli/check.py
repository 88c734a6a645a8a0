"""`nutgraf check`: what the sources bear out of a summary that anybody wrote."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nutgraf.cli._options import Fetch, Files, Language, Reader
from nutgraf.cli._say import bar, check_apart, check_output, notice, put, reading, working
from nutgraf.errors import OutputError
from nutgraf.text.tokenize import flatten

if TYPE_CHECKING:
    from nutgraf.faithfulness.check import Checker
    from nutgraf.faithfulness.records import CheckedSentence, CheckerVerdict, Faithfulness
    from nutgraf.text.document import Document
    from nutgraf.text.flag import Flag

SCHEMA = "nutgraf.check/1"

SIGNS = {"supported": "+", "doubtful": "?", "unsupported": "!"}
"""Signs of the verdicts, at the beginning of a line."""

SHARES = "A percentage is the share of the sentence's words, by weight, that a source sentence adds to those above it."

QUOTES = "\"'“”‘’«»„"
"""Quotation marks around words that a line puts into others."""

NAMES = "#"
"""Sign of what is not judged."""

MANY = 5000
"""Sentences from which on it is told that a check takes a while."""

QUOTED = 200
"""Characters of a source sentence that are quoted."""


class Bound(StrEnum):
    """Verdicts that can end the command with status 1."""

    unsupported = "unsupported"
    doubtful = "doubtful"


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
            "entailment, supported or hallucinated.",
            show_default=False,
        ),
    ] = None,
    fail_on: Annotated[
        Bound | None,
        typer.Option(
            help="Exit status 1 if a sentence is unsupported, the checker's verdict included; with doubtful, also if "
            "one is doubtful.",
            show_default=False,
        ),
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="Evidence, labels of words and flags, as JSON.")] = False,
    report: Annotated[
        str | None,
        typer.Option(
            help="File for an HTML page with the summary in the colours of its verdicts beside the sources.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="File for the result; - is stdout.", show_default=False)
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No notices on stderr.")] = False,
) -> None:
    """Check a summary against its sources.

    Example: nutgraf check examples/island-summary.txt examples/island.txt

    Each sentence begins with its verdict: + supported, ? doubtful (the sources bear out less than half of its
    content words), ! unsupported (flagged). Markdown is read as such: headings, heads of tables and labels claim
    nothing and begin with #, and a row of a table is one sentence. Flags are numbers, dates, names, offices,
    quotations, negations, opposites and swapped words that the sources do not bear out, each with its reason; below
    stand the source sentences that share most of its words. + means no more than that: the sources may still say
    otherwise. --report writes a page that shows the same beside the sources. The rules know English best; for other
    languages they check numbers in figures and quotations, and names where only names have capitals. With --checker
    a model that you have gives its own verdict on each sentence, beside that of the rules.
    """
    from nutgraf.faithfulness.check import check as check_summary
    from nutgraf.readers.reading import read
    from nutgraf.text.document import distinct, join
    from nutgraf.text.language import check_code, doubts_of
    from nutgraf.text.recognition import UNDETERMINED

    language = None if language is None else check_code(language)
    check_output(output, [summary, *sources])
    check_output(report, [summary, *sources, output])
    if report == "-":
        raise OutputError("--report needs a file; on stdout is the check itself.")
    check_apart(output, sources, reader)
    model = None if checker is None else _model(checker)
    with reading([summary, *sources], quiet):
        document = join(distinct([one for file in sources for one in read(file, language, reader, fetch=fetch)]))
        spoken = language or (document.language if document.language != UNDETERMINED else None)
        written = join(list(read(summary, spoken, fetch=fetch, marked=True)))
    if len(written.sentences) >= MANY:
        notice([f"The summary has {len(written.sentences):,} sentences; to check them can take a minute."], quiet)
    with working("Checking …", quiet or model is None):
        checked = check_summary(written, document, model, bar("Checking …", quiet or model is not None))
    notice(
        [*doubts_of(language, document.text), *written.notices, *document.notices, *(checked.notices if json_ else ())],
        quiet,
    )
    if report is not None:
        from nutgraf.files import write_output
        from nutgraf.report.checked import render_check

        write_output(report, render_check(checked, written, document))
    as_json = _to_json(checked, document)
    put(json.dumps(as_json, ensure_ascii=False, indent=2) if json_ else _text(checked, document), output)
    if fail_on is not None and checked.verdict in (Bound.unsupported, fail_on):
        raise typer.Exit(1)


def _model(folder: str) -> Checker:
    from nutgraf.systems.verify import read_checker

    return read_checker(folder)


def _to_json(checked: Faithfulness, document: Document) -> dict[str, Any]:
    return {"schema": SCHEMA, "sources": [part.name for part in document.parts], **checked.to_json()}


def _text(checked: Faithfulness, document: Document) -> str:
    from nutgraf.faithfulness.records import MEANING

    names = [part.name or f"source {number}" for number, part in enumerate(document.parts, 1)]
    told = [(one.start, ["", f"{NAMES}    {flatten(one.text)}"]) for one in checked.unjudged]
    told += [(one.start, list(_lines(number, one, names))) for number, one in enumerate(checked, 1)]
    meaning = [MEANING] if any(one.verdict == "supported" for one in checked) else []
    shares = [SHARES] if any(one.evidence for one in checked) else []
    below = [*meaning, *shares, *checked.notices]
    lines = [line for _, its in sorted(told) for line in its]
    return "\n".join([_overview(checked), *lines, *([""] if below else []), *below])


def _opinion(found: CheckerVerdict) -> str:
    """Return the verdict of a checker with the probability that the sources bear the sentence out."""
    doubts = ", ".join(f"“{flatten(one.text)}” {one.probability:.0%}" for one in found.doubts)
    named = f"; not borne out: {doubts}" if doubts else ""
    return f"checker {found.name}: {found.verdict} (probability of support {found.probability:.0%}){named}"


def _overview(checked: Faithfulness) -> str:
    counts = [sum(sentence.verdict == verdict for sentence in checked) for verdict in SIGNS]
    parts = ", ".join(f"{count} {verdict}" for count, verdict in zip(counts, SIGNS, strict=True))
    line = f"{len(checked)} sentence{'' if len(checked) == 1 else 's'}: {parts}"
    if count := len(checked.unjudged):
        line += f"; {count} heading{'' if count == 1 else 's'} or label{'' if count == 1 else 's'} not judged"
    verdicts = [sentence.checker for sentence in checked if sentence.checker is not None]
    if not verdicts:
        return line
    supported = sum(one.verdict == "supported" for one in verdicts)
    return f"{line}\nchecker {verdicts[0].name}: {supported} supported, {len(verdicts) - supported} unsupported"


def _told(flag: Flag) -> str:
    """Return a flag in a line, with the words that it means where the reason does not name them."""
    meant = flatten(flag.text).strip(QUOTES)
    named = "" if meant in flatten(flag.reason) else f", “{meant}”"
    return f"     {flag.kind}{named}: {flatten(flag.reason)}"


def _lines(number: int, sentence: CheckedSentence, names: Sequence[str]) -> Iterator[str]:
    yield ""
    yield f"{SIGNS[sentence.verdict]} {number}  {flatten(sentence.text)}"
    yield from dict.fromkeys(map(_told, sentence.flags))
    if sentence.checker is not None:
        yield f"     {_opinion(sentence.checker)}"
    if sentence.is_empty:
        yield "     It has no content words that a sentence of the sources could support."
    elif not sentence.evidence:
        yield "     No sentence of the sources shares enough of its words."
    for one in sentence.evidence:
        quoted = flatten(one.text)
        shown = quoted if len(quoted) <= QUOTED else quoted[: QUOTED - 1].rstrip() + "…"
        yield f"     {one.share:4.0%} from {names[one.source]}: {shown}"
