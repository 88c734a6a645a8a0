"""The service alone, under ten times the load that it can bear, and among hostile files.

    python benchmarks/service.py [--seconds 300] [--good 1000] [--hostile 100] [--json service.json]

The server and its one worker run on one core, the requests come from another. First requests are sent one by one on one
connection: their time on the server is the service time, and what it takes more than the work in the worker process and
the queue is the overhead (all three are in the answer's header Server-Timing). Then ten times as many are sent in a
second as can be answered. At last files are uploaded, good ones and hostile ones in any order: the hostile ones are
those of the campaign `fuzz`, first what the readers once failed on, then damaged files. Each bar is printed as held or
missed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "tests" / "hostile"))

QUEUE, OVERLOAD, WORDS = 8, 10, 100
OVERHEAD = 10.0
"""Milliseconds that the service may add to the work on a request."""

FLAT = 1.05
"""Ratio of the memory at the end to that after a tenth of the time."""

AT_ONCE = 4
"""Uploads at the same time."""

CONNECTIONS = 300
"""Connections of the overload, each of which waits for its answer before it sends again."""

LONGEST = 120.0


@dataclass(frozen=True)
class Answer:
    """An answer: its status, and the times of its header Server-Timing in milliseconds."""

    status: int
    times: dict[str, float]
    text: str = ""

    @property
    def total(self) -> float:
        return self.times["total"]

    @property
    def overhead(self) -> float:
        return self.total - self.times["work"] - self.times["queue"]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--single", type=int, default=200, help="requests one by one")
    options.add_argument("--seconds", type=float, default=300, help="time of the overload; 0 leaves it out")
    options.add_argument("--good", type=int, default=1000, help="good files")
    options.add_argument("--hostile", type=int, default=100, help="hostile files among them; 0 leaves both out")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    server, address = start()
    try:
        found = asyncio.run(measured(address, server.pid, chosen))
    finally:
        server.terminate()
        server.wait()
    print(json.dumps(found, indent=2))
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return int(not all(found["bars"].values()))


def start() -> tuple[subprocess.Popen[str], str]:
    """Start a server on the last core, and keep this process on the first."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cores[-1:])
    limits = ["--workers", "1", "--queue", str(QUEUE), "--seconds", "10", "--memory", "1024"]
    command = [sys.executable, "-m", "nutgraf", "serve", "--port", "0", *limits]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    os.sched_setaffinity(0, cores[:1])
    assert server.stderr is not None
    for line in server.stderr:
        if "ready on" in line:
            address = re.findall(r"ready on (\S+);", line)[0]
            break
    log = server.stderr
    Thread(target=lambda: deque(log, maxlen=0), daemon=True).start()
    return server, address


async def measured(address: str, pid: int, chosen: argparse.Namespace) -> dict[str, Any]:
    """Send requests one by one, then too many, then files."""
    text = "\n\n".join((ROOT / "examples" / name).read_text(encoding="utf-8") for name in ("island.txt", "bridge.md"))
    body = json.dumps({"documents": [text], "words": WORDS}).encode()
    limits = httpx.Limits(max_connections=400, max_keepalive_connections=400)
    found: dict[str, Any] = {"bars": {}}
    async with httpx.AsyncClient(base_url=address, timeout=LONGEST, limits=limits) as client:
        single = [await summarize(client, body) for _ in range(chosen.single)][5:]
        service = statistics.median(one.total for one in single)
        overhead = sorted(one.overhead for one in single)
        found["alone"] = {
            "service_ms": round(service, 1),
            "work_ms": round(statistics.median(one.times["work"] for one in single), 1),
            "overhead_ms": {"median": round(statistics.median(overhead), 1), "p99": round(percentile(overhead), 1)},
        }
        found["bars"]["overhead"] = percentile(overhead) <= OVERHEAD
        if chosen.seconds:
            found["overload"], bars = await overload(client, body, service, chosen.seconds, pid)
            found["bars"] |= bars
        if chosen.hostile:
            found["files"], found["bars"]["good_files"] = await files(client, text, chosen)
    return found


