"""Routes of the page: itself, the summary as a stream of events, files to take away, two summaries compared, assets.

Nothing is stored: whoever changes a setting sends the documents again.
"""

from __future__ import annotations

import json
import mimetypes
import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import PurePath
from typing import Any, Generic, TypeVar

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, StreamingResponse
from fastapi.sse import format_sse_event
from starlette.exceptions import HTTPException

from nutgraf.errors import NutgrafError
from nutgraf.runtime.workers import Pieces
from nutgraf.service.answers import Failure, answered, failure_of
from nutgraf.service.bodies import read
from nutgraf.service.engine import Engine, Listener
from nutgraf.service.forms import MULTIPART, URLENCODED, read_form
from nutgraf.service.limits import Limits
from nutgraf.service.page.checking import CheckForm, check_page, draw_check
from nutgraf.service.page.drawing import (
    Service,
    assets,
    draw_difference,
    draw_event,
    draw_page,
    told_of,
    whole_page,
)
from nutgraf.service.page.exports import find_export
from nutgraf.service.page.form import Form
from nutgraf.service.page.views import SHOWS, find_shows
from nutgraf.service.progress import Progress
from nutgraf.service.reading import Read
from nutgraf.service.requests import CheckRequest, DifferenceRequest, FindRequest, Packed, SummaryRequest
from nutgraf.service.schemas import MAX_NAME
from nutgraf.service.waiting import EVENTS, streamed, while_connected

UNREADABLE = "None of the documents can be read; beside each of them stands why."
"""Said in the place of a summary, where each document says what is wrong with it."""

LONGEST_FILE_NAME = 60
"""Characters of a document's name in the name of a file."""

AnyForm = TypeVar("AnyForm")
AnyRequest = TypeVar("AnyRequest")

_PLAIN = re.compile(r"[a-z0-9]+")

MOST_FIELDS = 1000
"""Maximum number of fields of a form that are no files."""


def page_router(engine: Engine) -> APIRouter:
    """Return the routes of the page, whose summaries an engine makes."""
    page = _Page(engine)
    router = APIRouter(include_in_schema=False)
    router.add_api_route("/", page.show, methods=["GET", "HEAD"])
    router.add_api_route("/", page.summarize, methods=["POST"])
    router.add_api_route("/check", page.show_check, methods=["GET", "HEAD"])
    router.add_api_route("/check", page.check, methods=["POST"])
    router.add_api_route("/page/summary", page.stream, methods=["POST"])
    router.add_api_route("/page/file", page.file, methods=["POST"])
    router.add_api_route("/page/difference", page.difference, methods=["POST"])
    router.add_api_route("/page/{name}", page.asset, methods=["GET"])
    return router


class _Page:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def show(self) -> Response:
        """Return the empty page."""
        return HTMLResponse(self._empty)

    async def summarize(self, request: Request) -> Response:
        """Return the page with a summary, for browsers without JavaScript."""
        form = Form()
        try:
            sent = await self._sent(request)
            form = sent.form
            present = partial(draw_page, form, self._service)
            page = await while_connected(request, self._make(sent, present))
        except (NutgrafError, Failure) as error:
            return self._failed(form, error)
        return answered(page, "text/html")

    async def stream(self, request: Request) -> Response:
        """Return the parts of the page that show a summary, after events of progress."""
        sent = await self._sent(request)

        async def work(progress: Listener) -> bytes | Pieces:
            present = partial(draw_event, sent.form.titles)
            return await self._make(sent, present, progress)

        def failed(failure: Failure) -> bytes:
            told = {"said": failure.message, "refused": told_of(failure.refusals)}
            return format_sse_event(event="failure", data_str=json.dumps(told))

        return StreamingResponse(streamed(work, _event, failed), media_type=EVENTS)

    async def file(self, request: Request) -> Response:
        """Return the summary as a file."""
        form = Form()
        try:
            sent = await self._sent(request)
            form = sent.form
            kind = find_export(sent.format)
            content = await while_connected(request, self._make(sent, kind.write))
        except (NutgrafError, Failure) as error:
            return self._failed(form, error)
        attached = {"Content-Disposition": f'attachment; filename="{_file_name(form)}.{kind.suffix}"'}
        return answered(content, kind.media_type, headers=attached)

    async def _make(
        self,
        sent: Sent[Form, SummaryRequest | FindRequest],
        present: Callable[[Any, Any], bytes],
        progress: Listener | None = None,
    ) -> bytes | Pieces:
        """Return what is made of the summary, or of what is found, that a form asks for. Raises NutgrafError."""
        finds = find_shows(sent.form.show).finds
        work: Callable[..., Coroutine[Any, Any, Any]] = self._engine.find if finds else self._engine.summarize
        return await work(sent.asked(), present, progress=progress)

    async def show_check(self) -> Response:
        """Return the empty page of checks."""
        return HTMLResponse(check_page(CheckForm(), self._service))

    async def check(self, request: Request) -> Response:
        """Return the page with a check."""
        form = CheckForm()
        try:
            sent = await read(request, self._engine, parse_check, MULTIPART, URLENCODED)
            form = sent.form
            present = partial(draw_check, form, self._service)
            page = await while_connected(request, self._engine.check(sent.asked(), present))
        except (NutgrafError, Failure) as error:
            failure = failure_of(error)
            shown = replace(form, sources=replace(form.sources, refusals=failure.refusals))
            return self._answered(failure, partial(check_page, shown, self._service))
        return answered(page, "text/html")

    async def difference(self, request: Request) -> Response:
        """Return two texts, of a sentence a line, with the words marked that differ."""
        sent = await read(request, self._engine, parse_difference, MULTIPART, URLENCODED)
        found = await while_connected(request, self._engine.difference(sent.request, draw_difference))
        return answered(found, "application/json")

    async def asset(self, name: str) -> Response:
        """Return a script, a style or a picture."""
        if name not in assets():
            raise HTTPException(404)
        kind = "text/javascript" if name.endswith(".js") else mimetypes.guess_type(name)[0]
        return Response(assets()[name], media_type=kind, headers={"Cache-Control": "no-cache"})

    @cached_property
    def _empty(self) -> bytes:
        return whole_page(Form(), self._service).encode()

    @cached_property
    def _service(self) -> Service:
        engine = self._engine
        return Service(tuple(engine.systems.values()), engine.fetch, engine.limits.bytes)

    def _failed(self, form: Form, error: NutgrafError | Failure) -> Response:
        failure = failure_of(error)
        return self._answered(failure, partial(whole_page, replace(form, refusals=failure.refusals), self._service))

    def _answered(self, failure: Failure, page: Callable[..., str]) -> Response:
        said = UNREADABLE if failure.refusals else failure.message
        retry = {} if failure.retry_after is None else {"Retry-After": str(failure.retry_after)}
        return HTMLResponse(page(failure=said), failure.status, retry)

    async def _sent(self, request: Request) -> Sent[Form, SummaryRequest | FindRequest]:
        """Return what a browser sent. Raises Failure or TooLarge."""
        return await read(request, self._engine, parse_form, MULTIPART, URLENCODED)


