"""Forms with files, which are whole or refused."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Request
from starlette.datastructures import FormData
from starlette.formparsers import MultiPartException, MultiPartParser

from nutgraf.service.answers import Failure
from nutgraf.service.errors import TooLarge

MULTIPART = "multipart/form-data"


def media_type_of(request: Request) -> str:
    """Return the media type that a request declares for its body, in lower case; "" if none."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


class _Parser(MultiPartParser):
    """Knows whether the form came to its closing boundary; without that its last part is missing."""

    ended = False

    def on_end(self) -> None:
        """Note the closing boundary."""
        self.ended = True


@asynccontextmanager
async def read_form(request: Request, *, files: int, fields: int, part_size: int) -> AsyncIterator[FormData]:
    """Read the form of a request; its files are closed afterwards.

    Args:
        request: A request whose body is a form.
        files: Most files.
        fields: Most other fields.
        part_size: Most bytes of a field.

    Raises:
        Failure: If it is no form, or not the whole of one.
        TooLarge: If it has more than may be.
    """
    if media_type_of(request) != MULTIPART:
        async with request.form(max_fields=fields) as form:
            yield form
        return
    parser = _Parser(request.headers, request.stream(), max_files=files, max_fields=fields, max_part_size=part_size)
    try:
        form = await parser.parse()
    except MultiPartException as error:
        if error.message.startswith("Too many"):
            raise TooLarge(f"The form has too much: at most {files} files and {fields} other fields.") from None
        if error.message.startswith("Part exceeded"):
            raise TooLarge(f"A field of the form is too large; the most are {part_size:,} bytes.") from None
        raise Failure(400, "bad_request", "The form cannot be read; its body is not what its headers say.") from None
    try:
        if not parser.ended:
            raise Failure(400, "incomplete", "The form ends before its closing boundary; part of it is missing.")
        yield form
    finally:
        await form.close()
