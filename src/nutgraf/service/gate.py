"""The gate: what happens to every request before and after its route.

Hosts, origins and tokens are checked, bodies are cut off at their limit, headers are added, and a line is logged. It is
one plain ASGI application around the other, so that answers are streamed through it untouched.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nutgraf.errors import ServiceError
from nutgraf.service import log
from nutgraf.service.answers import Failure, failure_of
from nutgraf.service.errors import Crowded, TooLarge
from nutgraf.service.limits import Limits
from nutgraf.service.metrics import Metrics
from nutgraf.service.security import (
    CHALLENGE,
    CHALLENGE_OF_BROWSERS,
    HEADERS,
    Tokens,
    bare_host,
    is_foreign,
    is_loopback,
)
from nutgraf.service.times import OF_REQUEST, Times

WATCHED = frozenset({"/health", "/ready", "/metrics"})
"""Addresses that are no news in the log."""

OPEN = frozenset({"/health", "/ready", "/version", "/openapi.json"})
"""Addresses that need no token."""

_WORKING = ("minutes", "agreement", "changes", "answer", "check", "phrases", "score", "summarize", "chat/completions")

WORK = frozenset(f"/v1/{name}" for name in _WORKING)
"""Addresses whose requests wait in the queue; one that finds it full is refused before it is routed or read."""

PATIENCE, SLOWEST = 30.0, 50_000
"""Seconds that a body may take, and further ones for so many bytes each."""

BUSY, LOG_EVERY = 429, 1.0
"""Status of requests that find the queue full, and seconds in which all of these have one line in the log: writing one
for each would take time from those that are answered, when there is least of it."""

DRAINED = 4 << 20
"""Bytes of a refused body that are read before the answer. After the answer to a longer one, the connection ends."""

UNCOUNTED = 64 << 10
"""Bytes of each body that are not counted among those that are held, so that large bodies leave room for small ones."""

ROOM_AFTER = 5
"""Seconds after which a client for whose body there is no room may try again."""

ADDED = [(key.lower().encode(), value.encode()) for key, value in HEADERS.items()]
"""Headers of every answer that does not set its own, as the server sends them."""

GONE = 499
"""Status in the log of a client that left before its answer."""


@dataclass
class _Seen:
    """Facts about a request, for its line in the log."""

    times: Times = field(default_factory=Times)
    status: int = 0
    received: int = 0
    held: int = 0
    started: bool = False
    unread: bool = False
    refused: bool = False


class Gate:
    """Checks requests and counts answers."""

    def __init__(
        self, app: ASGIApp, *, admit: Callable[[], None], limits: Limits, tokens: Tokens, local: bool, metrics: Metrics
    ) -> None:
        """Put a gate before an application.

        A service that is `local` must also be addressed so: a page could have its own name lead to this machine.
        """
        self.app, self.admit = app, admit
        self.limits, self.tokens, self.local, self.metrics = limits, tokens, local, metrics
        self._refused = self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        seen = _Seen(unread=_declared(headers) > DRAINED or "transfer-encoding" in headers or _asks_first(headers))
        OF_REQUEST.set(seen.times)
        name = uuid.uuid4().hex
        scope.setdefault("state", {})["request_id"] = name
        answer = self._answering(send, seen, name)
        limited = self._limited(receive, seen)
        try:
            await self._let_in(scope, headers, limited, seen)
            await self.app(scope, limited, answer)
        except ClientDisconnect:
            seen.status = GONE
        except Exception as error:
            failure = failure_of(error)
            if failure.status >= 500 and not isinstance(error, ServiceError):
                log.LOGGER.error("request failed", exc_info=error, extra={"fields": {"request": name}})
            if not seen.started:
                await failure.response()(scope, receive, answer)
        finally:
            self._held -= seen.held
            self._tell(scope, seen, name)

    async def _let_in(self, scope: Scope, headers: Headers, receive: Receive, seen: _Seen) -> None:
        """Raise Failure, TooLarge or Busy if a request may not come in, once a body that is not long has been read.

        A client that is still sending may never read an answer that comes before the end of its body. One that asks
        before it sends (`Expect: 100-continue`) reads it at once.
        """
        try:
            self._check(scope, headers)
        except Exception:
            seen.refused = True
            if 0 < _declared(headers) <= DRAINED and not _asks_first(headers):
                with suppress(Failure, TooLarge):
                    while (await receive()).get("more_body", False):
                        pass
            raise

    def _check(self, scope: Scope, headers: Headers) -> None:
        """Raise Failure, TooLarge or Busy if a request may not come in."""
        if self.local and not is_loopback(bare_host(headers)):
            raise Failure(
                403, "wrong_host", "This service answers only to the name of this machine, such as 127.0.0.1."
            )
        if scope["method"] not in ("GET", "HEAD") and is_foreign(headers):
            raise Failure(403, "cross_site", "Pages of other sites may not use this service.")
        if scope["path"] not in OPEN and not self.tokens.accept(headers.get("authorization", "")):
            said = "A token is needed: send the header “Authorization: Bearer TOKEN”, or the token as a password."
            asked = CHALLENGE_OF_BROWSERS if "text/html" in headers.get("accept", "") else CHALLENGE
            raise Failure(401, "unauthorized", said, headers=(("WWW-Authenticate", asked),))
        if _declared(headers) > self.limits.bytes:
            raise self._too_large()
        self._check_room(_declared(headers) - UNCOUNTED)
        if scope["method"] == "POST" and scope["path"] in WORK:
            self.admit()

    def _limited(self, receive: Receive, seen: _Seen) -> Receive:
        whole, began = False, 0.0

        async def limited() -> Message:
            nonlocal whole, began
            began = began or asyncio.get_running_loop().time()
            try:
                async with asyncio.timeout_at(None if whole else began + PATIENCE + seen.received / SLOWEST):
                    message = await receive()
            except TimeoutError:
                raise Failure(408, "too_slow", "The body came too slowly, or not to its end.") from None
            whole = not message.get("more_body", False)
            seen.unread = seen.unread and not whole
            seen.received += len(message.get("body", b""))
            if seen.received > self.limits.bytes:
                raise self._too_large()
            if not seen.refused:
                self._hold(seen)
            return message

        return limited

    def _answering(self, send: Send, seen: _Seen, name: str) -> Send:
        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                seen.started, seen.status = True, message["status"]
                given = list(message.get("headers", ()))
                names = {key.lower() for key, _ in given}
                given += [(key, value) for key, value in ADDED if key not in names]
                if seen.unread:  # what is left of the body is not worth the connection
                    given.append((b"connection", b"close"))
                given += [(b"x-request-id", name.encode()), (b"server-timing", seen.times.header().encode())]
                message = {**message, "headers": given}
            await send(message)

        return answer

    def _hold(self, seen: _Seen) -> None:
        """Count the bytes of a body that came, until its request ends. Raises Crowded if there is no room for them."""
        more = max(0, seen.received - UNCOUNTED) - seen.held
        self._check_room(more)
        seen.held += more
        self._held += more

    def _check_room(self, more: int) -> None:
        if more > 0 and self._held + more > self.limits.held_bytes:
            raise Crowded(
                "The bodies of other requests leave no room for this one; try again in a few seconds.", ROOM_AFTER
            )

    def _too_large(self) -> TooLarge:
        return TooLarge(f"The body is too large; the most are {self.limits.bytes:,} bytes.")

    def _tell(self, scope: Scope, seen: _Seen, name: str) -> None:
        seconds = time.monotonic() - seen.times.began
        route = getattr(scope.get("route"), "path", "") or (scope["path"] if scope["path"] in WORK else "")
        self.metrics.count(route, scope["method"], seen.status, seconds)
        if seen.status == BUSY:
            if not self._refused:
                asyncio.get_running_loop().call_later(LOG_EVERY, self._tell_of_refusals)
            self._refused += 1
            return
        fields: dict[str, Any] = {"method": scope["method"], "route": route, "status": seen.status}
        with suppress(KeyError, TypeError):
            fields["client"] = scope["client"][0]
        if scope["path"] in WATCHED and seen.status < 400:
            return  # asked for every few seconds
        log.event("request", request=name, **fields, bytes=seen.received, seconds=round(seconds, 4))

    def _tell_of_refusals(self) -> None:
        count, self._refused = self._refused, 0
        log.event("requests refused", status=BUSY, count=count, seconds=LOG_EVERY)


def _declared(headers: Headers) -> int:
    """Return the length of a body by its header; 0 where there is none."""
    declared = headers.get("content-length", "0")
    return int(declared[:20]) if declared.isdecimal() else 0


def _asks_first(headers: Headers) -> bool:
    """Return True if a client waits for leave to send its body."""
    return headers.get("expect", "").lower() == "100-continue"
