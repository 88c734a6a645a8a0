"""Fit the weights of `nutgraf.meetings.odds` on the labelled texts in `learned`, and cross-validate them.

    python tests/meetings/fit.py [--data FOLDER] [--write]

A label stands in braces behind its sentence: {D} for a decision, {A name} for an action and who does it, {Q} for an
open question. In cross-validation a twelfth of the texts is left out at a time. `--write` replaces the weights in the
package. FOLDER has FREDSum's debates, in which nothing is settled: none of their sentences is taken for any of the
three, with little weight, and none is in the measure.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

import nutgraf.meetings.odds as odds_module
from nutgraf.meetings.evidence import KINDS, Evidence, Kind, evidence
from nutgraf.meetings.find import LEAST, uttered
from nutgraf.meetings.odds import Genre, likely, odds
from nutgraf.meetings.surroundings import surroundings
from nutgraf.readers.reading import as_document
from nutgraf.text.document import Document
from nutgraf.text.turns import Turn, Utterance, written_turns

HERE = Path(__file__).parent

PENALTIES = 2.0, 2.0
"""Squared penalties of the weights of evidence, and of those of surroundings."""

FEWEST = 3
"""Number of examples that have a feature, from which it is learned."""

GENRES: tuple[Genre, ...] = ("talk", "minutes")

BACKGROUND = 0.1
"""Weight of a sentence of a debate."""

SKIPPED, TAKEN = 60, 40
"""Number of debates at the beginning, on which summaries are measured, and of those taken after them."""

FOLDS, INNER_FOLDS = 8, 6

SHOWN = (-2.0, -1.0, 0.0)
"""Thresholds at which the figures are printed."""

_LABEL = re.compile(r" ?\{([DAQ])(?: ([^}]*))?\}")
_UTTERED = re.compile(r"^([^:\n]+): (.+)$", re.MULTILINE)
_INITIALS = {"D": "decision", "A": "action", "Q": "question"}


Others = Sequence[tuple[Mapping[Kind, Evidence], float]]
"""Evidence of sentences that are none of the three, with their weights."""


class Learned(NamedTuple):
    """A labelled text."""

    name: str
    document: Document
    evidence: list[Mapping[Kind, Evidence]]
    labels: list[dict[str, str]]
    texts: list[str]


def learned() -> list[Learned]:
    """Texts with the labels of their utterances."""
    return [_learned(path) for path in sorted((HERE / "learned").iterdir())]


def _learned(path: Path) -> Learned:
    marked = path.read_text("utf-8")
    pieces, labels, last, size = [], [], 0, 0
    for found in _LABEL.finditer(marked):
        pieces.append(marked[last : found.start()])
        size += len(pieces[-1])
        labels.append((size, _INITIALS[found[1]], found[2] or ""))
        last = found.end()
    text = "".join([*pieces, marked[last:]])
    document = _spoken(text) if path.suffix == ".chat" else as_document(text.encode())
    spoken, terms = uttered(document)
    found_labels: list[dict[str, str]] = [{} for _ in spoken]
    for end, kind, who in labels:
        said = " ".join(text[max(0, end - 25) : end].split())
        before = [number for number, one in enumerate(spoken) if said[-5:] in one.text.replace("\t", " ")]
        near = min(before, key=lambda number: abs(spoken[number].end - end))
        found_labels[near][kind] = who
    return Learned(path.name, document, evidence(spoken, terms), found_labels, [one.text for one in spoken])


def _spoken(text: str) -> Document:
    """A chat, whose sentences have no end marks by which it would be known."""
    turns = [Turn(found[1], found.start(2), found.end(2), found.start()) for found in _UTTERED.finditer(text)]
    return Document.of(text, turns=turns)


def background(data: Path) -> list[tuple[Mapping[Kind, Evidence], float]]:
    """Evidence of the sentences of debates, and the weight of each."""
    with lzma.open(data / "fredsum/train.jsonl.xz", "rt") as lines:
        records = [json.loads(line) for line in islice(lines, SKIPPED, SKIPPED + TAKEN)]
    return [(one, BACKGROUND) for record in records for one in evidence(*uttered(_talk(record)))]


def _talk(record: Mapping[str, Any]) -> Document:
    text, turns = written_turns(Utterance(turn["speaker"], turn["text"]) for turn in record["turns"])
    return Document.of(text, turns=turns)


def fit(examples: Sequence[tuple[Evidence, bool, float]], penalty: float) -> dict[str, float]:
    """Weights of a logistic regression."""
    counts: dict[str, int] = {}
    for shown, _, weight in examples:
        if weight < 1:
            continue
        for name in shown:
            counts[name] = counts.get(name, 0) + 1
    names = sorted(name for name, count in counts.items() if count >= FEWEST)
    column = {name: number for number, name in enumerate(names)}
    matrix = np.zeros((len(examples), len(names) + 1))
    matrix[:, -1] = 1
    for row, (shown, _, _) in enumerate(examples):
        for name, value in shown.items():
            if name in column:
                matrix[row, column[name]] = value
    wanted = np.array([label for _, label, _ in examples], dtype=float)
    shares = np.array([weight for _, _, weight in examples])

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        scores = matrix @ weights
        chances = 1 / (1 + np.exp(-scores))
        squared = weights.copy()
        squared[-1] = 0
        value = shares @ np.logaddexp(0, scores) - (shares * wanted) @ scores + penalty / 2 * squared @ squared
        return float(value), matrix.T @ (shares * (chances - wanted)) + penalty * squared

    result = minimize(loss, np.zeros(len(names) + 1), jac=True, method="L-BFGS-B")
    return {
        **{name: round(float(weight), 3) for name, weight in zip(names, result.x, strict=False)},
        "bias": round(float(result.x[-1]), 3),
    }


def examples_of(texts: Sequence[Learned], kind: Kind, others: Others = ()) -> list[tuple[Evidence, bool, float]]:
    """Evidence of all utterances, and True for those of a kind."""
    examples = [
        (own[kind], kind in label, 1.0) for text in texts for own, label in zip(text.evidence, text.labels, strict=True)
    ]
    return [*examples, *((one[kind], False, weight) for one, weight in others)]


def of_genre(texts: Sequence[Learned], genre: Genre) -> list[Learned]:
    """Texts of talk, or of minutes."""
    return [text for text in texts if bool(text.document.turns) == (genre == "talk")]


def fit_steps(
    texts: Sequence[Learned], others: Others, first_penalty: float, second_penalty: float
) -> tuple[dict[Kind, dict[str, float]], dict[Kind, dict[str, float]]]:
    """Weights of the evidence of utterances, and of their surroundings as they are in texts not learned from."""
    chances: dict[str, dict[Kind, list[float]]] = {}
    for fold in range(INNER_FOLDS):
        known = _first([text for at, text in enumerate(texts) if at % INNER_FOLDS != fold], others, first_penalty)
        for text in texts[fold::INNER_FOLDS]:
            chances[text.name] = {kind: [odds(one[kind], known[kind]) for one in text.evidence] for kind in KINDS}
    second = {
        kind: fit(
            [
                (one, kind in label, 1.0)
                for text in texts
                for one, label in zip(surroundings(chances[text.name], kind), text.labels, strict=True)
            ],
            second_penalty,
        )
        for kind in KINDS
    }
    return _first(texts, others, first_penalty), second


def _first(texts: Sequence[Learned], others: Others, penalty: float) -> dict[Kind, dict[str, float]]:
    return {kind: fit(examples_of(texts, kind, others), penalty) for kind in KINDS}


class Scored(NamedTuple):
    """Log odds of an utterance of a text that was not learned from, and True if it is labelled."""

    odds: float
    label: bool
    name: str
    said: str


def cross_validate(
    genre: Genre, texts: Sequence[Learned], others: Others, penalties: tuple[float, float]
) -> dict[Kind, list[Scored]]:
    """Odds of all utterances by the weights of other texts, highest first."""
    scored: dict[Kind, list[Scored]] = {kind: [] for kind in KINDS}
    for fold in range(FOLDS):
        known = fit_steps([text for at, text in enumerate(texts) if at % FOLDS != fold], others, *penalties)
        for text in texts[fold::FOLDS]:
            for kind, chances in likely(text.evidence, genre, known).items():
                rows = zip(chances, text.labels, text.texts, strict=True)
                scored[kind] += [Scored(chance, kind in label, text.name, said) for chance, label, said in rows]
    return {kind: sorted(one, key=lambda row: -row.odds) for kind, one in scored.items()}


def report(genre: Genre, kind: Kind, scored: Sequence[Scored], show: bool) -> None:
    """Print average precision, and at the threshold of the package and some others precision and recall."""
    ranks = [number for number, one in enumerate(scored) if one.label]
    average = np.mean([(at + 1) / (number + 1) for at, number in enumerate(ranks)])
    print(f"{genre:7} {kind:9} average precision {average:.3f}", end="")
    for least in (LEAST[kind], *SHOWN):
        taken = [one for one in scored if one.odds > least]
        right = sum(one.label for one in taken)
        false = 1 - right / max(1, len(taken))
        print(f"; above {least}: {right}/{len(ranks)} = {right / len(ranks):.0%}, false {false:.0%}", end="")
    print()
    for one in scored if show else ():
        taken_for = one.odds > LEAST[kind]
        if one.label != taken_for:
            print(f"    {one.odds:5.1f} {'missed' if one.label else 'wrong '} {one.name} {one.said}")


def main() -> None:
    """Run as a script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--data", type=Path, help="folder with corpora of talk")
    parser.add_argument("--show", action="store_true", help="print what is found wrong")
    parser.add_argument("--penalties", type=float, nargs=2, default=PENALTIES)
    arguments = parser.parse_args()
    texts = learned()
    found = {}
    for genre in GENRES:
        own = of_genre(texts, genre)
        others = background(arguments.data) if arguments.data and genre == "talk" else []
        for kind, scored in cross_validate(genre, own, others, tuple(arguments.penalties)).items():
            report(genre, kind, scored, arguments.show)
        if arguments.write:
            found[genre] = fit_steps(own, others, *arguments.penalties)
    if arguments.write:
        Path(odds_module.__file__).with_name("odds.json").write_text(
            json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8"
        )


if __name__ == "__main__":
    main()
