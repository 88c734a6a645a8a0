"""The page that checks a summary against its sources: its form, and the check beside the sources."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from starlette.datastructures import FormData

from nutgraf.errors import InputError
from nutgraf.faithfulness.records import Faithfulness
from nutgraf.report.checked import SCRIPTS, shown_of
from nutgraf.service.page.drawing import Service, page_of, title_of
from nutgraf.service.page.form import Form, files_of, first, texts_of
from nutgraf.service.refusals import LeftOut
from nutgraf.service.requests import CheckRequest, Given, Text
from nutgraf.text.document import Document

STYLES = ("colours.css", "checked.css", "reading.css", "sitting.css", "checking.css")


@dataclass(frozen=True)
class CheckForm:
    """Fields of the form.

    Attributes:
        summary: The summary.
        sources: Its sources, and their language.
    """

    summary: str = ""
    sources: Form = field(default_factory=Form)

    @classmethod
    async def of(cls, fields: FormData) -> CheckForm:
        """Return the form of what a browser sent."""
        summary = first(fields, "summary").replace("\r\n", "\n")
        given = Form(texts=texts_of(fields), files=await files_of(fields), language=first(fields, "language"))
        return cls(summary, given)

    def request(self) -> CheckRequest:
        """Return the request for a check. Raises InputError if there is no summary, or no source."""
        sources = self.sources
        documents: tuple[Given, ...] = (*sources.texts, *sources.files)
        if not self.summary:
            raise InputError("There is nothing to check yet; paste a summary.")
        if not documents:
            raise InputError("There is nothing to check it against yet; paste a text or choose a file.")
        return CheckRequest(self.summary, documents, sources.language or None, skip_unreadable=True)

    def shown(self) -> CheckForm:
        """Return the form as a page shows it; see `Form.shown`."""
        return replace(self, sources=self.sources.shown())


def draw_check(form: CheckForm, service: Service, checked: Faithfulness, written: Document, sources: Document) -> bytes:
    """Return the page with a check; the texts of files stand in its form, unless they are too long for it."""
    left_out = [one for one in sources.notices if isinstance(one, LeftOut)]
    texts = [Text(sources.show(part), part.name) for part in sources.parts]
    refilled = form.sources.read_as(texts, [one.refusal for one in left_out])
    # What was left out is told where it was given.
    read = replace(sources, notices=tuple(one for one in sources.notices if one not in left_out))
    title = title_of(sources, form.sources.titles)
    of_them = f"a summary of {title}" if title else "a summary"
    shown = shown_of(checked, replace(written, name=of_them), read)
    page = check_page(replace(form, sources=refilled).shown(), service, title=f"Check of {of_them}", **shown)
    return page.encode("utf-8", "replace")


def check_page(
    form: CheckForm, service: Service, failure: str = "", title: str = "Check a summary", **shown: object
) -> str:
    """Return the page."""
    return page_of(
        "check.html.jinja",
        STYLES,
        (*SCRIPTS, "checking.js"),
        service,
        summary=form.summary,
        form=form.sources,
        failure=failure,
        title=title,
        about_several="several sources are read as one.",
        **{"view": None, **shown},
    )
