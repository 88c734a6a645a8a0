"""Fit the weights of `nutgraf.questions`, and cross-validate them by text.

    python tests/questions/fit_weights.py [--write] [--held-out] [--show]

Each question is a choice between the sentences of its text and "not answered" (a conditional logit, McFadden 1974).
Beside the questions as they are labelled, those that are answered are learned from once more, about the text without
the sentences that answer them. Texts are left out in turn, in ten parts. Then the bias of "not answered" is moved until
`REFUSED` of the questions left out that have no answer are refused. `--held-out` scores `questions.json`, from which
nothing is learned; `--show` lists what is wrong. `--near` fits the weights for what a network has told how near
sentences are, from the questions of which it tells that; it has to be installed (`models/minilm`).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from asked import Labelled, held_out, own, without_answer
from scipy.optimize import minimize

import nutgraf.questions.finder as finder
from nutgraf.questions.evidence import Features

PENALTY = 10.0
"""Squared penalty of the distance of a weight of a standardized feature from its prior."""

PRIOR = {
    "own": 3.0, "before": 2.0, "heading": 2.0, "around": 1.0, "after": 0.7, "opening": 0.5, "missing": -1.0,
    "answers": 1.5, "rarest": 2.0, "near_figure": 1.5, "near_name": 1.5, "near_cue": 0.7, "lacks_figure": -6.0,
    "other_figure": -4.0, "lacks_name": -3.0, "lacks_cue": -0.5, "counted": 1.5, "question": -4.0, "junk": -0.5,
    "short": -0.5, "yes": 2.0, "hint": 0.5, "starts": 0.5, "below": 0.5, "near": 3.0,
}  # fmt: skip
"""Weights that are expected."""

LEAST_EXAMPLES = 10
"""Sentences that must have a feature for it to have a weight."""

REMOVED_SHARE = 0.6
"""Weight of a question about a text whose answers were taken out."""

REFUSED = 0.6
"""Share of the questions without an answer that must be refused: from here on fewer outcomes are right."""

PARTS = 10

Floats = npt.NDArray[np.float64]


class Row(NamedTuple):
    """A question with the features of its candidates, and those of "not answered"."""

    labelled: Labelled
    candidates: list[int]
    features: list[Features]
    none: Features
    weight: float
    near: bool

    @property
    def right(self) -> list[bool]:
        """The choices that are right: of the candidates, and "not answered" at the end."""
        return [*(index in self.labelled.golds for index in self.candidates), not self.labelled.answered]


class Result(NamedTuple):
    """A question with the sentence that was chosen, and how far it is above "not answered"."""

    labelled: Labelled
    index: int
    lead: float

    def is_right(self, least: float) -> bool:
        """True if the sentence answers and is said to, or the question is rightly refused."""
        answered = self.lead >= least
        return answered and self.index in self.labelled.golds if self.labelled.answered else not answered


def row(one: Labelled, weight: float = 1.0) -> Row:
    """Look at a question."""
    found = finder.choices(one.document, one.question)
    return Row(one, list(found.indices), list(found.features), found.none, weight, found.near)


def fit(rows: Sequence[Row]) -> finder.Weights:
    """Fit the weights."""
    rows = [one for one in rows if any(one.right)]
    counts = Counter(name for one in rows for features in one.features for name in features)
    names = sorted(name for name, count in counts.items() if count >= LEAST_EXAMPLES)
    others = sorted({name for one in rows for name in one.none})
    at = {name: place for place, name in enumerate(names)}
    none_at = {name: len(names) + place for place, name in enumerate(others)}
    lines, right = [], [choice for one in rows for choice in one.right]
    for one in rows:
        lines += [{at[name]: value for name, value in features.items() if name in at} for features in one.features]
        lines.append({none_at[name]: value for name, value in one.none.items()})
    matrix = np.zeros((len(lines), len(names) + len(others)))
    for place, line in enumerate(lines):
        matrix[place, list(line)] = list(line.values())
    scale = np.maximum(matrix.std(axis=0), 0.1)
    prior = np.array([PRIOR.get(name, 0.0) for name in names] + [0.0] * len(others)) * scale
    sizes = [len(one.right) for one in rows]
    weights = np.array([one.weight for one in rows])
    loss = _loss(matrix / scale, np.array(right, dtype=float), np.array(sizes), weights, prior)
    found = minimize(loss, prior, jac=True, method="L-BFGS-B", options={"maxiter": 500}).x / scale
    return finder.Weights(
        {name: float(found[place]) for name, place in at.items()},
        {name: float(found[place]) for name, place in none_at.items()},
    )


def _loss(
    matrix: Floats, right: Floats, sizes: npt.NDArray[np.int_], weights: Floats, prior: Floats
) -> Callable[[Floats], tuple[float, Floats]]:
    """Return the negative logarithm of the likelihood of the right choices, with the penalty, and its gradient."""
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])

    def loss(found: Floats) -> tuple[float, Floats]:
        utilities = matrix @ found
        exps = np.exp(utilities - np.repeat(np.maximum.reduceat(utilities, starts), sizes))
        total, good = np.add.reduceat(exps, starts), np.add.reduceat(exps * right, starts) + 1e-300
        slope = np.repeat(weights, sizes) * (exps / np.repeat(total, sizes) - exps * right / np.repeat(good, sizes))
        away = found - prior
        value = float(weights @ (np.log(total) - np.log(good))) + 0.5 * PENALTY * float(away @ away)
        return value, matrix.T @ slope + PENALTY * away

    return loss


def result(one: Row, known: finder.Weights) -> Result:
    """Choose a sentence."""
    utilities = [finder.weigh(features, known.sentence) for features in one.features]
    place = int(np.argmax(utilities))
    return Result(one.labelled, one.candidates[place], utilities[place] - finder.weigh(one.none, known.none))


def cross_validated(rows: Sequence[Row], removed: Sequence[Row]) -> list[Result]:
    """Results for each question from weights that were fitted to questions about other texts."""
    paths = list(dict.fromkeys(one.labelled.path for one in rows))
    found = []
    for part in range(min(PARTS, len(paths))):
        left_out = set(paths[part::PARTS])
        known = fit([one for one in (*rows, *removed) if one.labelled.path not in left_out])
        found += [result(one, known) for one in rows if one.labelled.path in left_out]
    return found


def least_lead(results: Sequence[Result]) -> float:
    """Lead from which `REFUSED` of the questions without an answer are refused."""
    return float(np.quantile([one.lead for one in results if not one.labelled.answered], REFUSED))


def _share(results: Sequence[Result], answered: bool, least: float) -> float:
    return float(np.mean([one.is_right(least) for one in results if one.labelled.answered is answered] or [np.nan]))


def report(label: str, results: Sequence[Result], least: float) -> None:
    """Print the shares, of all and by kind and language."""
    groups = {label: list(results)}
    for one in results:
        for name in (one.labelled.kind, one.labelled.document.language):
            groups.setdefault(f"  {name}", []).append(one)
    for name, members in groups.items():
        asked = [one for one in members if one.labelled.answered]
        first = np.mean([one.index in one.labelled.golds for one in asked] or [np.nan])
        shares = [_share(members, answered, least) for answered in (True, False)]
        print(
            f"{name:18} right sentence {first:4.0%}, answered {shares[0]:4.0%} of {len(asked):3}, "
            f"refused {shares[1]:4.0%} of {len(members) - len(asked):3}"
        )


def show(results: Sequence[Result], least: float) -> None:
    """Print what is wrong."""
    for one in results:
        if not one.is_right(least):
            asked, printed = one.labelled, one.labelled.document.printed
            answers = [printed[index][:110] for index in sorted(asked.golds)][:2]
            kind = "answered" if not asked.answered else "refused" if one.index in asked.golds else "another sentence"
            print(f"{kind}: {asked.document.language} {asked.kind} | {asked.question} {one.lead - least:+.1f}")
            print(f"    {printed[one.index][:110]}\n    {answers}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    parser.add_argument("--held-out", action="store_true", help="score questions.json with these weights")
    parser.add_argument("--show", action="store_true", help="list what is wrong in cross-validation")
    parser.add_argument("--near", action="store_true", help="fit the weights for what a network has told")
    options = parser.parse_args()
    if not options.near:
        finder.MOST_NEAR = 0
    labelled = list(own())
    rows = [one for one in map(row, labelled) if one.near == options.near]
    removed = [row(without_answer(one.labelled), REMOVED_SHARE) for one in rows if one.labelled.answered]
    results = cross_validated(rows, removed)
    least = least_lead(results)
    report("cross-validated", results, least)
    known = fit([*rows, *removed])
    known.none["bias"] += least
    if options.show:
        show(results, least)
    if options.held_out:
        asked = [one for one in map(row, held_out()) if one.near == options.near]
        report("held out", [result(one, known) for one in asked], 0.0)
    for weights in known:
        print(" ".join(f"{name} {value:.2f}" for name, value in sorted(weights.items(), key=lambda one: -one[1])))
    if options.write:
        rounded = {
            group: {name: round(value, 4) for name, value in sorted(weights.items())}
            for group, weights in known._asdict().items()
        }
        path = Path(finder.__file__).with_name("weights_near.json" if options.near else "weights.json")
        path.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
