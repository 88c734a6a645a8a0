"""How often flags and overlap agree with people who marked errors in summaries.

    python benchmarks/faithfulness.py [--data ../shared/data] [--limit 100]

For each set of summaries with marked errors: balanced accuracy of the flags, of overlap below the threshold that is
best on the other sets together, of either, and of novel bigrams likewise; with 95 % bootstrap intervals over documents.
A random flag has 50. For summaries that people wrote: the share of sentences with a flag, by kind, and sentences a
second. For those of their sentences that have labels in one of the files faithfulness_labels*.json: the share with a
flag among those that the sources bear out by the first annotator (false flags), among those that they do not, and among
those of which both annotators say that they do, with Wilson intervals, and how far the two agree. The rules were mended
with the first file ("development"), and later with all but the fourth, which is kept apart. Only sentences of the
development part are listed, so that nobody tunes on the others. At last the precision of each kind of flag: over all
files, the share of the sentences with one that the sources do not bear out by the first annotator.
"""

from __future__ import annotations

import argparse
import json
import lzma
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import _data
import numpy as np
from scipy.stats import binomtest

import nutgraf
from nutgraf.faithfulness.records import CheckedSentence

ERRORS = ("frank", "cliff", "goyal21", "faithbench")
"""Sets that have summaries with errors and without; `xsumfaith` has only the former."""

HUMAN = ("multi_news", "cnn_dailymail", "scitldr")

LABELS = {
    "development": Path(__file__).with_name("faithfulness_labels.json"),
    "held out": Path(__file__).with_name("faithfulness_labels_held_out.json"),
    "third": Path(__file__).with_name("faithfulness_labels_third.json"),
    "fourth": Path(__file__).with_name("faithfulness_labels_fourth.json"),
    "fifth": Path(__file__).with_name("faithfulness_labels_fifth.json"),
    "sixth": Path(__file__).with_name("faithfulness_labels_sixth.json"),
}


@dataclass(frozen=True)
class Row:
    """A summary: whether it has an error, a flag, the least overlap of a sentence, and its share of novel bigrams."""

    wrong: bool
    flagged: bool
    overlap: float
    novel: float


def read(path: Path, limit: int | None) -> Iterator[dict[str, Any]]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, islice(lines, limit))


def row(example: dict[str, Any]) -> Row:
    checked = nutgraf.check(example["summary"], example["source"])
    overlap = min((one.overlap for one in checked if one.overlap is not None), default=1.0)
    return Row(example["label"] == 0, bool(checked.flags), overlap, checked.novel_bigrams or 0.0)


def balanced(rows: list[Row], says: Callable[[Row], bool]) -> float:
    """Mean of the shares of wrong and of right summaries that are told as such."""
    wrong = [says(one) for one in rows if one.wrong]
    right = [not says(one) for one in rows if not one.wrong]
    return 100 * (sum(wrong) / max(1, len(wrong)) + sum(right) / max(1, len(right))) / 2


def judges(others: list[Row]) -> dict[str, Callable[[Row], bool]]:
    """The ways to tell, with thresholds that are best on other sets."""
    grid = np.linspace(0, 1, 41)
    overlap = max(grid, key=lambda least: balanced(others, lambda one: one.overlap < least))
    either = max(grid, key=lambda least: balanced(others, lambda one: one.flagged or one.overlap < least))
    novel = max(grid, key=lambda most: balanced(others, lambda one: one.novel > most))
    return {
        "flags": lambda one: one.flagged,
        f"overlap < {overlap:.3f}": lambda one: one.overlap < overlap,
        f"flags or overlap < {either:.3f}": lambda one: one.flagged or one.overlap < either,
        f"novel bigrams > {novel:.3f}": lambda one: one.novel > novel,
    }


def interval(rows: list[Row], says: Callable[[Row], bool], resamples: int = 1000) -> tuple[float, float]:
    draw = np.random.default_rng(0)
    found = [
        balanced([rows[index] for index in draw.integers(0, len(rows), len(rows))], says) for _ in range(resamples)
    ]
    low, high = np.percentile(found, [2.5, 97.5])
    return float(low), float(high)


def on_errors(data: Path, limit: int | None) -> None:
    files = {name: data / f"faithfulness/{name}_validation.jsonl.xz" for name in ERRORS}
    sets = {name: [row(one) for one in read(file, limit)] for name, file in files.items()}
    print("Balanced accuracy, %, with 95 % intervals\n")
    for name, rows in sets.items():
        wrong = sum(one.wrong for one in rows)
        print(f"{name}: {len(rows)} summaries, {wrong} with an error")
        others = [one for other, its in sets.items() if other != name for one in its]
        for told, says in judges(others).items():
            low, high = interval(rows, says)
            print(f"  {told:32} {balanced(rows, says):5.1f} [{low:.1f}, {high:.1f}]")


