"""Tokens that clients show, and headers that keep a browser from doing what no page of ours asks for."""

from __future__ import annotations

import hashlib
import hmac
import os
from base64 import b64decode
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from nutgraf.errors import InputError

VARIABLE = "NUTGRAF_TOKENS"
"""Environment variable with tokens, separated by white space."""

FEWEST_CHARACTERS = 16
"""Length of a token from which it cannot be guessed by trying."""

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

CHALLENGE = "Bearer"
"""Header `WWW-Authenticate` for programs."""

CHALLENGE_OF_BROWSERS = 'Basic realm="nutgraf: any name, and a token as the password", charset="UTF-8"'
"""Header `WWW-Authenticate` on which a browser asks its user."""

HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
"""Headers of every answer that does not set its own."""

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1", "[::1]"})


@dataclass(frozen=True)
class Tokens:
    """Tokens, by their SHA-256, of which a client must show one; anybody may ask if there are none."""

    digests: tuple[bytes, ...] = ()

    @classmethod
    def of(cls, tokens: Iterable[str]) -> Tokens:
        """Return tokens by their texts. Raises InputError if one can be guessed."""
        found = list(tokens)
        if any(len(token) < FEWEST_CHARACTERS for token in found):
            raise InputError(
                f"A token has at least {FEWEST_CHARACTERS} characters, so that nobody guesses it; "
                "python -c 'import secrets; print(secrets.token_urlsafe())' makes one."
            )
        return cls(tuple(map(_digest, found)))

    def __bool__(self) -> bool:
        return bool(self.digests)

    def accept(self, authorization: str) -> bool:
        """Return True if a header shows one of the tokens, as `Bearer`, or as the password of `Basic` with any name.

        No wrong token takes longer than another.
        """
        if not self.digests:
            return True
        shown = _digest(_shown(authorization))
        found = [hmac.compare_digest(shown, one) for one in self.digests]
        return any(found)


def read_tokens(path: str | None) -> Tokens:
    """Return the tokens of a file, one a line, and of the environment variable NUTGRAF_TOKENS.

    Args:
        path: The file; None for none. Lines that are empty or begin with # are left out.

    Raises:
        InputError: If the file cannot be read or has no token, or a token can be guessed.
    """
    tokens = os.environ.get(VARIABLE, "").split()
    if path is not None:
        try:
            lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"The tokens in {path} cannot be read: {error}.") from error
        found = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
        if not found:
            raise InputError(f"{path} has no token; write one a line.")
        tokens += found
    return Tokens.of(tokens)


def is_foreign(headers: Mapping[str, str]) -> bool:
    """Return True if a browser sent a request for a page of another site.

    Browsers of today say `Sec-Fetch-Site`, except over plain HTTP to another machine; then `Origin` names the site of
    the page. Programs send neither.
    """
    site = headers.get("sec-fetch-site", "").lower()
    if site:
        return site in ("cross-site", "same-site")
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2].lower() != headers.get("host", "").lower()


def bare_host(headers: Mapping[str, str]) -> str:
    """Return the name by which a request addresses this machine: its header `Host` in lower case, without the port."""
    host = headers.get("host", "").rpartition("@")[2].lower()
    return host.rsplit(":", 1)[0] if not host.endswith("]") else host


def is_loopback(host: str) -> bool:
    """Return True for an address that only this machine reaches."""
    return host.lower() in LOOPBACK


def _shown(authorization: str) -> str:
    """Token that a header shows; "", which is none, for a header that cannot be read."""
    scheme, _, given = authorization.partition(" ")
    if scheme.lower() == "bearer":
        return given.strip()
    with suppress(ValueError):
        if scheme.lower() == "basic":
            return b64decode(given).decode().partition(":")[2]
    return ""


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode(errors="surrogateescape")).digest()
