"""HTTP as the server reads it: httptools, which is quick, with an end to whatever a client does not end.

A connection whose head does not end is closed, and so is one whose answer is not taken. Where the answer comes before
the end of the body, the rest is read and thrown away for a while: if the server closed the connection at once, the
system would reset it, and the client would lose the answer.
"""

from __future__ import annotations

from asyncio import TimerHandle, Transport
from collections.abc import Callable
from typing import Any

from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from nutgraf.service.answers import failure_of
from nutgraf.service.errors import Crowded

MOST_HEAD = 64 << 10
"""Bytes that the head of a request may have."""

HEAD_SECONDS = 30.0
"""Seconds that a head may take from its first byte, or a new connection until it has sent one."""

HASTY_SECONDS = 5.0
"""The same where connections are scarce."""

RESERVE = 8
"""One in so many of the connections is kept for those who ask for an address of `ALWAYS`, and to refuse others."""

ALWAYS = frozenset({b"/health", b"/ready", b"/version"})
"""Addresses that are answered however many connections there are."""

LINGER_SECONDS, LINGER_BYTES = 30.0, 1 << 30
"""Seconds and bytes for which the rest of a refused body is read and thrown away."""

TAKEN_EVERY, MIN_TAKEN = 30.0, 16 << 10
"""Seconds in which a client takes at least so many bytes of an answer that waits for it."""

FULL = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
"""Answer to a connection for which there is no room."""


class _Gentle:
    """A transport that is closed by way of its protocol, and that counts what is written."""

    def __init__(self, transport: Transport, close: Callable[[], None]) -> None:
        self.transport, self.close = transport, close
        self.written, self.lingers = 0, False

    def is_closing(self) -> bool:
        """Return True if nothing can be written any more."""
        return self.lingers or self.transport.is_closing()

    def write(self, data: bytes) -> None:
        """Write bytes, and count them."""
        self.written += len(data)
        self.transport.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.transport, name)


class BoundedHttp(HttpToolsProtocol):
    """The server's protocol, which ends a connection whose client does not go on."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._head = 0
        self._in_body = False
        self._left = LINGER_BYTES
        self._deadline: TimerHandle | None = None
        self._taking: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Wait for a request, or close the connection at once if there are too many."""
        self._own = transport
        self._gentle = _Gentle(transport, self._close)
        super().connection_made(self._gentle)  # type: ignore[arg-type]
        most = self.limit_concurrency
        if most is None or len(self.connections) <= most:
            self._wait_for_head()
            return
        transport.write(FULL)
        if len(self.connections) <= most + most // RESERVE:
            self._linger(HASTY_SECONDS)
        else:
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._stop_waiting()
        if self._taking is not None:
            self._taking.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what came; the bytes and seconds of a head are counted, and the bytes beside the content of a body."""
        if self._gentle.lingers:
            self._left -= len(data)
            if self._left < 0:
                self._own.abort()
            return
        self._head += len(data)
        if not self._in_body and self._deadline is None and self._head == len(data):
            self._wait_for_head()
        super().data_received(data)
        if self._head > MOST_HEAD and not self.transport.is_closing():
            part = "sizes of chunks and trailers" if self._in_body else "head of the request"
            self.send_400_response(f"The {part} {'are' if self._in_body else 'is'} too long.")

    def on_headers_complete(self) -> None:
        """Begin to count anew: what follows is a body, whose content the gate limits."""
        self._stop_waiting()
        self._head, self._in_body = 0, True
        self.app = _refuse if self._is_scarce() and self.url not in ALWAYS else self.config.loaded_app
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take content off the count, so that what is left is the sizes of chunks, their extensions and trailers."""
        self._head = max(self._head - 2 * len(body), -MOST_HEAD)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Begin to count the next head."""
        self._head, self._in_body = 0, False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """See to it that the answer is taken."""
        super().on_response_complete()
        self._watch_taking()

    def pause_writing(self) -> None:
        """See to it that the answer is taken."""
        super().pause_writing()
        self._watch_taking()

    def shutdown(self) -> None:
        """Close the connection when its answer is written, and at once if it has been."""
        if self._gentle.lingers:
            self._own.abort()
        super().shutdown()

    def _is_scarce(self) -> bool:
        """Return True if only the connections are left that are kept for special addresses."""
        most = self.limit_concurrency
        return most is not None and len(self.connections) > most - most // RESERVE

    def _wait_for_head(self) -> None:
        seconds = HASTY_SECONDS if self._is_scarce() else HEAD_SECONDS
        self._deadline = self.loop.call_later(seconds, self._own.close)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _close(self) -> None:
        """Close the connection; in the middle of a body, let the client come to its end first."""
        if self._in_body and self._own.can_write_eof() and not self._own.is_closing():
            self._linger(LINGER_SECONDS)
        else:
            self._own.close()

    def _linger(self, seconds: float) -> None:
        """Say that nothing more comes, and throw away what does, until the client closes the connection."""
        if not self._gentle.lingers:
            self._gentle.lingers = True
            self._own.write_eof()
            self.flow.resume_reading()
            self._stop_waiting()
            self._deadline = self.loop.call_later(seconds, self._own.abort)

    def _watch_taking(self) -> None:
        if self._taking is None and self._own.get_write_buffer_size():
            self._taking = self.loop.call_later(TAKEN_EVERY, self._check_taking, self._taken())

    def _check_taking(self, before: int) -> None:
        self._taking = None
        if self._own.get_write_buffer_size() and self._taken() - before < MIN_TAKEN:
            self._own.abort()
        else:
            self._watch_taking()

    def _taken(self) -> int:
        return self._gentle.written - self._own.get_write_buffer_size()


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer that there are too many connections."""
    response = failure_of(Crowded("There are too many connections; try again in a second.", 1)).response()
    response.headers["Connection"] = "close"
    await response(scope, receive, send)
