"""What other programs on the machine cost: decoding and training on a quiet machine, beside one and two busy processes.

    python benchmarks/busy.py [--rounds 7] [--only decode-int8 train-small] [--busy 0 1 2] [--settings auto …]

Each setting runs in a process of its own, and the settings take turns; medians are shown, and how many times as long as
the best setting of that state "auto" took.

- auto: as nutgraf chooses, threads found by measurement, waiting threads sleeping.
- one thread; all threads, sleeping soon while they wait (GOMP_SPINCOUNT=5000); all threads, spinning as libgomp does by
  default.

The work: decoding one document of 500 words with a beam of 5 (4 + 4 layers of 512, 50,000 words, 32 words written, fp32
or int8); a step of training of the same width with 2 × (100 + 30) words of 5,000 ("train-small"), and of a network of
width 32 ("train-tiny").
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import _peers
from _sides import Side, answer, timed

from nutgraf.runtime.hardware import available_cores

SPINNING, SLEEPING = {"GOMP_SPINCOUNT": "300000"}, {"GOMP_SPINCOUNT": "5000"}
SETTINGS: dict[str, tuple[int | None, dict[str, str]]] = {
    "auto": (None, {}),
    "one thread": (1, SLEEPING),
    "all, sleeping": (0, SLEEPING),
    "all, spinning": (0, SPINNING),
}
WORKS = ("decode-fp32", "decode-int8", "train-small", "train-tiny")


def main() -> None:
    """Print a table for each kind of work."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", nargs="+", choices=WORKS, help="kinds of work; all that are quick here")
    parser.add_argument("--busy", nargs="+", type=int, default=[0, 1, 2])
    parser.add_argument("--settle", type=float, default=8.0, help="seconds of work before a state is measured")
    parser.add_argument("--settings", nargs="+", choices=SETTINGS, default=list(SETTINGS))
    parser.add_argument("--worker", choices=SETTINGS, help=argparse.SUPPRESS)
    parser.add_argument("--threads", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work(options.worker, options.only[0])
        return
    for name in options.only or _peers.quick_here(WORKS):
        print(f"{name:<14}" + "".join(f"{setting:>16}" for setting in options.settings) + f"{'auto ÷ best':>14}")
        sides = {setting: side(setting, name) for setting in options.settings}
        for busy in options.busy:
            with others(busy):
                for each in sides.values():
                    until = time.monotonic() + options.settle
                    while time.monotonic() < until:
                        each.ask("work")
                for each in sides.values():
                    each.rounds.clear()
                for _ in range(options.rounds):
                    for each in sides.values():
                        each.round("work")
            found = {setting: each.medians()["wall"] for setting, each in sides.items()}
            shown = "".join(f"{seconds:>14.3f} s" for seconds in found.values())
            ratio = f"{found['auto'] / min(found.values()):>12.2f} ×" if "auto" in found else ""
            print(f"{busy} others      {shown}{ratio}", flush=True)
        for each in sides.values():
            each.end()


def side(setting: str, name: str) -> Side:
    """A process that works whenever it is asked."""
    made = Side(setting, available_cores(), ["--only", name], SETTINGS[setting][1])
    made.ask("work")
    return made


@contextmanager
def others(count: int) -> Iterator[None]:
    """Busy processes beside the work."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for each in running:
            each.kill()
            each.wait()


def work(setting: str, name: str) -> None:
    """Work whenever the main process asks."""
    from nutgraf.runtime.compute import ThreadTuner

    del os.environ["OMP_NUM_THREADS"]  # which would fix the number
    threads = SETTINGS[setting][0]
    tuner = ThreadTuner(available_cores() if threads == 0 else threads)
    kind, _, size = name.partition("-")
    do = decoding(size, tuner) if kind == "decode" else training(size, tuner)
    answer({"work": lambda: timed(do)})


def decoding(precision: str, tuner: Any) -> Callable[[], Any]:
    """One document."""
    import decoding as plain
    from nutgraf.decoding.search import Config, search

    network, batch = plain.network(), plain.batch(plain.sources(1))
    config = Config(beam_size=5, min_length=32, max_length=32, precision=precision)  # type: ignore[arg-type]
    return lambda: search(network, batch, config, threads=tuner)


def training(size: str, tuner: Any) -> Callable[[], Any]:
    """One step."""
    import torch

    from nutgraf.model.head import heads
    from nutgraf.model.records import Batch, Phrases
    from nutgraf.model.seq2seq import Config, Seq2Seq
    from nutgraf.training.objectives import objectives

    width, words, shape = (512, 5_000, (2, 100, 30)) if size == "small" else (32, 500, (4, 40, 12))
    torch.manual_seed(0)
    network = Seq2Seq(Config(d_model=width, num_heads=4, max_positions=256, head=heads.choose("pointer")), words)
    documents, source, target = shape
    ids = torch.randint(4, words, (documents, source))
    written = torch.randint(4, words, (documents, target))
    mask = torch.zeros_like(ids, dtype=torch.bool)
    batch = Batch(ids, ids, mask, Phrases.none(), target=written, target_extended=written)
    objective = objectives.make("likelihood")
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-4, fused=True)

    def step() -> None:
        with tuner.measure():
            with torch.autocast("cpu", torch.bfloat16, enabled=size == "small"):
                loss = objective(network, batch, network(batch))
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()

    return step


if __name__ == "__main__":
    main()
