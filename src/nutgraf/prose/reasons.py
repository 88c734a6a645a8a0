"""Why sentences are left out, or are a second choice, in a reader's words; `quality.py` gives each reason a name."""

from __future__ import annotations

from collections.abc import Iterable

DESCRIPTIONS = {
    "backchannel": ("interjection", "interjections"),
    "boilerplate": ("legal note or acknowledgement", "legal notes or acknowledgements"),
    "byline": ("byline", "bylines"),
    "caption": ("caption", "captions"),
    "fragment": ("fragment", "fragments"),
    "heading": ("heading", "headings"),
    "likely junk": ("remark about the page or the meeting", "remarks about the page or the meeting"),
    "lineup": ("line-up", "line-ups"),
    "metadata": ("label or time stamp", "labels or time stamps"),
    "notice": ("notice to the reader", "notices to the reader"),
    "poll": ("question of a poll", "questions of a poll"),
    "procedural": ("formality of a meeting", "formalities of a meeting"),
    "pull quote": ("pull quote", "pull quotes"),
    "question": ("question", "questions"),
    "quotation": ("part of a quotation", "parts of a quotation"),
    "reference": ("reference", "references"),
    "short": ("very short sentence", "very short sentences"),
    "small talk": ("sentence before the topic of a dialogue", "sentences before the topic of a dialogue"),
    "table": ("row of a table", "rows of a table"),
    "unended": ("line without an end mark", "lines without an end mark"),
    "verbless": ("sentence without a verb", "sentences without a verb"),
}
"""What one sentence with each reason is called, and what several are."""


def reason_in_words(reason: str) -> str:
    """Return what one sentence with a reason is called; a reason that is not known here stands for itself.

    >>> reason_in_words("procedural")
    'formality of a meeting'
    """
    return DESCRIPTIONS.get(reason, (reason,))[0]


def counted_reasons(counts: Iterable[tuple[str, int]]) -> str:
    """Return how many sentences have each reason, in words; a reason that is not known here stands for itself.

    >>> counted_reasons([("caption", 2), ("unended", 1)])
    '2 captions, 1 line without an end mark'
    """
    return ", ".join(f"{count} {DESCRIPTIONS.get(reason, (reason, reason))[count > 1]}" for reason, count in counts)
