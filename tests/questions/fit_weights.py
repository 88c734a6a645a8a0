"""Fit the weights of `nutgraf.questions`, and cross-validate them by text.

    python tests/questions/fit_weights.py [--write] [--held-out] [--show]

Each question is a choice between the sentences of its text and "not answered" (a conditional logit, McFadden 1974).
Beside the questions as they are labelled, those that are answered are learned from once more, about the text without
the sentences that answer them. Texts are left out one at a time. `--held-out` scores `questions.json`, from which
nothing is learned; `--show` lists what is wrong.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from asked import Labelled, held_out, own, without_answer
from scipy.optimize import minimize

import nutgraf.questions.finder as finder
from nutgraf.questions.evidence import Evidence, Features
from nutgraf.questions.question import read_question

PENALTY = 10
"""Squared penalty of a weight of a standardized feature."""

PRIOR = {
    "own": 3.0, "before": 2.0, "heading": 2.0, "around": 1.0, "after": 0.7, "opening": 0.5, "missing": -1.0,
    "answers": 1.5, "rarest": 2.0, "near_figure": 1.5, "near_name": 1.5, "near_cue": 0.7, "lacks_figure": -6.0,
    "lacks_name": -3.0, "lacks_cue": -0.5, "counted": 1.5, "question": -4.0, "junk": -0.5, "short": -0.5, "yes": 2.0,
    "hint": 0.5, "starts": 0.5, "below": 0.5,
}  # fmt: skip
"""Weights that are expected; the penalty is on what differs from them."""

DECISION_PENALTY = 8

WRONG = 0.3

REMOVED_SHARE = 0.6
"""Weight of a question about a text whose answers were taken out."""


@dataclass
class Row:
    """A question with the features of its candidates; the last row is that of "not answered"."""

    labelled: Labelled
    candidates: list[int]
    features: list[Features]
    none: Features
    weight: float


def row(one: Labelled, weight: float) -> Row:
    document = one.document
    question = read_question(one.question, document.language, document.stop_words)
    evidence = Evidence(document, question)
    candidates = evidence.candidates
    return Row(
        one, candidates, [evidence.features(index) for index in candidates], finder.none_features(evidence), weight
    )


class Model:
    def __init__(self, rows: Sequence[Row]) -> None:
        counts = Counter(name for one in rows for features in one.features for name in features)
        self.names = sorted(name for name, count in counts.items() if count >= 10)
        self.none_names = sorted({name for one in rows for name in one.none})
        at = {name: place for place, name in enumerate(self.names)}
        none_at = {name: place + len(self.names) for place, name in enumerate(self.none_names)}
        self.size = len(at) + len(none_at)
        matrices, golds, weights = [], [], []
        for one in rows:
            matrix = np.zeros((len(one.candidates) + 1, self.size))
            for place, features in enumerate(one.features):
                for name, value in features.items():
                    if name in at:
                        matrix[place, at[name]] = value
            for name, value in one.none.items():
                matrix[-1, none_at[name]] = value
            gold = np.array([index in one.labelled.golds for index in one.candidates] + [not one.labelled.answered])
            if not gold.any():
                continue
            matrices.append(matrix), golds.append(gold), weights.append(one.weight)
        stacked = np.vstack(list(matrices))
        self.scale = np.maximum(stacked.std(0), 0.1)
        ends = np.cumsum([len(m) for m in matrices])
        starts = np.concatenate([[0], ends[:-1]])
        X, gold, weight = stacked / self.scale, np.concatenate(golds), np.array(weights)
        sizes = np.diff(np.concatenate([[0], ends]))

        prior = np.zeros(self.size)
        for name, value in PRIOR.items():
            if name in at:
                prior[at[name]] = value * self.scale[at[name]]

        def loss(w):
            u = X @ w
            top = np.maximum.reduceat(u, starts)
            e = np.exp(u - np.repeat(top, sizes))
            g = e * gold
            total, good = np.add.reduceat(e, starts), np.add.reduceat(g, starts)
            value = float((weight * (np.log(total) - np.log(good + 1e-300))).sum())
            p = e / np.repeat(total, sizes) - g / np.repeat(good + 1e-300, sizes)
            grad = X.T @ (p * np.repeat(weight, sizes))
            d = w - prior
            return value + 0.5 * PENALTY * d @ d, grad + PENALTY * d

        w = minimize(loss, prior, jac=True, method="L-BFGS-B", options={"maxiter": 500}).x / self.scale
        self.weights = {name: float(w[at[name]]) for name in self.names}
        self.none = {name: float(w[none_at[name]]) for name in self.none_names}


def best(model: Model | finder.Weights, one: Row) -> tuple[int, float]:
    utilities = [finder.weigh(features, model.weights) for features in one.features]
    place = int(np.argmax(utilities))
    return one.candidates[place], utilities[place] - finder.weigh(one.none, model.none)


def decision_features(one: Row, model) -> tuple[int, Features]:
    utilities = [finder.weigh(features, model.weights) for features in one.features]
    place = int(np.argmax(utilities))
    question = read_question(one.labelled.question, one.labelled.document.language, one.labelled.document.stop_words)
    return one.candidates[place], finder.decision_features(one.features[place], utilities, one.none, question)


class Decision:
    def __init__(self, rows) -> None:
        """rows: (features, label, weight)"""
        self.names = sorted({name for features, _, _ in rows for name in features})
        X = np.array([[f.get(name, 0.0) for name in self.names] for f, _, _ in rows])
        y = np.array([label for _, label, _ in rows], dtype=float)
        w = np.array([weight for _, _, weight in rows])
        self.mean, self.scale = X.mean(0), np.maximum(X.std(0), 0.1)
        Z = np.hstack([(X - self.mean) / self.scale, np.ones((len(X), 1))])

        def loss(v):
            u = Z @ v
            p = 1 / (1 + np.exp(-u))
            value = (w * (np.logaddexp(0, u) - y * u)).sum() + 0.5 * DECISION_PENALTY * (v[:-1] ** 2).sum()
            return value, Z.T @ (w * (p - y)) + DECISION_PENALTY * np.append(v[:-1], 0)

        v = minimize(loss, np.zeros(Z.shape[1]), jac=True, method="L-BFGS-B").x
        weights = v[:-1] / self.scale
        self.weights = dict(zip(self.names, map(float, weights), strict=False))
        self.weights["bias"] = float(v[-1] - weights @ self.mean)


def score(results: Sequence[tuple[Row, int, float]], threshold: float) -> dict[str, float]:
    answered = [(r, i, m) for r, i, m in results if r.labelled.answered]
    not_ = [(r, i, m) for r, i, m in results if not r.labelled.answered]
    return {
        "first": np.mean([i in r.labelled.golds for r, i, _ in answered]),
        "answered": np.mean([i in r.labelled.golds and m > threshold for r, i, m in answered]),
        "refused": np.mean([m <= threshold for _, _, m in not_]) if not_ else float("nan"),
        "n": len(answered),
        "m": len(not_),
    }


def report(label: str, results, thresholds=(-1.5, -1, -0.5, 0, 0.5, 1.0, 1.5)) -> None:
    for t in thresholds:
        print(label, t, {k: round(float(v), 3) for k, v in score(results, t).items()})


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    labelled = list(own())
    rows = [row(one, 1.0) for one in labelled]
    removed = [row(without_answer(one), REMOVED_SHARE) for one in labelled if one.answered]
    paths = list(dict.fromkeys(one.path for one in labelled))
    decided = []
    for path in paths:
        model = Model([r for r in [*rows, *removed] if r.labelled.path != path])
        decided += [(r, *decision_features(r, model)) for r in [*rows, *removed] if r.labelled.path == path]

    def example(r, index, features):
        good = r.labelled.answered and index in r.labelled.golds
        return features, good, r.weight * (WRONG if r.labelled.answered and not good else 1.0)

    everything = []
    for path in paths:
        decision = Decision([example(*one) for one in decided if one[0].labelled.path != path])
        everything += [
            (r, index, finder.weigh(features | {"bias": 1.0}, decision.weights))
            for r, index, features in decided
            if r.labelled.path == path
        ]
    own_ones = set(map(id, rows))
    results = [one for one in everything if id(one[0]) in own_ones]
    report("cross-validated", results)
    report("with removed", everything)
    reach = np.mean([bool(r.labelled.golds & set(r.candidates)) for r in rows if r.labelled.answered])
    print("gold among candidates", reach)
    model = Model([*rows, *removed])
    decision = Decision([example(*one) for one in decided])
    if options.show:
        for r, i, m in results:
            if r.labelled.answered and i not in r.labelled.golds:
                q = r.labelled
                print(
                    q.document.language,
                    q.kind,
                    "|",
                    q.question,
                    f"{m:.1f}",
                    "\n   ->",
                    q.document.printed[i][:110],
                    "\n   ==",
                    [q.document.printed[g][:110] for g in sorted(q.golds)][:2],
                )
        for r, i, m in sorted(results, key=lambda x: -x[2]):
            if not r.labelled.answered and m > 0:
                print(
                    "NOT",
                    r.labelled.kind,
                    "|",
                    r.labelled.question,
                    f"{m:.1f}",
                    "\n   ->",
                    r.labelled.document.printed[i][:110],
                )
    if options.held_out:
        found = []
        for r in (row(one, 1.0) for one in held_out()):
            index, features = decision_features(r, model)
            found.append((r, index, finder.weigh(features | {"bias": 1.0}, decision.weights)))
        report("held out", found)
        by = defaultdict(list)
        for f in found:
            by[f[0].labelled.kind].append(f)
        for k, v in by.items():
            print(k, {a: round(float(b), 2) for a, b in score(v, 0.0).items()})
        by = defaultdict(list)
        for f in found:
            by[f[0].labelled.document.language].append(f)
        for k, v in by.items():
            print(k, {a: round(float(b), 2) for a, b in score(v, 0.0).items()})
    print({k: round(v, 2) for k, v in sorted(model.weights.items(), key=lambda x: -x[1])})
    print({k: round(v, 2) for k, v in sorted(decision.weights.items(), key=lambda x: -x[1])})
    if options.write:
        rounded = {
            "weights": {name: round(value, 4) for name, value in sorted(model.weights.items())},
            "decision": {name: round(value, 4) for name, value in sorted(decision.weights.items())},
        }
        Path(finder.__file__).with_name("weights.json").write_text(
            json.dumps(rounded, indent=1) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
