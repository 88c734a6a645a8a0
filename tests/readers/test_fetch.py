"""Pages from the web: only when asked for, only by HTTP, and only so much."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from nutgraf.errors import InputError
from nutgraf.readers import _fetch
from nutgraf.readers.reading import read

PAGE = (
    b"<html><body><article><h1>The quay</h1><p>The ferry left the harbour at noon with forty passengers.</p></article>"
)


class Server(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path in ("/page.html", "/br%C3%BCcke"):
            self.answer(200, PAGE)
        elif self.path == "/short":
            self.answer(200, PAGE, **{"Content-Length": str(len(PAGE) + 1200)})
            self.close_connection = True
        elif self.path == "/large":
            self.answer(200, b"x" * 2000)
        elif self.path == "/packed":
            self.answer(200, gzip.compress(b"x" * 2000))
        elif self.path == "/broken":
            self.answer(200, gzip.compress(b"x" * 200)[:-9])
        elif self.path == "/page.gz":
            self.answer(200, gzip.compress(PAGE))
        elif self.path == "/moved":
            self.answer(302, b"", location="/page.html")
        elif self.path == "/file":
            self.answer(302, b"", location="file:///etc/hostname")
        elif self.path == "/round":
            self.answer(302, b"", location="/round")
        else:
            self.answer(404, b"nothing here")

    def answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Keep silent."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")


@pytest.mark.parametrize("path", ["/page.html", "/page.gz", "/moved", "/brücke"])
def test_a_page_is_read_and_has_its_address_as_name(address: str, path: str) -> None:
    (document,) = read(address + path, fetch=True)
    assert document.printed == ["The ferry left the harbour at noon with forty passengers."]
    assert document.name == address + path


def test_nothing_is_fetched_unasked(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_fetch, "_opener", lambda public: pytest.fail("a connection was opened"))
    with pytest.raises(InputError, match="--fetch"):
        read(address + "/page.html?one=1")


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/none", "404"),
        ("/file", "302"),
        ("/round", "5 times"),
        ("/large", "larger"),
        ("/packed", "unpacks"),
        ("/broken", "unpacked"),
        (":99999/", "fetched"),
    ],
)
def test_what_cannot_be_fetched_is_told(address: str, path: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_fetch, "MOST_FETCHED", 1000)
    with pytest.raises(InputError, match=message):
        read(address + path, fetch=True)


@pytest.mark.parametrize("host", ["....", f"{'x' * 64}.example"])
def test_a_name_that_no_computer_can_have_is_told(host: str) -> None:
    with pytest.raises(InputError, match="computer"):
        read(f"http://{host}/", fetch=True)


def test_a_page_that_breaks_off_is_not_summarized(address: str) -> None:
    with pytest.raises(InputError, match="1,200 bytes"):
        read(f"{address}/short", fetch=True)


def test_a_page_that_never_ends_is_given_up(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_fetch, "SECONDS", -1)
    with pytest.raises(InputError, match="longer"):
        read(address + "/page.html", fetch=True)
