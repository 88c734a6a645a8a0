"""Lines of an assistant's client, each a message of JSON-RPC; a line that is none gets an error for an answer."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from typing import Any, BinaryIO

import anyio.to_thread
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, jsonrpc_message_adapter
from pydantic import ValidationError
from pydantic_core import from_json

from nutgraf.service.errors import TooLarge
from nutgraf.service.shape import check_shape

REST = 1 << 20
"""Bytes in which the rest of a line that is too long is read and thrown away."""

MESSAGE = (
    'A message is an object with "jsonrpc": "2.0", a "method" that is a text, and "params" that are an object; '
    'an "id" is a text or a whole number. Several messages have a line each.'
)


class Lines:
    """Lines of a stream as the transport of the protocol's SDK reads them."""

    def __init__(self, stream: BinaryIO, most_bytes: int) -> None:
        """Read from a stream."""
        self._stream, self._most_bytes = stream, most_bytes
        self._answer: Callable[[JSONRPCError], Awaitable[None]] | None = None
        self._begun = anyio.Event()

    @classmethod
    def of_stdin(cls, most_bytes: int) -> Lines:
        """Read from a descriptor of its own: at the end, Python waits for whoever still reads by `sys.stdin`."""
        return cls(os.fdopen(os.dup(0), "rb", closefd=False), most_bytes)

    def begin(self, answer: Callable[[JSONRPCError], Awaitable[None]]) -> None:
        """Begin to read."""
        self._answer = answer
        self._begun.set()

    def __aiter__(self) -> Lines:
        return self

    async def __anext__(self) -> str:
        """Return the next message."""
        await self._begun.wait()
        assert self._answer is not None
        while line := await anyio.to_thread.run_sync(self._read, abandon_on_cancel=True):
            too_long = f"The line is too long; the most are {self._most_bytes:,} bytes."
            wrong = _wrong(line) if len(line) <= self._most_bytes else _error(INVALID_REQUEST, too_long)
            if wrong is None:
                return line.decode()
            await self._answer(wrong)
        raise StopAsyncIteration

    def _read(self) -> bytes:
        """Return the next line; of one that is too long, only the beginning."""
        line = self._stream.readline(self._most_bytes + 1)
        rest = line
        while len(line) > self._most_bytes and rest and not rest.endswith(b"\n"):
            rest = self._stream.readline(REST)
        return line


def _wrong(line: bytes) -> JSONRPCError | None:
    """Return the answer to a line that is no message; None for a message."""
    try:
        line.decode()
        check_shape(line)
        content = from_json(line)
    except UnicodeDecodeError:
        return _error(PARSE_ERROR, "The line is not UTF-8.")
    except TooLarge as error:
        return _error(INVALID_REQUEST, str(error))
    except ValueError as error:
        return _error(PARSE_ERROR, f"The line is not JSON: {error}.")
    given = content.get("id") if isinstance(content, dict) else None
    id_ = given if isinstance(given, str | int) and not isinstance(given, bool) else None
    if isinstance(content, dict) and "method" in content and "id" in content and id_ is None:
        return _error(INVALID_REQUEST, MESSAGE)  # the SDK would take it for a notification
    try:
        jsonrpc_message_adapter.validate_python(content, by_name=False)
        _check_arguments(content)
    except ValidationError:
        return _error(INVALID_REQUEST, MESSAGE, id_)
    except TooLarge as error:
        return _error(INVALID_REQUEST, str(error), id_)
    return None


def _check_arguments(content: dict[str, Any]) -> None:
    """Check the shape of arguments that are JSON within a text, which the SDK parses. Raises TooLarge."""
    arguments = (content.get("params") or {}).get("arguments")
    for value in arguments.values() if isinstance(arguments, dict) else ():
        if isinstance(value, str) and value.lstrip().startswith(("[", "{")):
            check_shape(value.encode())


def _error(code: int, message: str, id_: str | int | None = None) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=id_, error=ErrorData(code=code, message=message))
