"""What many documents cost: processor time by worker and driver, and how far more workers help.

    python benchmarks/batch.py [--documents 400] [--systems lead,adaptive,mls_plus] [--workers 1,2]

The documents are those of `examples/`, in turn, each with a number of its own. For each system, `nutgraf batch` is run
with each number of workers, and the documents per second are shown, beside those of the first number; then one worker's
processor time for each task is measured. Wall time and the driver's processor time are those of the last three
quarters, when all processes have begun. The last table is a simulation with these costs, which needs no quiet machine:
the driver spends its share of time on each task, one after the other, and each of k workers has one task at work and
one waiting. Its efficiency is the time of one worker divided by k times the time of k workers.
"""

from __future__ import annotations

import argparse
import heapq
import itertools
import json
import resource
import statistics
import tempfile
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from nutgraf.batch.named import sources_of
from nutgraf.batch.progress import Progress
from nutgraf.batch.run import run
from nutgraf.batch.settings import Settings
from nutgraf.batch.sources import Item
from nutgraf.batch.work import Made, Work
from nutgraf.readers.reading import read
from nutgraf.runtime.workers import local_lanes
from nutgraf.text.request import Request
from nutgraf.text.summary import Budget

ROOT = Path(__file__).resolve().parent.parent
TEXTS = ("island.txt", "bridge.md", "dark-town.html")
SIMULATED = (1, 2, 4, 8, 16, 32)
TOGETHER = 16
"""Documents of a task, unless they are long; see `nutgraf.batch.run`."""


def corpus(path: Path, documents: int) -> float:
    """Write the corpus, and return the mean number of words of a document."""
    texts = [document.text for name in TEXTS for document in read(ROOT / "examples" / name)]
    with path.open("w", encoding="utf-8") as file:
        for number, text in zip(range(documents), itertools.cycle(texts)):
            file.write(json.dumps({"id": str(number), "text": f"{text}\n\nThis is copy {number}."}) + "\n")
    return statistics.mean(len(text.split()) for text in texts)


def processor_time() -> float:
    """Processor time of this process, which is the driver, with all its threads."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measured(data: Path, out: Path, settings: Settings, workers: int, documents: int) -> tuple[float, float]:
    """Wall time and the driver's processor time for a document, once a quarter of them is done."""
    begun: list[tuple[int, float, float]] = []

    def tell(progress: Progress) -> None:
        if not begun and progress.documents >= documents / 4:
            begun.append((progress.documents, time.perf_counter(), processor_time()))

    run(sources_of([str(data)]), out, settings, workers=workers, tell=tell)
    [(done, began, used)] = begun
    rest = documents - done
    return (time.perf_counter() - began) / rest, (processor_time() - used) / rest


def timed(work: Work, items: Sequence[Item]) -> tuple[list[Made], float]:
    """Results, and the processor time that they took."""
    began = time.process_time()
    made = work.summarize(items)
    return made, time.process_time() - began


def costs(data: Path, settings: Settings) -> list[float]:
    """Processor time of a worker for each task."""
    groups, group, characters = list[tuple[list[Item]]](), list[Item](), 0
    for item in sources_of([str(data)]).items():
        if group and (len(group) == TOGETHER or characters + item.size > 20_000):
            groups.append((group,))
            group, characters = [], 0
        group.append(item)
        characters += item.size
    with local_lanes(Work, (settings,), processes=1) as lanes:
        list(lanes.map(Work.about, [()]))
        return [result[1] for result in lanes.map(timed, [*groups, (group,)])]


def simulated(tasks: Sequence[float], driver: float, workers: int) -> float:
    """Seconds that k workers need for tasks of these costs, if the driver spends so long on each."""
    waiting = deque(tasks)
    ready = [deque[float]() for _ in range(workers)]  # when the tasks that wait beside a worker reached it
    events: list[tuple[float, int]] = [(0.0, worker) for worker in range(workers)]
    driver_free = last = 0.0

    def hand_out(worker: int) -> None:
        nonlocal driver_free
        if waiting:
            driver_free += driver
            ready[worker].append(driver_free)

    for worker in [*range(workers), *range(workers)]:
        hand_out(worker)
    while events:
        now, worker = heapq.heappop(events)
        last = max(last, now)
        if now:  # a result, which the driver takes before it hands out another task
            driver_free = max(driver_free, now)
            hand_out(worker)
        if ready[worker] and waiting:
            heapq.heappush(events, (max(now, ready[worker].popleft()) + waiting.popleft(), worker))
    return max(last, driver_free)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=400)
    parser.add_argument("--systems", default="lead,adaptive,mls_plus")
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--words", type=int, default=100)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        data = Path(place) / "data.jsonl"
        mean = corpus(data, asked.documents)
        print(f"{asked.documents} documents of {mean:.0f} words on average, summaries of {asked.words} words\n")
        for system in asked.systems.split(","):
            settings = Settings(system=system, request=Request(Budget(words=asked.words)))
            driver, first = [], 0.0
            for workers in map(int, asked.workers.split(",")):
                out = Path(place) / f"{system}-{workers}"
                wall, used = measured(data, out, settings, workers, asked.documents)
                driver.append(used)
                first = first or wall
                named = f"{workers} worker{'s' if workers > 1 else ' '}"
                print(
                    f"{system:10} {named}  {1 / wall:8.1f} documents/s, {first / wall:.2f} times the first", flush=True
                )
            tasks = costs(data, settings)
            a_document = sum(tasks) / asked.documents
            a_task = min(driver) * asked.documents / len(tasks)
            print(f"{'':10} worker {1000 * a_document:.2f} ms a document, driver {1000 * a_task:.2f} ms a task")
            many = tasks * max(1, 2000 // len(tasks))
            alone = simulated(many, a_task, 1)
            for workers in SIMULATED:
                took = simulated(many, a_task, workers)
                million = took / len(many) * len(tasks) / asked.documents * 1e6 / 3600
                print(
                    f"{'':10} {workers:3} simulated  efficiency {alone / (workers * took):.3f}, "
                    f"a million documents {million:7.2f} h, {million * workers:7.2f} core hours"
                )
            print()


if __name__ == "__main__":
    main()
