"""The command as a process: it says what is wrong in a sentence, survives hostile files, and stops in peace."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

from nutgraf.cli.app import app
from nutgraf.errors import NutgrafError

requests = pytest.importorskip("requests")

FERRY = "The ferry left the harbour at noon. It came back at dusk. Nobody was on it."
COMMAND = [sys.executable, "-m", "nutgraf", "serve"]
HOSTILE = 100


class Server:
    """A server process, and where it listens."""

    def __init__(self, *options: str) -> None:
        command = [*COMMAND, "--port", "0", "--workers", "1", *options]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        self.said: list[str] = []
        for line in self.process.stderr:
            self.said.append(line)
            if "ready on" in line:
                break
        self.address = re.findall(r"ready on (http://\S+);", self.said[-1])[0]

    def workers(self) -> list[int]:
        """Process ids of the workers."""
        parents = [(int(one.name), _parent(one)) for one in Path("/proc").iterdir() if one.name.isdecimal()]
        children = [child for child, parent in parents if parent == self.process.pid]
        return [one for one in children if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()]

    def stop(self) -> tuple[int, str]:
        """Stop it as systemd would; the status, and what it said."""
        self.process.send_signal(signal.SIGTERM)
        _, rest = self.process.communicate(timeout=120)
        return self.process.returncode, "".join(self.said) + rest


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    one = Server("--seconds", "10", "--memory", "1024")
    yield one
    if one.process.poll() is None:
        one.process.kill()
    one.process.wait()


def summarized(server: Server, text: str = FERRY, words: int = 7) -> requests.Response:
    return requests.post(f"{server.address}/v1/summarize", json={"documents": [text], "words": words}, timeout=120)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked up in /proc")
def test_a_worker_killed_in_the_middle_of_a_request(server: Server) -> None:
    from threading import Timer

    long = " ".join(f"The ferry number {number} left the harbour at noon." for number in range(20_000))
    worker, _reader = sorted(server.workers())
    Timer(1.0, os.kill, (worker, signal.SIGKILL)).start()
    killed = summarized(server, long)
    assert (killed.status_code, killed.json()["error"]["code"]) == (503, "process_ended")
    assert "signal 9" in killed.json()["error"]["message"]
    assert summarized(server).json()["text"] == "The ferry left the harbour at noon."


def test_hostile_files_harm_no_good_one(server: Server) -> None:
    from fuzz_inputs import document

    random = Random(0)
    for number in range(HOSTILE):
        _, name, data = document(random)
        answer = requests.post(
            f"{server.address}/v1/summarize", files={"files": (name, data)}, data={"words": 30}, timeout=120
        )
        assert answer.status_code < 500, (number, name, answer.text)
        if number % 10 == 0:
            assert summarized(server).json()["words"] == 7
    assert requests.get(f"{server.address}/ready", timeout=60).status_code == 200


@pytest.mark.parametrize("piece", [b"X-Long: " + b"a" * 1000 + b"\r\n", b"a" * 1000], ids=["many", "one"])
def test_a_head_without_end_is_cut_off(server: Server, piece: bytes) -> None:
    host, port = server.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-First: ")
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            connection.sendall(piece * 10_000)
    assert summarized(server).status_code == 200


CHUNKED = (
    b"POST /v1/summarize HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)


@pytest.mark.parametrize(
    "piece",
    [
        b"0\r\n" + b"X: y\r\n" * 200_000, b"0\r\nX: " + b"a" * 1_000_000,
        b"5;" + b"a" * 1_000_000, b"1\r\n \r\n" * 200_000,
    ],
    ids=["trailers", "one trailer", "extension", "chunks of one byte"],
)  # fmt: skip
def test_what_is_sent_beside_the_content_of_a_body_is_cut_off(server: Server, piece: bytes) -> None:
    host, port = server.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(CHUNKED + piece)
        answer = connection.recv(10_000)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"The sizes of chunks and trailers are too long." in answer


def test_a_client_that_asks_before_it_sends_is_refused_at_once(server: Server) -> None:
    host, port = server.address.removeprefix("http://").split(":")
    head = (
        b"POST /v1/summarize HTTP/1.1\r\nHost: elsewhere.example\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n"
    )
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(head)
        assert connection.recv(10_000).startswith(b"HTTP/1.1 403 ")


def test_connections_that_send_nothing_whole_leave_room_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    monkeypatch.setattr("subprocess.Popen", partial(subprocess.Popen, preexec_fn=partial(limit_files, resource)))
    crowded = Server()
    monkeypatch.undo()
    try:
        host, port = crowded.address.removeprefix("http://").split(":")
        held = [socket.create_connection((host, int(port)), timeout=20) for _ in range(60)]
        assert requests.get(f"{crowded.address}/health", timeout=20).status_code == 200
        refused = requests.get(f"{crowded.address}/v1/systems", timeout=20)
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "crowded")
        assert refused.headers["Retry-After"] == "1"
        for _ in range(300):
            one = socket.create_connection((host, int(port)), timeout=20)
            with suppress(OSError):
                one.sendall(b"GET / HT")
            held.append(one)
        answer = requests.get(f"{crowded.address}/health", timeout=20)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
        for one in held:
            one.close()
        assert summarized(crowded).status_code == 200
    finally:
        _, said = crowded.stop()
    assert "Too many open files" not in said


def limit_files(resource: Any) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))


@pytest.mark.parametrize("more", [{"Content-Length": "200000000"}, {"Transfer-Encoding": "chunked"}], ids=str)
def test_a_refused_body_does_not_cost_the_client_its_answer(server: Server, more: dict[str, str]) -> None:
    host, port = server.address.removeprefix("http://").split(":")
    piece = b"x" * 1_000_000
    chunk = piece if "Content-Length" in more else b"f4240\r\n" + piece + b"\r\n"
    head = {"Host": host, "Content-Type": "application/json", "Connection": "close", **more}
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        connection.sendall(f"POST /v1/summarize HTTP/1.1\r\n{lines}\r\n".encode())
        for _ in range(200):
            connection.sendall(chunk)
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"The body is too large; the most are 33,554,432 bytes." in answer


def test_bodies_that_do_not_end_leave_room_for_others() -> None:
    crowded = Server()
    host, port = crowded.address.removeprefix("http://").split(":")
    head = f"POST /v1/summarize HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
    held = []
    try:
        for _ in range(12):
            one = socket.create_connection((host, int(port)), timeout=60)
            one.sendall(f"{head}Content-Length: 30000010\r\n\r\n".encode())
            one.sendall(b" " * 30_000_000)
            held.append(one)
        answered: list[socket.socket] = []
        for _ in range(40):
            answered = select.select(held, [], [], 0)[0]
            if len(answered) >= 4:
                break
            time.sleep(0.1)
        assert len(answered) >= 4
        for one in answered:
            said = one.recv(65536)
            assert said.startswith(b"HTTP/1.1 503 ")
            assert b"retry-after: 5" in said.lower()
        assert summarized(crowded).status_code == 200
    finally:
        for one in held:
            one.close()
        crowded.process.kill()
        crowded.process.wait()


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="a terminal sends Ctrl-C to a group of processes")
@pytest.mark.parametrize("seconds", [0.1, 0.4, 0.7])
def test_ctrl_c_while_processes_start_prints_no_traceback(seconds: float) -> None:
    process = subprocess.Popen([*COMMAND, "--port", "0"], stderr=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stderr is not None
    process.stderr.readline()
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert "Traceback" not in said
    assert (process.returncode, said.splitlines()[-1]) == (0, "nutgraf: stopped.")


def test_it_stops_in_peace_and_its_log_is_json_without_a_text() -> None:
    server = Server()
    assert summarized(server).status_code == 200
    workers = server.workers()
    status, said = server.stop()
    assert (status, said.splitlines()[-1]) == (0, "nutgraf: stopped.")
    lines = [line for line in said.splitlines() if not line.startswith("nutgraf: ")]
    assert [one["status"] for one in map(json.loads, lines) if one["event"] == "request"] == [200]
    assert "ferry" not in said
    deadline = time.monotonic() + 30
    while any(Path(f"/proc/{one}").exists() for one in workers) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(Path(f"/proc/{one}").exists() for one in workers)


def refused(*options: str) -> str:
    ran = subprocess.run([*COMMAND, *options], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    assert ran.returncode == 2
    assert "Traceback" not in ran.stderr
    return ran.stderr.splitlines()[-1]


def test_mistakes_of_whoever_starts_it_are_one_sentence(server: Server, tmp_path: Path) -> None:
    port = server.address.rpartition(":")[2]
    assert refused("--port", port) == (
        f"nutgraf: The port {port} of 127.0.0.1 is in use; choose another one with --port, or stop what uses it."
    )
    wrong = {
        "named as NAME=FOLDER": ("--system", "models"),
        "is not a trained model": ("--system", f"news={tmp_path}"),
        "cannot be read": ("--token-file", str(tmp_path / "nothing")),
    }
    for said, options in wrong.items():
        ran = CliRunner().invoke(app, ["serve", *options])
        assert isinstance(ran.exception, NutgrafError), ran.output
        assert said in str(ran.exception)


def test_an_assistant_gets_tools_by_the_protocol_s_own_client() -> None:
    pytest.importorskip("mcp")
    import asyncio

    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    async def asked() -> tuple[list[str], object, str]:
        started = StdioServerParameters(
            command=sys.executable, args=["-m", "nutgraf", "serve", "--mcp", "--workers", "1"], env=dict(os.environ)
        )
        async with Client(stdio_client(started)) as client:
            tools = [one.name for one in (await client.list_tools()).tools]
            made = await client.call_tool("summarize", {"documents": [FERRY], "titles": ["Ferry"], "words": 7})
            found = await client.call_tool("answer", {"question": "When did the ferry leave?", "documents": [FERRY]})
            assert found.structured_content["sentence"] == "The ferry left the harbour at noon."
            old, new = "The fee is 14 euros.", "The fee is 17 euros."
            changed = await client.call_tool("changes", {"old": old, "new": new})
            assert changed.structured_content["counts"] == {"changed": 1}
            wrong = await client.call_tool("summarize", {"documents": [FERRY], "words": 1})
            assert wrong.is_error
            return tools, made.structured_content, wrong.content[0].text

    tools, made, wrong = asyncio.run(asked())
    assert tools == ["summarize", "minutes", "answer", "agreement", "changes", "phrases", "score"]
    assert isinstance(made, dict)
    assert made["text"] == "The ferry left the harbour at noon."
    assert made["citations"][0]["title"] == "Ferry, 0–35"
    assert "No sentence fits into 1 word" in wrong


MESSAGES: dict[bytes, tuple[int, object]] = {
    b"nonsense": (-32700, None),
    b'{"jsonrpc": "2.0", "id": 1, "method": "ping"': (-32700, None),
    b'{"jsonrpc": "2.0", "id": 1, "method": "\xff"}': (-32700, None),
    b"[" * 5000 + b"]" * 5000: (-32700, None),
    b"": (-32700, None),
    b"[" + b"1," * 100_000 + b"1]": (-32600, None),
    b'{"jsonrpc": "2.0", "id": 1, "method": "' + b"a" * 300_000 + b'"}': (-32600, None),
    b"5": (-32600, None),
    b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]': (-32600, None),
    b'{"id": 2, "method": "ping"}': (-32600, 2),
    b'{"jsonrpc": "1.0", "id": 3, "method": "ping"}': (-32600, 3),
    b'{"jsonrpc": "2.0", "id": "4"}': (-32600, "4"),
    b'{"jsonrpc": "2.0", "id": 5, "method": 5}': (-32600, 5),
    b'{"jsonrpc": "2.0", "id": 6, "method": "ping", "params": [1]}': (-32600, 6),
    b'{"jsonrpc": "2.0", "id": null, "method": "ping"}': (-32600, None),
    b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}': (-32600, None),
    b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"summarize","arguments":{"documents":"['
    + b"1," * 100_000
    + b'1]"}}}': (-32600, 7),
}
"""Lines of an assistant's client, and the code and the id of the answer."""


