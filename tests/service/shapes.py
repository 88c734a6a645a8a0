"""Bodies of odd shapes, and whether the service goes on answering while it gets them.

Each body has at most 32 MiB: lists of millions of values, deep nesting, strings, keys and numbers of any length. While
one is sent, `/health` is asked every few milliseconds, and the memory of the server process is looked at.
"""

from __future__ import annotations

import base64
import http.client
import json
import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LARGEST = 32 << 20
"""Bytes of the largest body."""

SLOW = 0.1
"""Seconds within which 99 of 100 probes are answered."""

MOST_MEMORY = 150 * 10**6
"""Bytes that the server process may use above its memory before the first body."""

FORK = multiprocessing.get_context("fork")

PAUSE = 0.02
"""Seconds between two probes."""

JSON = "application/json"
SENTENCE = "The ferry number {} left the harbour at noon with twelve passengers and a goat. "

ROUTES = {
    "/v1/summarize": (b'{"documents":%s}', b'{"documents":["A ferry left."],"highlights":%s}', b'{"query":%s}', b"%s"),
    "/v1/phrases": (b'{"documents":%s}', b'{"documents":["A ferry left."],"ngram_range":%s}', b'{"top":%s}'),
    "/v1/score": (b'{"examples":%s}', b'{"examples":[{"summary":"a","references":%s}]}', b'{"metrics":%s}'),
    "/v1/chat/completions": (
        b'{"model":"adaptive","messages":%s}',
        b'{"model":"adaptive","messages":[{"role":"user","content":%s}]}',
        b'{"model":"adaptive","messages":[{"role":"user","content":"A ferry left."}],"tools":%s}',
        b'{"model":"adaptive","messages":[{"role":"user","content":"A."}],"nutgraf":{"highlights":%s}}',
    ),
}
"""Addresses, and bodies with a place for a value."""


@dataclass(frozen=True)
class Sent:
    """A body.

    Attributes:
        name: What it is.
        path: Where it is sent.
        make: Makes it.
        content_type: What it is declared to be.
        good: True if it is to be summarized.
    """

    name: str
    path: str
    make: Callable[[], bytes]
    content_type: str = JSON
    good: bool = False


@dataclass
class Health:
    """What was seen while a body was sent.

    Attributes:
        name: The body.
        status: Status of its answer.
        seconds: Time until its answer.
        probes: Times of the probes in seconds.
        memory: Most bytes of the server process above its memory before.
    """

    name: str
    status: int
    seconds: float
    probes: list[float]
    memory: int


