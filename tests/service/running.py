"""An event loop in a thread of its own, in which an engine lives for several tests."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from threading import Thread
from typing import Any, TypeVar

from nutgraf.service.engine import Engine

T = TypeVar("T")

PATIENCE = 120
"""Seconds after which a test that waits has failed."""


class Running:
    """An engine whose coroutines are awaited from other threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.run(engine.start())

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Wait for a coroutine."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(PATIENCE)

    def all(self, *coroutines: Coroutine[Any, Any, Any]) -> list[Any]:
        """Wait for several coroutines that run at the same time; errors stand among the results."""

        async def together() -> list[Any]:
            return await asyncio.gather(*coroutines, return_exceptions=True)

        return self.run(together())

    def close(self) -> None:
        """End the engine and the loop."""
        self.run(self.engine.stop(0))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)
        self._loop.close()
