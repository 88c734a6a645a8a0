"""The page and its parts as HTML. The parts of a summary are drawn in the worker process that made it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from jinja2 import Environment

from nutgraf.prose.reasons import counted_reasons
from nutgraf.report.page import SCRIPTS, STYLES
from nutgraf.report.templates import environment, printable
from nutgraf.report.view import View, view_of
from nutgraf.service.page.exports import EXPORTS
from nutgraf.service.page.form import Form
from nutgraf.service.presenting import dumped, event
from nutgraf.service.requests import Text
from nutgraf.service.systems import ServedSystem
from nutgraf.systems import System
from nutgraf.text.difference import Change, Difference
from nutgraf.text.language import NAMES
from nutgraf.text.summary import RATING, Summary

BASELINES = frozenset({"random", "systematic", "graph_sample"})
"""Presets that others are measured against, which nobody wants to read; they stand at the end of the list."""

SLOTS = ("summary", "more", "sources")
"""Parts of the page that show a summary, by the names of their templates."""


@dataclass(frozen=True)
class Drawn:
    """A summary as the page shows it.

    It has the HTML of each part, what a screen reader says about it, the words of the input and of the summary, and the
    documents as they were read, if they were asked for.
    """

    slots: Mapping[str, str]
    said: str
    words: int
    length: int
    texts: tuple[Text, ...] = ()


def draw(summary: Summary, system: System, with_texts: bool = False) -> Drawn:
    """Return a summary as the page shows it."""
    view = view_of(summary)
    document = summary.document
    texts = [Text(document.show(part), part.name) for part in document.parts] if with_texts else []
    return Drawn(
        slots={name: printable(_slot(name, view)) for name in SLOTS},
        said=_said(summary),
        words=view.words,
        length=summary.words,
        texts=tuple(texts),
    )


def draw_event(summary: Summary, system: System) -> bytes:
    """Return a summary as the event of the page's stream."""
    drawn = draw(summary, system)
    return event(
        {"slots": dict(drawn.slots), "said": drawn.said, "words": drawn.words, "length": drawn.length}, "summary"
    )


def draw_page(form: Form, systems: Collection[ServedSystem], summary: Summary, system: System) -> bytes:
    """Return the page with a summary; the texts of files stand in its form, unless they are too long for it."""
    drawn = draw(summary, system, with_texts=bool(form.files))
    return whole_page(form.with_texts(drawn.texts).shown(), systems, drawn).encode("utf-8", "replace")


def whole_page(form: Form, systems: Collection[ServedSystem], drawn: Drawn | None = None, failure: str = "") -> str:
    """Return the page."""
    page = (
        _templates()
        .get_template("sitting.html.jinja")
        .render(
            form=form,
            systems=[one for one in systems if one.preset not in BASELINES],
            baselines=[one for one in systems if one.preset in BASELINES],
            languages=NAMES,
            drawn=drawn,
            failure=failure,
            styles=(*STYLES, "sitting.css"),
            scripts=(*SCRIPTS, "sitting.js"),
        )
    )
    return printable(page)


def draw_difference(difference: Difference) -> bytes:
    """Return both sides of a difference as JSON."""
    return dumped({"before": draw_words(difference.before), "after": draw_words(difference.after)})


def draw_words(changes: Sequence[Change]) -> str:
    """Return a text with the words marked that differ from another, as the report shows it."""
    return printable(_templates().get_template("compared.html.jinja").render(changes=changes))


@cache
def assets() -> Mapping[str, bytes]:
    """Return the files that the page needs, by name."""
    folders = [resources.files(package) for package in ("nutgraf.report.assets", "nutgraf.service.page.assets")]
    return {file.name: file.read_bytes() for folder in folders for file in folder.iterdir() if "." in file.name}


def _slot(name: str, view: View) -> str:
    template = _templates().get_template(f"slots/{name}.html.jinja")
    return template.render(view=view, rating=RATING, heading="h2", offline=False, steerable=True, exports=EXPORTS)


def _said(summary: Summary) -> str:
    words, sentences = summary.words, len(summary)
    return f"Summary of {words:,} word{'s'[: words != 1]} in {sentences} sentence{'s'[: sentences != 1]}."


@cache
def _templates() -> Environment:
    made = environment("service/page", "report")
    made.filters["counted_reasons"] = counted_reasons
    return made
