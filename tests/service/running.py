"""An event loop in a thread of its own, in which an engine lives for several tests."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from threading import Thread
from typing import Any, TypeVar

import uvicorn

from nutgraf.service.app import create_app
from nutgraf.service.engine import Engine
from nutgraf.service.run import address_of, bound

T = TypeVar("T")

PATIENCE = 120
"""Seconds after which a test that waits has failed."""


class Running:
    """An engine whose coroutines are awaited from other threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.loop = asyncio.new_event_loop()
        self._thread = Thread(target=self.loop.run_forever, daemon=True)
        self._thread.start()
        self.run(engine.start())

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Wait for a coroutine."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(PATIENCE)

    def all(self, *coroutines: Coroutine[Any, Any, Any]) -> list[Any]:
        """Wait for several coroutines that run at the same time; errors stand among the results."""

        async def together() -> list[Any]:
            return await asyncio.gather(*coroutines, return_exceptions=True)

        return self.run(together())

    def close(self) -> None:
        """End the engine and the loop."""
        self.run(self.engine.stop(0))
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(PATIENCE)
        self.loop.close()


class Served:
    """An application with a running engine, on a port of this machine."""

    def __init__(self, running: Running) -> None:
        self._running = running
        self._socket = bound("127.0.0.1", 0)
        self.address = address_of("127.0.0.1", self._socket)
        config = uvicorn.Config(create_app(running.engine), lifespan="off", log_config=None, access_log=False)
        self._server = uvicorn.Server(config)

    def __enter__(self) -> Served:
        self._done = asyncio.run_coroutine_threadsafe(self._server.serve(sockets=[self._socket]), self._running.loop)
        return self

    def __exit__(self, *error: object) -> None:
        self._server.should_exit = True
        self._done.result(PATIENCE)
        self._socket.close()
