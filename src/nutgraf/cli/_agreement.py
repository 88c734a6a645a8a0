"""Agreement of several documents and their differences, in plain lines beside a summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nutgraf.collation.records import Agreement
    from nutgraf.text.passage import Passage
    from nutgraf.text.summary import Origin, Summary

MOST_SHOWN = 5
"""Statements of all documents, and sentences of one alone, that are printed; how many more there are is said."""


def agreed(agreement: Agreement, summary: Summary) -> str:
    """Return what the documents say to each sentence of a summary, where their numbers differ, and what they share."""
    return "\n".join([*_marks(agreement, summary), *_differences(agreement), *_shared(agreement), *_single(agreement)])


def with_marks(summary: Summary, agreement: Agreement) -> str:
    """Return a summary as Markdown whose footnotes say what the documents say to each sentence."""
    from nutgraf.text.formats import as_markdown

    marks: dict[Origin, str] = {}
    for sentence, mark in zip(summary.sentences, agreement.marks_of(summary), strict=True):
        told = "; ".join(agreement.marked(mark))
        marks.update((origin, f" ({told})") for origin in sentence.origins[-1:] if told)
    return as_markdown(summary, lambda origin: f"{summary.place(origin)}{marks.get(origin, '')}")


def in_markdown(agreement: Agreement, summary: Summary) -> str:
    """Return what the documents agree on, and where they differ, as Markdown."""
    from nutgraf.report.lists import agreement_view, lists_in_markdown

    return lists_in_markdown(agreement_view(agreement, summary.document))


def _marks(agreement: Agreement, summary: Summary) -> Iterator[str]:
    for number, mark in enumerate(agreement.marks_of(summary), 1):
        yield f"{number}  {'; '.join(agreement.marked(mark)) or 'not clear who else says it'}"


def _differences(agreement: Agreement) -> Iterator[str]:
    if not agreement.differences:
        yield "no numbers or dates differ, as far as could be seen"
    for one in agreement.differences:
        yield f"may differ  {agreement.said(one)}"
        yield from _quoted(agreement, dict.fromkeys(value.passage for value in one.values))


def _shared(agreement: Agreement) -> Iterator[str]:
    found = agreement.all_say
    for one in found[:MOST_SHOWN]:
        yield f"all {len(agreement.names)} say"
        yield from _quoted(agreement, one.passages)
    yield from _more(found, "all of them say")


def _single(agreement: Agreement) -> Iterator[str]:
    for one in agreement.single[:MOST_SHOWN]:
        yield f"only in {agreement.name(one.source)}"
        yield f"   {one.text}"
    yield from _more(agreement.single, "only one of them says")


def _quoted(agreement: Agreement, passages: Sequence[Passage] | dict[Passage, None]) -> Iterator[str]:
    for one in passages:
        yield f"   {agreement.name(one.source)}: {one.text}"


def _more(found: Sequence[object], what: str) -> Iterator[str]:
    if len(found) > MOST_SHOWN:
        yield f"… and {len(found) - MOST_SHOWN:,} more sentences that {what}; --json has them all"