@dataclass
class Sent(Generic[AnyForm, AnyRequest]):
    """Form that a browser sent, the format of the file that it asks for, and its request, or why it makes none."""

    form: AnyForm
    request: AnyRequest | Packed | None = None
    error: NutgrafError | None = None
    format: str = ""

    def asked(self) -> AnyRequest | Packed:
        """Return the request. Raises NutgrafError if there is none."""
        if self.error is not None or self.request is None:
            raise self.error or ValueError("neither a request nor an error")
        return self.request


async def parse_form(data: bytes, content_type: str, limits: Limits) -> Sent[Form, SummaryRequest | FindRequest]:
    """Return what a browser sent; see `bodies.read`."""
    async with read_form(
        data, content_type, files=limits.documents, fields=MOST_FIELDS, part_size=limits.bytes
    ) as fields:
        form, name = await Form.of(fields), str(fields.get("format", ""))
    sent = Sent[Form, SummaryRequest | FindRequest](form.shown(), format=name[:MAX_NAME])
    try:
        sent.request = form.request()
        sent.request.check(limits)
    except NutgrafError as error:
        sent.request, sent.error = None, error
    return sent


async def parse_check(data: bytes, content_type: str, limits: Limits) -> Sent[CheckForm, CheckRequest]:
    """Return what a browser sent to be checked; see `bodies.read`."""
    async with read_form(
        data, content_type, files=limits.documents, fields=MOST_FIELDS, part_size=limits.bytes
    ) as fields:
        form = await CheckForm.of(fields)
    sent = Sent[CheckForm, CheckRequest](form.shown())
    try:
        sent.request = form.request()
        sent.request.check(limits)
    except NutgrafError as error:
        sent.request, sent.error = None, error
    return sent


async def parse_difference(data: bytes, content_type: str, limits: Limits) -> Read:
    """Return the two texts that a browser sent; see `bodies.read`."""
    async with read_form(data, content_type, files=0, fields=MOST_FIELDS, part_size=limits.bytes) as fields:
        before, after = (tuple(str(fields.get(name, "")).splitlines()) for name in ("before", "after"))
    return Read(DifferenceRequest(before, after))


def _file_name(form: Form) -> str:
    """Return "summary-of-", or what else it is, with the first document's name, in characters that all systems take."""
    given = [*(text.name for text in form.texts), *(file.name for file in form.files)]
    names = [PurePath(name).stem for name in given if name]
    name = "-".join(_PLAIN.findall(names[0].lower()))[:LONGEST_FILE_NAME].strip("-") if names else ""
    kind = form.show if form.show in SHOWS else "summary"
    return f"{kind}-of-{name}" if name else kind


def _event(one: Progress | None) -> bytes:
    """Return an event of progress; a comment where there is no news."""
    if one is None:
        return format_sse_event(comment="still there")
    # Nothing is known of how far the work itself is, and a bar that stands still would look stuck.
    told = {"share": None if one.stage == "working" else round(one.share, 3), "said": _said(one)}
    return format_sse_event(event="progress", data_str=json.dumps(told))


def _said(progress: Progress) -> str:
    """Return progress in words."""
    if progress.stage == "waiting":
        return f"Waiting; {progress.done} before you" if progress.done else "Waiting"
    if progress.stage == "reading":
        return f"Reading document {min(progress.done + 1, progress.total)} of {progress.total}"
    return "Summarizing" if progress.stage == "working" else "Laying out the page"
