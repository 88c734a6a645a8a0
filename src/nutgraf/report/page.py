"""A Summary as one HTML page that needs nothing but itself: the summary beside its sources, and why it is as it is.

The page is read without JavaScript: every sentence links to its origins and back. A few lines of script light them up,
search and copy. Texts are escaped wherever they stand, and a policy in the page lets it fetch nothing and run nothing
but its own scripts and style, which it names by their hashes.
"""

from __future__ import annotations

from functools import cache

from jinja2 import Template

from nutgraf.collation.records import Agreement
from nutgraf.faithfulness.ablation import Ablation
from nutgraf.meetings.records import Minutes
from nutgraf.prose.reasons import counted_reasons
from nutgraf.report.lists import minutes_view
from nutgraf.report.templates import environment, self_contained
from nutgraf.report.view import View, view_of
from nutgraf.text.outline import Outline
from nutgraf.text.summary import RATING, Attention, SourceSignals, Summary

STYLES = ("colours.css", "reading.css")
"""Style of the components, file by file."""

SCRIPTS = ("light.js", "search.js", "copy.js", "attention.js")
"""Scripts of the components. None needs another, so that they can stand in a page or beside it."""


def render(
    summary: Summary | Outline | Minutes,
    attention: Attention | None = None,
    signals: SourceSignals | None = None,
    ablation: Ablation | None = None,
    agreement: Agreement | None = None,
) -> str:
    """Return a page that shows a summary beside its sources and explains each sentence, to be written in UTF-8.

    Its length grows with the input's; so does the time it takes. What a network attended to is on it where
    `system.attention(summary)` and `system.signals(summary)` are given.

    Args:
        summary: The summary, an outline, or minutes.
        attention: Self-attention of the encoder of the summary's system.
        signals: What its network made of each source word.
        ablation: What its sentences rest on, found by leaving sentences out (`System.ablate`).
        agreement: What its documents agree on and where they differ (`nutgraf.agreement`).

    Raises:
        InputError: If an argument is of another type, or the agreement is that of other documents.
    """
    if isinstance(summary, Minutes):
        return render_view(minutes_view(summary))
    return render_view(view_of(summary, attention, signals, ablation, agreement))


def render_view(view: View) -> str:
    """Return a page of what its components show."""
    return self_contained(_template(), STYLES, SCRIPTS, view=view, rating=RATING)


@cache
def _template() -> Template:
    made = environment("report")
    made.filters["counted_reasons"] = counted_reasons
    return made.get_template("page.html.jinja")
