"""Titles or single sentences that a network writes for abstracts, beside methods that pick a sentence.

    python benchmarks/short_summaries.py out/titles --task title [--data ../shared/data] [--limit 1054]
    python benchmarks/short_summaries.py out/tldr --task sentence

The texts are the validation parts of acl_titles and scitldr, which the networks of `models/` do not see when they
learn; of several references the mean counts. For each system: ROUGE-1, 2 and L F1 × 100 with stems, the paired
difference of the network from it in ROUGE-1 and its 95 % interval, words, the share that is one stretch of the
source, and the share that has a flag. For titles, "cut" is the first words of the sentence that `adaptive` ranks
best: as many as a title has on the training part.
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import _data
import numpy as np

import nutgraf
from nutgraf.evaluation.significance import Bootstrap
from nutgraf.metrics import Example, metrics
from nutgraf.text.document import Document, join

METHODS = ("lead", "adaptive", "text_rank", "lex_rank", "centroid", "salience", "lsa", "luhn")
TASKS = {"title": "acl_titles", "sentence": "scitldr"}
ROUGE = ("ROUGE-1", "ROUGE-2", "ROUGE-L")


class Text(NamedTuple):
    """A source and its references."""

    source: Document
    references: tuple[tuple[str, ...], ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="folder or name of the network")
    parser.add_argument("--task", choices=TASKS, default="title")
    parser.add_argument("--data", type=Path, default=_data.FOLDER, help="folder of the corpora")
    parser.add_argument("--limit", type=int, default=None, help="number of texts")
    options = parser.parse_args()
    corpus = TASKS[options.task]
    _data.needed(options.data, corpus)
    texts = list(islice(read(options.data / corpus / "validation.jsonl.xz"), options.limit))
    network = nutgraf.load(options.model)
    print(f"nutgraf {nutgraf.__version__} · {network.signature} · {Bootstrap().signature} · {len(texts)} texts")
    print(metrics.make("rouge").signature)
    scores = {options.model: rated(texts, written_by(network))}
    for name in METHODS:
        scores[name] = rated(texts, written_by(nutgraf.load(name)))
    if options.task == "title":
        words = usual_words(options.data / corpus / "train.jsonl.xz")
        best = written_by(nutgraf.load("adaptive"))
        scores[f"cut to {words} words"] = rated(texts, lambda source: " ".join(best(source).split()[:words]))
    show(scores, options.model)


def read(file: Path) -> Iterator[Text]:
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            references = row.get("summaries") or [row["summary"]]
            yield Text(join([Document.of(one) for one in row["documents"]]), tuple((one,) for one in references))


def usual_words(file: Path) -> int:
    """Return how many words a title has on average."""
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        return round(float(np.mean([len(json.loads(line)["summary"].split()) for line in lines])))


def written_by(system: Any) -> Callable[[Document], str]:
    return lambda source: str(system(source, sentences=1))


def rated(texts: Sequence[Text], write: Callable[[Document], str]) -> np.ndarray:
    """Return the scores of each text: [texts, 6]."""
    rouge, verbatim = metrics.make("rouge"), metrics.make("verbatim")
    rows = []
    for text in texts:
        said = write(text.source)
        example = Example([said], references=text.references, source=text.source)
        found = rouge(example)
        flagged = bool(nutgraf.check(said, text.source).flags)
        copied = verbatim(example)["verbatim"] or 0.0
        rows.append([*(100 * (found[name] or 0.0) for name in ROUGE), len(said.split()), 100 * copied, 100 * flagged])
    return np.array(rows)


def show(scores: dict[str, np.ndarray], first: str) -> None:
    print(f"| | {' | '.join(ROUGE)} | network − it, ROUGE-1 | words | verbatim, % | flagged, % |\n|{'---|' * 8}")
    for name, own in scores.items():
        means = own.mean(axis=0)
        low, mean, high = interval(scores[first] - own)
        cell = "" if name == first else f"{mean:+.2f} [{low:+.2f}, {high:+.2f}]"
        rouge = " | ".join(f"{one:.2f}" for one in means[:3])
        print(f"| {name} | {rouge} | {cell} | {means[3]:.1f} | {means[4]:.1f} | {means[5]:.1f} |")


def interval(differences: np.ndarray) -> tuple[float, float, float]:
    found = Bootstrap().intervals(differences[:, :1])[0]
    return found.low, found.mean, found.high


if __name__ == "__main__":
    main()
