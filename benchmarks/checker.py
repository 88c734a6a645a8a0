"""Whether a small model over features of the rules tells natural errors better than the rules alone.

    python benchmarks/checker.py [--data ../shared/data] [--documents 500] [--weights checker.json] [--network FOLDER]

A logistic regression reads features of a sentence that need no network: flags, support, novel n-grams, copied spans,
absent entities, how far apart in the source the words of a pair stand that the summary puts side by side, negations
and the order of words. It is trained on errors that are planted in sentences of sets whose licence lets weights be
published (scitldr, scisummnet, squality, acl_titles): those of `planted.py`, merges of two source sentences,
swaps within a sentence, sentences that are cut off, and words and names of another place of the same source.

The natural sets are split as in `natural.py`. The strength of the penalty and which features are read are chosen on the
development halves together, by the mean over the sets; there is one threshold for all of them, chosen there, too, as a
model that ships would have. The halves kept apart are reported, with 95 % bootstrap intervals over documents. A summary
is as doubtful as its most doubtful sentence.

With --network, so is a network of ours asked how likely it would write the sentence after those that support it and
those around them: the mean log probability of its tokens, of the least likely sentence of a summary.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import _data
import numpy as np
import torch
from natural import LABELS, absent_entities, balanced, novel_share, part, read, resampled
from planted import KINDS, described, plantings
from scipy.optimize import minimize

import nutgraf
from nutgraf.faithfulness.check import rules
from nutgraf.faithfulness.sources import Claim, Sources, claims
from nutgraf.preparation import batch
from nutgraf.systems._ablated_source import GivenSummary
from nutgraf.text.document import Document, join
from nutgraf.text.tokenize import ngrams, words

OPEN = ("scitldr", "scisummnet", "squality", "acl_titles")
LONGEST = 40_000
"""Characters of a source that are read; whole stories would take most of the time."""

NEGATORS = frozenset("not never no none nobody nothing neither nor without cannot n't".split())
PENALTIES = (1e-3, 1e-2, 1e-1)
FLAGS = ("numbers", "names", "dates", "quotations", "negations")
NAMES = (
    *FLAGS, "unsupported weight", "weight outside the best sentence", "novel words", "novel bigrams", "novel trigrams",
    "novel 4-grams", "share outside the longest copied span", "absent entities", "pairs joined from afar",
    "pairs not side by side", "negations more or fewer", "pairs in another order", "log of length", "open end",
)  # fmt: skip
SUBSETS = {
    "all": NAMES,
    "without flags": NAMES[len(FLAGS) :],
    "flags and n-grams": (*FLAGS, *NAMES[7:13]),
    "flags and pairs": (*FLAGS, *NAMES[11:17]),
    "without length and end": NAMES[:-2],
}


@dataclass(frozen=True)
class Case:
    """A summary as the judges see it: features of its sentences, and what the simple judges say."""

    source: str
    wrong: bool
    features: np.ndarray
    precision: float
    novel: float
    doubt: float = 0.0

    @property
    def flagged(self) -> bool:
        return bool(self.features[:, : len(FLAGS)].any())


class Reader:
    """Reads features of sentences beside one source."""

    def __init__(self, document: Document) -> None:
        self.sources = Sources(document)
        sequence = self.sources.sequence
        self.text = document.text
        self.grams = {size: set(ngrams(sequence, size)) for size in (1, 2, 3, 4)}
        self.places: dict[str, set[int]] = defaultdict(set)
        self.neighbors: set[tuple[str, str]] = set()
        for index, terms in enumerate(document.terms):
            self.neighbors.update(pairwise(terms))
            for term in terms:
                self.places[term].add(index)

    def __call__(self, summary: str) -> np.ndarray:
        """Return the features of each sentence of a summary."""
        return np.array([self.row(claim) for claim in claims(Document.of(summary), self.sources)])

    def row(self, claim: Claim) -> list[float]:
        found = words(claim.sentence)
        count = max(1, len(found))
        flags = [float(any(True for _ in rules()[kind](claim, self.sources))) for kind in FLAGS]
        novel = [self.novel(found, size) for size in (1, 2, 3, 4)]
        absent, entities = absent_entities(claim.sentence, self.text)
        pairs = [pair for pair in pairwise(claim.terms) if all(term in self.places for term in pair)]
        afar = [min(abs(one - two) for one in self.places[a] for two in self.places[b]) for a, b in pairs]
        best = self.sources.document.words[claim.evidence[0]] if claim.evidence else []
        negated = sum(word in NEGATORS for word in found) - sum(word in NEGATORS for word in best)
        return [
            *flags,
            1 - claim.support,
            1 - max(claim.shares, default=0.0),
            *novel,
            1 - self.longest(found) / count,
            len(absent) / entities if entities else 0.0,
            sum(one > 1 for one in afar) / max(1, len(pairs)),
            sum(pair not in self.neighbors for pair in pairs) / max(1, len(pairs)),
            float(negated != 0 and claim.support > 0.5),
            self.inverted(claim),
            math.log(count),
            float(not re.search(r"[.!?…'\"”’)]\s*$", claim.sentence)),
        ]

    def novel(self, found: Sequence[str], size: int) -> float:
        own = ngrams(found, size)
        return sum(one not in self.grams[size] for one in own) / len(own) if own else 0.0

    def longest(self, found: Sequence[str]) -> int:
        """Return the number of words of the longest run whose 4-grams, or words, are copied."""
        best = run = 0
        for index in range(len(found)):
            gram = tuple(found[max(0, index - 3) : index + 1])
            run = run + 1 if gram in self.grams[len(gram)] else 0
            best = max(best, run)
        return best

    def inverted(self, claim: Claim) -> float:
        """Return the share of pairs of words that stand in the best source sentence the other way round."""
        if not claim.evidence:
            return 0.0
        order = {term: place for place, term in enumerate(self.sources.document.terms[claim.evidence[0]])}
        shared = [order[term] for term in dict.fromkeys(claim.terms) if term in order]
        return sum(one > two for one, two in pairwise(shared)) / max(1, len(shared) - 1)


class Writer:
    """Tells how unlikely a network finds the sentences of a summary."""

    def __init__(self, folder: Path) -> None:
        self.system: Any = nutgraf.load(folder, [], threads=1)

    def __call__(self, summary: str, sources: Sources) -> float:
        """Return the negative mean log probability of the tokens of the least likely sentence."""
        return max(
            (self.doubt(claim, sources.document) for claim in claims(Document.of(summary), sources)), default=0.0
        )

    def doubt(self, claim: Claim, document: Document) -> float:
        beside = sorted({near for index in claim.evidence or (0,) for near in (index - 1, index, index + 1)})
        spans = [document.sentences[index] for index in beside if 0 <= index < len(document.sentences)]
        preparation, network = self.system._preparation, self.system._trained.network
        read = preparation.source(
            Document.of(" ".join(document.text[one.start : one.end] for one in spans), language="en")
        )
        given = GivenSummary(preparation, read, [claim.sentence])
        with torch.inference_mode():
            found = network(batch([read], [given.target], segments=network.config.segments)).target_log_probs[0]
        return -float(found[: given.tokens[0]].mean()) if given.tokens[0] else 0.0


def documents_of(example: dict[str, Any]) -> Document:
    texts = example.get("documents") or ["\n\n".join(section["text"] for section in example["sections"])]
    return join([Document.of(text[:LONGEST]) for text in texts])


def corrupted(sentence: str, reader: Reader, foreign: str, draw: random.Random) -> Iterator[tuple[str, str]]:
    """Yield the sentence with an error of each kind that it has a place for."""
    source = described(reader.text, foreign)
    if source.foreign_words:
        for kind, (start, end, written) in plantings(sentence, source, draw):
            yield kind, sentence[:start] + written + sentence[end:]
    document = reader.sources.document
    spans = [document.text[one.start : one.end] for one in document.sentences]
    parts = sentence.split()
    if len(spans) > 3 and len(parts) > 5:
        one, two = draw.sample(spans, 2)
        if len(one.split()) > 5 and len(two.split()) > 5:
            yield "merge", " ".join(one.split()[: len(one.split()) // 2] + two.split()[len(two.split()) // 2 :])
        other = draw.choice(spans).split()
        yield "merge with the summary", " ".join(parts[: len(parts) // 2] + other[len(other) // 2 :])
        yield "cut off", " ".join(parts[: draw.randrange(3, len(parts))])
    content = list(re.finditer(r"\b[A-Za-z]{5,}\b", sentence))
    if len(content) > 3:
        one, two = sorted(draw.sample(content, 2), key=lambda match: match.start())
        middle = sentence[one.end() : two.start()]
        yield "swap", sentence[: one.start()] + two[0] + middle + one[0] + sentence[two.end() :]
        place = draw.choice(content)
        others = sorted(word for word in source.words if len(word) > 4 and word not in sentence.lower())
        if others:
            yield "noun of another", sentence[: place.start()] + draw.choice(others) + sentence[place.end() :]


def training(data: Path, limit: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return features, labels (True where an error was planted) and weights, all kinds and sets alike."""
    draw, rows, wrong, kinds = random.Random(0), [], [], []
    for name in OPEN:
        examples = list(
            read(data / name / "train.jsonl.xz", limit if name in ("scitldr", "acl_titles") else limit // 10)
        )
        readers = [Reader(documents_of(example)) for example in examples]
        for number, (example, reader) in enumerate(zip(examples, readers, strict=True)):
            document = reader.sources.document
            own = Document.of(example["summary"])
            good = [own.text[one.start : one.end] for one in own.sentences][:8]
            spans = [document.text[one.start : one.end] for one in document.sentences if one.end - one.start > 30]
            copied = draw.sample(spans, min(len(spans), max(1, len(good) // 2)))
            foreign = readers[(number + 1) % len(readers)].text
            for origin, sentences in (("human", good), ("copied", copied)):
                for sentence in sentences:
                    pairs = list(corrupted(sentence, reader, foreign, draw))
                    for kind, text in [(origin, sentence), *draw.sample(pairs, min(len(pairs), 3))]:
                        found = reader(text)
                        if len(found):
                            rows.append(found.max(0))
                            wrong.append(kind != origin)
                            kinds.append((name, kind))
        print(f"{name}: {len(rows)} sentences so far", flush=True)
    counts = defaultdict(int)
    for kind in kinds:
        counts[kind] += 1
    weights = np.array([1 / math.sqrt(counts[kind]) for kind in kinds])
    told = np.array(wrong)
    weights[told] /= weights[told].sum()
    weights[~told] /= weights[~told].sum()
    return np.array(rows), told, weights


def fit(rows: np.ndarray, wrong: np.ndarray, weights: np.ndarray, penalty: float) -> np.ndarray:
    """Return the weights of a logistic regression on columns of unit variance, the intercept last."""
    signs = np.where(wrong, 1.0, -1.0)
    wide = np.column_stack([rows, np.ones(len(rows))])

    def loss(theta: np.ndarray) -> tuple[float, np.ndarray]:
        margins = signs * (wide @ theta)
        slope = -weights * signs / (1 + np.exp(np.clip(margins, -50, 50)))
        gradient = wide.T @ slope
        gradient[:-1] += 2 * penalty * theta[:-1]
        return float(weights @ np.logaddexp(0, -margins) + penalty * theta[:-1] @ theta[:-1]), gradient

    return minimize(loss, np.zeros(wide.shape[1]), jac=True, method="L-BFGS-B").x


def natural(data: Path, writer: Writer | None) -> dict[str, list[Case]]:
    """Return the cases of all natural sets."""
    found: dict[str, list[Case]] = defaultdict(list)
    for name in LABELS:
        for example in read(data / f"faithfulness/{name}_validation.jsonl.xz"):
            source = example["source"]
            reader = Reader(Document.of(source))
            pairs = [(name, example["summary"], example["label"])]
            if name == "frank":
                told = zip(example["sentences"], example["sentence_labels"], strict=True)
                pairs += [
                    ("frank sentences", text, label) for text, label in told if label is not None and text.strip()
                ]
            for group, text, label in pairs:
                absent, count = absent_entities(text, source)
                precision = 1 - len(absent) / count if count else 1.0
                doubt = writer(text, reader.sources) if writer else 0.0
                novel = novel_share(text, source)
                found[group].append(Case(source, label == 0, reader(text), precision, novel, doubt))
    return dict(found)


Judge = Callable[[Case], float]
"""How doubtful a summary is."""


def best_threshold(sets: dict[str, list[Case]], judge: Judge) -> tuple[float, float]:
    """Return the threshold with the highest balanced accuracy in the mean over sets, and that mean."""
    values = {name: np.array([judge(case) for case in its]) for name, its in sets.items()}
    wrong = {name: np.array([case.wrong for case in its]) for name, its in sets.items()}
    grid = np.unique(np.quantile(np.concatenate(list(values.values())), np.linspace(0, 1, 201)))
    means = [np.mean([balanced(wrong[name], values[name] > one) for name in sets]) for one in grid]
    return float(grid[int(np.argmax(means))]), float(max(means))


def model(columns: Sequence[int], mean: np.ndarray, deviation: np.ndarray, theta: np.ndarray) -> Judge:
    return lambda case: float(np.max(((case.features - mean) / deviation)[:, columns] @ theta[:-1] + theta[-1]))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, default=_data.FOLDER, help="Folder of the corpora.")
    options.add_argument("--documents", type=int, default=500, help="Documents of a set that errors are planted in.")
    options.add_argument("--weights", type=Path, help="File that the chosen weights are written into.")
    options.add_argument("--network", type=Path, help="Folder of a network whose likelihood judges, too.")
    chosen = options.parse_args()
    _data.needed(chosen.data, "faithfulness", *OPEN)
    rows, wrong, weights = training(chosen.data, chosen.documents)
    mean, deviation = rows.mean(0), np.maximum(rows.std(0), 1e-6)
    print(f"{len(rows)} sentences, {wrong.sum()} with an error of {len(KINDS) + 5} kinds")
    every = natural(chosen.data, Writer(chosen.network) if chosen.network else None)
    halves = {
        which: {name: [case for case in its if part(case.source) == which] for name, its in every.items()}
        for which in ("development", "kept")
    }
    tried: list[tuple[float, str, float, float, Judge, np.ndarray]] = []
    for subset, names in SUBSETS.items():
        columns = [NAMES.index(name) for name in names]
        for penalty in PENALTIES:
            theta = fit(((rows - mean) / deviation)[:, columns], wrong, weights, penalty)
            judge = model(columns, mean, deviation, theta)
            threshold, score = best_threshold(halves["development"], judge)
            tried.append((score, subset, penalty, threshold, judge, theta))
            print(f"  {subset}, penalty {penalty}: {score:.1f} on the development halves", flush=True)
    score, subset, penalty, threshold, judge, theta = max(tried, key=lambda one: one[0])
    print(f"Chosen: {subset}, penalty {penalty}, threshold {threshold:.3f}")
    for name, weight in zip((*SUBSETS[subset], "intercept"), theta, strict=True):
        print(f"  {weight:6.2f}  {name}")
    judges: dict[str, Judge] = {
        "flags": lambda case: float(case.flagged),
        "model": judge,
        "novel bigrams": lambda case: case.novel,
        "flags or novel bigrams": lambda case: case.flagged + case.novel,
        "entity precision": lambda case: -case.precision,
        "random": lambda case: float(hash_share(case)),
    }
    if chosen.network:
        judges["network"] = lambda case: case.doubt
    least = {name: best_threshold(halves["development"], one)[0] for name, one in judges.items()}
    least["flags"], least["model"], least["random"] = 0.5, threshold, 0.5
    print(f"\nBalanced accuracy, %, halves kept apart\n\n| set | {' | '.join(judges)} |\n|{'---|' * (len(judges) + 1)}")
    report(halves["kept"], judges, least)
    if chosen.weights:
        held = {"names": SUBSETS[subset], "weights": theta.tolist(), "threshold": threshold}
        chosen.weights.write_text(json.dumps({**held, "mean": mean.tolist(), "deviation": deviation.tolist()}))


def hash_share(case: Case) -> float:
    return random.Random(repr((case.source, case.features.tobytes()))).random()


def report(sets: dict[str, list[Case]], judges: dict[str, Judge], least: dict[str, float]) -> None:
    sums: dict[str, list[float]] = defaultdict(list)
    for name, its in sets.items():
        wrong, cells = np.array([case.wrong for case in its]), []
        for told, one in judges.items():
            says = np.array([one(case) for case in its]) > least[told]
            sums[told].append(balanced(wrong, says))
            sources = [case.source for case in its]
            cells.append(resampled(sources, lambda rows, says=says, wrong=wrong: balanced(wrong[rows], says[rows])))
        print(f"| {name}, {len(its)} ({wrong.sum()} wrong) | " + " | ".join(cells) + " |")
    print("| mean | " + " | ".join(f"{np.mean(sums[told]):.1f}" for told in judges) + " |")


if __name__ == "__main__":
    main()
