"""Kills `nutgraf batch` and its workers again and again, and looks whether every document has one result in the end.

    python tests/hostile/batch_kills.py [--documents N] [--kills N] [--workers 1,2,4] [--seed S] [--folder F]
                                        [--report FILE]

The corpus has small documents, one that eats all memory and one that never ends. Undisturbed runs with one, two and
four workers must leave the same bytes. Then the command is given with a random number of workers; at random moments
SIGKILL hits it or one of its workers, and whenever it is gone it is given again, until it ends by itself. What it
leaves must be what the undisturbed runs left, and every id must be there once. The reasons of the two bad documents may
differ: whoever kills a process while it works on one of them makes the end of the process the reason. Where documents
are done before there were enough kills, another round begins.

A campaign that was stopped goes on where it was, with the same command, if it has a folder.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

from poison import MEMORY, TIME

HERE = Path(__file__).resolve().parent

BAD = {
    "hungry": (MEMORY, "It needs more memory than is available."),
    "endless": (TIME, "It took longer than {:g} seconds and was stopped."),
}
"""Ids of the documents that have no summary: what makes them bad, and the reason that the dead letter gives."""

GAVE_UP = ("Worker processes cannot be started", "its process was terminated (signal 9)")
"""Reasons for which a run ends by itself: processes were killed three times in a row as they began."""

MEAN_PAUSE = 2.5
"""Seconds between two kills, on average; less where a run is so short that it would end before."""

INTERRUPTED_START = re.compile(
    r"Traceback [^\n]*\n(?:  [^\n]*\n)*?  [^\n]*in spawn_main\n(?:  [^\n]*\n)*EOFError: [^\n]*\n"
)
"""Python's own words in a worker whose command was killed before it had told the worker what to do."""

LONGEST = 1800.0
"""Seconds after which a run that was not killed counts as hanging."""


@dataclass
class Campaign:
    """What came of a campaign.

    driver_kills, worker_kills: signals that were sent. restarts: runs after the first of a round. rounds: times that
    all documents were done meanwhile. interrupted_starts: workers of a killed command that said so before they ended.
    seconds: of the undisturbed runs, by the number of workers. wrong: what should not be.
    """

    documents: int
    seed: int
    driver_kills: int = 0
    worker_kills: int = 0
    restarts: int = 0
    rounds: int = 0
    interrupted_starts: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    disturbed_seconds: float = 0.0
    wrong: list[str] = field(default_factory=list)

    @property
    def kills(self) -> int:
        return self.driver_kills + self.worker_kills

    @classmethod
    def of(cls, file: Path, documents: int, seed: int) -> Campaign:
        """The campaign of a file, or a new one."""
        found = cls(**json.loads(file.read_text())) if file.is_file() else cls(documents, seed)
        if (found.documents, found.seed) != (documents, seed):
            sys.exit(f"{file} is of a campaign with {found.documents} documents and seed {found.seed}.")
        return found

    def save(self, file: Path) -> None:
        """Write what has come of it so far."""
        new = file.with_suffix(".new")
        new.write_text(json.dumps(asdict(self), indent=2) + "\n")
        new.replace(file)


