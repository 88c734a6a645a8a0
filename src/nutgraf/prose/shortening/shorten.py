"""Sentences of a document without pieces that may go; nothing is ever written.

Every sentence is shortened before any is selected, so that a selection knows how long each will be.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from nutgraf.prose.shortening.pieces import LEAST_LEFT, Piece, pieces
from nutgraf.text.document import Document, Omission, Sentence
from nutgraf.text.tokenize import Span, count_words

Rate = Callable[[Sequence[tuple[str, Sequence[Piece]]]], Sequence[Sequence[float]]]
"""Rates pieces of sentences: for each the probability that it may go."""

LEAST_KEPT = 0.35
"""Minimum share of a sentence's words that stay."""


def shorten(document: Document, rate: Rate, strength: float, kept: Collection[Span] = ()) -> Document:
    """Return a document whose sentences lack pieces that may go.

    Args:
        document: The document.
        rate: Rates the pieces.
        strength: From 0 to 1: a piece goes if its probability is 1 − strength or more.
        kept: Spans of the text that stay, such as those of highlights.
    """
    found = [(index, _candidates(document, sentence, kept)) for index, sentence in enumerate(document.sentences)]
    found = [(index, some) for index, some in found if some]
    texts = [document.show(document.sentences[index]) for index, _ in found]
    rated = rate([(text, some) for text, (_, some) in zip(texts, found, strict=True)])
    sentences = list(document.sentences)
    for (index, some), text, scores in zip(found, texts, rated, strict=True):
        sure = [(one, score) for one, score in zip(some, scores, strict=True) if score >= 1 - strength]
        sentences[index] = _without(sentences[index], text, sure, document.language)
    return replace(document, sentences=tuple(sentences))


def _candidates(document: Document, sentence: Sentence, kept: Collection[Span]) -> list[Piece]:
    text, base = document.text[sentence.start : sentence.end], sentence.start
    return [
        one
        for one in pieces(text, document.language)
        if not any(start < base + one.end and base + one.start < end for start, end in kept)
    ]


def _without(sentence: Sentence, text: str, pieces: Sequence[tuple[Piece, float]], language: str) -> Sentence:
    """Return a sentence without pieces, the longest first where they overlap, as long as enough of it stays."""
    base, chosen = sentence.start, list[Omission]()
    left = words = count_words(text, language)
    for piece, score in sorted(pieces, key=lambda one: (one[0].start - one[0].end, one[0].start)):
        one = Omission(base + piece.start, base + piece.end, piece.kind, score)
        size = words - count_words(text[: piece.start] + text[piece.end :], language)
        if left - size < max(LEAST_LEFT, LEAST_KEPT * words) or any(_meet(one, other) for other in chosen):
            continue
        left -= size
        chosen.append(one)
    return replace(sentence, left_out=tuple(sorted(chosen, key=lambda one: one.start)))


def _meet(one: Omission, other: Omission) -> bool:
    return one.start < other.end and other.start < one.end
