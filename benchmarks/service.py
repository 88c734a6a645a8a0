"""The service under ten times the load that it can bear.

    python benchmarks/service.py --seconds 300 [--json service.json]

The server and its one worker run on one core, the requests come from another. First requests are sent one by one: their
time on the server is the service time, and what they take more than the same work in this process is the overhead. Then
ten times as many are sent in a second as can be answered. Bars: no status but 200 and 429; of the accepted, 99 of 100
take on the server no longer than 2 × (queue + 1) × the service time; an overhead of 10 ms at most; memory stays flat.
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
import time
from collections import Counter, deque
from pathlib import Path
from threading import Thread
from typing import Any

import httpx

import nutgraf

ROOT = Path(__file__).resolve().parents[1]
QUEUE, OVERLOAD, SINGLE, WORDS = 8, 10, 60, 100
LONGEST = 60.0


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seconds", type=float, default=300)
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    text = "\n\n".join((ROOT / "examples" / name).read_text(encoding="utf-8") for name in ("island.txt", "bridge.md"))
    own = work_here(text)
    server, address = start()
    try:
        found = asyncio.run(measured(address, text, server.pid, chosen.seconds))
    finally:
        server.terminate()
        server.wait()
    found |= {"work_ms": round(1000 * own, 1), "overhead_ms": round(1000 * (found.pop("latency") - own), 1)}
    print(json.dumps(found, indent=2))
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def work_here(text: str) -> float:
    """Median seconds of the same summary in this process, from the text to its JSON."""
    summarize = nutgraf.load()
    taken = []
    for _ in range(SINGLE):
        began = time.perf_counter()
        summarize(nutgraf.Document.of(text), words=WORDS).dumps()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def start() -> tuple[subprocess.Popen[str], str]:
    """Start a server on the last core, and leave the others to this process."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cores[-1:])
    command = [sys.executable, "-m", "nutgraf", "serve", "--port", "0", "--workers", "1", "--queue", str(QUEUE)]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    os.sched_setaffinity(0, cores[:-1] or cores)
    assert server.stderr is not None
    for line in server.stderr:
        if "ready on" in line:
            address = re.findall(r"ready on (\S+);", line)[0]
            break
    log = server.stderr
    Thread(target=lambda: deque(log, maxlen=0), daemon=True).start()
    return server, address


async def measured(address: str, text: str, pid: int, seconds: float) -> dict[str, Any]:
    """Send requests one by one, then too many."""
    limits = httpx.Limits(max_connections=400, max_keepalive_connections=400)
    async with httpx.AsyncClient(base_url=address, timeout=LONGEST, limits=limits) as client:
        body = json.dumps({"documents": [text], "words": WORDS}).encode()
        single = [await send(client, body) for _ in range(SINGLE)][5:]
        service = statistics.median(one[1] for one in single)
        latency = statistics.median(one[2] for one in single)
        answers, memory = await overload(client, body, OVERLOAD / service, seconds, pid)
    accepted = sorted(on_server for status, on_server, _ in answers if status == 200)
    p99 = accepted[int(0.99 * (len(accepted) - 1))]
    bound = 2 * (QUEUE + 1) * service
    return {
        "latency": latency,
        "service_ms": round(1000 * service, 1),
        "requests": len(answers),
        "asked_per_second": round(OVERLOAD / service, 1),
        "sent_per_second": round(len(answers) / seconds, 1),
        "statuses": dict(Counter(status for status, _, _ in answers)),
        "p99_ms": round(1000 * p99, 1),
        "bound_ms": round(1000 * bound, 1),
        "p99_within_bound": p99 <= bound,
        "memory_mb": {"first": memory[0], "middle": memory[len(memory) // 2], "last": memory[-1], "most": max(memory)},
    }


async def overload(
    client: httpx.AsyncClient, body: bytes, rate: float, seconds: float, pid: int
) -> tuple[list[tuple[int, float, float]], list[int]]:
    """Send `rate` requests a second, whether or not earlier ones are answered; sample the memory of all processes."""
    tasks: set[asyncio.Task[tuple[int, float, float]]] = set()
    answers: list[tuple[int, float, float]] = []
    memory: list[int] = []
    began = time.perf_counter()
    sent = 0
    while (now := time.perf_counter() - began) < seconds:
        while sent < rate * now:
            task = asyncio.create_task(send(client, body))
            tasks.add(task)
            task.add_done_callback(lambda done: (tasks.discard(done), answers.append(done.result())))
            sent += 1
        if len(memory) < now / 2:
            memory.append(sum(map(resident, [pid, *children(pid)])) >> 20)
        await asyncio.sleep(0.005)
    await asyncio.gather(*tasks)
    return answers, memory


async def send(client: httpx.AsyncClient, body: bytes) -> tuple[int, float, float]:
    """Status, seconds on the server, and seconds for the client."""
    began = time.perf_counter()
    try:
        answer = await client.post("/v1/summarize", content=body, headers={"Content-Type": "application/json"})
    except httpx.HTTPError as error:
        print(f"no answer: {type(error).__name__}", file=sys.stderr)
        return 0, 0.0, 0.0
    on_server = float(answer.headers["server-timing"].rpartition("=")[2]) / 1000
    return answer.status_code, on_server, time.perf_counter() - began


def resident(pid: int) -> int:
    """Bytes of memory that a process holds."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def children(pid: int) -> list[int]:
    """Processes that the threads of a process started."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(one) for found in lists for one in found.read_text(encoding="ascii").split()]


if __name__ == "__main__":
    main()
