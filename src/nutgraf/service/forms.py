"""Forms with files, which are whole or refused."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

from starlette.datastructures import FormData, Headers
from starlette.formparsers import FormParser, MultiPartException, MultiPartParser

from nutgraf.service.answers import Failure
from nutgraf.service.errors import TooLarge

MULTIPART = "multipart/form-data"
URLENCODED = "application/x-www-form-urlencoded"


def media_type(content_type: str) -> str:
    """Return the media type of a header `Content-Type`, in lower case; "" if it has none."""
    return content_type.partition(";")[0].strip().lower()


class _Parser(MultiPartParser):
    """Knows whether the form came to its closing boundary; without that its last part is missing."""

    spool_max_size = 1 << 62  # files stay in memory, where the body was before
    ended = False

    def on_end(self) -> None:
        """Note the closing boundary."""
        self.ended = True


@asynccontextmanager
async def read_form(
    data: bytes, content_type: str, *, files: int, fields: int, part_size: int
) -> AsyncIterator[FormData]:
    """Read a form; its files are closed afterwards.

    Raises:
        Failure: If it is no form, or not the whole of one.
        TooLarge: If it has more than may be.
    """
    # A charset that the header names is not heeded: to decode some of them takes quadratic time.
    parts = [part for part in content_type.split(";") if not part.strip().lower().startswith("charset")]
    headers = Headers({"content-type": ";".join(parts)})
    multipart = media_type(content_type) == MULTIPART
    parser: _Parser | FormParser = (
        _Parser(headers, _stream(data), max_files=files, max_fields=fields, max_part_size=part_size)
        if multipart
        else FormParser(headers, _stream(data), max_fields=fields, max_part_size=part_size)
    )
    try:
        form = await parser.parse()
    except MultiPartException as error:
        if error.message.startswith("Too many"):
            raise TooLarge(f"The form has too much: at most {files} files and {fields} other fields.") from None
        if "exceeded" in error.message:
            raise TooLarge(f"A field of the form is too large; the most are {part_size:,} bytes.") from None
        raise Failure(400, "bad_request", "The form cannot be read; its body is not what its headers say.") from None
    try:
        if isinstance(parser, _Parser) and not parser.ended:
            raise Failure(400, "incomplete", "The form ends before its closing boundary; part of it is missing.")
        yield form
    finally:
        await form.close()


async def _stream(data: bytes) -> AsyncGenerator[bytes, None]:
    yield data
