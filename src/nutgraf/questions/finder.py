"""The sentence of a document that answers a question, if any does.

Each sentence has a utility, a weighted sum of its features (`evidence.py`), and so has the choice that none of them
answers (a conditional logit, McFadden 1974). The sentence with the largest utility is chosen, and it answers if it is
far enough above none. The weights are those that `tests/questions/fit_weights.py` found on questions about texts of our
own: `weights.json`, and `weights_near.json` for texts of which a network tells how near each sentence is to the
question (`nearness.py`). It reads only the sentences that are the best without it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from nutgraf.questions.evidence import Evidence, Features
from nutgraf.questions.nearness import nearness
from nutgraf.questions.question import read_question
from nutgraf.text.document import Document

MOST_NEAR = 60
"""Sentences that a network reads: those that are the best without it."""

LEAST_SCORE = 0.5
"""Score from which a question counts as answered. In cross-validation 60 % of those without an answer are below it."""


class Weights(NamedTuple):
    """Weights of the features of a sentence, and of the choice that no sentence answers."""

    sentence: Features
    none: Features


@dataclass(frozen=True, slots=True)
class Found:
    """The sentence that answers a question best.

    Attributes:
        index: Its index; None for a text without sentences.
        kind: What the question asks for.
        score: Probability, from 0 to 1, that it is chosen rather than none.
    """

    index: int | None
    kind: str
    score: float

    @property
    def answered(self) -> bool:
        """True if the sentence answers, as far as can be told."""
        return self.score >= LEAST_SCORE


class Choices(NamedTuple):
    """Choices for a question, with their features.

    Attributes:
        kind: What the question asks for.
        indices: Indices of the sentences.
        features: Features of each.
        none: Features of the choice that no sentence answers.
        near: True if a network told how near the sentences are.
    """

    kind: str
    indices: Sequence[int]
    features: Sequence[Features]
    none: Features
    near: bool


@cache
def weights(near: bool = False) -> Weights:
    """Weights that come with the package, for choices with a network's nearness or without."""
    path = Path(__file__).with_name("weights_near.json" if near else "weights.json")
    return Weights(**json.loads(path.read_text(encoding="utf-8")))


def weigh(features: Features, weights: Features) -> float:
    """Weighted sum of features; one that no example had counts nothing."""
    return sum([weights.get(name, 0.0) * value for name, value in features.items()])


def none_features(evidence: Evidence) -> Features:
    """Features of the choice that a question is not answered."""
    question = evidence.question
    return {
        "bias": 1.0,
        "absent": evidence.absent,
        "words": 1 / max(1, len(question.words)),
        f"kind:{question.kind}": 1.0,
    }


def choices(document: Document, text: str) -> Choices:
    """Return the choices for a question about a document."""
    question = read_question(text, document.language, document.stop_words)
    evidence, known = Evidence(document, question), weights().sentence
    features = {index: evidence.features(index) for index in evidence.candidates}
    best = sorted(features, key=lambda index: -weigh(features[index], known))[:MOST_NEAR]
    near = nearness(document.language, text, [document.printed[index] for index in best])
    none = none_features(evidence)
    if near is None:
        return Choices(question.kind, list(features), list(features.values()), none, near=False)
    told = {index: features[index] | {"near": cosine} for index, cosine in zip(best, near, strict=True)}
    return Choices(question.kind, list(told), list(told.values()), none | {"nearest": max(near)}, near=True)


def find(document: Document, text: str) -> Found:
    """Find the sentence of a document that answers a question best."""
    kind, indices, features, none, near = choices(document, text)
    if not indices:
        return Found(None, kind, 0.0)
    known = weights(near)
    utilities = {index: weigh(one, known.sentence) for index, one in zip(indices, features, strict=True)}
    best = max(utilities, key=lambda index: (utilities[index], -index))
    lead = utilities[best] - weigh(none, known.none)
    return Found(best, kind, 1 / (1 + math.exp(-lead)))
