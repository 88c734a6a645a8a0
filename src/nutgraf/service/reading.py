"""Bodies of requests, read in a process of their own, which hands over the request that a body makes.

To build what a stranger sent takes time and memory, and while it is built no thread of that process does anything else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from nutgraf.runtime.workers import Pieces
from nutgraf.service.limits import Limits
from nutgraf.service.requests import Packed
from nutgraf.text.formats import Format

T = TypeVar("T")

Parse = Callable[[bytes, str, Limits], Coroutine[Any, Any, T]]
"""Reads a body of a media type within limits."""


@dataclass
class Read:
    """A request, and the form of text of its answer; None for JSON."""

    request: Any
    text_format: Format | None = None


def read(limits: Limits, parse: Parse[Any], body: Pieces, media_type: str) -> Any:
    """Return what a body says, with its request packed; the limits are the state of the process that reads bodies.

    Raises:
        NutgrafError: If the request cannot be made, or exceeds a limit.
    """
    asked = asyncio.run(parse(bytes(body), media_type, limits))
    if (request := getattr(asked, "request", None)) is not None:
        asked.request = Packed.of(request, limits)
    return asked
