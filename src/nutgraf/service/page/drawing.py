"""The page and its parts as HTML. The parts of a summary are drawn in the worker process that made it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment

from nutgraf.prose.reasons import counted_reasons
from nutgraf.report.page import SCRIPTS, STYLES
from nutgraf.report.sources import names_of
from nutgraf.report.templates import environment, printable
from nutgraf.report.view import View
from nutgraf.service.page.exports import EXPORTS
from nutgraf.service.page.form import LONGEST_HEADLINE, Form
from nutgraf.service.page.menu import menu_of
from nutgraf.service.page.views import PARTS, SHOWS, said_of, view_shown
from nutgraf.service.presenting import dumped, event
from nutgraf.service.refusals import LeftOut, Refusal
from nutgraf.service.requests import Text
from nutgraf.service.systems import ServedSystem
from nutgraf.text.clean import visible
from nutgraf.text.difference import Change, Difference
from nutgraf.text.document import Document
from nutgraf.text.language import NAMES
from nutgraf.text.summary import RATING

SLOTS = ("summary", "more", "sources")
"""Parts of the page that show a summary, by the names of their templates."""


@dataclass(frozen=True)
class Service:
    """Facts about the service that its pages show.

    Attributes:
        systems: Its systems.
        fetches: It fetches the page where a document is nothing but a web address.
        most_bytes: Maximum size of all documents together.
    """

    systems: tuple[ServedSystem, ...]
    fetches: bool
    most_bytes: int


@dataclass(frozen=True)
class Drawn:
    """A summary as the page shows it.

    It has the HTML of each part, the title of the page, what a screen reader says about it, the words of the input and
    of the summary, the number of documents, those that were left out, and those that were read, if they were asked for.
    """

    slots: Mapping[str, str]
    title: str
    said: str
    words: int
    length: int
    documents: int
    refusals: tuple[Refusal, ...] = ()
    texts: tuple[Text, ...] = ()


def draw(view: View, titles: Collection[str] = (), with_texts: bool = False) -> Drawn:
    """Return a summary, or whatever else was asked for, as the page shows it.

    Args:
        view: What is shown.
        titles: Titles that were given to documents, rather than read in them.
        with_texts: Keep the documents as they were read.
    """
    document = view.summary.document
    title = title_of(document, titles)
    left_out = tuple(one for one in document.notices if isinstance(one, LeftOut))
    # What was left out is told where it was given.
    notices = tuple(one for one in view.notices if one not in left_out)
    view = replace(view, title=title or view.title, notices=notices)
    texts = [Text(document.show(part), part.name) for part in document.parts] if with_texts else []
    return Drawn(
        slots={name: printable(_slot(name, view)) for name in SLOTS},
        title=printable(title) or "Summary",
        refusals=tuple(one.refusal for one in left_out),
        said=printable(said_of(view)),
        words=view.words,
        length=view.words_used,
        documents=len(view.sources),
        texts=tuple(texts),
    )


def draw_event(titles: Collection[str], made: Any, beside: Any) -> bytes:
    """Return what was made or found as the event of the page's stream; see `view_shown`."""
    drawn = draw(view_shown(made, beside), titles)
    told = {name: getattr(drawn, name) for name in ("title", "said", "words", "length", "documents")}
    return event({"slots": dict(drawn.slots), **told, "refused": told_of(drawn.refusals)}, "summary")


def told_of(refusals: Iterable[Refusal]) -> list[tuple[int, str]]:
    """Return documents that cannot be read as JSON: their numbers, and why."""
    return [(one.document, printable(one.why)) for one in refusals]


def draw_page(form: Form, service: Service, made: Any, beside: Any) -> bytes:
    """Return the page with what was made or found; see `view_shown`.

    The texts of files stand in its form, unless they are too long for it.
    """
    drawn = draw(view_shown(made, beside), form.titles, with_texts=bool(form.files))
    return whole_page(form.read_as(drawn.texts, drawn.refusals).shown(), service, drawn).encode("utf-8", "replace")


def whole_page(form: Form, service: Service, drawn: Drawn | None = None, failure: str = "") -> str:
    """Return the page."""
    return page_of(
        "sitting.html.jinja",
        (*STYLES, "sitting.css"),
        (*SCRIPTS, "sitting.js"),
        service,
        form=form,
        menu=menu_of(service.systems),
        shows=SHOWS,
        parts=PARTS,
        title=drawn.title if drawn else "",
        drawn=drawn,
        failure=failure,
        about_several="several documents are summarized as one.",
    )


def page_of(template: str, styles: Sequence[str], scripts: Sequence[str], service: Service, **shown: Any) -> str:
    """Return a page of a template of this package, and of what every page has."""
    page = _templates().get_template(template)
    made = page.render(
        languages=NAMES,
        fetches=service.fetches,
        most_bytes=service.most_bytes,
        styles=styles,
        scripts=scripts,
        **shown,
    )
    return printable(made)


def title_of(document: Document, titles: Collection[str] = ()) -> str:
    """Return what a document is called, "" if it is called nothing: of several the first one, "and 2 more".

    It is the title that was given, or the heading that the document begins with, or the name of its file.
    """
    names = names_of(document)
    first = document.parts[0]
    headings = [one.title for one in document.headings if one.start == first.start and first.name not in titles]
    short = [one for one in headings if 0 < len(one) <= LONGEST_HEADLINE]
    if not short and not first.name:
        return ""
    others = len(names) - 1
    return visible((*short, names[0])[0]) + (f" and {others} more" if others else "")


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


@cache
def _templates() -> Environment:
    made = environment("service/page", "report")
    made.filters["counted_reasons"] = counted_reasons
    return made
