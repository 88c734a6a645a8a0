"""How well rules tell errors that people marked in summaries of networks: balanced accuracy and F1 of characters.

    python benchmarks/natural.py [--data ../shared/data] [--part kept|development]

Each set is split once, by a hash of the source, so that summaries of one document lie in one part. Thresholds are
chosen on the development part, and the other one, kept apart, is reported, with 95 % bootstrap intervals over
documents. A random flag has a balanced accuracy of 50, at any rate.

    flags             a flag of `nutgraf check`
    entity precision  the share of names and figures that stand in the source to the letter, below a threshold
    novel bigrams     the share of bigrams that the source does not have, above a threshold
    random            words at random, as many characters as the flags of the summary have

Spans count by characters over all summaries of a part. Of FaithBench's only unwanted ones count, of XSumFaith's those
characters that at least half of the annotators marked, of the others the union. There, the second and third judge mark
the absent names and figures, and the words that the source lacks; "all" marks everything.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import _data
import numpy as np

import nutgraf
from nutgraf.text.tokenize import ngrams, token_spans, words

SPANS = ("cliff", "goyal21", "faithbench", "xsumfaith")
LABELS = ("frank", "cliff", "goyal21", "faithbench")
RESAMPLES = 1000
ENTITY = re.compile(r"(?<![.?!] )(?<!^)\b[A-Z]\w+(?: [A-Z]\w+)*|\d[\d,.]*(?<=\d)")

Places = frozenset[int]
"""Characters of a summary."""


@dataclass(frozen=True)
class Case:
    """A summary, or a sentence of one, as the judges see it."""

    source: str
    wrong: bool
    flagged: bool
    precision: float
    novel: float


@dataclass(frozen=True)
class Marks:
    """Characters that people marked in a summary, and those that each judge marks."""

    source: str
    gold: Places
    found: dict[str, Places]


def read(path: Path, limit: int | None = None) -> Iterator[dict[str, Any]]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, islice(lines, limit))


def part(source: str) -> str:
    return ("development", "kept")[hashlib.sha256(source.encode()).digest()[0] % 2]


def covered(spans: Sequence[tuple[int, int]]) -> Places:
    return frozenset(place for start, end in spans for place in range(start, end))


def absent_entities(summary: str, source: str) -> tuple[list[tuple[int, int]], int]:
    """Return the names and figures that a source lacks, and the number of all."""
    found = [match.span() for match in ENTITY.finditer(summary)]
    lowered = source.lower()
    return [(start, end) for start, end in found if summary[start:end].lower() not in lowered], len(found)


def novel_share(summary: str, source: str) -> float:
    known, own = set(ngrams(words(source), 2)), ngrams(words(summary), 2)
    return sum(one not in known for one in own) / len(own) if own else 0.0


def cases(name: str, example: dict[str, Any]) -> Iterator[Case]:
    """The summary, or the sentences of FRANK's on which the annotators agree."""
    pairs = [(example["summary"], example["label"])]
    if name == "frank sentences":
        pairs = [
            (one, label)
            for one, label in zip(example["sentences"], example["sentence_labels"], strict=True)
            if label is not None and one.strip()
        ]
    for text, label in pairs:
        absent, count = absent_entities(text, example["source"])
        flagged = bool(nutgraf.check(text, example["source"]).flags)
        precision = 1 - len(absent) / count if count else 1.0
        yield Case(example["source"], label == 0, flagged, precision, novel_share(text, example["source"]))


def gold(name: str, example: dict[str, Any]) -> Places:
    counts: Counter[int] = Counter()
    seen: set[tuple[int, object]] = set()
    for span in example["spans"]:
        if name == "faithbench" and not span["type"].lower().startswith("unwanted"):
            continue
        for place in range(span["start"], span["end"]):
            if (place, span.get("worker")) not in seen:
                seen.add((place, span.get("worker")))
                counts[place] += 1
    least = example["workers"] / 2 if name == "xsumfaith" else 1
    return frozenset(place for place, count in counts.items() if count >= least)


def marks(name: str, example: dict[str, Any], draw: np.random.Generator) -> Marks:
    summary, source = example["summary"], example["source"]
    tokens = token_spans(summary)
    known = set(words(source))
    flags = covered([(flag.start, flag.end) for flag in nutgraf.check(summary, source).flags])
    shuffled = [tokens[index] for index in draw.permutation(len(tokens))]
    chosen: list[tuple[int, int]] = []
    for span in shuffled:
        if sum(end - start for start, end in chosen) >= len(flags):
            break
        chosen.append(span)
    found = {
        "flags": flags,
        "entity precision": covered(absent_entities(summary, source)[0]),
        "novel words": covered([span for span in tokens if not known.issuperset(words(summary[slice(*span)]))]),
        "random": covered(chosen),
        "all": frozenset(range(len(summary))),
    }
    return Marks(source, gold(name, example), found)


