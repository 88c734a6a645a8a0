"""Routes of OpenAI's protocol, so that its clients get a summary with its citations."""

from __future__ import annotations

import time
import uuid
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from fastapi.sse import format_sse_event
from pydantic import BaseModel

from nutgraf.runtime.workers import Pieces
from nutgraf.service.answers import Failure, answered, described
from nutgraf.service.bodies import JSON, from_json, read
from nutgraf.service.chat import Chat, ChatBody
from nutgraf.service.engine import Engine
from nutgraf.service.limits import Limits
from nutgraf.service.presenting import as_chunks, as_completion, chunk, event
from nutgraf.service.progress import Progress
from nutgraf.service.schemas import inlined
from nutgraf.service.waiting import EVENTS, Work, streamed, while_connected


class Model(BaseModel):
    """A system, as OpenAI's protocol lists models."""

    id: str
    object: str = "model"
    created: int = 0
    owned_by: str = "nutgraf"


class Models(BaseModel):
    """All systems."""

    object: str = "list"
    data: list[Model]


def chat(engine: Engine) -> APIRouter:
    """Return the routes."""
    router = APIRouter(prefix="/v1", tags=["chat"])

    @router.get("/models", responses=described(401))
    async def models() -> Models:
        """List the systems as models."""
        return Models(data=[Model(id=name) for name in engine.systems])

    @router.get("/models/{name}", responses=described(401, 404))
    async def model(name: str) -> Model:
        """Show one system as a model."""
        _check(engine, name)
        return Model(id=name)

    @router.post(
        "/chat/completions",
        response_class=Response,
        responses={
            200: {
                "description": "A chat completion, whose message is the summary.",
                "content": {JSON: {"schema": {"type": "object"}}, EVENTS: {"schema": {"type": "string"}}},
            },
            **described(400, 401, 404, 413, 415, 422, 429, 503),
        },
        openapi_extra={"requestBody": {"required": True, "content": {JSON: {"schema": inlined(ChatBody)}}}},
    )
    async def completions(request: Request) -> Response:
        """Summarize the user's messages; docs/service.md says how a chat is read."""
        asked = await read(request, engine, parse_chat, JSON)
        _check(engine, asked.model)
        head = {"id": f"chatcmpl-{uuid.uuid4().hex}", "created": int(time.time()), "model": asked.model}
        if asked.stream:
            chunks = partial(as_chunks, head, asked.told)
            events = _chunks(lambda heard: engine.summarize(asked.request, chunks, progress=heard), head)
            return StreamingResponse(events, media_type=EVENTS)
        completed = engine.summarize(asked.request, partial(as_completion, head, asked.told))
        return answered(await while_connected(request, completed), JSON)

    return router


def _check(engine: Engine, name: str) -> None:
    if name not in engine.systems:
        raise Failure(
            404, "model_not_found", f"No model {name!r}; GET /v1/models lists those that there are.", None, "model"
        )


async def parse_chat(data: bytes, content_type: str, limits: Limits) -> Chat:
    """Return the request that a chat makes; see `bodies.read`."""
    return Chat(from_json(data, ChatBody))


async def _chunks(work: Work[bytes | Pieces], head: dict[str, Any]) -> AsyncIterator[bytes]:
    """Yield the events of a stream: the role, one chunk for each sentence, the citations, and the end."""
    yield chunk(head, {"role": "assistant", "content": ""})
    async for part in streamed(work, _told, lambda failure: event(failure.to_json())):
        yield part
    yield b"data: [DONE]\n\n"


def _told(progress: Progress | None) -> bytes:
    return format_sse_event(comment="still at work" if progress is None else progress.stage)
