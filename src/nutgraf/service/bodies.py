"""Bodies of requests: JSON or a form with files, which becomes a request.

Small bodies are read where they arrive. Others go to the process of `reading.py`, so that no body, whatever is in it,
makes other requests wait or fills the memory of the server.
"""

from __future__ import annotations

from functools import partial
from typing import Any, TypeVar

from fastapi import Request
from pydantic import BaseModel, ValidationError
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from nutgraf.runtime.workers import Pieces
from nutgraf.service.answers import Failure, failure_of
from nutgraf.service.desk import settle
from nutgraf.service.engine import Engine
from nutgraf.service.forms import MULTIPART, media_type, read_form
from nutgraf.service.limits import Limits
from nutgraf.service.reading import Parse
from nutgraf.service.requests import File
from nutgraf.service.schemas import Documents
from nutgraf.service.shape import check_shape
from nutgraf.service.waiting import while_connected

JSON = "application/json"

QUICK = 32 << 10
"""Bytes of a body that is read where it arrives, which takes less time than to hand it over."""

SEVERAL = ("documents", "highlights", "ngram_range")
"""Fields that a form may repeat."""

T = TypeVar("T")
Model = TypeVar("Model", bound=BaseModel)
WithFiles = TypeVar("WithFiles", bound=Documents)


async def read(request: Request, engine: Engine, parse: Parse[T], *media_types: str) -> T:
    """Return the request that a body makes.

    Raises:
        Failure: If it is declared to be something else, or does not fit.
        NutgrafError: If the request cannot be made, or exceeds a limit.
    """
    declared = request.headers.get("content-type", "")
    if media_types and media_type(declared) not in media_types:
        wanted = " or ".join(media_types)
        raise Failure(
            415, "unsupported_media_type", f"The body is sent as {wanted}; its header Content-Type says which."
        )
    body = Pieces([part async for part in request.stream()])
    if len(body) <= QUICK:
        return await parse(bytes(body), declared, engine.limits)
    result = await while_connected(request, engine.read(partial(_parsed, parse), body, declared))
    if isinstance(result, Failure):
        raise result
    return result


def prepare(limits: Limits) -> None:
    """Begin the process that reads bodies: what it needs is loaded with this module, before the first body comes."""
    settle()


async def _parsed(parse: Parse[T], data: bytes, content_type: str, limits: Limits) -> T | Failure:
    """Return what a body says, or why it does not fit, in a form that another process can read."""
    try:
        return await parse(data, content_type, limits)
    except (Failure, ValidationError, HTTPException) as error:
        return failure_of(error)


def from_json(data: bytes, model: type[Model]) -> Model:
    """Return JSON as a record.

    Raises:
        TooLarge: If it has too many values.
        ValidationError: If it does not fit.
    """
    check_shape(data)
    return model.model_validate_json(data)


async def from_body(data: bytes, content_type: str, limits: Limits, model: type[WithFiles]) -> WithFiles:
    """Return JSON or a form as a record.

    A form has the same fields; `texts` and `files` are its documents, and both may be repeated.

    Raises:
        Failure: If a form cannot be read.
        TooLarge: If it has too much.
        ValidationError: If it does not fit.
    """
    if media_type(content_type) != MULTIPART:
        return from_json(data, model)
    most = limits.documents + limits.highlights + 50
    async with read_form(data, content_type, files=most, fields=most, part_size=limits.bytes) as form:
        fields: dict[str, Any] = {}
        for name, value in form.multi_items():
            field = "documents" if name == "texts" else name
            if isinstance(value, str) and value and field in SEVERAL:
                fields.setdefault(field, []).append(value)
            elif isinstance(value, str) and value:
                fields[field] = value
        sent = [(name, one) for name, one in form.multi_items() if isinstance(one, UploadFile)]
        files = [await _file(name, one) for name, one in sent if one.filename or one.size]
    body = model.model_validate(fields)
    body.add_files(files)
    return body


async def _file(field: str, upload: UploadFile) -> File:
    if field != "files":
        raise Failure(422, "invalid_body", "Files are sent in the field “files”, which may be repeated.", None, "files")
    return File(await upload.read(), upload.filename or "", upload.content_type or "")
