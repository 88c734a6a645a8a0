"""The sentence of a document that answers a question, if any does.

Each sentence has a utility, a weighted sum of its features (`evidence.py`), and so has the choice that none of them
answers (a conditional logit, McFadden 1974). The sentence with the largest utility is chosen, and it answers if it is
far enough above none. The weights are those that `tests/questions/fit_weights.py` found on questions about texts of our
own.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from nutgraf.questions.evidence import Evidence, Features
from nutgraf.questions.question import read_question
from nutgraf.text.document import Document

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


def find(document: Document, text: str) -> Found:
    """Find the sentence of a document that answers a question best."""
    question = read_question(text, document.language, document.stop_words)
    evidence, known = Evidence(document, question), weights()
    utilities = {index: weigh(evidence.features(index), known.sentence) for index in evidence.candidates}
    if not utilities:
        return Found(None, question.kind, 0.0)
    best = max(utilities, key=lambda index: (utilities[index], -index))
    lead = utilities[best] - weigh(none_features(evidence), known.none)
    return Found(best, question.kind, 1 / (1 + math.exp(-lead)))
