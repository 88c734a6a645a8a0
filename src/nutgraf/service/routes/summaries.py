"""Routes for summaries, key phrases and scores."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from fastapi.sse import format_sse_event
from pydantic import BaseModel

from nutgraf.service.answers import answered, described, failure_of, in_pieces
from nutgraf.service.bodies import JSON, from_body, from_json, read
from nutgraf.service.engine import Engine, Listener
from nutgraf.service.forms import MULTIPART
from nutgraf.service.limits import Limits
from nutgraf.service.presenting import as_event, as_json, as_text, dumped, event
from nutgraf.service.schemas import GENERATED, PhrasesBody, ScoreBody, SummaryBody, inlined
from nutgraf.service.waiting import Done, news, while_connected
from nutgraf.text.formats import Format

EVENTS = "text/event-stream"

ERRORS = described(400, 401, 413, 415, 422, 429, 503)


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
        asked = await read(request, engine, parse_summary, JSON, MULTIPART)
        form = asked.text_format
        if EVENTS in request.headers.get("accept", ""):
            last = partial(as_event, form)
            return _streamed(lambda heard: engine.summarize(asked.request, last, progress=heard))
        present = as_json if form is None else partial(as_text, form)
        made = await while_connected(request, engine.summarize(asked.request, present))
        return answered(made, {None: JSON, "markdown": "text/markdown"}.get(form, "text/plain"))

    @router.post("/phrases", response_class=Response, responses=_answers("Phrases."), openapi_extra=_both(PhrasesBody))
    async def phrases(request: Request) -> Response:
        """Find the key phrases of documents."""
        asked = await read(request, engine, parse_phrases, JSON, MULTIPART)
        return await _answer(request, partial(engine.phrases, asked.request))

    @router.post("/score", response_class=Response, responses=_answers("Scores."), openapi_extra=_json_only(ScoreBody))
    async def score(request: Request) -> Response:
        """Score summaries against references or sources."""
        asked = await read(request, engine, parse_score, JSON)
        return await _answer(request, partial(engine.score, asked.request))

    return router


@dataclass
class Read:
    """A request and the form of its answer, as a body asks for them.

    Attributes:
        request: The request.
        text_format: Form of text of a summary; None for JSON.
    """

    request: Any
    text_format: Format | None = None


async def parse_summary(data: bytes, content_type: str, limits: Limits) -> Read:
    """Return the request for a summary that a body makes; see `bodies.read`."""
    body = await from_body(data, content_type, limits, SummaryBody)
    return Read(body.request(), body.text_format)


async def parse_phrases(data: bytes, content_type: str, limits: Limits) -> Read:
    """Return the request for key phrases that a body makes; see `bodies.read`."""
    return Read((await from_body(data, content_type, limits, PhrasesBody)).request())


async def parse_score(data: bytes, content_type: str, limits: Limits) -> Read:
    """Return the request for scores that a body makes; see `bodies.read`."""
    return Read(from_json(data, ScoreBody).request())


async def _answer(request: Request, work: Callable[..., Coroutine[Any, Any, bytes]]) -> Response:
    """Answer with JSON at once, or with a stream of events if the client asks for one."""
    if EVENTS in request.headers.get("accept", ""):
        last = partial(event, name="result")
        return _streamed(lambda heard: work(last, progress=heard))
    return answered(await while_connected(request, work(dumped)), JSON)


def _streamed(work: Callable[[Listener], Coroutine[Any, Any, bytes]]) -> Response:
    return StreamingResponse(_events(work), media_type=EVENTS)


async def _events(work: Callable[[Listener], Coroutine[Any, Any, bytes]]) -> AsyncIterator[bytes]:
    try:
        async for one in news(work):
            if one is None:
                yield format_sse_event(comment="still at work")
            elif isinstance(one, Done):
                async for piece in in_pieces(one.result):
                    yield piece
            else:
                told = {"stage": one.stage, "done": one.done, "total": one.total, "share": round(one.share, 3)}
                yield event(told, "progress")
    except Exception as error:  # the answer has begun, so that its status cannot tell it any more
        yield event(failure_of(error).to_json(), "error")


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