def corpus(path: Path, documents: int, bad_ids: Sequence[str], draw: random.Random) -> None:
    """Write the corpus."""
    bad = dict(zip(draw.sample(range(documents // 2, documents), len(bad_ids)), bad_ids, strict=True))
    with path.open("w", encoding="utf-8") as file:
        for number in range(documents):
            name, port = draw.choice(["Agnes", "Berta", "Dora"]), draw.choice(["Tremouth", "Lindow", "Skarholm"])
            text = f"The {name} left {port} with {number} crates of salt. It rained. Nobody of the {name} was hurt."
            key = f"d{number}"
            if number in bad:
                key = bad[number]
                text = f"{text} {BAD[key][0]} said the captain."
            file.write(json.dumps({"id": key, "text": text}) + "\n")


def command(data: Path, out: Path, workers: int, shard_size: int, seconds: float) -> subprocess.Popen[str]:
    """Start a run."""
    argv = [
        sys.executable, "-m", "nutgraf", "batch", str(data), "--out", str(out), "--system", "lead", "--words", "9",
        "--set", "extractive.kind=hostile.poison", "--workers", str(workers), "--shard-size", str(shard_size),
        "--seconds", str(seconds), "--memory", "512",
    ]  # fmt: skip
    places = os.pathsep.join([str(HERE.parent), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    return subprocess.Popen(argv, env={**os.environ, "PYTHONPATH": places}, stderr=subprocess.PIPE, text=True)


def children(process: int) -> list[int]:
    """The workers of a run."""
    found = []
    for thread in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            for child in thread.read_text().split():
                with suppress(OSError):
                    if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text():
                        found.append(int(child))
    return found


def left(out: Path) -> dict[str, str]:
    """A hash of each file of results."""
    names = [path for path in sorted(out.rglob("*")) if path.is_file() and path.name != "metrics.prom"]
    return {str(path.relative_to(out)): hashlib.sha256(path.read_bytes()).hexdigest() for path in names}


def lines(folder: Path) -> list[dict[str, object]]:
    """The records of all files in a folder."""
    return [
        json.loads(line) for path in sorted(folder.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines()
    ]


def ids(out: Path) -> Counter[object]:
    """How often each id is there, in summaries and dead letters together."""
    return Counter(record["id"] for name in ("summaries", "dead_letters") for record in lines(out / name))


def disturbed(
    found: Campaign, state: Path, start: Callable[[int], subprocess.Popen[str]], kills: int, workers: Sequence[int]
) -> bool:
    """Give the command again and again while it is killed, until all documents are done; True if they are."""
    draw = random.Random(f"{found.seed} {found.kills}")
    mean = min(MEAN_PAUSE, min(found.seconds.values()) / 4)
    while True:
        began = time.monotonic()
        with start(draw.choice(workers)) as running:
            try:
                while running.poll() is None:
                    of_worker = found.kills < kills and draw.random() < 0.5
                    while of_worker and running.poll() is None and not children(running.pid):
                        time.sleep(0.05)  # on a busy machine a worker would hardly ever begin otherwise
                    pause = LONGEST if found.kills >= kills else draw.expovariate(1 / mean)
                    with suppress(subprocess.TimeoutExpired):
                        running.wait(pause)
                        break
                    if pause == LONGEST:
                        found.wrong.append("a run that nobody disturbed did not end")
                        return False
                    at = children(running.pid)
                    if at and of_worker:
                        with suppress(ProcessLookupError):
                            os.kill(draw.choice(at), signal.SIGKILL)
                            found.worker_kills += 1
                    else:
                        running.kill()
                        found.driver_kills += 1
                    found.save(state)
            finally:
                running.kill()
            said = running.stderr.read() if running.stderr else ""
        found.disturbed_seconds += round(time.monotonic() - began, 1)
        if running.returncode == -signal.SIGKILL:
            said, interrupted = INTERRUPTED_START.subn("", said)
            found.interrupted_starts += interrupted
        if "Traceback" in said:
            found.wrong.append(said)
        if running.returncode in (0, 2) and "summaries are in" in said:
            return True
        if running.returncode != -signal.SIGKILL and not any(reason in said for reason in GAVE_UP):
            found.wrong.append(f"status {running.returncode}: {said}")
            return False
        found.restarts += 1


def campaign(
    place: Path,
    documents: int,
    kills: int,
    workers: Sequence[int],
    seed: int,
    shard_size: int,
    seconds: float,
    bad: Sequence[str] = tuple(BAD),
) -> Campaign:
    """Run the whole campaign in a folder, or go on with it."""
    letters = {key: BAD[key][1].format(seconds) for key in bad}
    state, data = place / "campaign.json", place / "corpus.jsonl"
    found = Campaign.of(state, documents, seed)
    corpus(data, documents, bad, random.Random(seed))
    wanted: dict[str, str] = {}
    for count in workers:
        out, began = place / f"workers-{count}", time.monotonic()
        with command(data, out, count, shard_size, seconds) as running:
            _, said = running.communicate()
        found.seconds.setdefault(str(count), round(time.monotonic() - began, 1))
        found.save(state)
        told = f"{len(bad)} of {documents:,} documents ha"
        found.wrong += [f"{count} workers: {said}"] * ("Traceback" in said or told not in said)
        wanted = wanted or left(out)
        found.wrong += [f"{count} workers leave other bytes"] * (left(out) != wanted)
        there = {record["id"]: record["reason"] for record in lines(out / "dead_letters")}
        found.wrong += [f"{count} workers: {there}"] * (there != letters)
    while not found.wrong and (found.kills < kills or not found.rounds):
        out = place / f"round-{found.rounds}"
        start = partial(command, data, out, shard_size=shard_size, seconds=seconds)
        if disturbed(found, state, start, kills, workers):
            found.wrong += differences(out, wanted, documents, bad)
            found.rounds += 1
            found.save(state)
            shutil.rmtree(place / f"round-{found.rounds - 2}", ignore_errors=True)
    return found


def differences(out: Path, wanted: dict[str, str], documents: int, bad: Sequence[str]) -> list[str]:
    """What is other after kills than it was without them."""
    here, counted = left(out), ids(out)
    dead = {record["id"] for record in lines(out / "dead_letters")}
    other = [name for name in {**here, **wanted} if here.get(name) != wanted.get(name) and "dead_letters" not in name]
    return [
        *(f"after kills, {name} has other bytes" for name in other),
        *(f"{key} is there {times} times" for key, times in counted.items() if times != 1),
        *[f"{documents - len(counted)} ids are missing"] * (len(counted) != documents),
        *[f"other dead letters: {sorted(map(str, dead))}"] * (dead != set(bad)),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--workers", default="1,2,4")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--shard-size", type=int, default=5000)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--folder", type=Path, help="a folder for all files, kept for the next call")
    parser.add_argument("--report", type=Path)
    asked = parser.parse_args()
    workers = [int(count) for count in asked.workers.split(",")]
    with tempfile.TemporaryDirectory() as temporary:
        place = asked.folder or Path(temporary)
        place.mkdir(parents=True, exist_ok=True)
        found = campaign(place, asked.documents, asked.kills, workers, asked.seed, asked.shard_size, asked.seconds)
    report = json.dumps(asdict(found), indent=2)
    print(report)
    if asked.report:
        asked.report.parent.mkdir(parents=True, exist_ok=True)
        asked.report.write_text(report + "\n", encoding="utf-8")
    sys.exit(bool(found.wrong))


if __name__ == "__main__":
    main()
