"""Waiting for the engine: work ends when the client leaves, and a stream tells its progress."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from fastapi import Request

from nutgraf.service.answers import Failure
from nutgraf.service.progress import Progress

T = TypeVar("T")

KEEP_ALIVE = 10.0
"""Seconds without news after which a stream says that it is alive."""


@dataclass(frozen=True)
class Done(Generic[T]):
    """The end of some work.

    Attributes:
        result: What came of it.
    """

    result: T


async def while_connected(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of some work, which is cancelled if the client leaves.

    Raises:
        Failure: If the client has left; nobody will see it, but the log says 499.
    """
    doing = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait((doing, leaving), return_when=asyncio.FIRST_COMPLETED)
        if doing.done():
            return doing.result()
        raise Failure(499, "client_left", "The client has left.")
    finally:
        doing.cancel()
        leaving.cancel()


async def news(
    work: Callable[[Callable[[Progress], None]], Coroutine[Any, Any, T]],
) -> AsyncIterator[Progress | Done[T] | None]:
    """Yield the progress of some work, None where there was no news for a while, and its end.

    The work is given a function that hears of its progress. Whoever stops listening ends it.

    Raises:
        NutgrafError: What the work raises.
    """
    heard: asyncio.Queue[Progress] = asyncio.Queue()
    doing = asyncio.ensure_future(work(heard.put_nowait))
    try:
        while not doing.done() or not heard.empty():
            hearing = asyncio.ensure_future(heard.get())
            await asyncio.wait((doing, hearing), timeout=KEEP_ALIVE, return_when=asyncio.FIRST_COMPLETED)
            if hearing.done():
                yield hearing.result()
                continue
            hearing.cancel()
            if not doing.done():
                yield None
        yield Done(await doing)
    finally:
        doing.cancel()


async def _left(request: Request) -> None:
    """Return when the client has left."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
