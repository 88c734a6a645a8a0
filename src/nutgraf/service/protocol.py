"""HTTP as the server reads it: httptools, which is quick, with an end to headers that do not end."""

from __future__ import annotations

from asyncio import TimerHandle, Transport
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEAD = 64 << 10
"""Bytes that the head of a request may have."""


HEAD_SECONDS = 30.0
"""Seconds that a head may take from its first byte, or a new connection until it has sent one."""

FULL = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
"""Answer to a connection for which there is no room."""


class BoundedHttp(HttpToolsProtocol):
    """The server's protocol, which ends a connection whose request does not come to the end of its head."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._head = 0
        self._deadline: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Wait for a request, or close the connection at once if there are too many."""
        super().connection_made(transport)
        if self.limit_concurrency is not None and len(self.connections) > self.limit_concurrency:
            transport.write(FULL)
            transport.close()
        else:
            self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what came; as long as the head goes on, its bytes and seconds are counted."""
        self._head += len(data)
        if self._deadline is None and self._head == len(data):
            self._wait_for_head()
        super().data_received(data)
        if self._head > MOST_HEAD and not self.transport.is_closing():
            self.send_400_response("The head of the request is too long.")

    def _wait_for_head(self) -> None:
        self._deadline = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def on_headers_complete(self) -> None:
        """Begin to count anew: what follows is a body, which the gate limits."""
        self._stop_waiting()
        self._head = -(1 << 62)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Begin to count the next head."""
        self._head = 0
        super().on_message_complete()
