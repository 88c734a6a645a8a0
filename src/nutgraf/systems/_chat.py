"""Client of a server that speaks chat completions: time limits, retries with jitter, errors in sentences."""

from __future__ import annotations

import os
import random
import time
from dataclasses import dataclass
from typing import Any

import httpx

from nutgraf.errors import InputError
from nutgraf.runtime.metadata import load

KEY = "NUTGRAF_ENDPOINT_KEY"
"""Variable of the environment that holds the key, if the server wants one."""

LARGEST = 1 << 24
"""Bytes of an answer."""

DELAY = 0.5
"""Seconds before the first repetition, on average; each further one waits twice as long."""

LONGEST_DELAY = 30.0

QUOTED = 200
"""Characters of a server's message that are quoted."""

SURROUNDINGS = frozenset({"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR"})
"""Variables of the environment that name proxies, in letters of either size, and certificates."""


@dataclass(frozen=True)
class _Message:
    content: str


@dataclass(frozen=True)
class _Choice:
    message: _Message
    finish_reason: str | None = None


@dataclass(frozen=True)
class _Completion:
    choices: tuple[_Choice, ...]


class _Transient(Exception):
    """A failure after which the same request may succeed; its text goes on after the server's name."""

    def __init__(self, told: str, after: float | None = None) -> None:
        super().__init__(told)
        self.after = after


class ChatClient:
    """Sends prompts to a server; what it is made with is said at `nutgraf.systems.endpoint.Server`."""

    def __init__(self, url: str, model: str, timeout: float, retries: int) -> None:
        self.url, self._model, self._timeout, self._retries = url.rstrip("/"), model, timeout, retries

    def complete(self, prompt: str, **options: Any) -> tuple[str, bool]:
        """Return the answer to a prompt, and True if the model ended it by itself.

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
        key = _key()
        headers = {"Accept-Encoding": "identity"} | ({"Authorization": f"Bearer {key}"} if key else {})
        found = bytearray()
        try:
            with (
                _client(self._timeout) as client,
                client.stream("POST", f"{self.url}/chat/completions", json=request, headers=headers) as answer,
            ):
                if answer.headers.get("Content-Encoding", "identity").lower() != "identity":
                    raise InputError(f"{self.url} compresses its answer, although it is asked not to.")
                end = time.monotonic() + self._timeout
                for part in answer.iter_raw():
                    found += part
                    if time.monotonic() > end:
                        raise httpx.ReadTimeout("too late")
                    if len(found) > LARGEST:
                        raise InputError(f"{self.url} answers with more than {LARGEST >> 20} MB.")
        except httpx.TimeoutException as error:
            seconds = f"{self._timeout:g} second{'' if self._timeout == 1 else 's'}"
            raise _Transient(f"does not answer within {seconds} (endpoint.timeout)") from error
        except httpx.TransportError as error:
            garbled = isinstance(error, httpx.RemoteProtocolError)
            failed = "breaks off its answer, or does not speak HTTP" if garbled else "cannot be reached"
            raise _Transient(f"{failed} ({type(error).__name__})") from error
        except (httpx.InvalidURL, UnicodeError) as error:
            raise InputError(f"{self.url} is no address: {error}.") from error
        self._refuse(answer, bytes(found))
        return bytes(found)

    def _refuse(self, answer: httpx.Response, found: bytes) -> None:
        """Raise InputError, or _Transient, unless the server has done what it was asked."""
        status = answer.status_code
        if status == 200:
            return
        said = " ".join(found.decode("utf-8", "replace").split()).replace(os.environ.get(KEY) or "\n", "…")[:QUOTED]
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
            seconds = float(after) if after.isascii() and after.isdigit() else None
            raise _Transient(f"is busy or has failed (status {status}: {said})", seconds)
        raise InputError(f"{self.url} does not take the request (status {status}: {said}).")

    def _parsed(self, found: bytes) -> tuple[str, bool]:
        try:
            choices = load(found.decode(), _Completion).choices
        except ValueError as error:
            raise InputError(f"{self.url} answers, but not with a chat completion: {error}.") from error
        if not choices:
            raise InputError(f"{self.url} answers, but not with a chat completion: it has no choice.")
        return choices[0].message.content, choices[0].finish_reason != "length"


def _key() -> str:
    """Return the key, or "" if there is none. Raises InputError if it holds a character that no header can hold."""
    key = os.environ.get(KEY, "")
    wrong = next((character for character in key if not "!" <= character <= "~"), None)
    if wrong is not None:
        raise InputError(
            f"The variable {KEY} holds a character that cannot be sent: {wrong!a}. A key has ASCII letters, "
            "digits and punctuation, and no white space."
        )
    return key


def _client(timeout: float) -> httpx.Client:
    """Return a client with the proxies and certificates of the environment. Raises InputError if they are of no use."""
    try:
        return httpx.Client(timeout=timeout)
    except (OSError, ImportError, ValueError, httpx.InvalidURL) as error:
        named = ", ".join(sorted(name for name in os.environ if name.upper() in SURROUNDINGS)) or "the system"
        socks = "; SOCKS needs pip install 'httpx[socks]'" if isinstance(error, ImportError) else ""
        raise InputError(
            f"The proxy or the certificates that {named} names cannot be used ({type(error).__name__}){socks}."
        ) from error
