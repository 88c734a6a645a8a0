"""Bodies of odd shapes, and whether the service goes on answering while it gets them.

Each body has at most 32 MiB: lists of millions of values, deep nesting, strings, keys and numbers of any length. While
one is sent, `/health` is asked every few milliseconds, and the memory of the server process is looked at.
"""

from __future__ import annotations

import base64
import http.client
import json
import re
import select
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

LARGEST = 32 << 20
"""Bytes of the largest body."""

SLOW = 0.1
"""Seconds within which 99 of 100 probes are answered."""

MOST_MEMORY = 150 * 10**6
"""Bytes that the server process may use above its memory before the first body."""

LONGEST = 60.0
"""Seconds that a probe without an answer counts."""

PAUSE = 0.02
"""Seconds between two probes."""

JSON = "application/json"
SENTENCE = "Паромная переправа номер {} открылась вчера, несмотря на продолжительное сопротивление судовладельцев. "
SHORT = 20_000
"""Bytes of a text that takes no time."""

ROUTES = {
    "/v1/summarize": (b'{"documents":%s}', b'{"documents":["A ferry left."],"highlights":%s}', b'{"query":%s}', b"%s"),
    "/v1/minutes": (b'{"documents":%s}',),
    "/v1/answer": (b'{"documents":["A ferry left."],"question":%s}',),
    "/v1/phrases": (b'{"documents":%s}', b'{"documents":["A ferry left."],"ngram_range":%s}', b'{"top":%s}'),
    "/v1/check": (b'{"summary":"A ferry left.","documents":%s}', b'{"documents":["A ferry left."],"summary":%s}'),
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
        good: True if it was to be summarized.
    """

    name: str
    status: int
    seconds: float
    probes: list[float]
    memory: int
    good: bool


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
    short, long = _text(SHORT), _text(size - 1000)
    escaped = _text(size // 3)  # two bytes of a letter are six in JSON
    data = base64.b64encode(_text(size // 4 * 3 - 1000).encode()).decode()
    lead: dict[str, Any] = {"system": "lead", "words": 60}
    chat = {"model": "lead", "messages": [{"role": "user", "content": long}], "max_tokens": 60}
    blank = b" " * (size - 10 * SHORT)
    form = _form(('name="text"', long.encode()), ('name="system"', b"lead"), ('name="title"', b""))
    for name, path, make in (
        ("a short text", "/v1/summarize", lambda: _json(documents=[short], words=60)),
        ("a short text in blanks", "/v1/summarize", lambda: _json(documents=[short], words=60) + blank),
        ("a text", "/v1/summarize", lambda: _json(documents=[long], **lead)),
        ("a text in escapes", "/v1/summarize", lambda: json.dumps({"documents": [escaped], **lead}).encode()),
        ("a file", "/v1/summarize", lambda: _json(documents=[{"data": data, "name": "a.txt"}], **lead)),
        ("phrases of a short text", "/v1/phrases", lambda: _json(documents=[short]) + blank),
        ("a chat", "/v1/chat/completions", lambda: _json(**chat)),
    ):
        yield Sent(f"{path} {name}", path, make, good=True)
    yield Sent("/ a text", "/", lambda: form, "multipart/form-data; boundary=b", good=True)


def watch(address: tuple[str, int], process: int, sent: Sequence[Sent] | Iterator[Sent]) -> Iterator[Health]:
    """Send bodies one after the other, and yield what was seen meanwhile.

    Args:
        address: Host and port of a service.
        process: Process id of the server.
        sent: The bodies.
    """
    idle = memory_of(process)
    command = [sys.executable, __file__, *map(str, address), str(process)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as prober:
        for one in sent:
            data = one.make()
            _take(prober)
            began = time.monotonic()
            status = _post(address, one, data)
            seconds = time.monotonic() - began
            probes, memory = _take(prober)
            yield Health(one.name, status, seconds, probes, memory - idle, one.good)


def _watched(sent: Sequence[Sent], *options: str) -> tuple[list[float], list[Health]]:
    """Send bodies to a service of its own; return probes of the idle service, and what was seen for each body."""
    command = [sys.executable, "-m", "nutgraf", "serve", "--port", "0", "--workers", "1", *options]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        address = _listening(server)
        return idle_probes(address, 200), list(watch(address, server.pid, sent))
    finally:
        server.terminate()
        server.wait(60)


def _take(prober: subprocess.Popen[str]) -> tuple[list[float], int]:
    """Return the times of the probes and the most memory since the last call."""
    assert prober.stdin is not None
    assert prober.stdout is not None
    prober.stdin.write("\n")
    prober.stdin.flush()
    probes, memory = json.loads(prober.stdout.readline())
    return probes, memory


def campaign(count: int, seed: int) -> tuple[dict[str, Any], list[str]]:
    """Send bodies of odd shapes, in an order by the seed, and honest ones to a service; return figures and faults.

    Args:
        count: Number of the bodies of odd shapes, out of all that there are.
        seed: Seed of their order.
    """
    odd = list(bodies())
    Random(seed).shuffle(odd)
    first, seen = _watched(odd[:count], "--seconds", "5")
    second, good = _watched(list(honest()), "--seconds", "600", "--max-words", "10000000")
    seen, control = [*seen, *good], [*first, *second]
    probes = [seconds for one in seen for seconds in one.probes]
    wrong = [
        f"{one.name}: status {one.status}" for one in seen if one.status >= 500 or (one.good and one.status != 200)
    ]
    wrong += [f"{one.name}: {one.memory:,} bytes more" for one in seen if one.memory > MOST_MEMORY]
    if slow_share(probes) > 0.01:
        wrong.append(f"{slow_share(probes):.1%} of the probes took more than {SLOW} seconds")
    figures = {
        "bodies": len(seen),
        "statuses": dict(Counter(one.status for one in seen)),
        "probes": len(probes),
        "slow_probes": slow_share(probes),
        "slow_probes_of_an_idle_service": slow_share(control),
        "slowest_probe": max(probes),
        "most_memory_added": max(one.memory for one in seen),
        "by_body": [
            [one.name, one.status, round(one.seconds, 2), round(max(one.probes), 3), one.memory] for one in seen
        ],
    }
    return figures, wrong


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


def _listening(server: subprocess.Popen[str]) -> tuple[str, int]:
    """Return where a service listens, once it is ready; what it writes later is thrown away."""
    assert server.stderr is not None
    for line in server.stderr:
        if found := re.search(r"ready on http://([\d.]+):(\d+);", line):
            Thread(target=server.stderr.read, daemon=True).start()
            return found[1], int(found[2])
    raise RuntimeError("the service did not start")


def probe(address: tuple[str, int], process: int) -> None:
    """Probe a service as a process of its own; for each line of stdin, print what was seen since the last one."""
    probes: list[float] = []
    memory = 0
    while True:
        probes.append(_timed(address))
        memory = max(memory, memory_of(process))
        if select.select([sys.stdin], [], [], PAUSE)[0]:
            if not sys.stdin.readline():
                return
            print(json.dumps([probes, memory]), flush=True)
            probes, memory = [], 0


def _timed(address: tuple[str, int]) -> float:
    began = time.monotonic()
    connection = http.client.HTTPConnection(*address, timeout=LONGEST)
    try:
        connection.request("GET", "/health")
        answered = connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        answered = False
    finally:
        connection.close()
    return time.monotonic() - began if answered else LONGEST


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
    """Return a text of less than so many bytes in UTF-8."""
    return "".join(SENTENCE.format(number) for number in range(size // (len(SENTENCE.encode()) + 6)))


def _json(**fields: Any) -> bytes:
    return json.dumps(fields, ensure_ascii=False).encode()


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


if __name__ == "__main__":
    probe((sys.argv[1], int(sys.argv[2])), int(sys.argv[3]))
