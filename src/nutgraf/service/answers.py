"""Errors as answers: one shape of JSON with a plain sentence, for every error there is.

It is the shape that clients of OpenAI's protocol know: {"error": {"message", "type", "code", "param"}}.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException

from nutgraf.errors import NutgrafError, ServiceError, TaskError
from nutgraf.runtime.workers import Pieces
from nutgraf.service import log
from nutgraf.service.errors import Busy, TooLarge
from nutgraf.service.refusals import Refusal, Unreadable

MOST_WRONG = 3
"""Mistakes of one body that an answer names."""

MAX_FIELD = 200
"""Characters of the name of a wrong field that an answer names."""


@dataclass(eq=False)
class Failure(Exception):
    """An answer that is an error.

    Attributes:
        code: What happened, in a word for programs.
        retry_after: Seconds after which to try again; None where that is of no use.
        refusals: Documents that cannot be read, where none can.
    """

    status: int
    code: str
    message: str
    retry_after: int | None = None
    param: str | None = None
    headers: tuple[tuple[str, str], ...] = ()
    refusals: tuple[Refusal, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the body of the answer."""
        kind = "invalid_request_error" if self.status < 500 else "server_error"
        return {"error": {"message": self.message, "type": kind, "code": self.code, "param": self.param}}

    def response(self) -> JSONResponse:
        """Return the answer."""
        retry = {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}
        return JSONResponse(self.to_json(), self.status, {**retry, **dict(self.headers)})


def answered(
    content: bytes | Pieces, media_type: str, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Return an answer; of a long one, the client takes each piece before the next one is written."""
    if isinstance(content, bytes):
        return Response(content, status, headers, media_type)
    length = {"Content-Length": str(len(content))}
    return StreamingResponse(in_pieces(content), status, {**(headers or {}), **length}, media_type)


async def in_pieces(content: bytes | Pieces) -> AsyncIterator[bytes]:
    """Yield content in pieces."""
    for piece in [content] if isinstance(content, bytes) else content.pieces:
        yield piece


class ErrorDetails(BaseModel):
    """An error: a sentence for people, and a word for programs."""

    message: str
    type: str
    code: str
    param: str | None = None


class ErrorBody(BaseModel):
    """The answer to a request that has no result."""

    error: ErrorDetails


def failure_of(error: Exception) -> Failure:
    """Return the answer to an error."""
    if isinstance(error, Failure):
        return error
    if isinstance(error, HTTPException):
        return _of_http(error)
    if isinstance(error, ValidationError):
        return _of_body(error)
    if isinstance(error, TooLarge):
        return Failure(413, "too_large", str(error))
    if isinstance(error, ServiceError):
        code, status = ("busy", 429) if isinstance(error, Busy) else (type(error).__name__.lower(), 503)
        return Failure(status, code, str(error), error.retry_after or 1)
    if isinstance(error, TaskError):
        return _of_task(error)
    if isinstance(error, NutgrafError):
        refusals = error.refusals if isinstance(error, Unreadable) else ()
        return Failure(422, "not_possible", str(error), refusals=refusals)
    return Failure(500, "internal_error", "Something went wrong in the service; its log says more.")


def _of_task(error: TaskError) -> Failure:
    if error.cause == "ended":
        return Failure(503, "process_ended", str(error), 1)
    if error.cause in ("time", "memory"):
        return Failure(422, f"out_of_{error.cause}", str(error))
    log.failed(error.details)
    return Failure(500, "internal_error", "Something went wrong with this request; the service's log says more.")


def _of_http(error: HTTPException) -> Failure:
    said = {
        400: ("bad_request", "The request cannot be read; its body is not what its headers say."),
        404: ("not_found", "There is nothing at this address."),
        405: ("method_not_allowed", "This address does not take requests of this method."),
    }
    code, message = said.get(error.status_code, ("http_error", str(error.detail)))
    return Failure(error.status_code, code, message, headers=tuple((error.headers or {}).items()))


def _of_body(error: ValidationError) -> Failure:
    """Say what is wrong with a body, field by field, without quoting it."""
    wrong = error.errors(include_url=False, include_context=False, include_input=False)
    fields = [".".join(map(str, one["loc"]))[:MAX_FIELD] for one in wrong]
    said = [f"{field}: {one['msg']}" if field else one["msg"] for field, one in zip(fields, wrong, strict=True)]
    more = f"; and {len(said) - MOST_WRONG} more" if len(said) > MOST_WRONG else ""
    return Failure(
        422, "invalid_body", f"The body does not fit: {'; '.join(said[:MOST_WRONG])}{more}.", None, fields[0] or None
    )


def answer_errors(app: FastAPI) -> None:
    """Let an app answer every error in this shape."""

    async def answer(request: Request, error: Exception) -> JSONResponse:
        return failure_of(error).response()

    for kind in (Failure, NutgrafError, ValidationError, HTTPException):
        app.add_exception_handler(kind, answer)


def described(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return descriptions of errors for OpenAPI."""
    said: Mapping[int, str] = {
        400: "The body cannot be read.",
        401: "A token is needed.",
        404: "There is no such thing.",
        413: "The body or the documents are too large.",
        415: "The media type of the body is not one that is read here.",
        422: "The request cannot be met; the sentence says why.",
        429: "The queue is full; try again after the seconds in Retry-After.",
        503: "The systems are being loaded, the service is about to stop, or the process that worked ended.",
    }
    return {status: {"model": ErrorBody, "description": said[status]} for status in statuses}
