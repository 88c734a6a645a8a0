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

from nutgraf.meetings.evidence import KINDS, Evidence, Kind
from nutgraf.meetings.find import evidence_of
from nutgraf.meetings.odds import odds
from nutgraf.readers.reading import as_document
from nutgraf.text.document import Document
from nutgraf.text.turns import Turn, Utterance, written_turns

HERE = Path(__file__).parent

PENALTY = 1.0
"""Squared penalty of the weights."""

FEWEST = 3
"""Number of examples that have a feature, from which it is learned."""

GENRES = ("talk", "minutes")

BACKGROUND = 0.1
"""Weight of a sentence of a debate."""

SKIPPED, TAKEN = 60, 40
"""Number of debates at the beginning, on which summaries are measured, and of those taken after them."""

FOLDS = 12

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
    spoken, evidence = evidence_of(document)
    found_labels: list[dict[str, str]] = [{} for _ in spoken]
    for end, kind, who in labels:
        said = " ".join(text[max(0, end - 25) : end].split())
        before = [number for number, one in enumerate(spoken) if said[-5:] in one.text.replace("\t", " ")]
        near = min(before, key=lambda number: abs(spoken[number].end - end))
        found_labels[near][kind] = who
    return Learned(path.name, document, evidence, found_labels, [one.text for one in spoken])


def _spoken(text: str) -> Document:
    """A chat, whose sentences have no end marks by which it would be known."""
    turns = [Turn(found[1], found.start(2), found.end(2), found.start()) for found in _UTTERED.finditer(text)]
    return Document.of(text, turns=turns)


def background(data: Path) -> list[tuple[Mapping[Kind, Evidence], float]]:
    """Evidence of the sentences of debates, and the weight of each."""
    with lzma.open(data / "fredsum/train.jsonl.xz", "rt") as lines:
        records = [json.loads(line) for line in islice(lines, SKIPPED, SKIPPED + TAKEN)]
    return [(one, BACKGROUND) for record in records for one in evidence_of(_talk(record))[1]]


def _talk(record: Mapping[str, Any]) -> Document:
    text, turns = written_turns(Utterance(turn["speaker"], turn["text"]) for turn in record["turns"])
    return Document.of(text, turns=turns)


def fit(examples: Sequence[tuple[Evidence, bool, float]], penalty: float = PENALTY) -> dict[str, float]:
    """Weights of a logistic regression."""
    counts: dict[str, int] = {}
    for evidence, _, weight in examples:
        if weight < 1:
            continue
        for name in evidence:
            counts[name] = counts.get(name, 0) + 1
    names = sorted(name for name, count in counts.items() if count >= FEWEST)
    column = {name: number for number, name in enumerate(names)}
    matrix = np.zeros((len(examples), len(names) + 1))
    matrix[:, -1] = 1
    for row, (evidence, _, _) in enumerate(examples):
        for name, value in evidence.items():
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
    own = [
        (evidence[kind], kind in label, 1.0)
        for text in texts
        for evidence, label in zip(text.evidence, text.labels, strict=True)
    ]
    return [*own, *((evidence[kind], False, weight) for evidence, weight in others)]


def of_genre(texts: Sequence[Learned], genre: str) -> list[Learned]:
    """Texts of talk, or of minutes."""
    return [text for text in texts if bool(text.document.turns) == (genre == "talk")]


def cross_validate(genre: str, texts: Sequence[Learned], others: Others, penalty: float, show: bool) -> None:
    """Print average precision, and precision and recall at even odds, of texts that were not learned from."""
    for kind in KINDS:
        scored = []
        for fold in range(FOLDS):
            known = fit(
                examples_of([one for number, one in enumerate(texts) if number % FOLDS != fold], kind, others), penalty
            )
            for text in (one for number, one in enumerate(texts) if number % FOLDS == fold):
                for evidence, label, said in zip(text.evidence, text.labels, text.texts, strict=True):
                    scored.append((odds(evidence[kind], known), kind in label, text.name, said))
        scored.sort(key=lambda one: -one[0])
        hits = np.cumsum([one[1] for one in scored])
        ranks = [number for number, one in enumerate(scored) if one[1]]
        average = np.mean([hits[number] / (number + 1) for number in ranks])
        taken = [one for one in scored if one[0] > 0]
        right = sum(one[1] for one in taken)
        print(
            f"{genre:7} {kind:9} average precision {average:.3f}  precision {right}/{len(taken)}  "
            f"recall {right}/{len(ranks)}"
        )
        if show:
            for score, label, name, said in scored:
                if label != (score > 0) and (label or score > 0):
                    print(f"    {score:5.1f} {'missed' if label else 'wrong '} {name[:2]} {said}")


def main() -> None:
    """Run as a script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--data", type=Path, help="folder with corpora of talk")
    parser.add_argument("--show", action="store_true", help="print what is found wrong")
    parser.add_argument("--penalty", type=float, default=PENALTY)
    arguments = parser.parse_args()
    texts = learned()
    others = background(arguments.data) if arguments.data else []
    for genre in GENRES:
        cross_validate(
            genre, of_genre(texts, genre), others if genre == "talk" else (), arguments.penalty, arguments.show
        )
    if arguments.write:
        import nutgraf.meetings.odds as module

        known = {
            genre: {
                kind: fit(
                    examples_of(of_genre(texts, genre), kind, others if genre == "talk" else ()), arguments.penalty
                )
                for kind in KINDS
            }
            for genre in GENRES
        }
        Path(module.__file__).with_name("odds.json").write_text(
            json.dumps(known, indent=1, ensure_ascii=False) + "\n", "utf-8"
        )


if __name__ == "__main__":
    main()
