"""How well rules tell errors that people marked in summaries of networks: balanced accuracy and F1 of characters.

    python benchmarks/natural.py [--data ../shared/data] [--part kept|development] [--checker FOLDER] [--fit]

Each set is split once, by a hash of the source, so that summaries of one document lie in one part. Thresholds are
chosen on the development part, and the other one, kept apart, is reported, with 95 % bootstrap intervals over
documents. A random flag has a balanced accuracy of 50, at any rate.

    flags             a flag of `nutgraf check`
    entity precision  the share of names and figures that stand in the source to the letter, below a threshold
    novel bigrams     the share of bigrams that the source does not have, above a threshold
    distance          1 minus the mean cosine of its sentences with the nearest sentence of the source
    network           the mean, over its sentences, of what the checker says against "supported" in any passage
    risk              what `nutgraf check` makes of all of them, above 0.5; and above a threshold of each set's own
    random            words at random, as many characters as the flags of the summary have

The last three need --checker, a network that runs without torch, with the encoder beside it. A threshold of a set's own
is where a logistic regression on its development part, both classes weighing the same, says 0.5. "Together" is the mean
over FRANK, CLIFF and FaithBench, and below it how far the risk is above the flags and above the novel bigrams, with
intervals over documents. --fit prints the weights of the risk, a logistic regression on the development parts of these
three, each set and each class of it weighing the same.

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
from scipy.optimize import minimize

import nutgraf
from nutgraf.entailment.checker import open_checker
from nutgraf.faithfulness.check import Checker
from nutgraf.faithfulness.risk import features
from nutgraf.text.tokenize import ngrams, token_spans, words

SPANS = ("cliff", "goyal21", "faithbench", "xsumfaith")
LABELS = ("frank", "cliff", "goyal21", "faithbench")
POOLED = ("frank", "cliff", "faithbench")
RESAMPLES = 1000
ENTITY = re.compile(r"(?<![.?!] )(?<!^)\b[A-Z]\w+(?: [A-Z]\w+)*|\d[\d,.]*(?<=\d)")

Places = frozenset[int]
"""Characters of a summary."""


@dataclass(frozen=True)
class Case:
    """A summary, or a sentence of one, as the judges see it: the higher a score, the more likely it is wrong."""

    source: str
    wrong: bool
    scores: dict[str, float]
    known: dict[str, float]


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


def cases(name: str, example: dict[str, Any], checker: Checker | None) -> Iterator[Case]:
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
        checked = nutgraf.check(text, example["source"], checker)
        known = features(checked.sentences)
        scores = {
            "flags": float(bool(checked.flags)),
            "entity precision": len(absent) / count if count else 0.0,
            "novel bigrams": novel_share(text, example["source"]),
            "risk": checked.risk,
        }
        if checker is not None:
            scores |= {"distance": known.get("distance", 0.0), "network": 1 - known.get("highest_supported", 0.0)}
        yield Case(example["source"], label == 0, scores, known)


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


def chosen(judge: str, its: Sequence[Case]) -> float:
    """Threshold of a judge on the development part of a set."""
    wrong, scores = np.array([case.wrong for case in its]), np.array([case.scores[judge] for case in its])
    if judge == "flags":
        return 0.5
    if judge in ("entity precision", "novel bigrams"):
        return max(np.linspace(0, 1, 41), key=lambda one: balanced(wrong, scores > one))
    bias, weight = fitted(scores[:, None], wrong, np.where(wrong, 1 / wrong.sum(), 1 / (~wrong).sum()), 0.001)
    return -bias / weight if weight else 0.5


def fitted(values: np.ndarray, wrong: np.ndarray, weights: np.ndarray, ridge: float) -> np.ndarray:
    """Bias and weights of a logistic regression."""
    signs = np.where(wrong, 1.0, -1.0)

    def loss(found: np.ndarray) -> float:
        total = np.logaddexp(0, -signs * (values @ found[1:] + found[0]))
        return float((weights * total).sum() / weights.sum() + ridge * (found[1:] ** 2).sum())

    return minimize(loss, np.zeros(values.shape[1] + 1), method="L-BFGS-B").x


def fit(sets: dict[str, list[Case]]) -> None:
    """Print the weights of the risk, from the development parts."""
    its = [(name, case) for name in POOLED for case in sets[name] if part(case.source) == "development"]
    wrong = np.array([case.wrong for _, case in its])
    groups = Counter((name, case.wrong) for name, case in its)
    weights = np.array([1 / groups[name, case.wrong] for name, case in its])
    for names in (("flagged", "novel_bigrams"), ("flagged", "novel_bigrams", "distance"),
                  ("flagged", "novel_bigrams", "distance", "highest_supported"),
                  ("flagged", "novel_bigrams", "distance", "highest_supported", "highest_contradicted")):  # fmt: skip
        values = np.array([[case.known.get(name, 0.0) for name in names] for _, case in its])
        found = fitted(values, wrong, weights, 0.001)
        print({name: round(float(one), 3) for name, one in zip(("bias", *names), found, strict=True)})


def judged(its: Sequence[Case], thresholds: dict[str, float]) -> dict[str, np.ndarray]:
    """What each judge says of cases; the risk twice, above 0.5 and above the threshold of the set."""
    says = {judge: np.array([case.scores[judge] > one for case in its]) for judge, one in thresholds.items()}
    return says | {"risk > 0.5": np.array([case.scores["risk"] > 0.5 for case in its])}


def labels_table(sets: dict[str, list[Case]], reported: str) -> None:
    rows: dict[str, tuple[np.ndarray, dict[str, np.ndarray], list[str]]] = {}
    for name, found in sets.items():
        development = [case for case in found if part(case.source) == "development"]
        its = [case for case in found if part(case.source) == reported]
        thresholds = {judge: chosen(judge, development) for judge in its[0].scores}
        rows[name] = np.array([case.wrong for case in its]), judged(its, thresholds), [case.source for case in its]
    judges = list(rows[POOLED[0]][1])
    print(f"| set | {' | '.join(judges)} |\n|---{'|---' * len(judges)}|")
    for name, (wrong, says, sources) in rows.items():
        cells = [
            resampled(sources, lambda at, one=says[judge], its=wrong: balanced(its[at], one[at])) for judge in judges
        ]
        print(f"| {name}, {len(wrong)} ({wrong.sum()} wrong) | " + " | ".join(cells) + " |")
    together = {judge: pooled(rows, judge) for judge in judges}
    print("| together | " + " | ".join(interval(together[judge]) for judge in judges) + " |\n")
    for judge in ("risk", "risk > 0.5"):
        for other in ("flags", "novel bigrams"):
            print(f"{judge} above {other}: {interval(together[judge] - together[other])}")


def pooled(rows: dict[str, Any], judge: str) -> np.ndarray:
    """Mean balanced accuracy over sets, and the same of resamples of the documents of each."""
    found = []
    for name in POOLED:
        wrong, says, sources = rows[name]
        groups: dict[str, list[int]] = defaultdict(list)
        for index, source in enumerate(sources):
            groups[source].append(index)
        documents, draw = list(groups.values()), np.random.default_rng(0)
        draws = [range(len(documents)), *(draw.integers(0, len(documents), len(documents)) for _ in range(RESAMPLES))]
        at = [np.array([index for group in one for index in documents[group]]) for one in draws]
        found.append([balanced(wrong[one], says[judge][one]) for one in at])
    return np.mean(found, axis=0)


def interval(found: np.ndarray) -> str:
    low, high = np.percentile(found[1:], [2.5, 97.5])
    return f"{found[0]:.1f} [{low:.1f}, {high:.1f}]"


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


def report(data: Path, reported: str, limit: int | None, checker: Checker | None, fits: bool) -> None:
    sets = {name: list(read(data / f"faithfulness/{name}_validation.jsonl.xz", limit)) for name in {*LABELS, *SPANS}}
    found = {
        name: [case for example in sets[name.split()[0]] for case in cases(name, example, checker)]
        for name in (*LABELS, "frank sentences")
    }
    if fits:
        fit(found)
    print(f"Balanced accuracy, %, {reported} parts\n")
    labels_table(found, reported)
    print(f"\nF1 of characters, %, {reported} parts\n")
    print("| set | flags | entity precision | novel words | random | all |\n|---|---|---|---|---|---|")
    for name in SPANS:
        print(spans_row(name, sets[name], reported))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, default=_data.FOLDER, help="Folder of the corpora.")
    options.add_argument("--part", choices=("kept", "development"), default="kept", help="Part that is reported.")
    options.add_argument("--limit", type=int, help="Maximum number of examples of each set.")
    options.add_argument("--checker", type=Path, help="Folder of a network that checks; its encoder lies beside it.")
    options.add_argument("--fit", action="store_true", help="Print the weights of the risk.")
    given = options.parse_args()
    _data.needed(given.data, "faithfulness")
    checker = None if given.checker is None else open_checker(given.checker)
    report(given.data, given.part, given.limit, checker, given.fit)


if __name__ == "__main__":
    main()
