"""Routes of OpenAI's protocol, so that its clients get a summary with its citations."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from fastapi.sse import format_sse_event
from pydantic import BaseModel

from nutgraf.service.answers import Failure, described, failure_of
from nutgraf.service.bodies import JSON, read_json
from nutgraf.service.chat import Chat, ChatBody
from nutgraf.service.engine import Engine, Listener
from nutgraf.service.presenting import as_message
from nutgraf.service.schemas import inlined
from nutgraf.service.waiting import Done, news, while_connected

EVENTS = "text/event-stream"
MODELS = "model_not_found"


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
        body = await read_json(request, ChatBody)
        _check(engine, body.model)
        asked = Chat(body)

        async def work(progress: Listener | None) -> dict[str, Any]:
            return await engine.summarize(
                asked.request, partial(as_message, asked.cited, asked.whole), progress=progress
            )

        head = {"id": f"chatcmpl-{uuid.uuid4().hex}", "created": int(time.time()), "model": body.model}
        if body.stream:
            usage = body.stream_options is not None and bool(body.stream_options.include_usage)
            return StreamingResponse(_chunks(work, head, asked.notices, usage), media_type=EVENTS)
        return JSONResponse(_completion(await while_connected(request, work(None)), head, asked.notices))

    return router


def _check(engine: Engine, name: str) -> None:
    if name not in engine.systems:
        raise Failure(404, MODELS, f"No model {name!r}; GET /v1/models lists those that there are.", None, "model")


def _completion(made: dict[str, Any], head: dict[str, Any], notices: list[str]) -> dict[str, Any]:
    message = {
        "role": "assistant",
        "content": "".join(made["parts"]),
        "refusal": None,
        "annotations": _annotations(made),
    }
    return {
        **head,
        "object": "chat.completion",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}],
        "usage": _usage(made),
        "nutgraf": _provenance(made, notices),
    }


async def _chunks(work: Any, head: dict[str, Any], notices: list[str], usage: bool) -> AsyncIterator[bytes]:
    """Yield the events of a stream: the role, one chunk for each sentence, the citations, and the end."""
    try:
        yield _chunk(head, {"role": "assistant", "content": ""})
        async for one in news(work):
            if isinstance(one, Done):
                for part in one.result["parts"]:
                    yield _chunk(head, {"content": part})
                last = {"annotations": _annotations(one.result)}
                yield _chunk(head, last, "stop", nutgraf=_provenance(one.result, notices))
                if usage:
                    yield _event(
                        {**head, "object": "chat.completion.chunk", "choices": [], "usage": _usage(one.result)}
                    )
            else:
                yield format_sse_event(comment="still at work" if one is None else one.stage)
    except Exception as error:  # the answer has begun, so that its status cannot tell it any more
        yield _event(failure_of(error).to_json())
    yield format_sse_event(data_str="[DONE]")


def _chunk(head: dict[str, Any], delta: dict[str, Any], reason: str | None = None, **more: Any) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": reason, "logprobs": None}
    return _event({**head, "object": "chat.completion.chunk", "choices": [choice], **more})


def _event(content: dict[str, Any]) -> bytes:
    return format_sse_event(data_str=json.dumps(content, ensure_ascii=False))


def _annotations(made: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"type": "url_citation", "url_citation": one} for one in made["citations"]]


def _usage(made: dict[str, Any]) -> dict[str, int]:
    """Numbers of words: what a token is differs from system to system."""
    before, after = made["words_in"], made["words_out"]
    return {"prompt_tokens": before, "completion_tokens": after, "total_tokens": before + after}


def _provenance(made: dict[str, Any], notices: list[str]) -> dict[str, Any]:
    return {**made["summary"], "notices": [*made["summary"]["notices"], *notices]}
