"""Bodies of requests: read up to a limit, as JSON or as a form with files."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

from fastapi import Request
from pydantic import BaseModel
from starlette.datastructures import UploadFile

from nutgraf.service.answers import Failure
from nutgraf.service.forms import MULTIPART, media_type_of, read_form
from nutgraf.service.limits import Limits
from nutgraf.service.requests import File
from nutgraf.service.schemas import Documents

JSON = "application/json"

QUICK = 1 << 18
"""Bytes of JSON that are parsed in the event loop; more of them would keep other requests waiting."""

SEVERAL = ("documents", "highlights", "ngram_range")
"""Fields that a form may repeat."""

Model = TypeVar("Model", bound=BaseModel)
WithFiles = TypeVar("WithFiles", bound=Documents)


async def read_json(request: Request, model: type[Model]) -> Model:
    """Return a body of JSON.

    Raises:
        Failure: If it is declared to be something else.
        ValidationError: If it does not fit.
    """
    if media_type_of(request) != JSON:
        raise _unsupported(JSON)
    body = await request.body()
    if len(body) < QUICK:
        return model.model_validate_json(body)
    return await asyncio.to_thread(model.model_validate_json, body)


async def read_body(request: Request, model: type[WithFiles], limits: Limits) -> WithFiles:
    """Return a body of JSON or a form.

    A form has the same fields; `texts` and `files` are its documents, and both may be repeated.

    Raises:
        Failure: If it is declared to be something else.
        ValidationError: If it does not fit.
    """
    if media_type_of(request) == JSON:
        return await read_json(request, model)
    if media_type_of(request) != MULTIPART:
        raise _unsupported(f"{JSON} or {MULTIPART}")
    most = limits.documents + limits.highlights + 50
    async with read_form(request, files=most, fields=most, part_size=limits.bytes) as form:
        fields: dict[str, Any] = {}
        for name, value in form.multi_items():
            if isinstance(value, str) and value:
                _put(fields, "documents" if name == "texts" else name, value)
        sent = [(name, one) for name, one in form.multi_items() if isinstance(one, UploadFile)]
        files = [await _file(name, one) for name, one in sent if one.filename or one.size]
    body = model.model_validate(fields)
    body.add_files(files)
    return body


def _put(fields: dict[str, Any], name: str, value: str) -> None:
    if name in SEVERAL:
        fields.setdefault(name, []).append(value)
    else:
        fields[name] = value


async def _file(field: str, upload: UploadFile) -> File:
    if field != "files":
        raise Failure(422, "invalid_body", "Files are sent in the field “files”, which may be repeated.", None, "files")
    return File(await upload.read(), upload.filename or "", upload.content_type or "")


def _unsupported(wanted: str) -> Failure:
    return Failure(415, "unsupported_media_type", f"The body is sent as {wanted}; its header Content-Type says which.")
