"""Bodies of requests, read in a process of their own, which hands over the request that a body makes.

To build what a stranger sent takes time and memory, and while it is built no thread of that process does anything else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from nutgraf.service.limits import Limits
from nutgraf.service.requests import Packed
from nutgraf.workers import Pieces

T = TypeVar("T")

Parse = Callable[[bytes, str, Limits], Awaitable[T]]
"""Reads a body of a media type within limits."""


class Reader:
    """State of the process that reads bodies.

    Attributes:
        limits: Limits of a request.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits


def read(reader: Reader, parse: Parse[Any], body: Pieces, media_type: str) -> Any:
    """Return what a body says, with its request packed.

    Args:
        reader: State of this process.
        parse: Reads the body.
        body: The body.
        media_type: Header `Content-Type`.

    Raises:
        NutgrafError: If the request cannot be made, or exceeds a limit.
    """
    asked = asyncio.run(_awaited(parse(bytes(body), media_type, reader.limits)))
    request = getattr(asked, "request", None)
    if request is None:
        return asked
    request.check(reader.limits)
    asked.request = Packed.of(request)
    return asked


async def _awaited(result: Awaitable[T]) -> T:
    return await result
