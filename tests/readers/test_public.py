"""Pages that strangers name: public addresses only, whatever a name resolves to and wherever it redirects."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from nutgraf.errors import InputError
from nutgraf.readers import _public
from nutgraf.readers._public import is_public
from nutgraf.readers.reading import read_page

PAGE = b"<html><body><article><h1>The quay</h1><p>The ferry left the harbour at noon.</p></article>"

REACHED: list[str] = []
"""Paths that the server was asked for."""


class Server(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        REACHED.append(self.path)
        moved = self.path.startswith("/to/")
        self.send_response(302 if moved else 200)
        if moved:
            self.send_header("Location", f"http://{self.path[4:]}/secret")
        self.send_header("Content-Length", "0" if moved else str(len(PAGE)))
        self.end_headers()
        self.wfile.write(b"" if moved else PAGE)

    def log_message(self, *arguments: object) -> None:
        """Keep silent."""


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Port of a server on this machine, which stands for one of the internet where a test says so."""
    REACHED.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setattr(_public, "PORTS", {80, 443, server.server_port})
        yield server.server_port
        server.shutdown()


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:8.8.8.8",
        "fe80::1%eth0",
        "fc00::1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "2001:0:7f00:1::",
        "ff02::1",
    ],
)
def test_an_address_of_a_network_or_one_that_stands_for_another_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"])
def test_an_address_of_the_internet_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]"])
def test_this_machine_is_not_asked_however_it_is_written(port: int, host: str) -> None:
    with pytest.raises(InputError):
        read_page(f"http://{host}:{port}/")
    assert REACHED == []


def test_no_proxy_does_the_connecting(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{port}")
    with pytest.raises(InputError, match="public"):
        read_page(f"http://127.0.0.1:{port}/")
    assert REACHED == []


def test_other_ports_and_other_schemes_are_not_asked(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_public, "PORTS", {80, 443})
    for address in (f"http://8.8.8.8:{port}/", "http://8.8.8.8:22/", "file:///etc/passwd"):
        with pytest.raises(InputError):
            read_page(address)
    assert REACHED == []


def _resolving(monkeypatch: pytest.MonkeyPatch, port: int, *addresses: str) -> list[str]:
    """Let names of the test resolve to one address after the other, and this machine stand for 203.0.113.9."""
    asked: list[str] = []

    def resolve(host: str, number: int, *more: Any, **options: Any) -> list[Any]:
        asked.append(host)
        address = addresses[min(len(asked), len(addresses)) - 1]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, number))]

    monkeypatch.setattr(_public.socket, "getaddrinfo", resolve)
    monkeypatch.setattr(_public, "is_public", lambda address: address == "127.0.0.1")  # here, the internet
    return asked


def test_a_page_of_the_internet_is_read(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = _resolving(monkeypatch, port, "127.0.0.1")
    (document,) = read_page(f"http://quay.example:{port}/page")
    assert document.printed == ["The ferry left the harbour at noon."]
    assert (document.name, asked, REACHED) == (f"http://quay.example:{port}/page", ["quay.example"], ["/page"])


def test_a_redirection_is_checked_as_the_address_was(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    _resolving(monkeypatch, port, "127.0.0.1", "10.0.0.5")
    with pytest.raises(InputError, match=r"inside\.example"):
        read_page(f"http://quay.example:{port}/to/inside.example:{port}")
    assert len(REACHED) == 1


def test_a_name_with_one_private_address_among_others_is_not_asked(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    both = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in ("93.184.216.34", "10.0.0.5")]
    monkeypatch.setattr(_public.socket, "getaddrinfo", lambda *arguments, **options: both)
    with pytest.raises(InputError, match="public"):
        read_page(f"http://quay.example:{port}/")
