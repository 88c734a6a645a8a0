"""Fit the weights of `nutgraf.text.junk_odds` on the labelled documents, and cross-validate them.

    python tests/junk/fit.py [--data ../shared/data] [--write]

Sentences that end with an end mark are learned from, but not borderline ones. With --data, so are documents of the
training sets of corpora that consist of prose; all of their sentences that no pattern betrays are taken for prose. In
cross-validation three kinds of documents are left out at a time, from both regressions. What is printed is the recall
of junk that no pattern finds, at shares of prose that is lost. `--write` replaces the weights in the package by those
of all documents.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from meter import JUNK, Labelled, labelled, letters
from scipy.optimize import minimize

from nutgraf.readers import read
from nutgraf.text import junk_odds
from nutgraf.text.document import Document
from nutgraf.text.lines import read_lines
from nutgraf.text.quality import found_junk

PENALTIES = 10.0, 3.0
"""Squared penalties of the standardized weights of both regressions."""

CORPORA = {"cnn_dailymail": 30, "scitldr": 100, "pubmed": 4, "squality": 1}
"""Corpora of prose, and documents that are taken from each."""

KINDS = (
    "company",
    "interview",
    "mail",
    "meeting",
    "paper",
    "papermd",
    "report",
    "software",
    "story",
    "webnews",
    "wiki",
    "wire",
)
FOLDS = 4
"""Folds of cross-validation; each has three kinds of documents."""

WEIGHT = 0.5
"""Weight of a sentence of a corpus."""


@dataclass
class Example:
    """A document with the labels of its sentences: 1 for junk, 0 for prose, nan for those not learned from."""

    kind: str
    split: str
    document: Document
    labels: list[float]

    junk: list[bool]
    weight: float = 1.0
    fold: int = field(init=False)
    within: list[int] = field(init=False)
    features: list[junk_odds.Features] = field(init=False)

    def __post_init__(self) -> None:
        self.fold = KINDS.index(self.kind) % FOLDS if self.kind in KINDS else len(self.document.text) % FOLDS
        self.within = junk_odds.paragraphs(self.document)
        self.features = junk_odds.features(self.document, self.junk, self.within)


def examples() -> list[Example]:
    """All documents but those held out."""
    found = []
    for split in ("seen", "more"):
        for one in labelled(split):
            (document,) = read(one.path)
            if document.language not in junk_odds.LANGUAGES:
                continue
            reasons = found_junk(document)
            junk = [bool(reason) for reason in reasons]
            unfit = [reason in ("unended", "backchannel") for reason in reasons]
            labels = [
                float("nan") if skip else label_of(one, text)
                for text, skip in zip(document.printed, unfit, strict=True)
            ]
            found.append(Example(one.path.name.split("-")[1], split, document, labels, junk))
    return found


def corpora(data: Path) -> list[Example]:
    """Documents of corpora of prose."""
    found = []
    for name, count in CORPORA.items():
        for _, row in itertools.islice(read_lines(data / name / "train.jsonl.xz"), count):
            text = "\n\n".join(row.get("documents") or [section["text"] for section in row["sections"]])
            document = Document.of(text, turns=(), language="en")
            junk = [bool(reason) for reason in found_junk(document)]
            labels = [float("nan") if known else 0.0 for known in junk]
            if len(document.sentences) and document.language in junk_odds.LANGUAGES:
                found.append(Example(name, name, document, labels, junk, WEIGHT))
    return found


def label_of(one: Labelled, sentence: str) -> float:
    """1 for junk, 0 for prose, nan for what is borderline."""
    at, end = one._find(letters(sentence))
    touched = Counter(one.labels[at:end])
    if any(one.units[index].label == "borderline" for index in touched):
        return float("nan")
    return float(one.junk_in(sentence)[0] >= JUNK)


Row = tuple[junk_odds.Features, float, float]
"""Features, label and weight of a sentence."""


def regression(rows: list[Row], penalty: float) -> junk_odds.Features:
    """Weights of a logistic regression with standardized features; those of the features as they are."""
    names = sorted({name for features, _, _ in rows for name in features})
    place = {name: column for column, name in enumerate(names)}
    table, target = np.zeros((len(rows), len(names))), np.array([label for _, label, _ in rows])
    weight = np.array([weight for _, _, weight in rows])
    for line, (features, _, _) in enumerate(rows):
        for name, value in features.items():
            table[line, place[name]] = value
    mean, scale = table.mean(0), table.std(0) + 1e-9
    table = (table - mean) / scale

    def loss(slopes: np.ndarray) -> tuple[float, np.ndarray]:
        odds = slopes[0] + table @ slopes[1:]
        wrong = weight * (1 / (1 + np.exp(-odds)) - target)
        value = weight @ (np.logaddexp(0, odds) - odds * target)
        gradient = np.concatenate([[wrong.sum()], table.T @ wrong + penalty * slopes[1:]])
        return value + penalty / 2 * (slopes[1:] ** 2).sum(), gradient

    best = minimize(loss, np.zeros(len(names) + 1), jac=True, method="L-BFGS-B", options={"maxiter": 200}).x
    slopes = np.where(scale > 1e-6, best[1:] / scale, 0)
    return {"bias": float(best[0] - slopes @ mean), **{name: float(slopes[place[name]]) for name in names}}


def fit(some: list[Example]) -> tuple[junk_odds.Features, junk_odds.Features]:
    """Weights of both regressions; the second learns from odds that the first gave to kinds that it had not seen."""
    rows: list[Row] = []
    for fold in range(FOLDS):
        alone = fit_alone([one for one in some if one.fold != fold])
        for one in some:
            if one.fold == fold:
                contexts = junk_odds.contexts(one.document, one.junk, one.within, given(one, alone))
                rows += [
                    (features, label, one.weight)
                    for features, label, known in zip(contexts, one.labels, one.junk, strict=True)
                    if not np.isnan(label) and not known
                ]
    return fit_alone(some), regression(rows, PENALTIES[1])


def fit_alone(some: list[Example]) -> junk_odds.Features:
    """Weights of the first regression."""
    rows = [
        (features, label, one.weight)
        for one in some
        for features, label in zip(one.features, one.labels, strict=True)
        if not np.isnan(label)
    ]
    return regression(rows, PENALTIES[0])


def given(one: Example, alone: junk_odds.Features) -> list[float]:
    """Log odds by the first regression; features that it never saw count nothing."""
    return [alone["bias"] + sum(alone.get(name, 0.0) * value for name, value in row.items()) for row in one.features]


WEIGHTS = Path(junk_odds.__file__).with_suffix(".json")


def cross_validate(all_examples: list[Example]) -> None:
    """Print the recall of junk at shares of lost prose, by the split that the documents are of."""
    found: list[tuple[str, float, float]] = []
    for fold in range(FOLDS):
        alone, among = fit([one for one in all_examples if one.fold != fold])
        for one in all_examples:
            if one.fold != fold or one.weight < 1:
                continue
            contexts = junk_odds.contexts(one.document, one.junk, one.within, given(one, alone))
            odds = [junk_odds.weigh(features, among) for features in contexts]
            found += [
                (one.split, label, value)
                for label, value, known in zip(one.labels, odds, one.junk, strict=True)
                if not np.isnan(label) and not known
            ]
    for split in ("seen", "more"):
        prose = sorted((value for which, label, value in found if which == split and not label), reverse=True)
        junk = np.array([value for which, label, value in found if which == split and label])
        print(f"{split}: {len(junk)} sentences of junk that no pattern finds, {len(prose)} of prose")
        for share in (0.005, 0.01, 0.02, 0.05):
            least = prose[int(share * len(prose))]
            print(f"  {share:5.1%} of prose lost: recall {np.mean(junk > least):.1%}, log odds above {least:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder of the corpora")
    parser.add_argument("--write", action="store_true", help="replace the weights in the package")
    options = parser.parse_args()
    every = examples() + (corpora(options.data) if options.data else [])
    cross_validate(every)
    if options.write:
        alone, among = fit(every)
        rounded = {
            name: {feature: round(weight, 3) for feature, weight in weights.items()}
            for name, weights in (("alone", alone), ("among", among))
        }
        WEIGHTS.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
