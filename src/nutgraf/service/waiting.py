"""Waiting for the engine: work ends when the client leaves, and a stream tells its progress."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, TypeVar

from fastapi import Request

from nutgraf.runtime.workers import Pieces
from nutgraf.service import log
from nutgraf.service.answers import Failure, failure_of, in_pieces
from nutgraf.service.engine import Listener
from nutgraf.service.progress import Progress

T = TypeVar("T")

EVENTS = "text/event-stream"
"""Media type of a stream."""

KEEP_ALIVE = 10.0
"""Seconds without news after which a stream says that it is alive."""

Work = Callable[[Listener], Coroutine[Any, Any, T]]
"""Begins some work, and is given a function that hears of its progress."""


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


async def streamed(
    work: Work[bytes | Pieces], told: Callable[[Progress | None], bytes], failed: Callable[[Failure], bytes]
) -> AsyncIterator[bytes]:
    """Yield the progress of some work as it is told, None standing for no news for a while, and then its result.

    An error is told, too: the answer has begun, so that its status cannot. Whoever stops listening ends the work.
    """
    heard: asyncio.Queue[Progress] = asyncio.Queue()
    doing = asyncio.ensure_future(work(heard.put_nowait))
    try:
        while not doing.done() or not heard.empty():
            hearing = asyncio.ensure_future(heard.get())
            await asyncio.wait((doing, hearing), timeout=KEEP_ALIVE, return_when=asyncio.FIRST_COMPLETED)
            if hearing.done():
                yield told(hearing.result())
                continue
            hearing.cancel()
            if not doing.done():
                yield told(None)
        async for piece in in_pieces(await doing):
            yield piece
    except Exception as error:
        failure = failure_of(error)
        if failure.status == 500:
            log.LOGGER.error("request failed", exc_info=error)
        yield failed(failure)
    finally:
        doing.cancel()


async def _left(request: Request) -> None:
    """Return when the client has left."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
