"""Pages from the web, for those who ask for them; no other reader opens a connection."""

from __future__ import annotations

import http.client
import io
import time
import urllib.error
import urllib.parse
import urllib.request

from nutgraf.errors import InputError
from nutgraf.readers._public import PublicHTTP, PublicHTTPS
from nutgraf.runtime.lines import UNPACKING_ERRORS, unpacked
from nutgraf.version import __version__

MOST_FETCHED = 20 << 20
"""Maximum size of a page in bytes, as it comes and unpacked."""

SECONDS = 30
"""Time after which fetching is given up."""

SILENCE = 10
"""Seconds without a byte after which fetching is given up."""

MOST_REDIRECTIONS = 5

_PIECE = 1 << 16
_KEPT = "/%:@!$&'()*+,;=~?"


def fetch(address: str, public: bool = False) -> bytes:
    """Return what stands at an address of HTTP.

    Proxies are taken from the environment, as other programs do. Certificates are verified. Nothing of the page is run,
    and nothing that it links to is fetched.

    Args:
        address: The address.
        public: Connect to public addresses only, and without a proxy, which would do the connecting.
    """
    ends = time.monotonic() + SECONDS
    try:
        request = urllib.request.Request(
            _ascii(address), headers={"User-Agent": f"nutgraf/{__version__}", "Accept-Encoding": "identity"}
        )
        with _opener(public).open(request, timeout=SILENCE) as response:
            return _content(response, address, ends)
    except urllib.error.HTTPError as error:
        raise InputError(f"{address} cannot be fetched: {_answer(error)}.") from error
    except UnicodeError as error:
        raise InputError(
            f"{address} cannot be fetched: no computer can have the name in it; check the address."
        ) from error
    except (OSError, ValueError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise InputError(f"{address} cannot be fetched: {getattr(reason, 'strerror', None) or reason}.") from error


def _content(response: http.client.HTTPResponse, address: str, ends: float) -> bytes:
    pieces, size = [], 0
    while piece := response.read1(_PIECE):
        pieces.append(piece)
        size += len(piece)
        if size > MOST_FETCHED:
            raise InputError(f"{address} is larger than {MOST_FETCHED >> 20} MB; save it, and name the file.")
        if time.monotonic() > ends:
            raise InputError(f"{address} takes longer than {SECONDS} seconds to fetch; save it, and name the file.")
    if response.length:
        raise InputError(f"{address} broke off: {response.length:,} bytes are missing. Try again, or save it.")
    return _unpacked(b"".join(pieces), address)


def _unpacked(data: bytes, address: str) -> bytes:
    """Return what was fetched, decompressed if it is a compressed file."""
    try:
        content = unpacked(io.BufferedReader(io.BytesIO(data))).read(MOST_FETCHED + 1)
    except UNPACKING_ERRORS as error:
        raise InputError(f"{address} cannot be unpacked: {error}.") from error
    if len(content) > MOST_FETCHED:
        raise InputError(f"{address} unpacks to more than {MOST_FETCHED >> 20} MB; save it, and name the file.")
    return content


def _answer(error: urllib.error.HTTPError) -> str:
    """Say in words what a server answers in the place of a page."""
    if error.msg.startswith(_Redirections.inf_msg):
        return f"it leads to itself, or on more than {MOST_REDIRECTIONS} times; give the address of the page itself"
    return f"the server answers {error.code} {error.reason}"


def _ascii(address: str) -> str:
    """Write an address as HTTP does: names of hosts in Punycode, other characters as %XX."""
    if address.isascii():
        return address
    scheme, host, path, query, _ = urllib.parse.urlsplit(address)
    host = host.encode("idna").decode()
    return urllib.parse.urlunsplit(
        (scheme, host, urllib.parse.quote(path, _KEPT), urllib.parse.quote(query, _KEPT), "")
    )


class _Redirections(urllib.request.HTTPRedirectHandler):
    max_redirections = MOST_REDIRECTIONS


def _anywhere() -> tuple[urllib.request.BaseHandler, ...]:
    return urllib.request.ProxyHandler(), urllib.request.HTTPHandler(), urllib.request.HTTPSHandler()


def _opener(public: bool) -> urllib.request.OpenerDirector:
    """Open addresses of HTTP only: without the handlers of urllib for files, FTP and data."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        *((PublicHTTP(), PublicHTTPS()) if public else _anywhere()),
        urllib.request.HTTPDefaultErrorHandler(),
        _Redirections(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.UnknownHandler(),
    ):
        opener.add_handler(handler)
    return opener
