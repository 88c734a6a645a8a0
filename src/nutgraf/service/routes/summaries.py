"""Routes for summaries, key phrases and scores."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Coroutine
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from fastapi.sse import format_sse_event
from pydantic import BaseModel

from nutgraf.service.answers import described, failure_of
from nutgraf.service.bodies import JSON, read_body, read_json
from nutgraf.service.engine import Engine, Listener
from nutgraf.service.forms import MULTIPART
from nutgraf.service.presenting import as_json, as_text, compact
from nutgraf.service.schemas import GENERATED, PhrasesBody, ScoreBody, SummaryBody, inlined
from nutgraf.service.waiting import Done, news, while_connected

EVENTS = "text/event-stream"

ERRORS = described(400, 401, 413, 415, 422, 429, 503)

Work = Callable[[Listener | None], Coroutine[Any, Any, str]]
"""Begins the work of a request; it is given who hears of its progress."""


def summaries(engine: Engine) -> APIRouter:
    """Return the routes."""
    router = APIRouter(prefix="/v1", tags=["summaries"])

    @router.post(
        "/summarize", response_class=Response, responses=_answers("A summary."), openapi_extra=_both(SummaryBody)
    )
    async def summarize(request: Request) -> Response:
        """Summarize documents.

        Several documents are one input. Send `Accept: text/event-stream` to hear of the progress: events `progress`,
        then one `result` or `error`.
        """
        body = await read_body(request, SummaryBody, engine.limits)
        form = body.text_format
        present = as_json if form is None else partial(as_text, form)
        asked = body.request()

        async def work(progress: Listener | None) -> str:
            return await engine.summarize(asked, present, progress=progress)

        media = {None: JSON, "markdown": "text/markdown"}.get(form, "text/plain")
        return await _answer(request, work, media)

    @router.post("/phrases", response_class=Response, responses=_answers("Phrases."), openapi_extra=_both(PhrasesBody))
    async def phrases(request: Request) -> Response:
        """Find the key phrases of documents."""
        asked = (await read_body(request, PhrasesBody, engine.limits)).request()

        async def work(progress: Listener | None) -> str:
            return _dumped(await engine.phrases(asked, progress=progress))

        return await _answer(request, work, JSON)

    @router.post("/score", response_class=Response, responses=_answers("Scores."), openapi_extra=_json_only(ScoreBody))
    async def score(request: Request) -> Response:
        """Score summaries against references or sources."""
        asked = (await read_json(request, ScoreBody)).request()

        async def work(progress: Listener | None) -> str:
            return _dumped(await engine.score(asked, progress=progress))

        return await _answer(request, work, JSON)

    return router


async def _answer(request: Request, work: Work, media_type: str) -> Response:
    """Answer at once, or with a stream of events if the client asks for one."""
    if EVENTS in request.headers.get("accept", ""):
        return StreamingResponse(_events(work, media_type == JSON), media_type=EVENTS)
    return Response(await while_connected(request, work(None)), media_type=media_type)


async def _events(work: Work, is_json: bool) -> AsyncIterator[bytes]:
    try:
        async for one in news(work):
            if one is None:
                yield format_sse_event(comment="still at work")
            elif isinstance(one, Done):
                yield format_sse_event(event="result", data_str=compact(one.result) if is_json else _dumped(one.result))
            else:
                told = {"stage": one.stage, "done": one.done, "total": one.total, "share": round(one.share, 3)}
                yield format_sse_event(event="progress", data_str=_dumped(told))
    except Exception as error:  # the answer has begun, so that its status cannot tell it any more
        yield format_sse_event(event="error", data_str=_dumped(failure_of(error).to_json()))


def _dumped(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False)


def _answers(what: str) -> dict[int | str, dict[str, Any]]:
    summary = what == "A summary."
    example = {"example": GENERATED} if summary else {}
    content = {JSON: {"schema": {"type": "object"}, **example}, EVENTS: {"schema": {"type": "string"}}}
    text = {"text/plain": {"schema": {"type": "string"}}, "text/markdown": {"schema": {"type": "string"}}}
    return {200: {"description": what, "content": {**content, **(text if summary else {})}}, **ERRORS}


def _json_only(model: type[BaseModel]) -> dict[str, Any]:
    return {"requestBody": {"required": True, "content": {JSON: {"schema": inlined(model)}}}}


def _both(model: type[BaseModel]) -> dict[str, Any]:
    """A body of JSON, or a form with the same fields, texts and files."""
    schema = inlined(model)
    simple = {name: one for name, one in schema["properties"].items() if name != "documents"}
    files = {"type": "array", "items": {"type": "string", "format": "binary"}}
    fields = {"texts": {"type": "array", "items": {"type": "string"}}, "files": files, **simple}
    form = {"type": "object", "properties": fields, "additionalProperties": False}
    return {"requestBody": {"required": True, "content": {JSON: {"schema": schema}, MULTIPART: {"schema": form}}}}
