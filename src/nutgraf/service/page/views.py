"""Views of the page: a summary of documents, a summary of each part, minutes, and what the documents agree on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nutgraf.collation.agreement import agreement
from nutgraf.collation.records import Agreement
from nutgraf.errors import UnknownName
from nutgraf.meetings.records import Minutes
from nutgraf.report.lists import agreement_view, minutes_view
from nutgraf.report.view import View, view_of
from nutgraf.service.requests import Finding
from nutgraf.text.divisions import By
from nutgraf.text.document import Document, kept
from nutgraf.text.outline import Made
from nutgraf.text.summary import Summary


@dataclass(frozen=True)
class Shows:
    """A choice of the page.

    Attributes:
        title: Its title.
        finds: What is found for it in the documents; None for what a system makes.
    """

    title: str
    finds: Finding | None = None


SHOWS: Mapping[str, Shows] = {
    "summary": Shows("Summary"),
    "parts": Shows("Parts"),
    "minutes": Shows("Minutes", "minutes"),
    "agreement": Shows("Agreement", "agreement"),
}
"""Choices of the page by name."""

PARTS: Mapping[By, str] = {
    "section": "sections",
    "speaker": "speakers",
    "message": "messages",
    "document": "documents",
    "page": "pages",
}
"""Parts of documents, as the page calls them."""


MOST_MARKED = 50_000
"""Words of several documents up to which a summary is marked with what they say to its sentences."""


def find_shows(name: str) -> Shows:
    """Return the choice of this name. Raises UnknownName if there is none."""
    if name not in SHOWS:
        raise UnknownName("view", name, SHOWS)
    return SHOWS[name]


def view_shown(made: Any, beside: Any) -> View:
    """Return what the page shows of what was made or found.

    Args:
        made: A summary, an outline, minutes, or an agreement.
        beside: The system of a summary or an outline; the documents, joined, of what was found.
    """
    if isinstance(made, Minutes):
        return minutes_view(made)
    if isinstance(made, Agreement):
        return agreement_view(made, beside)
    return view_of(made, agreement=_compared(_summary_of(made).document))


def _summary_of(made: Made) -> Summary:
    return made if isinstance(made, Summary) else made.summary


@kept
def _compared(document: Document) -> Agreement | None:
    """Return what the documents of a summary agree on, for its marks; None for one document, and for long ones."""
    return agreement(document) if len(document.parts) > 1 and document.num_words <= MOST_MARKED else None


def said_of(view: View) -> str:
    """Return what a screen reader says of what is shown."""
    words = f"{view.words_used:,} word{'s'[: view.words_used != 1]}"
    if view.lists:
        return f"{view.kicker} {view.title}: {', '.join(one.count for one in view.lists)}."
    if view.rows:
        return f"Summary of {words} in {len(view.rows)} parts."
    count = len(view.summary)
    return f"Summary of {words} in {count} sentence{'s'[: count != 1]}."
