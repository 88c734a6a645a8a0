"""Routes for summaries, for what is found in documents, for checks and scores."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from fastapi.sse import format_sse_event
from pydantic import BaseModel

from nutgraf.runtime.workers import Pieces
from nutgraf.service.answers import answered, described
from nutgraf.service.bodies import JSON, from_body, from_json, read
from nutgraf.service.checking import as_values
from nutgraf.service.engine import Engine, Listener
from nutgraf.service.forms import MULTIPART
from nutgraf.service.limits import Limits
from nutgraf.service.presenting import as_event, as_json, as_text, dumped, event, found_event, found_json
from nutgraf.service.progress import Progress
from nutgraf.service.reading import Read
from nutgraf.service.schemas import (
    GENERATED,
    AgreementBody,
    AnswerBody,
    ChangesBody,
    CheckBody,
    FindBody,
    MinutesBody,
    PhrasesBody,
    ScoreBody,
    SummaryBody,
    inlined,
)
from nutgraf.service.waiting import EVENTS, Work, streamed, while_connected

ERRORS = described(400, 401, 413, 415, 422, 429, 503)

FINDINGS: Mapping[str, tuple[type[FindBody], str]] = {
    "minutes": (MinutesBody, "Find the decisions, the actions and the open questions of a meeting."),
    "agreement": (AgreementBody, "Find what documents agree on, what only one says, and where their numbers differ."),
    "changes": (ChangesBody, "Find what changed from one version of a document to the next."),
    "answer": (AnswerBody, "Answer a question with a sentence of the documents, or say that they do not answer it."),
}
"""What is found in documents: the bodies of the requests, by the last part of the address."""


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
        asked = await read(request, engine, partial(parse, PhrasesBody), JSON, MULTIPART)
        return await _answer(request, partial(engine.phrases, asked.request))

    for name, (body, about) in FINDINGS.items():
        router.add_api_route(
            f"/{name}",
            _found(engine, body),
            methods=["POST"],
            name=name,
            description=about,
            response_class=Response,
            responses=_answers("What was found."),
            openapi_extra=_both(body),
        )

    @router.post("/check", response_class=Response, responses=_answers("A check."), openapi_extra=_both(CheckBody))
    async def check(request: Request) -> Response:
        """Check a summary, whoever wrote it, against its sources."""
        asked = await read(request, engine, partial(parse, CheckBody), JSON, MULTIPART)

        def work(present: Callable[[dict[str, Any]], Any], *, progress: Listener | None = None) -> Any:
            return engine.check(asked.request, partial(as_values, present), progress=progress)

        return await _answer(request, work)

    scores = {"requestBody": {"required": True, "content": {JSON: {"schema": inlined(ScoreBody)}}}}

    @router.post("/score", response_class=Response, responses=_answers("Scores."), openapi_extra=scores)
    async def score(request: Request) -> Response:
        """Score summaries against references or sources."""
        asked = await read(request, engine, parse_score, JSON)
        return await _answer(request, partial(engine.score, asked.request))

    return router


async def parse_summary(data: bytes, content_type: str, limits: Limits) -> Read:
    """Return the request for a summary that a body makes; see `bodies.read`."""
    body = await from_body(data, content_type, limits, SummaryBody)
    return Read(body.request(), body.text_format)


async def parse(
    model: type[FindBody | PhrasesBody | CheckBody], data: bytes, content_type: str, limits: Limits
) -> Read:
    """Return the request that a body with documents makes; see `bodies.read`."""
    return Read((await from_body(data, content_type, limits, model)).request())


async def parse_score(data: bytes, content_type: str, limits: Limits) -> Read:
    """Return the request for scores that a body makes; see `bodies.read`."""
    return Read(from_json(data, ScoreBody).request())


def _found(engine: Engine, body: type[FindBody]) -> Callable[[Request], Coroutine[Any, Any, Response]]:
    """Return what answers requests for what is found in documents."""

    async def find(request: Request) -> Response:
        asked = await read(request, engine, partial(parse, body), JSON, MULTIPART)
        return await _answer(request, partial(engine.find, asked.request), found_json, found_event)

    return find


async def _answer(
    request: Request,
    work: Callable[..., Coroutine[Any, Any, bytes]],
    present: Callable[..., bytes] = dumped,
    last: Callable[..., bytes] = partial(event, name="result"),
) -> Response:
    """Answer with JSON at once, or with a stream of events if the client asks for one."""
    if EVENTS in request.headers.get("accept", ""):
        return _streamed(lambda heard: work(last, progress=heard))
    return answered(await while_connected(request, work(present)), JSON)


def _streamed(work: Work[bytes | Pieces]) -> Response:
    events = streamed(work, _told, lambda failure: event(failure.to_json(), "error"))
    return StreamingResponse(events, media_type=EVENTS)


def _told(progress: Progress | None) -> bytes:
    if progress is None:
        return format_sse_event(comment="still at work")
    share = round(progress.share, 3)
    return event({"stage": progress.stage, "done": progress.done, "total": progress.total, "share": share}, "progress")


def _answers(what: str) -> dict[int | str, dict[str, Any]]:
    summary = what == "A summary."
    example = {"example": GENERATED} if summary else {}
    content = {JSON: {"schema": {"type": "object"}, **example}, EVENTS: {"schema": {"type": "string"}}}
    text = {"text/plain": {"schema": {"type": "string"}}, "text/markdown": {"schema": {"type": "string"}}}
    return {200: {"description": what, "content": {**content, **(text if summary else {})}}, **ERRORS}


def _both(model: type[BaseModel]) -> dict[str, Any]:
    """A body of JSON, or a form with the same fields, texts and files."""
    schema = inlined(model)
    simple = {name: one for name, one in schema["properties"].items() if name != "documents"}
    files = {"type": "array", "items": {"type": "string", "format": "binary"}}
    fields = {"texts": {"type": "array", "items": {"type": "string"}}, "files": files, **simple}
    form = {"type": "object", "properties": fields, "additionalProperties": False}
    return {"requestBody": {"required": True, "content": {JSON: {"schema": schema}, MULTIPART: {"schema": form}}}}
