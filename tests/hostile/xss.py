"""Opens reports and judges' sheets full of injected markup in Chromium and uses them: nothing may run, and no request
may leave the page.

Run by `make campaign NAME=xss`. Every page is opened as it is, and once more without its policy, so that escaping alone
must hold. A control shows that the strings do run where nobody escapes them, and that this harness would notice.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the small network of the tests

from injections import (
    ALL_PLACES,
    OUTSIDE,
    Harmless,
    Marker,
    Payload,
    faults_of,
    nothing_escaped,
    page_of_files,
    page_of_network,
    page_of_records,
    pages_of_study,
    payloads,
    place_of,
    shapes_of,
)
from lxml import html

from nutgraf.errors import NutgrafError

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--no-proxy-server",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
    "--disable-default-apps", "--disable-extensions", "--disable-popup-blocking", "--mute-audio",
    "--disable-background-timer-throttling", "--disable-renderer-backgrounding", "--window-size=1300,900",
    "--force-prefers-reduced-motion",
)  # fmt: skip

LIMIT = 3600.0
"""Seconds that one visit of all pages may take."""

LIVE = 0.75
"""Share of the payloads that must run, or send a request, in the control."""

SAMPLED = 5
"""Of so many payloads, one is drawn into a report that escapes nothing. It has no factor in common with the number of
elements that follow each end of a context, so that each of them is drawn."""

_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>\n')
_HARNESS = Path(__file__).with_suffix(".html").read_bytes()


@dataclass
class Visit:
    """Result of opening pages.

    Attributes:
        executed: Numbers of the payloads that ran.
        requests: What was asked for that no report may ask for.
        visited: For each page whether it was loaded and used, and the shapes of its elements.
    """

    executed: list[int] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    visited: list[dict[str, Any]] = field(default_factory=list)

    @property
    def numbers(self) -> set[int]:
        """Numbers of the payloads that ran or sent a request."""
        asked = (re.search(rf"{OUTSIDE}/(?:ran/)?(\d+)", request) for request in self.requests)
        return {*self.executed, *(int(found[1]) for found in asked if found)}


class Server(ThreadingHTTPServer):
    """Serves the pages under /1, /2, …, the harness under /, and notes every other request."""

    daemon_threads = True

    def __init__(self, pages: Sequence[str], label: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.pages = pages
        self.label = label
        self.visit = Visit()
        self.done = threading.Event()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that hangs up is no error."""


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        own = self.headers.get("Host") == self.server.address
        number = self.path[1:]
        if own and self.path == "/":
            self._send(_HARNESS, "text/html")
        elif own and self.path == "/pages":
            addresses = [f"/{number}" for number in range(len(self.server.pages))]
            self._send(json.dumps(addresses).encode(), "application/json")
        elif own and number.isdecimal() and int(number) < len(self.server.pages):
            self._send(self.server.pages[int(number)].encode("utf-8", "replace"), "text/html")
        elif own and self.path == "/favicon.ico":
            self._send(b"", "image/x-icon")
        else:
            self._note()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.headers.get("Host") != self.server.address or self.path not in ("/progress", "/done"):
            self._note()
            return
        payload = json.loads(body)
        if self.path == "/done":
            self.server.visit.executed = payload["executed"]
            self.server.visit.visited = payload["visited"]
            self.server.done.set()
        else:
            print(f"\r{self.server.label}: {payload:,} of {len(self.server.pages):,} pages", end="", file=sys.stderr)
        self._send(b"", "text/plain")

    def _note(self) -> None:
        self.server.visit.requests.append(f"{self.command} {self.headers.get('Host')}{self.path}")
        self.send_error(404)

    def _send(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Quiet."""


def browser() -> str | None:
    """The path of a Chromium, if there is one."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


def visit(program: str, pages: Sequence[str], label: str) -> Visit:
    """Open pages in a browser of their own, with an empty profile, and use them.

    Raises:
        RuntimeError: The browser did not come to the end.
    """
    with Server(pages, label) as server, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        hosts = f"MAP {OUTSIDE} {server.address}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
        command = [program, *FLAGS, f"--user-data-dir={profile}", f"--host-resolver-rules={hosts}"]
        log = Path(profile, "log")
        with log.open("wb") as output:
            process = subprocess.Popen([*command, f"http://{server.address}/"], stdout=output, stderr=output)
        try:
            _wait(server.done, process, log)
        finally:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(20)
            process.kill()
            server.shutdown()
        if len(server.visit.visited) != len(pages):
            raise RuntimeError(f"{len(server.visit.visited)} of {len(pages)} pages were opened")
        print(f"\r{label}: {len(pages):,} pages opened and used", file=sys.stderr)
        return server.visit


def _wait(done: threading.Event, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + LIMIT
    while not done.wait(1):
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"the browser did not come to the end:\n{log.read_text(errors='replace')[-2000:]}")


def pages_of(chosen: Sequence[Payload], trained: Path | None) -> tuple[list[str], Counter[str]]:
    """Reports for each payload, and in how many cases it stands on them unchanged, by place."""
    pages, placed = [], Counter[str]()
    for index, payload in enumerate(chosen):
        mark = Marker(payload, index)
        made = _reports(mark, trained)
        pages += made
        text = "".join(map(_shown, made))
        placed.update(place for place in ALL_PLACES if _bare(mark(place)) in text)
    return pages, placed


def _reports(mark: Marker, trained: Path | None) -> list[str]:
    with tempfile.TemporaryDirectory() as files, tempfile.TemporaryDirectory() as folder:
        made = [page_of_files(mark, Path(files)), page_of_records(mark), *pages_of_study(mark)]
        if trained is not None:
            with suppress(NutgrafError):  # a folder that is refused draws no report
                made.append(page_of_network(mark, trained, Path(folder)))
    return made


def _small_network(folder: Path) -> Path | None:
    """The trained model of the tests' small network; None where torch is missing."""
    if find_spec("torch") is None:
        return None
    from tiny_network import tiny, train

    return train(folder, tiny("transformer"))[0]


def _shown(page: str) -> str:
    tree = html.document_fromstring(page)
    return _bare(tree.text_content() + " ".join(tree.xpath("//@*")))


def _bare(text: str) -> str:
    """Without the characters that readers and pages replace or fold."""
    return re.sub(r"[\s\x00-\x1f\x7f-\x9f\ufffd\ud800-\udfff]", "", text)


def control(program: str, chosen: Sequence[Payload]) -> tuple[set[int], list[str]]:
    """Which payloads are alive in a page that escapes nothing, and the texts of those that are not."""
    pages = [payload.control.replace("$PAYLOAD", payload.numbered(n)) for n, payload in enumerate(chosen)]
    alive = visit(program, pages, "control").numbers
    return alive, [payload.text for n, payload in enumerate(chosen) if n not in alive]


def _strange(visited: Visit, shapes: set[str]) -> list[str]:
    return [
        f"page {page['address']} has an element {shape!r}"
        for page in visited.visited
        for shape in page["shapes"]
        if shape not in shapes
    ]


def _unexecuted(visited: Visit, chosen: Sequence[Payload]) -> list[str]:
    places = [place_of(number) for number in sorted(visited.numbers)]
    named = [f"{chosen[index].text!r} as {place}" for index, place in places]
    missed = [page["address"] for page in visited.visited if not (page["loaded"] and page["used"])]
    return [*named, *visited.requests, *(f"page {address} was not loaded and used" for address in missed)]


def campaign(program: str, chosen: Sequence[Payload]) -> dict[str, Any]:
    """Everything, and what came of it."""
    begun = time.monotonic()
    alive, asleep = control(program, chosen)
    with tempfile.TemporaryDirectory() as folder:
        trained = _small_network(Path(folder))
        pages, placed = pages_of(chosen, trained)
        harmless = _reports(Harmless(), trained)
    shapes = set().union(*map(shapes_of, harmless))
    usual = {shape for page in visit(program, harmless, "harmless").visited for shape in page["shapes"]}
    with nothing_escaped():
        careless = [page_of_records(Marker(payload, index)) for index, payload in list(enumerate(chosen))[::SAMPLED]]
    runs = {"with the policy": visit(program, pages, "with the policy")}
    bare = [_without_policy(page) for page in pages]
    runs["without the policy"] = visit(program, bare, "without the policy")
    unescaped = visit(program, [_without_policy(page) for page in careless], "unescaped, without the policy")
    policed = visit(program, careless, "unescaped, with the policy")
    return {
        "browser": subprocess.run([program, "--version"], capture_output=True, text=True).stdout.strip(),
        "payloads": len(chosen),
        "alive": len(alive),
        "asleep": asleep,
        "network": trained is not None,
        "placed": dict(placed),
        "pages": {name: len(run.visited) for name, run in runs.items()},
        "violations": {
            name: [*_unexecuted(run, chosen), *_strange(run, usual)] for name, run in runs.items()
        } | {"markup": [fault for page in pages for fault in faults_of(page, shapes)]},
        "unescaped": {
            "pages": len(careless),
            "noticed without the policy": len({place_of(number)[0] for number in unescaped.numbers}),
            "executed with the policy": len({place_of(number)[0] for number in policed.executed}),
            "requests with the policy": len(policed.requests),
        },
        "seconds": round(time.monotonic() - begun),
    }  # fmt: skip


def _without_policy(page: str) -> str:
    stripped, count = _POLICY.subn("", page, count=1)
    assert count == 1, "a report without a policy"
    return stripped


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the campaign; the exit status is 1 if anything ran, or if the control failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="take each so many-th payload only")
    parser.add_argument("--from", type=int, default=0, dest="first", help="leave out so many payloads at the beginning")
    parser.add_argument("--count", type=int, help="take so many of what is left, for a campaign in parts")
    parser.add_argument("--report", type=Path, help="write what came of it here, as JSON")
    given = parser.parse_args(arguments)
    chosen = payloads()[given.first :: given.every][: given.count]
    if not chosen:
        parser.error(f"there are {len(payloads())} payloads, so none is left from {given.first} on")
    program = browser()
    if program is None:
        print(f"Skipped: none of {', '.join(PROGRAMS)} is on the PATH; 0 of {len(chosen)} payloads were tried.")
        return 0
    made = campaign(program, chosen)
    if given.report:
        given.report.parent.mkdir(parents=True, exist_ok=True)
        given.report.write_text(json.dumps(made, ensure_ascii=True, indent=2) + "\n", encoding="utf-8")
    return _say(made)


def _say(made: dict[str, Any]) -> int:
    tried = sum(made["placed"].values())
    print(f"{made['browser']}: {made['payloads']} payloads in {len(made['placed'])} places, {tried:,} combinations")
    if not made["network"]:
        print("Skipped: torch is missing, so no folder of a network was tried.")
    print(f"control: {made['alive']} of {made['payloads']} run or send a request where nothing is escaped")
    print("unescaped reports:", ", ".join(f"{count} {name}" for name, count in made["unescaped"].items()))
    for name, found in made["violations"].items():
        print(f"{name}: {len(found)} violations" + "".join(f"\n  {one}" for one in found[:20]))
    failed = any(made["violations"].values())
    noticed = made["alive"] >= LIVE * made["payloads"] and made["unescaped"]["noticed without the policy"] > 0
    if not noticed:
        print("The control failed: too few payloads ran where nothing is escaped, so the rest says nothing.")
    return int(failed or not noticed)


if __name__ == "__main__":
    sys.exit(main())
