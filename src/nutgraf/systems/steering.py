"""Highlights and questions: what a person wants to see more of.

The same words steer every system. Where sentences are rated, a sentence gets 1 + Σ weight times its attention, the sum
being over the highlighted phrases that it carries: the words' counterpart of raising attention inside a network. A
question adds `QUESTION_WEIGHT` times a power of the sentence's relevance to it; its content words are
highlights for networks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from nutgraf.errors import InputError, check_text, type_name
from nutgraf.text.document import Document, Phrase
from nutgraf.text.highlights import find_phrases
from nutgraf.text.relevance import question_terms, relevance
from nutgraf.text.tokenize import words

QUESTION_WEIGHT = 30.0
"""Weight of the sentence that is most relevant to a question."""

SHARPNESS = 3
"""Power of relevance, so that what is less relevant weighs much less; chosen, as the weight, on questions about
meetings of the training set."""


@dataclass(frozen=True)
class Steering:
    """Highlights of a person, found in a document.

    Attributes:
        phrases: Highlights that occur; their score is their weight.
        emphasis: A factor for each sentence; None if nothing is highlighted.
        notices: A sentence for each highlight that does not occur.
        oracle: A summary that a person wrote. Its key phrases replace the document's own where a system highlights any,
            which only shows the effect of perfect guidance.
    """

    phrases: tuple[Phrase, ...] = ()
    emphasis: npt.NDArray[np.float64] | None = None
    notices: tuple[str, ...] = ()
    oracle: tuple[str, ...] | None = None

    @property
    def plain(self) -> bool:
        """True if there are no highlights and no oracle."""
        return not self.phrases and not self.notices and self.emphasis is None and self.oracle is None


def steer(document: Document, highlights: Iterable[str] | Mapping[str, float], question: str = "") -> Steering:
    """Find the highlights of a document, and what is relevant to a question.

    Raises:
        InputError: If a weight is no number above 0, or a question has no words.
    """
    steering = _highlighted(document, highlights)
    check_text(question, "A question")
    return _asked(document, question, steering) if question else steering


def _asked(document: Document, question: str, steering: Steering) -> Steering:
    """Add a question to the highlights."""
    if not words(question, document.language):
        raise InputError(f"The question {question!r} has no words; write --query 'What did the council decide?'.")
    terms = question_terms(document, question)
    if not terms:
        notice = f"No content word of the question {question!r} occurs in the text, so it changes nothing."
        return replace(steering, notices=(*steering.notices, notice))
    phrases, _ = find_phrases(document, terms, stems=True)
    emphasis = np.ones(len(document.sentences)) if steering.emphasis is None else steering.emphasis
    return replace(
        steering,
        phrases=(*steering.phrases, *phrases),
        emphasis=emphasis + QUESTION_WEIGHT * relevance(document, question) ** SHARPNESS,
    )


def _lines(highlights: Iterable[str] | Mapping[str, float]) -> list[str]:
    """Return highlights as "phrase" or "phrase:weight"."""
    if isinstance(highlights, Mapping):
        return [f"{text}:{weight}" for text, weight in highlights.items()]
    if isinstance(highlights, bytes) or not isinstance(highlights, Iterable):
        raise InputError(f"Highlights are a list of phrases, or a mapping to weights, not {type_name(highlights)}.")
    lines = [highlights] if isinstance(highlights, str) else list(highlights)
    for line in lines:
        check_text(line, "A highlight")
    return lines


def _highlighted(document: Document, highlights: Iterable[str] | Mapping[str, float]) -> Steering:
    lines = _lines(highlights)
    if not lines:
        return Steering()
    found, notices = find_phrases(document, lines)
    if not found:
        return Steering(notices=tuple(notices))
    starts = np.array([sentence.start for sentence in document.sentences])
    emphasis = np.ones(len(starts))
    for phrase in found:
        carriers = {int(np.searchsorted(starts, start, side="right")) - 1 for start, _ in phrase.spans}
        emphasis[sorted(carriers)] += phrase.score
    return Steering(tuple(found), emphasis, tuple(notices))
