"""Routes of the page: itself, the summary as a stream of events, files to take away, two summaries compared, assets.

Nothing is stored: whoever changes a setting sends the documents again.
"""

from __future__ import annotations

import json
import mimetypes
import re
from collections.abc import AsyncIterator
from functools import partial
from pathlib import PurePath
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, StreamingResponse
from fastapi.sse import format_sse_event
from starlette.exceptions import HTTPException

from nutgraf.errors import NutgrafError
from nutgraf.service.answers import Failure, failure_of
from nutgraf.service.engine import Engine, Listener
from nutgraf.service.forms import read_form
from nutgraf.service.page.drawing import Drawn, assets, draw, draw_words, whole_page
from nutgraf.service.page.exports import export, find_export
from nutgraf.service.page.form import Form
from nutgraf.service.progress import Progress
from nutgraf.service.requests import DifferenceRequest
from nutgraf.service.waiting import Done, news, while_connected

LONGEST_FILE_NAME = 60
"""Characters of a document's name in the name of a file."""

_PLAIN = re.compile(r"[a-z0-9]+")

MOST_FIELDS = 1000
"""Maximum number of fields of a form that are no files."""


def page_router(engine: Engine) -> APIRouter:
    """Return the routes of the page.

    Args:
        engine: Makes the summaries.
    """
    page = _Page(engine)
    router = APIRouter(include_in_schema=False)
    router.add_api_route("/", page.show, methods=["GET", "HEAD"])
    router.add_api_route("/", page.summarize, methods=["POST"])
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
        return self._drawn(Form())

    async def summarize(self, request: Request) -> Response:
        """Return the page with a summary, for browsers without JavaScript."""
        form = Form()
        try:
            form, _ = await self._form(request)
            asked, present = form.request(), partial(draw, with_texts=bool(form.files))
            drawn: Drawn = await while_connected(request, self._engine.summarize(asked, present))
        except (NutgrafError, Failure) as error:
            return self._failed(form, error)
        return self._drawn(form.with_texts(drawn.texts), drawn)

    async def stream(self, request: Request) -> Response:
        """Return the parts of the page that show a summary, after events of progress."""
        form, _ = await self._form(request)
        return StreamingResponse(self._events(form), media_type="text/event-stream")

    async def file(self, request: Request) -> Response:
        """Return the summary as a file."""
        form = Form()
        try:
            form, name = await self._form(request)
            kind, asked = find_export(name), form.request()
            content = await while_connected(request, self._engine.summarize(asked, partial(export, name=name)))
        except (NutgrafError, Failure) as error:
            return self._failed(form, error)
        attached = {"Content-Disposition": f'attachment; filename="{_file_name(form)}.{kind.suffix}"'}
        return Response(content, media_type=kind.media_type, headers=attached)

    async def difference(self, request: Request) -> Response:
        """Return two texts, of a sentence a line, with the words marked that differ."""
        part_size = self._engine.limits.bytes
        async with read_form(request, files=0, fields=MOST_FIELDS, part_size=part_size) as fields:
            before, after = (tuple(str(fields.get(name, "")).splitlines()) for name in ("before", "after"))
        asked = DifferenceRequest(before, after)
        found = await while_connected(request, self._engine.difference(asked))
        return JSONResponse({"before": draw_words(found.before), "after": draw_words(found.after)})

    async def asset(self, name: str) -> Response:
        """Return a script, a style or a picture."""
        if name not in assets():
            raise HTTPException(404)
        kind = "text/javascript" if name.endswith(".js") else mimetypes.guess_type(name)[0]
        return Response(assets()[name], media_type=kind, headers={"Cache-Control": "no-cache"})

    def _drawn(self, form: Form, drawn: Drawn | None = None) -> Response:
        return HTMLResponse(whole_page(form, self._engine.systems.values(), drawn))

    def _failed(self, form: Form, error: NutgrafError | Failure) -> Response:
        failure = failure_of(error)
        page = whole_page(form, self._engine.systems.values(), failure=failure.message)
        retry = {} if failure.retry_after is None else {"Retry-After": str(failure.retry_after)}
        return HTMLResponse(page, failure.status, retry)

    async def _events(self, form: Form) -> AsyncIterator[bytes]:
        async def work(progress: Listener) -> Drawn:
            return await self._engine.summarize(form.request(), draw, progress=progress)

        try:
            async for one in news(work):
                yield _event(one)
        except NutgrafError as error:
            yield format_sse_event(event="failure", data_str=_json({"said": failure_of(error).message}))

    async def _form(self, request: Request) -> tuple[Form, str]:
        """Return the form of a request, and the format of the file that is asked for. Raises Failure or TooLarge."""
        limits = self._engine.limits
        async with read_form(request, files=limits.documents, fields=MOST_FIELDS, part_size=limits.bytes) as fields:
            return await Form.of(fields), str(fields.get("format", ""))


def _file_name(form: Form) -> str:
    """Return "summary-of-" with the first document's name, in characters that every system and header takes."""
    given = [*(text.name for text in form.texts), *(file.name for file in form.files)]
    names = [PurePath(name).stem for name in given if name]
    name = "-".join(_PLAIN.findall(names[0].lower()))[:LONGEST_FILE_NAME].strip("-") if names else ""
    return f"summary-of-{name}" if name else "summary"


def _event(one: Progress | Done[Drawn] | None) -> bytes:
    """Return an event of progress or of the summary; a comment where there is no news."""
    if one is None:
        return format_sse_event(comment="still there")
    if isinstance(one, Progress):
        # Nothing is known of how far the work itself is, and a bar that stands still would look stuck.
        told = {"share": None if one.stage == "working" else round(one.share, 3), "said": _said(one)}
        return format_sse_event(event="progress", data_str=_json(told))
    made = one.result
    shown = {"slots": dict(made.slots), "said": made.said, "words": made.words, "length": made.length}
    return format_sse_event(event="summary", data_str=_json(shown))


def _said(progress: Progress) -> str:
    """Return progress in words."""
    if progress.stage == "waiting":
        return f"Waiting; {progress.done} before you" if progress.done else "Waiting"
    if progress.stage == "reading":
        return f"Reading document {min(progress.done + 1, progress.total)} of {progress.total}"
    return "Summarizing" if progress.stage == "working" else "Laying out the page"


def _json(content: Any) -> str:
    return json.dumps(content)
