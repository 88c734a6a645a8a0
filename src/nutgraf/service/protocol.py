"""HTTP as the server reads it: httptools, which is quick, with an end to headers that do not end."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEAD = 64 << 10
"""Bytes that the head of a request may have."""


class BoundedHttp(HttpToolsProtocol):
    """The server's protocol, which ends a connection whose request does not come to the end of its head."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._head = 0

    def data_received(self, data: bytes) -> None:
        """Read what came; as long as the head goes on, its bytes are counted."""
        self._head += len(data)
        super().data_received(data)
        if self._head > MOST_HEAD and not self.transport.is_closing():
            self.send_400_response("The head of the request is too long.")

    def on_headers_complete(self) -> None:
        """Begin to count anew: what follows is a body, which the gate limits."""
        self._head = -(1 << 62)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Begin to count the next head."""
        self._head = 0
        super().on_message_complete()
