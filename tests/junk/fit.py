"""Fit the weights of `nutgraf.prose.junk_odds` on labelled documents and sentences, and cross-validate them.

    python tests/junk/fit.py --data ../shared/data [--write]

Sentences that end with an end mark are learned from, but not borderline ones. So are documents of the training sets of
corpora that consist of prose; all of their sentences that no pattern betrays are taken for prose. In cross-validation
three kinds of documents are left out at a time, from all regressions. What is printed is the recall of junk that no
pattern finds, at shares of prose that is lost. `--write` replaces the weights in the package by those of all documents.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from meter import HERE, JUNK, SPLITS, Labelled, labelled, letters
from scipy.optimize import minimize
from scipy.sparse import csr_array

from nutgraf.prose import junk_odds
from nutgraf.prose.quality import Signs, paragraphs
from nutgraf.readers.reading import read
from nutgraf.runtime.lines import read_lines
from nutgraf.text.document import Document

PENALTIES = {"words": 2.0, "alone": 10.0, "among": 3.0}
"""Squared penalties of the weights of the regressions; but for words, of standardized features."""

FEWEST, LEAST = 3, 0.3
"""Fewest sentences with a word, and least weight, for it to be kept."""

CORPORA = {"cnn_dailymail": 60, "scitldr": 200, "pubmed": 8, "squality": 1, "klexikon": 12}
"""Corpora of prose, and documents that are taken from each."""

LONGEST = 150
"""Sentences that are taken from a document of a corpus."""

LANGUAGES = ("en", "de", "fr", "es")
"""Languages of the words that are learned."""

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
        self.fold = fold_of(self.kind, self.document.text)
        self.within = paragraphs(self.document)
        self.features = [junk_odds.features(self.document, index) for index in range(len(self.junk))]

    def contexts(self, alone: Sequence[float]) -> list[junk_odds.Features]:
        """Features of each sentence among the others, given the log odds of each by itself."""
        return [
            junk_odds.context(index, self.junk.__getitem__, self.within, alone.__getitem__)
            for index in range(len(self.junk))
        ]


@dataclass
class Wording:
    """A sentence as its words, its label, its weight, and its fold."""

    language: str
    words: set[str]
    label: float
    weight: float
    fold: int


def fold_of(kind: str, text: str) -> int:
    """All documents of a kind are in one fold, those of corpora in any."""
    return KINDS.index(kind) % FOLDS if kind in KINDS else len(text) % FOLDS


def found_junk(document: Document) -> list[str]:
    """Kind of junk of each sentence by its end, its heading, its words and its paragraph; "" for the others."""
    signs = Signs(document)
    return [signs.kind(index) for index in range(len(document.sentences))]


def examples(splits: Iterable[str]) -> list[Example]:
    """All documents of these splits."""
    found = []
    for split in splits:
        for one in labelled(split):
            (document,) = read(one.path)
            if document.language not in LANGUAGES:
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
            document = Document.of(text, turns=(), language=row.get("language", "en"))
            junk = [bool(reason) for reason in found_junk(document)]
            labels = [float("nan") if known or place >= LONGEST else 0.0 for place, known in enumerate(junk)]
            if len(document.sentences) and document.language in LANGUAGES:
                found.append(Example(name, name, document, labels, junk, WEIGHT))
    return found


def sentences() -> Iterator[Wording]:
    """Labelled sentences that stand in no document."""
    for path in sorted((HERE / "sentences").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            one = json.loads(line)
            document = Document.of(one["text"], language=one["language"], turns=(), sentences=[(0, len(one["text"]))])
            label = float(one["label"] == "junk")
            fold = fold_of(one["genre"], one["text"])
            yield Wording(one["language"], junk_odds.distinct(document.words[0]), label, 1.0, fold)


def wordings(some: Iterable[Example]) -> Iterator[Wording]:
    """The sentences of documents that are learned from."""
    for one in some:
        for words, label in zip(one.document.words, one.labels, strict=True):
            if not np.isnan(label):
                yield Wording(one.document.language, junk_odds.distinct(words), label, one.weight, one.fold)


def label_of(one: Labelled, sentence: str) -> float:
    """1 for junk, 0 for prose, nan for what is borderline."""
    at, end = one._find(letters(sentence))
    touched = Counter(one.labels[at:end])
    if any(one.units[index].label == "borderline" for index in touched):
        return float("nan")
    return float(one.junk_in(sentence)[0] >= JUNK)


Row = tuple[junk_odds.Features, float, float]
"""Features, label and weight of a sentence."""


def minimized(
    table: np.ndarray | csr_array, target: np.ndarray, weight: np.ndarray, penalty: float
) -> tuple[float, np.ndarray]:
    """Intercept and slopes of a logistic regression."""

    def loss(slopes: np.ndarray) -> tuple[float, np.ndarray]:
        odds = slopes[0] + table @ slopes[1:]
        wrong = weight * (1 / (1 + np.exp(-odds)) - target)
        value = weight @ (np.logaddexp(0, odds) - odds * target)
        gradient = np.concatenate([[wrong.sum()], table.T @ wrong + penalty * slopes[1:]])
        return value + penalty / 2 * (slopes[1:] ** 2).sum(), gradient

    best = minimize(loss, np.zeros(table.shape[1] + 1), jac=True, method="L-BFGS-B", options={"maxiter": 200}).x
    return best[0], best[1:]


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
    bias, slopes = minimized((table - mean) / scale, target, weight, penalty)
    slopes = np.where(scale > 1e-6, slopes / scale, 0)
    return {"bias": float(bias - slopes @ mean), **{name: float(slopes[place[name]]) for name in names}}


def fit_words(rows: Iterable[Wording]) -> dict[str, junk_odds.Features]:
    """Weights of the words of each language, with one intercept."""
    rows = list(rows)
    counts = Counter((row.language, word) for row in rows for word in row.words)
    names = sorted(name for name, count in counts.items() if count >= FEWEST)
    place = {name: column for column, name in enumerate(names)}
    found = [
        (line, place[row.language, word])
        for line, row in enumerate(rows)
        for word in row.words
        if (row.language, word) in place
    ]
    lines, columns = np.array(found).T
    table = csr_array((np.ones(len(found)), (lines, columns)), shape=(len(rows), len(names)))
    target, weight = (np.array(each) for each in zip(*((row.label, row.weight) for row in rows), strict=True))
    bias, slopes = minimized(table, target, weight, PENALTIES["words"])
    known: dict[str, junk_odds.Features] = {language: {"bias": float(bias)} for language in LANGUAGES}
    for (language, word), slope in zip(names, slopes, strict=True):
        if abs(slope) >= LEAST:
            known[language][word] = float(slope)
    return known


def with_wording(one: Example, known: Mapping[str, junk_odds.Features]) -> list[junk_odds.Features]:
    """Features of the sentences of a document, that of its words among them."""
    weights = known[one.document.language]
    return [
        {**features, "wording": junk_odds.wording(words, weights)}
        for features, words in zip(one.features, one.document.words, strict=True)
    ]


def fit(some: list[Example], loose: list[Wording]) -> junk_odds.Weights:
    """Weights of all regressions; each learns from odds that the one before gave to kinds that it had not seen."""
    words = [*wordings(some), *loose]
    unseen = [fit_words(row for row in words if row.fold != fold) for fold in range(FOLDS)]
    features = [with_wording(one, unseen[one.fold]) for one in some]
    rows: list[Row] = []
    for fold in range(FOLDS):
        alone = fit_alone([pair for pair in zip(some, features, strict=True) if pair[0].fold != fold])
        for one, own in zip(some, features, strict=True):
            if one.fold == fold:
                rows += [
                    (each, label, one.weight)
                    for each, label, known in zip(one.contexts(given(own, alone)), one.labels, one.junk, strict=True)
                    if not np.isnan(label) and not known
                ]
    alone = fit_alone(list(zip(some, features, strict=True)))
    unworded = fit_alone([(one, one.features) for one in some])
    return junk_odds.Weights(fit_words(words), alone, unworded, regression(rows, PENALTIES["among"]))


def fit_alone(some: list[tuple[Example, list[junk_odds.Features]]]) -> junk_odds.Features:
    """Weights of the features of a sentence by itself."""
    rows = [
        (features, label, one.weight)
        for one, own in some
        for features, label in zip(own, one.labels, strict=True)
        if not np.isnan(label)
    ]
    return regression(rows, PENALTIES["alone"])


def given(features: list[junk_odds.Features], alone: junk_odds.Features) -> list[float]:
    """Log odds of sentences by themselves; features that were never seen count nothing."""
    return [alone["bias"] + sum(alone.get(name, 0.0) * value for name, value in row.items()) for row in features]


def odds_of(one: Example, weights: junk_odds.Weights) -> list[float]:
    """Log odds of the sentences of a document."""
    alone = given(with_wording(one, weights.words), weights.alone)
    return [junk_odds.weigh(features, weights.among) for features in one.contexts(alone)]


def cross_validate(some: list[Example], loose: list[Wording]) -> None:
    """Print the recall of junk at shares of lost prose, by the split that the documents are of."""
    found: list[tuple[str, float, float]] = []
    for fold in range(FOLDS):
        weights = fit([one for one in some if one.fold != fold], [row for row in loose if row.fold != fold])
        for one in some:
            if one.fold == fold and one.weight == 1:
                found += [
                    (one.split, label, odds)
                    for odds, label, known in zip(odds_of(one, weights), one.labels, one.junk, strict=True)
                    if not np.isnan(label) and not known
                ]
    for split in dict.fromkeys(split for split, _, _ in found):
        show(split, [(label, odds) for which, label, odds in found if which == split])


def show(name: str, found: list[tuple[float, float]]) -> None:
    """Print the recall of junk at shares of lost prose."""
    prose = sorted((odds for label, odds in found if not label), reverse=True)
    junk = np.array([odds for label, odds in found if label])
    print(f"{name}: {len(junk)} sentences of junk that no pattern finds, {len(prose)} of prose")
    for share in (0.005, 0.01, 0.02, 0.05, 0.1):
        least = prose[int(share * len(prose))]
        print(f"  {share:5.1%} of prose lost: recall {np.mean(junk > least):.1%}, log odds above {least:.2f}")


WEIGHTS = Path(junk_odds.__file__).with_suffix(".json")


def rounded(weights: Mapping[str, float]) -> dict[str, float]:
    """Weights with three digits after the point."""
    return {name: round(weight, 3) for name, weight in weights.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the corpora")
    parser.add_argument("--splits", nargs="+", default=SPLITS, help="what is learned from")
    parser.add_argument("--write", action="store_true", help="replace the weights in the package")
    options = parser.parse_args()
    every, loose = examples(options.splits) + corpora(options.data), list(sentences())
    cross_validate(every, loose)
    if options.write:
        words, *others = fit(every, loose)
        found = {"words": {language: rounded(known) for language, known in words.items()}}
        found |= zip(junk_odds.Weights._fields[1:], map(rounded, others), strict=True)
        WEIGHTS.write_text(json.dumps(found, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