def values(size: int) -> dict[str, Callable[[], bytes]]:
    """Return values of JSON of so many bytes, by what they are."""
    return {
        "numbers": lambda: _list(b"1", size),
        "empty lists": lambda: _list(b"[]", size),
        "empty objects": lambda: _list(b"{}", size),
        "nulls": lambda: _list(b"null", size),
        "strings": lambda: _list(b'"a"', size),
        "texts": lambda: _list(b'{"text":"A ferry left."}', size),
        "messages": lambda: _list(b'{"role":"user","content":"A ferry left."}', size),
        "files": lambda: _list(b'{"data":"!"}', size),
        "deep lists": lambda: b"[" * (size // 2) + b"]" * (size // 2),
        "deep objects": lambda: b'{"a":' * (size // 6) + b"1" + b"}" * (size // 6),
        "open lists": lambda: b"[" * size,
        "string": lambda: b'"' + b"a" * size + b'"',
        "quotes": lambda: b'"' + b'\\"' * (size // 2) + b'"',
        "escapes": lambda: b'"' + b"\\u0430" * (size // 6) + b'"',
        "wide string": lambda: '"{}😀"'.format("a" * (size - 8)).encode(),
        "lines": lambda: b'"' + b"a\\n" * (size // 3) + b'"',
        "blanks": lambda: b'"words: ' + b" " * size + b'x"',
        "keys": lambda: b"{" + b",".join(b'"%d":1' % number for number in range(size // 12)) + b"}",
        "same key": lambda: b"{" + b'"a":1,' * (size // 6) + b'"a":1}',
        "long key": lambda: b'{"' + b"a" * size + b'":1}',
        "digits": lambda: b"1" * size,
        "many digits": lambda: _list(b"1" * 1_000_000, size),
        "fraction": lambda: b"0." + b"1" * size,
        "exponents": lambda: _list(b"1e999999999", size),
    }


def bodies(size: int = LARGEST) -> Iterator[Sent]:
    """Yield bodies of every shape in every place, up to so many bytes."""
    for path, places in ROUTES.items():
        for place in places:
            for name, make in values(size - 200).items():
                shown = place.decode().replace("%s", f"[{name}]")
                yield Sent(f"{path} {shown}", path, lambda place=place, make=make: place.replace(b"%s", make()))
    for path in ("/v1/summarize", "/v1/phrases", "/", "/page/summary", "/page/file", "/page/difference"):
        for name, parts in _forms(size - 1000).items():
            yield Sent(f"{path} form of {name}", path, parts, "multipart/form-data; boundary=b")
    yield Sent("/ fields", "/", lambda: b"a=1&" * (size // 4), "application/x-www-form-urlencoded")


def honest(size: int = LARGEST) -> Iterator[Sent]:
    """Yield bodies of texts that are to be summarized, of nearly so many bytes."""
    text = _text(size // 10)
    escaped = text.replace("e", "ё")
    summarize, chat = "/v1/summarize", "/v1/chat/completions"
    blank = b" " * (size - len(text) - 1000)
    data = base64.b64encode(text.encode() + b"\n" * (size // 4 * 3 - len(text) - 3000))
    yield Sent("an ordinary text", summarize, lambda: _json(documents=[text[:20_000]], words=60), good=True)
    yield Sent("a text in blanks", summarize, lambda: _json(documents=[text], words=60) + blank, good=True)
    yield Sent("escaped letters", summarize, lambda: _json(documents=[escaped], words=60), good=True)
    yield Sent(
        "a file", summarize, lambda: _json(documents=[{"data": data.decode(), "name": "a.txt"}], words=60), good=True
    )
    yield Sent(
        "a chat", chat,
        lambda: _json(model="lead", messages=[{"role": "user", "content": _text(size)}], max_tokens=60), good=True,
    )  # fmt: skip
    yield Sent("lead of 32 MiB", summarize, lambda: _json(documents=[_text(size)], system="lead", words=60), good=True)
    form = _form(('name="text"', _text(size).encode()), ('name="system"', b"lead"), ('name="title"', b""))
    yield Sent("a form of 32 MiB", "/", lambda: form, "multipart/form-data; boundary=b", good=True)


def watch(address: tuple[str, int], process: int, sent: Sequence[Sent] | Iterator[Sent]) -> Iterator[Health]:
    """Send bodies one after the other, and yield what was seen meanwhile.

    Args:
        address: Host and port of a service.
        process: Process id of the server.
        sent: The bodies.
    """
    idle = memory_of(process)
    for one in sent:
        data = one.make()
        over, (ours, theirs) = FORK.Event(), FORK.Pipe()
        probing = FORK.Process(target=_probe, args=(address, process, over, theirs))
        probing.start()
        began = time.monotonic()
        try:
            status = _post(address, one, data)
        finally:
            seconds = time.monotonic() - began
            over.set()
        probes, memory = ours.recv()
        probing.join()
        yield Health(one.name, status, seconds, probes, memory - idle)


def idle_probes(address: tuple[str, int], count: int) -> list[float]:
    """Return times of probes of a service that has nothing to do, from this process, which has nothing to do either."""
    return [_timed(address) for _ in range(count)]


def memory_of(process: int) -> int:
    """Return the resident memory of a process in bytes."""
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096


def slow_share(probes: Sequence[float]) -> float:
    """Return the share of probes that took too long."""
    return sum(seconds > SLOW for seconds in probes) / max(1, len(probes))


def _probe(address: tuple[str, int], process: int, over: Any, line: Any) -> None:
    """Probe a service from a process of its own, until the event, and send the times and the most memory."""
    probes, memory = [_timed(address)], memory_of(process)
    while not over.wait(PAUSE):
        probes.append(_timed(address))
        memory = max(memory, memory_of(process))
    line.send((probes, memory))


def _timed(address: tuple[str, int]) -> float:
    began = time.monotonic()
    connection = http.client.HTTPConnection(*address, timeout=60)
    try:
        connection.request("GET", "/health")
        assert connection.getresponse().status == 200
    finally:
        connection.close()
    return time.monotonic() - began


def _post(address: tuple[str, int], one: Sent, data: bytes) -> int:
    connection = http.client.HTTPConnection(*address, timeout=600)
    try:
        connection.request("POST", one.path, data, {"Content-Type": one.content_type})
        answer = connection.getresponse()
        while answer.read(1 << 20):
            pass
        return answer.status
    finally:
        connection.close()


def _list(element: bytes, size: int) -> bytes:
    return b"[" + (element + b",") * (size // (len(element) + 1)) + element + b"]"


def _text(size: int) -> str:
    sentences = (SENTENCE.format(number) for number in range(size // (len(SENTENCE) + 7)))
    return "".join(sentences)


def _json(**fields: Any) -> bytes:
    return json.dumps(fields).encode()


def _form(*parts: tuple[str, bytes]) -> bytes:
    heads = (b"--b\r\nContent-Disposition: form-data; " + head.encode() + b"\r\n\r\n" + data for head, data in parts)
    return b"\r\n".join(heads) + b"\r\n--b--\r\n"


def _forms(size: int) -> dict[str, Callable[[], bytes]]:
    texts, files = ('name="texts"', 'name="files"; filename="a.txt"')
    return {
        "a text": lambda: _form((texts, b"a" * size)),
        "a page's text": lambda: _form(('name="text"', b"<&>" * (size // 3)), ('name="title"', b"")),
        "lines": lambda: _form((texts, b"a\r\n" * (size // 3))),
        "highlights": lambda: _form(('name="highlights"', b"a\n" * (size // 2)), ('name="text"', b"A ferry left.")),
        "two texts": lambda: _form(('name="before"', b"a\n" * (size // 4)), ('name="after"', b"b\n" * (size // 4))),
        "files": lambda: _form(*[(files, b"A ferry left.")] * (size // 90)),
        "a file": lambda: _form((files, b"\0" * size)),
        "a name": lambda: _form((f'name="{"a" * size}"', b"")),
        "no parts": lambda: b"--b\r\n" * (size // 5),
    }
