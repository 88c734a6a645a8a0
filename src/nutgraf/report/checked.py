"""A summary that was checked, as one HTML page: what is flagged, and the evidence, beside the sources.

It is the page of a `Summary` (`report/page.py`) with another left side: sources, links, search and policy are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from nutgraf.faithfulness.records import MEANING, NOVEL, RISK, CheckedSentence, Evidence, Faithfulness, Verdict
from nutgraf.report.links import Link, Links
from nutgraf.report.marks import Mark, split
from nutgraf.report.sources import Source, lay_out
from nutgraf.report.templates import environment, self_contained
from nutgraf.text.document import Document
from nutgraf.text.passage import Passage
from nutgraf.text.summary import Budget, Origin, Summary, SummarySentence, origin_of
from nutgraf.text.tokenize import flatten

STYLES = ("colours.css", "checked.css", "reading.css")
"""Style of the page; what is lit or chosen comes last."""

SCRIPTS = ("light.js", "search.js")
"""Scripts of the page."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters of a sentence, with the reason why they are flagged; "" if they are not."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class CheckedLine:
    """A sentence of the summary.

    Attributes:
        number: Its number, from 1.
        sentence: The sentence, checked.
        pieces: Its characters, parted where flags begin and end.
        evidence: What shares words with it, each with a link to where it stands.
        passages: Links to what the verdict of a checker stands on.
        breaks: True if a line begins with it.
        names: Headings, labels and heads of tables before it, which are not judged.
    """

    number: int
    sentence: CheckedSentence
    pieces: tuple[Piece, ...]
    evidence: tuple[tuple[Evidence, Link], ...]
    passages: tuple[Link, ...]
    breaks: bool
    names: tuple[str, ...]


@dataclass(frozen=True)
class CheckedView:
    """Everything that the page shows.

    Attributes:
        title: Name of the summary.
        summary: The summary, whose origins are the evidence.
        lines: Its sentences.
        last_names: Headings and labels after the last of them.
        counts: Number of sentences with each verdict.
        sources: The documents.
        notices: Sentences for the user, each once.
    """

    title: str
    summary: Summary
    lines: tuple[CheckedLine, ...]
    last_names: tuple[str, ...]
    counts: Mapping[Verdict, int]
    sources: tuple[Source, ...]
    notices: tuple[str, ...]


def render_check(checked: Faithfulness, written: Document, sources: Document) -> str:
    """Return the page, as text to be written in UTF-8.

    Args:
        checked: What the check found.
        written: The summary that was checked.
        sources: The documents that it was checked against, joined.
    """
    template = environment("report").get_template("checked.html.jinja")
    return self_contained(template, STYLES, SCRIPTS, **shown_of(checked, written, sources))


def shown_of(checked: Faithfulness, written: Document, sources: Document) -> dict[str, Any]:
    """Return what the components of the page show, by the names that their templates have for it."""
    view = view_of_check(checked, written, sources)
    return {"view": view, "checked": checked, "meaning": MEANING, "novel": NOVEL, "risk": RISK}


def view_of_check(checked: Faithfulness, written: Document, sources: Document) -> CheckedView:
    """Return everything that the page shows of a check; for the arguments see `render_check`."""
    bases = [part.start for part in sources.parts]

    def origins_of(found: Iterable[Evidence | Passage]) -> tuple[Origin, ...]:
        return tuple(origin_of(sources, bases[one.source] + one.start, bases[one.source] + one.end) for one in found)

    origins = [origins_of(sentence.evidence) for sentence in checked]
    passages = [origins_of(sentence.checker.passages if sentence.checker else ()) for sentence in checked]
    sentences = [
        SummarySentence(sentence.text, "generated", tuple(dict.fromkeys([*found, *read])))
        for sentence, found, read in zip(checked, origins, passages, strict=True)
    ]
    summary = Summary(tuple(sentences), sources, Budget(), checked.signature)
    shown, anchors = lay_out(summary)
    links = Links(summary, shown, anchors)
    counts = Counter(sentence.verdict for sentence in checked)
    return CheckedView(
        title=flatten(written.name) or "the summary",
        summary=summary,
        lines=tuple(_lines(checked, written, origins, passages, links)),
        last_names=_names(checked, checked.sentences[-1].end, len(written.text)),
        counts={verdict: counts[verdict] for verdict in get_args(Verdict)},
        sources=tuple(shown),
        notices=tuple(dict.fromkeys([*written.notices, *sources.notices, *checked.notices])),
    )


def _lines(
    checked: Faithfulness,
    written: Document,
    origins: list[tuple[Origin, ...]],
    passages: list[tuple[Origin, ...]],
    links: Links,
) -> Iterator[CheckedLine]:
    end = 0
    for number, (sentence, found, read) in enumerate(zip(checked, origins, passages, strict=True), 1):
        yield CheckedLine(
            number=number,
            sentence=sentence,
            pieces=tuple(_pieces(sentence, written.text)),
            evidence=tuple(zip(sentence.evidence, map(links, found), strict=True)),
            passages=tuple(map(links, read)),
            breaks="\n" in written.text[end : sentence.start].strip(" ") and number > 1,
            names=_names(checked, end, sentence.start),
        )
        end = sentence.end


def _names(checked: Faithfulness, start: int, end: int) -> tuple[str, ...]:
    return tuple(flatten(one.text) for one in checked.unjudged if start <= one.start < end)


def _pieces(sentence: CheckedSentence, text: str) -> Iterator[Piece]:
    marks = [Mark(flag.start, flag.end, "flag", number) for number, flag in enumerate(sentence.flags)]
    for piece in split(sentence.start, sentence.end, marks):
        reasons = [sentence.flags[number].reason for number in piece.keys("flag")]
        yield Piece(text[piece.start : piece.end], " ".join(reasons))
