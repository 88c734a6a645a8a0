"""What BRIO's objective brings a network that writes titles: beside the network itself and likelihood alone.

    python benchmarks/brio.py out/titles --out out/brio [--data ../shared/data] [--train 2400] [--test 300]

`out/titles` is the network that writes titles (`models/`). It goes on learning from evenly spaced examples of the
training part of acl_titles, once by likelihood alone and once with `brio` beside it, the same examples in the same
order. Summaries of evenly spaced validation examples are written greedily and with the network's own beams; ROUGE F1 ×
100 with stems, and paired differences with their 95 % bootstrap intervals. What is in OUT is not made again.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import _data
import numpy as np
from reranking import ROUGE, evenly, rouge

import nutgraf
from nutgraf.evaluation.significance import Bootstrap
from nutgraf.metrics import metrics
from nutgraf.systems import read_preset as read
from nutgraf.training.run import train

OBJECTIVES = {
    "likelihood": {},
    "brio": {
        "training.objectives.brio.num_candidates": 8,
        "training.objectives.brio.num_beam_groups": 4,
        "training.objectives.brio.max_length": 40,
    },
}
SEARCHES = {"greedy": {"decoding.beam_size": 1}, "beams": {}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="folder of the network that writes titles")
    parser.add_argument("--out", type=Path, required=True, help="folder for the corpus and the networks")
    parser.add_argument("--data", type=Path, default=_data.FOLDER, help="folder of the corpora")
    parser.add_argument("--train", type=int, default=2400, help="training examples")
    parser.add_argument("--test", type=int, default=300, help="examples that are measured")
    parser.add_argument("--steps", type=int, default=150, help="steps of each training, of 16 examples")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1])
    options = parser.parse_args()
    _data.needed(options.data, "acl_titles")
    tests = write_corpus(options)
    before = {search: scores(options.model, changes, tests) for search, changes in SEARCHES.items()}
    print(f"nutgraf {nutgraf.__version__} · {metrics.make('rouge').signature} · {Bootstrap().signature}")
    print(f"| | seed | search | {' | '.join(ROUGE)} |\n|---|---|---|---|---|---|")
    for search, table in before.items():
        print(f"| before | – | {search} | {' | '.join(f'{one:.2f}' for one in table.mean(0))} |")
    for seed in options.seeds:
        folders = {name: learn(options, name, seed) for name in OBJECTIVES}
        for search, changes in SEARCHES.items():
            found = {name: scores(folder, changes, tests) for name, folder in folders.items()}
            for name, table in found.items():
                print(f"| {name}, minus before | {seed} | {search} | {differences(table - before[search])} |")
            both = differences(found["brio"] - found["likelihood"])
            print(f"| brio minus likelihood | {seed} | {search} | {both} |", flush=True)


def differences(table: np.ndarray) -> str:
    return " | ".join(f"{one.mean:+.2f} [{one.low:+.2f}, {one.high:+.2f}]" for one in Bootstrap().intervals(table))


def write_corpus(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Write the examples that are learned from, once, and return those that are measured."""
    folder = options.out / "corpus"
    folder.mkdir(parents=True, exist_ok=True)
    learned = evenly(options.data / "acl_titles" / "train.jsonl.xz", options.train)
    tested = evenly(options.data / "acl_titles" / "validation.jsonl.xz", options.test)
    for name, lines in (("train", learned), ("validation", tested[:50])):
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [json.loads(line) for line in tested]


def learn(options: argparse.Namespace, objective: str, seed: int) -> Path:
    """Train the network further with an objective, or go on with it."""
    folder = options.out / f"{objective}-{seed}"
    changes = {
        "seed": seed,
        "training.init_from": options.model,
        "training.threads": 1,
        "training.batch_size": 16,
        "training.gradient_accumulation_steps": 1,
        "training.max_steps": options.steps,
        "training.validate_every": 0,
        "training.rouge_examples": 0,
        "training.schedule.learning_rate": 1e-4,
        "training.schedule.warmup_steps": options.steps // 10,
        "training.schedule.end_step": options.steps,
        **OBJECTIVES[objective],
    }
    train(read("title_small", changes), options.out / "corpus", folder, resume=True)
    return folder


def scores(model: str | Path, changes: dict[str, int], rows: list[dict[str, Any]]) -> np.ndarray:
    """Return ROUGE of what a network writes about each text: [texts × scores]."""
    system = nutgraf.load(model, changes, threads=1, deterministic=True)
    return np.array([rouge(row, str(system(row["documents"]))) for row in rows])


if __name__ == "__main__":
    main()