def test_every_line_that_is_no_message_gets_an_error_for_an_answer() -> None:
    pytest.importorskip("mcp")
    command = [*COMMAND, "--mcp", "--workers", "1", "--max-bytes", "300000"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        for line, expected in MESSAGES.items():
            process.stdin.write(line + b"\n")
            process.stdin.flush()
            assert select.select([process.stdout], [], [], 30)[0], line[:60]
            answer = json.loads(process.stdout.readline())
            assert (answer["error"]["code"], answer["id"]) == expected, line[:60]
            assert answer["error"]["message"].endswith(".")
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize(
    ("missing", "environment", "said"),
    [
        ("fastapi", {}, "nutgraf serve needs the package fastapi: run pip install 'nutgraf[serve]'."),
        (
            "opentelemetry.exporter",
            {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"},
            "nutgraf serve with OTEL_EXPORTER_OTLP_ENDPOINT needs the package opentelemetry.exporter.otlp: run "
            "pip install 'nutgraf[telemetry]'.",
        ),
    ],
)
def test_a_missing_package_is_named(missing: str, environment: dict[str, str], said: str) -> None:
    script = (
        f"import sys; sys.modules['{missing}'] = None\n"
        "from nutgraf.cli.main import main\n"
        "sys.argv = ['nutgraf', 'serve', '--port', '0']; sys.exit(main())"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, env=os.environ | environment
    )
    assert ran.returncode == 2
    assert ran.stderr.splitlines()[-1] == f"nutgraf: {said}"


def _parent(process: Path) -> int:
    try:
        return int((process / "stat").read_text(encoding="ascii", errors="replace").rsplit(")", 1)[1].split()[1])
    except OSError:
        return 0
