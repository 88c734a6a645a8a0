"""What choosing among a network's beams brings: by score, by minimum Bayes risk, by a re-ranker, and by an oracle.

    python benchmarks/reranking.py out/titles --out out/reranking [--data ../shared/data] [--train 1500] [--test 300]
    python benchmarks/reranking.py out/news --corpus cnn_dailymail --beams 10 --out out/reranking_news

`out/titles` is the network that writes titles (`models/`). Of the training part of the corpus, evenly spaced examples
are taken for the re-ranker, every sixteenth of them to choose its weights; of the validation part, those that are
measured. The network writes its beams for each, `reranker_small` begins with the network's encoder and tokens and
learns their order, and then each way chooses among the same candidates; "both" adds its standardized scores to those of
`mbr`, which counts likeness to the source as much as the network's preset does. ROUGE F1 × 100 with stems, and paired
differences from the first candidate with their 95 % bootstrap intervals. What is in OUT is not made again: the same
command goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import _data
import numpy as np

import nutgraf
from nutgraf.datasets import datasets
from nutgraf.decoding import mbr
from nutgraf.evaluation.candidates import write_candidates
from nutgraf.evaluation.significance import Bootstrap
from nutgraf.metrics import Example, metrics
from nutgraf.systems import read_preset as read
from nutgraf.systems._gains import ExpectedGain
from nutgraf.systems._reranking import ReRanker
from nutgraf.text.document import Document, join
from nutgraf.text.tokenize import sentence_texts
from nutgraf.training.run import train

ROUGE = ("ROUGE-1", "ROUGE-2", "ROUGE-L")
SPACING = 16
"""Of so many training examples one chooses the weights of the re-ranker."""

SETTINGS: dict[str, dict[str, Any]] = {
    "acl_titles": {},
    "cnn_dailymail": {
        "tokenizer.vocab_size": 12000,
        "tokenizer.lower": True,
        "truncation.kind": "head",
        "truncation.source": 300,
        "truncation.target": 100,
    },
}
"""Settings of the re-ranker for each corpus: tokens and lengths are those of the network that writes."""

Choice = Callable[[dict[str, Any]], int]
"""Returns the place of the candidate that is taken of a row."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="folder of the network that writes titles")
    parser.add_argument("--corpus", default="acl_titles", choices=SETTINGS, help="corpus of the network")
    parser.add_argument("--out", type=Path, required=True, help="folder for the candidates and the re-ranker")
    parser.add_argument("--data", type=Path, default=_data.FOLDER, help="folder of the corpora")
    parser.add_argument("--train", type=int, default=1500, help="training examples")
    parser.add_argument("--test", type=int, default=300, help="examples that are measured")
    parser.add_argument("--beams", type=int, default=12)
    parser.add_argument("--steps", type=int, default=90, help="steps of the training")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    _data.needed(options.data, options.corpus)
    write_corpus(options)
    writer = nutgraf.load(options.model, {"decoding.beam_size": options.beams}, threads=1, deterministic=True)
    candidates = options.out / "candidates"
    write_candidates(writer, datasets.make("jsonl"), options.out / "corpus", candidates)
    reranker = options.out / "reranker"
    learn(options, candidates, reranker)
    rows = [json.loads(line) for line in (candidates / "test.jsonl").open(encoding="utf-8")]
    changes = {"decoding.mbr": "none", "decoding.rerank.model": str(reranker.resolve())}
    scorer = ReRanker(nutgraf.systems.preset_of(options.model, changes), "cpu")
    own: Any = nutgraf.systems.preset_of(options.model, {}).config.decoding.mbr
    share = own.source_share if own else 0.0
    gain = ExpectedGain(mbr.Config(weights="uniform", source_share=share), sampled=False)
    ways: dict[str, Choice] = {
        "first": lambda row: 0,
        "mbr": lambda row: int(np.argmax(likeness(gain, row))),
        "re-ranked": lambda row: int(np.argmax(order(scorer, row))),
        "both": lambda row: int(np.argmax(standard(order(scorer, row)) + standard(likeness(gain, row)))),
        "oracle": best,
    }
    print(f"nutgraf {nutgraf.__version__} · {writer.signature} · reranker:{scorer.digest} · {Bootstrap().signature}")
    print(f"{metrics.make('rouge').signature} · {len(rows)} examples · seed {options.seed}")
    show({name: np.array([rouge(row, row["candidates"][way(row)]) for row in rows]) for name, way in ways.items()})


def write_corpus(options: argparse.Namespace) -> None:
    """Write the examples that are used, once."""
    folder = options.out / "corpus"
    if folder.is_dir():
        return
    folder.mkdir(parents=True)
    given = evenly(options.data / options.corpus / "train.jsonl.xz", options.train * SPACING // (SPACING - 1))
    parts = {
        "train": [line for place, line in enumerate(given) if place % SPACING != SPACING - 1],
        "validation": given[SPACING - 1 :: SPACING],
        "test": evenly(options.data / options.corpus / "validation.jsonl.xz", options.test),
    }
    for name, lines in parts.items():
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def evenly(file: Path, count: int) -> list[str]:
    with lzma.open(file, "rt", encoding="utf-8") as opened:
        lines = opened.read().splitlines()
    return [lines[at * len(lines) // count] for at in range(count)]


def learn(options: argparse.Namespace, candidates: Path, reranker: Path) -> None:
    """Train the re-ranker, or go on with its training."""
    steps = options.steps
    changes = {
        **SETTINGS[options.corpus],
        "seed": options.seed,
        "training.init_from": options.model,
        "training.threads": 1,
        "training.max_steps": steps,
        "training.validate_every": max(1, steps // 3),
        "training.schedule.end_step": steps,
        "training.schedule.warmup_steps": max(1, steps // 9),
    }
    train(read("reranker_small", changes), candidates, reranker, resume=True)


def texts_of(row: dict[str, Any]) -> list[list[str]]:
    return [sentence_texts(one) for one in row["candidates"]]


def source_of(row: dict[str, Any]) -> Document:
    return join([Document.of(one) for one in row["documents"]])


def likeness(gain: ExpectedGain, row: dict[str, Any]) -> np.ndarray:
    """Return the expected gains with equal weights, since probabilities are not kept."""
    texts = texts_of(row)
    return np.array(gain.scores(texts, [0.0] * len(texts), source_of(row)))


def order(scorer: ReRanker, row: dict[str, Any]) -> np.ndarray:
    return np.array(scorer.scores(source_of(row), texts_of(row)))


def standard(scores: np.ndarray) -> np.ndarray:
    return (scores - scores.mean()) / (scores.std() or 1.0)


def best(row: dict[str, Any]) -> int:
    return int(np.argmax([sum(rouge(row, one)) for one in row["candidates"]]))


def rouge(row: dict[str, Any], text: str) -> list[float]:
    found = metrics.make("rouge")(Example([text], ([row["summary"]],)))
    return [100 * (found[name] or 0.0) for name in ROUGE]


def show(scores: dict[str, np.ndarray]) -> None:
    print(f"| | {' | '.join(ROUGE)} |\n|---|---|---|---|")
    first = next(iter(scores.values()))
    print(f"| first | {' | '.join(f'{one:.2f}' for one in first.mean(axis=0))} |")
    for name, own in list(scores.items())[1:]:
        found = Bootstrap().intervals(own - first)
        print(f"| {name} | {' | '.join(f'{one.mean:+.2f} [{one.low:+.2f}, {one.high:+.2f}]' for one in found)} |")


if __name__ == "__main__":
    main()
