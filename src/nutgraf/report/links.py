"""Links from a page's summary into its sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nutgraf.report.sources import Place, Source
from nutgraf.report.whys import Paragraphs
from nutgraf.text.summary import Origin, Summary
from nutgraf.text.tokenize import flatten

QUOTED = 60
"""Characters of an origin that are quoted where a sentence has several."""


@dataclass(frozen=True, slots=True)
class Link:
    """A place that something comes from, and the id of the element that shows it.

    Attributes:
        anchor: Id of the element.
        quote: Beginning of the text there.
        paragraph: Its paragraph, in words; "" in a text of one paragraph.
        section: Heading above it; "" if there is none.
        time: When it is said, in words; "" if that is not known.
    """

    name: str
    anchor: str
    page: int | None
    quote: str
    paragraph: str = ""
    section: str = ""
    time: str = ""


class Links:
    """Makes links to places in the sources.

    Args:
        summary: The summary.
        sources: Its sources as the page shows them.
        anchors: Ids of elements by the places that begin there; both from `lay_out`.
    """

    def __init__(self, summary: Summary, sources: Sequence[Source], anchors: Mapping[Place, str]) -> None:
        self._document = summary.document
        self._sources = sources
        self._anchors = anchors
        self._paragraphs = Paragraphs(summary.document)

    def anchor(self, place: Place | None) -> str:
        """Return the id of the element that shows a place; empty where none does."""
        return self._anchors.get(place, "") if place is not None else ""

    def __call__(self, place: Place) -> Link:
        """Return the link to a place."""
        start = self._document.parts[place.source].start + place.start
        length = place.end - place.start
        quote = flatten(self._document.text[start : start + min(length, QUOTED)]) + ("…" if length > QUOTED else "")
        name, anchor = self._sources[place.source].name, self._anchors.get(place, "")
        if not isinstance(place, Origin):
            return Link(name, anchor, None, quote)
        paragraph, section = self._paragraphs.place(place), self._paragraphs.section(place)
        time = self._document.time_in_words(place.time)
        return Link(name, anchor, place.page, quote, paragraph, section, time)