async def overload(
    client: httpx.AsyncClient, body: bytes, service: float, seconds: float, pid: int
) -> tuple[dict[str, Any], dict[str, bool]]:
    """Send ten times as many requests as can be answered, whether or not earlier ones are; sample the memory."""
    answers: list[Answer] = []
    memory: list[tuple[int, int]] = []
    host, port = client.base_url.host, client.base_url.port
    head = (
        f"POST /v1/summarize HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    )
    request = f"{head}\r\n\r\n".encode() + body
    rate, sent = 1000 * OVERLOAD / service, 0
    busy, began = processor_seconds(pid), time.perf_counter()

    async def connection() -> None:
        nonlocal sent
        reader, writer = await asyncio.open_connection(host, port)
        while (now := time.perf_counter() - began) < seconds:
            if sent >= rate * now:
                await asyncio.sleep(0.002)
                continue
            sent += 1
            answers.append(await asked(reader, writer, request))
            if len(memory) < now:
                memory.append((resident(pid), sum(map(resident, children(pid)))))
        writer.close()

    await asyncio.gather(*(connection() for _ in range(CONNECTIONS)))
    busy = processor_seconds(pid) - busy
    statuses = Counter(one.status for one in answers)
    p99 = percentile([one.total for one in answers if one.status == 200])
    bound = 2 * (QUEUE + 1) * service
    tenth = max(1, len(memory) // 10)
    begin, end = (statistics.mean(map(sum, part)) for part in (memory[tenth : 2 * tenth], memory[-tenth:]))
    told = {
        "wanted_per_second": round(rate, 1),
        "answered_per_second": round(len(answers) / seconds, 1),
        "statuses": dict(statuses),
        "server_processor_ms_per_request": round(1000 * busy / len(answers), 2),
        "p99_ms": round(p99, 1),
        "ms_of_accepted_median_p90_p99_most": spread([one for one in answers if one.status == 200]),
        "bound_ms": round(bound, 1),
        "memory_mb_of_server_and_worker": {
            "first": memory[0],
            "after_a_tenth": memory[tenth],
            "last": memory[-1],
            "most": max(memory),
        },
    }
    return told, {
        "only_200_and_429": set(statuses) == {200, 429},
        "p99": p99 <= bound,
        "memory": end <= FLAT * begin,
    }


async def files(client: httpx.AsyncClient, text: str, chosen: argparse.Namespace) -> tuple[dict[str, Any], bool]:
    """Upload good and hostile files; every good one should get its summary."""
    random = Random(chosen.seed)
    bad = hostile_files(random, chosen.hostile)
    given = [("good.txt", text.encode(), True)] * chosen.good + [(name, data, False) for name, data in bad]
    random.shuffle(given)
    room = asyncio.Semaphore(AT_ONCE)

    async def upload(name: str, data: bytes) -> Answer:
        async with room:
            return await send(client, files={"files": (name, data)}, data={"words": str(WORDS)})

    began = time.perf_counter()
    answers = await asyncio.gather(*(upload(name, data) for name, data, _ in given))
    kinds = {True: Counter[int](), False: Counter[int]()}
    for (_, _, good), one in zip(given, answers, strict=True):
        kinds[good][one.status] += 1
    texts = {one.text for one, (_, _, good) in zip(answers, given, strict=True) if good}
    metrics = (await client.get("/metrics")).text
    told = {
        "seconds": round(time.perf_counter() - began, 1),
        "statuses_of_good": dict(kinds[True]),
        "statuses_of_hostile": dict(kinds[False]),
        "processes_killed": int(float(re.findall(r"^nutgraf_killed_total (\S+)", metrics, re.MULTILINE)[0])),
    }
    return told, set(kinds[True]) == {200} and len(texts) == 1


def hostile_files(random: Random, count: int) -> list[tuple[str, bytes]]:
    """Names and contents of hostile files."""
    from fuzz_inputs import document
    from reader_cases import CASES

    found = []
    for case in CASES[:count]:
        with tempfile.TemporaryDirectory() as folder:
            case.build(Path(folder))
            found += [(one.name, one.read_bytes()) for one in Path(folder).glob("given*")]
    return found[:count] + [document(random)[1:] for _ in range(count - len(found))]


async def summarize(client: httpx.AsyncClient, body: bytes) -> Answer:
    return await send(client, content=body, headers={"Content-Type": "application/json"})


async def send(client: httpx.AsyncClient, **request: Any) -> Answer:
    """Send a request; status 0 if there is no answer."""
    try:
        answer = await client.post("/v1/summarize", **request)
    except httpx.HTTPError as error:
        print(f"no answer: {type(error).__name__}", file=sys.stderr)
        return Answer(0, {})
    times = re.findall(r"(\w+);dur=([\d.]+)", answer.headers["server-timing"])
    text = answer.json()["text"] if answer.status_code == 200 else ""
    return Answer(answer.status_code, {name: float(one) for name, one in times}, text)


async def asked(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> Answer:
    """Send a request and read its answer; clients with more comfort are slower than the server that they load."""
    writer.write(request)
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    await reader.readexactly(int(re.findall(r"content-length: (\d+)", head)[0]))
    return Answer(
        int(head.split(" ", 2)[1]), {name: float(one) for name, one in re.findall(r"(\w+);dur=([\d.]+)", head)}
    )


def spread(answers: list[Answer]) -> dict[str, list[float]]:
    """Median, 90th and 99th percentile and maximum of each time of answers."""
    shares = (0.5, 0.9, 0.99, 1.0)
    parts = {"total": [one.total for one in answers], "overhead": [one.overhead for one in answers]}
    parts |= {name: [one.times[name] for one in answers] for name in ("queue", "work")}
    return {name: [round(percentile(values, share), 1) for share in shares] for name, values in parts.items()}


def percentile(values: list[float], share: float = 0.99) -> float:
    return sorted(values)[int(share * (len(values) - 1))]


def resident(pid: int) -> int:
    """Megabytes of memory that a process holds."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


def processor_seconds(pid: int) -> float:
    """Processor time that a process has had."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def children(pid: int) -> list[int]:
    """Processes that the threads of a process started."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(one) for found in lists for one in found.read_text(encoding="ascii").split()]


if __name__ == "__main__":
    sys.exit(main())
