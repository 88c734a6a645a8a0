"""Client of a server that speaks chat completions: time limits, retries with jitter, errors in sentences."""

from __future__ import annotations

import json
import os
import random
import time
from typing import Any

import httpx

from nutgraf.errors import InputError
from nutgraf.metadata import Shape, mismatch

KEY = "NUTGRAF_ENDPOINT_KEY"
"""Variable of the environment that holds the key, if the server wants one."""

LARGEST = 1 << 24
"""Bytes of an answer."""

DELAY = 0.5
"""Seconds before the first repetition, on average; each further one waits twice as long."""

LONGEST_DELAY = 30.0

QUOTED = 200
"""Characters of a server's message that are quoted."""

_SHAPE: Shape = {"choices": [{"message": {"content": str}}]}


class _Transient(Exception):
    """A failure after which the same request may succeed; its text goes on after the server's name."""

    def __init__(self, told: str, after: float | None = None) -> None:
        super().__init__(told)
        self.after = after


class ChatClient:
    """Sends prompts to a server.

    Args:
        url: Address up to and with /v1.
        model: Name of the model, as the server knows it.
        timeout: Seconds that an answer may take.
        retries: Number of repetitions of a request that failed for want of a connection, or as the server was busy.
    """

    def __init__(self, url: str, model: str, timeout: float, retries: int) -> None:
        self.url, self._model, self._timeout, self._retries = url.rstrip("/"), model, timeout, retries

    def complete(self, prompt: str, **options: Any) -> tuple[str, bool]:
        """Return the answer to a prompt, and True if the model ended it by itself.

        Args:
            prompt: What the user says.
            options: Further parts of the request.

        Raises:
            InputError: If there is no answer, or it is no chat completion.
        """
        request = {"model": self._model, "messages": [{"role": "user", "content": prompt}], "stream": False, **options}
        for tried in range(self._retries + 1):
            try:
                return self._parsed(self._sent(request))
            except _Transient as error:
                told = str(error)
                wait = min(LONGEST_DELAY, error.after or DELAY * 2**tried) * random.uniform(0.5, 1.5)
            if tried < self._retries:
                time.sleep(wait)
        times = "once" if self._retries == 0 else f"{self._retries + 1} times"
        raise InputError(f"{self.url} {told}; it was asked {times}.")

    def _sent(self, request: dict[str, Any]) -> bytes:
        """Return the answer within the time limit, even if it comes drop by drop."""
        key = os.environ.get(KEY)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        end = time.monotonic() + self._timeout
        found = b""
        try:
            with httpx.stream(
                "POST", f"{self.url}/chat/completions", json=request, headers=headers, timeout=self._timeout
            ) as answer:
                for part in answer.iter_bytes():
                    found += part
                    if time.monotonic() > end:
                        raise httpx.ReadTimeout("drop by drop")
                    if len(found) > LARGEST:
                        raise InputError(f"{self.url} answers with more than {LARGEST >> 20} MB.")
        except httpx.TimeoutException as error:
            raise _Transient(f"does not answer within {self._timeout:g} seconds (endpoint.timeout)") from error
        except httpx.TransportError as error:
            raise _Transient(f"cannot be reached ({type(error).__name__})") from error
        except (httpx.InvalidURL, UnicodeError) as error:
            raise InputError(f"{self.url} is no address: {error}.") from error
        self._refuse(answer, found)
        return found

    def _refuse(self, answer: httpx.Response, found: bytes) -> None:
        """Raise InputError, or _Transient, unless the server has done what it was asked."""
        status = answer.status_code
        if status == 200:
            return
        said = " ".join(found.decode("utf-8", "replace").split())[:QUOTED]
        if status in (401, 403):
            wrong = "refuses the key" if os.environ.get(KEY) else "wants a key"
            raise InputError(f"{self.url} {wrong} (status {status}): put the right one into the variable {KEY}.")
        if status == 404:
            raise InputError(
                f"{self.url} has no model {self._model!r}, or no chat completions at this address, which as a rule "
                f"ends in /v1 (status 404: {said})."
            )
        if status in (408, 409, 425, 429) or status >= 500:
            after = answer.headers.get("Retry-After", "")
            raise _Transient(
                f"is busy or has failed (status {status}: {said})", float(after) if after.isdigit() else None
            )
        raise InputError(f"{self.url} does not take the request (status {status}: {said}).")

    def _parsed(self, found: bytes) -> tuple[str, bool]:
        try:
            content = json.loads(found)
            wrong = mismatch(content, _SHAPE) or ("" if content["choices"] else "it has no choice")
        except (ValueError, RecursionError):
            wrong = "it is no JSON"
        if wrong:
            raise InputError(f"{self.url} answers, but not with a chat completion: {wrong}.")
        choice = content["choices"][0]
        return choice["message"]["content"], choice.get("finish_reason") != "length"
