"""The sentence of a document that answers a question, if any does.

Each sentence has a utility, a weighted sum of its features (`evidence.py`), and the largest is chosen (a conditional
logit, McFadden 1974). A logistic regression on the features of that sentence, its lead, and the share of the question's
words that the text does not have decides whether it answers. The weights of both are those that
`tests/questions/fit_weights.py` found on questions about texts of our own.
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
from nutgraf.questions.question import Question, read_question
from nutgraf.text.document import Document

DECIDING = (
    "own", "rarest", "missing", "answers", "counted", "near_figure", "near_name", "near_cue", "lacks_name",
    "lacks_figure", "yes", "hint", "starts", "junk", "below", "fits_unit", "scarce", "covered_figure", "covered_name",
    "covered_cue",
)  # fmt: skip
"""Features of the best sentence that tell whether it answers."""

LEAST_SCORE = 0.3
"""Probability from which a question counts as answered. In cross-validation half of the questions are then answered by
the right sentence, and two thirds of those that their text does not answer are refused."""


class Weights(NamedTuple):
    """Weights of the features of a sentence, and of those by which is decided whether the best one answers."""

    weights: Features
    decision: Features


@dataclass(frozen=True, slots=True)
class Found:
    """The sentence that answers a question best.

    Attributes:
        index: Its index; None for a text without sentences.
        kind: What the question asks for.
        score: Probability, from 0 to 1, that it answers rather than nothing does.
    """

    index: int | None
    kind: str
    score: float

    @property
    def answered(self) -> bool:
        """True if the sentence answers, as far as can be told."""
        return self.score >= LEAST_SCORE


@cache
def weights() -> Weights:
    """Weights that come with the package."""
    return Weights(**json.loads(Path(__file__).with_name("weights.json").read_text(encoding="utf-8")))


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


def decision_features(best: Features, utilities: Sequence[float], none: Features, question: Question) -> Features:
    """Features by which is decided whether the best sentence answers."""
    first, *rest = sorted(utilities, reverse=True)
    around = sum(best.get(name, 0.0) for name in ("before", "heading", "around", "after", "opening"))
    found = {name: best.get(name, 0.0) for name in DECIDING}
    return {
        **found,
        "utility": first,
        "lead": first - rest[0] if rest else 3.0,
        "covered": best.get("own", 0.0) + around,
        "size": math.log(len(utilities)),
        **{name: value for name, value in none.items() if name != "bias"},
    }


def find(document: Document, text: str) -> Found:
    """Find the sentence of a document that answers a question best."""
    question = read_question(text, document.language, document.stop_words)
    evidence, known = Evidence(document, question), weights()
    features = {index: evidence.features(index) for index in evidence.candidates}
    utilities = {index: weigh(one, known.weights) for index, one in features.items()}
    if not utilities:
        return Found(None, question.kind, 0.0)
    best = max(utilities, key=lambda index: (utilities[index], -index))
    deciding = decision_features(features[best], list(utilities.values()), none_features(evidence), question)
    odds = known.decision["bias"] + weigh(deciding, known.decision)
    return Found(best, question.kind, 1 / (1 + math.exp(-odds)))
