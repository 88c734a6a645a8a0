"""Notices of what a summary leaves out: what is not prose, where much of its length stays unused, or nothing at all."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from nutgraf.prose import judgements, qualities
from nutgraf.prose.quality import JUNK
from nutgraf.prose.reasons import counted_reasons
from nutgraf.text.document import Document
from nutgraf.text.summary import Summary

NAMED = 4
"""Number of kinds of junk that a notice names."""

MIN_WORDS_TOLD = 50
"""Words of a text from which a summary that is the whole text says so; a reader sees that a shorter one is whole."""


def tell_left_out(summary: Summary) -> Summary:
    """Return a summary of copied sentences with what was left out, by kind, and a notice where it matters.

    The notice is given where more of the length asked for than `nutgraf.text.summary.UNUSED` stays empty, though no
    prose that fits is left, and where the summary is the whole text, unless that was asked for.
    """
    kinds = Counter(one.reason for one in judgements(summary.document) if one.quality == JUNK)
    told = _tell_whole(replace(summary, excluded=dict(kinds.most_common())))
    if not kinds or not told.underused:
        return told
    rest = _prose_left(told)
    lengths = summary.document.lengths_in(summary.budget.unit)
    room = told.asked - told.used
    if any(summary.budget.sentences is not None or lengths[index] <= room for index in rest):
        return told
    unit = "sentences" if summary.budget.sentences is not None else summary.budget.unit
    said = counted_reasons(kinds.most_common(NAMED))
    more = ", …" if len(kinds) > NAMED else ""
    long = " or too long" if rest else ""
    return _with_notice(
        told,
        f"The summary has {told.used} of {told.asked} {unit}: the rest of the text is not prose ({said}{more}){long}.",
    )


def _tell_whole(summary: Summary) -> Summary:
    document = summary.document
    number = len(document.sentences)
    short = document.num_words < MIN_WORDS_TOLD
    if not number or short or summary.budget.share == 1 or len(_taken(summary)) < number:
        return summary
    size = "one sentence" if number == 1 else f"{number:,} sentences"
    return _with_notice(summary, f"The summary is the whole text, which has {size}.")


def _with_notice(summary: Summary, notice: str) -> Summary:
    return replace(summary, notices=tuple(dict.fromkeys((*summary.notices, notice))))


def _prose_left(summary: Summary) -> list[int]:
    """Indices of the sentences that are prose and not in the summary."""
    document, taken = summary.document, _taken(summary)
    return [
        index
        for index, (sentence, quality) in enumerate(zip(document.sentences, qualities(document), strict=True))
        if quality > JUNK and sentence.start not in taken
    ]


def _taken(summary: Summary) -> set[int]:
    """Where the sentences begin that are in the summary."""
    document = summary.document
    return {_place(document, origin.source, origin.start) for one in summary.sentences for origin in one.origins}


def _place(document: Document, source: int, start: int) -> int:
    return document.parts[source].start + start