def on_human(data: Path, limit: int | None) -> None:
    print("\nSentences that people wrote, with a flag")
    for name in HUMAN:
        kinds: Counter[str] = Counter()
        sentences = flagged = 0
        began = time.process_time()
        for example in read(data / name / "validation.jsonl.xz", limit):
            for sentence in nutgraf.check(example["summary"], example["documents"]):
                sentences += 1
                flagged += bool(sentence.flags)
                kinds.update({flag.kind for flag in sentence.flags})
        shares = ", ".join(f"{kind} {100 * count / sentences:.1f}" for kind, count in kinds.most_common())
        rate = sentences / (time.process_time() - began)
        print(f"  {name}: {100 * flagged / sentences:.1f} % of {sentences} ({shares}); {rate:.0f} sentences a second")


def share(name: str, sentences: list[CheckedSentence]) -> str:
    """Share of the sentences with a flag, with its interval and the shares by kind."""
    count, flagged = len(sentences), sum(bool(one.flags) for one in sentences)
    low, high = binomtest(flagged, count).proportion_ci(method="wilson")
    kinds = Counter(kind for one in sentences for kind in {flag.kind for flag in one.flags})
    told = ", ".join(f"{kind} {100 * its / count:.1f}" for kind, its in kinds.most_common())
    return f"  {name:14} {100 * flagged / count:5.1f} [{100 * low:.1f}, {100 * high:.1f}] of {count:3} ({told})"


def on_labelled(data: Path, part: str) -> dict[str, dict[str, list[CheckedSentence]]]:
    rows = json.loads(LABELS[part].read_text(encoding="utf-8"))["sentences_labelled"]
    labels = {(one["corpus"], one["id"], one["sentence"]): one["label"] for one in rows}
    seconds = {(one["corpus"], one["id"], one["sentence"]): one["second"] for one in rows}
    found: dict[str, dict[str, list[CheckedSentence]]] = {label: {} for label in dict.fromkeys(labels.values())}
    both: dict[str, list[CheckedSentence]] = {}
    false_flags: list[str] = []
    agreed, kappa = agreement([(one["label"], one["second"]) for one in rows])
    for name in HUMAN:
        drawn = {its for corpus, its, _ in labels if corpus == name}
        for example in read(data / name / "validation.jsonl.xz", None):
            if example["id"] not in drawn:
                continue
            for index, sentence in enumerate(nutgraf.check(example["summary"], example["documents"])):
                label = labels.pop((name, example["id"], index))
                found[label].setdefault(name, []).append(sentence)
                if label == seconds[name, example["id"], index] == "borne_out":
                    both.setdefault(name, []).append(sentence)
                if label == "borne_out":
                    place = f"  {name} {example['id']} sentence {index}:"
                    false_flags += [f"{place} {flag.kind} {flag.text!r}: {flag.reason}" for flag in sentence.flags]
    assert not labels, f"Labelled, but not in the corpora: {sorted(labels)}"
    print(f"\nSentences that people wrote, with a flag, by label, %, with 95 % intervals: {part}")
    print(f"two annotators, who agree on {100 * agreed:.1f} % (Cohen's kappa {kappa:.2f})")
    for label, its in {**found, "borne_out by both": both, "all": _together(found)}.items():
        print(label)
        for name, sentences in {**its, "all": [one for some in its.values() for one in some]}.items():
            print(share(name, sentences))
    if part == "development":
        print("\nFlags in sentences that the sources bear out", *false_flags, sep="\n")
    return found


def precision(parts: list[dict[str, dict[str, list[CheckedSentence]]]]) -> None:
    pairs = [(label, one) for found in parts for label, its in found.items() for some in its.values() for one in some]
    print("\nSentences with a flag that the sources do not bear out by the first annotator, %, by kind")
    for kind in sorted({flag.kind for _, sentence in pairs for flag in sentence.flags}):
        labels = [label for label, sentence in pairs if any(flag.kind == kind for flag in sentence.flags)]
        low, high = binomtest(labels.count("not_borne_out"), len(labels)).proportion_ci(method="wilson")
        right = 100 * labels.count("not_borne_out") / len(labels)
        print(f"  {kind:14} {right:5.1f} [{100 * low:.1f}, {100 * high:.1f}] of {len(labels):3} ({Counter(labels)})")


def agreement(pairs: list[tuple[str, str]]) -> tuple[float, float]:
    """Share of the sentences that two annotators label alike, and Cohen's kappa."""
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    agreed = sum(one == other for one, other in pairs) / len(pairs)
    chance = sum(first[label] * second[label] for label in first) / len(pairs) ** 2
    return agreed, (agreed - chance) / (1 - chance)


def _together(found: dict[str, dict[str, list[CheckedSentence]]]) -> dict[str, list[CheckedSentence]]:
    return {name: [one for its in found.values() for one in its.get(name, [])] for name in HUMAN}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, default=_data.FOLDER, help="Folder of the corpora.")
    options.add_argument("--limit", type=int, help="Maximum number of examples of each set.")
    chosen = options.parse_args()
    _data.needed(chosen.data, "faithfulness", *HUMAN)
    on_errors(chosen.data, chosen.limit)
    on_human(chosen.data, chosen.limit)
    precision([on_labelled(chosen.data, part) for part in LABELS])


if __name__ == "__main__":
    main()