def balanced(wrong: np.ndarray, says: np.ndarray) -> float:
    """Mean of the shares of wrong and of right summaries that are told as such."""
    return 50 * (says[wrong].sum() / max(1, wrong.sum()) + (~says[~wrong]).sum() / max(1, (~wrong).sum()))


def resampled(sources: Sequence[str], of: Callable[[np.ndarray], float]) -> str:
    """A figure with its interval over draws of documents."""
    groups: dict[str, list[int]] = defaultdict(list)
    for index, source in enumerate(sources):
        groups[source].append(index)
    rows, draw = list(groups.values()), np.random.default_rng(0)
    drawn = (draw.integers(0, len(rows), len(rows)) for _ in range(RESAMPLES))
    found = [of(np.array([index for group in one for index in rows[group]])) for one in drawn]
    low, high = np.percentile(found, [2.5, 97.5])
    return f"{of(np.arange(len(sources))):.1f} [{low:.1f}, {high:.1f}]"


def labels_row(name: str, examples: list[dict[str, Any]], reported: str) -> str:
    found = [case for example in examples for case in cases(name, example)]
    parts = {one: [case for case in found if part(case.source) == one] for one in ("development", "kept")}
    wrong = {one: np.array([case.wrong for case in its]) for one, its in parts.items()}
    columns = {one: [np.array([getattr(case, key) for case in its]) for key in ("precision", "novel")]
               for one, its in parts.items()}  # fmt: skip
    grid = np.linspace(0, 1, 41)
    precision, novel = columns["development"]
    least = max(grid, key=lambda one: balanced(wrong["development"], precision < one))
    most = max(grid, key=lambda one: balanced(wrong["development"], novel > one))
    its, flagged = parts[reported], np.array([case.flagged for case in parts[reported]])
    precision, novel = columns[reported]
    says = [flagged, precision < least, novel > most]
    sources = [case.source for case in its]
    cells = [resampled(sources, lambda rows, one=one: balanced(wrong[reported][rows], one[rows])) for one in says]
    return f"| {name}, {len(its)} ({wrong[reported].sum()} wrong) | " + " | ".join(cells) + " |"


def spans_row(name: str, examples: list[dict[str, Any]], reported: str) -> str:
    draw = np.random.default_rng(2)
    found = [marks(name, example, draw) for example in examples if part(example["source"]) == reported]
    cells = []
    for judge in found[0].found:
        counts = np.array([[len(one.gold & one.found[judge]), len(one.gold) + len(one.found[judge])] for one in found])
        cells.append(resampled([one.source for one in found], lambda rows, its=counts: f1(its[rows])))
    return f"| {name}, {len(found)} | " + " | ".join(cells) + " |"


def f1(counts: np.ndarray) -> float:
    """F1 in % from rows of characters that both mark, and of the sum of what each marks."""
    shared, sums = counts.sum(0)
    return 200 * shared / max(1, sums)


def report(data: Path, reported: str = "kept", limit: int | None = None) -> None:
    sets = {name: list(read(data / f"faithfulness/{name}_validation.jsonl.xz", limit)) for name in {*LABELS, *SPANS}}
    print(f"Balanced accuracy, %, {reported} parts\n")
    print("| set | flags | entity precision | novel bigrams |\n|---|---|---|---|")
    for name in (*LABELS, "frank sentences"):
        print(labels_row(name, sets[name.split()[0]], reported))
    print(f"\nF1 of characters, %, {reported} parts\n")
    print("| set | flags | entity precision | novel words | random | all |\n|---|---|---|---|---|---|")
    for name in SPANS:
        print(spans_row(name, sets[name], reported))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, default=_data.FOLDER, help="Folder of the corpora.")
    options.add_argument("--part", choices=("kept", "development"), default="kept", help="Part that is reported.")
    options.add_argument("--limit", type=int, help="Maximum number of examples of each set.")
    chosen = options.parse_args()
    _data.needed(chosen.data, "faithfulness")
    report(chosen.data, chosen.part, chosen.limit)


if __name__ == "__main__":
    main()
