"""The odds of a sentence to be junk, by its words, its shape and its neighbours.

A pattern (`boilerplate.py`) knows a phrase; this file weighs what no phrase tells. Three logistic regressions follow
one another. The first sees the words of the sentence. The second sees the first's opinion, what the words are about
(`page_words.py`), and the capitals, digits, marks, length and place of the sentence. The third sees the second's
opinion of the sentence and of its neighbours, because junk comes in runs. Of languages without words of the first
regression, a second one that does without judges the sentence; those without page words are left to the patterns and
shapes of `quality.py`.

The weights are those that `tests/junk/fit.py` found on the labelled documents and sentences in `tests/junk`. Pairs of
words, classes of page words, words that bind a sentence to its document, and wider surroundings were tried: neither
documents that were not learned from nor corpora of prose miss them.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from nutgraf.prose.page_words import page_words
from nutgraf.text.document import Document

Features = dict[str, float]
"""Features of a sentence that are not zero, by name."""

FEWEST = 12
"""Fewest sentences of a document whose parts and neighbours tell anything."""

CERTAIN = 2.5
"""Log odds of sentences that are known to be junk."""

LARGEST = 3.0
"""Log odds beyond which one neighbour counts no more than another."""

AROUND = 4
"""Sentences on each side that count as neighbours."""

_ADDRESS = re.compile(r"[/@]\w|www\.|\.(?:com|org|net|example)\b|\+\d\d|\d{3}[\s-]\d{3,4}\b")
_QUOTED = re.compile(r"[\"“”«»„]")
_DIGIT = re.compile(r"\d")


class Weights(NamedTuple):
    """Weights of the three regressions.

    Attributes:
        words: Of words, by language.
        alone: Of the features of a sentence by itself, its wording among them.
        unworded: The same without its wording.
        among: Of its features among the others.
    """

    words: dict[str, Features]
    alone: Features
    unworded: Features
    among: Features


@cache
def weights() -> Weights:
    """Weights that come with the package."""
    return Weights(**json.loads(Path(__file__).with_name("junk_odds.json").read_text(encoding="utf-8")))


class Odds:
    """Log odds of each sentence of a document to be junk; what nobody asks for is not worked out.

    Args:
        document: The text, in one of `LANGUAGES`.
        is_junk: Tells whether a sentence, by its index, is already known to be junk; it is asked for those near by.
        within: Paragraph of each sentence.
    """

    def __init__(self, document: Document, is_junk: Callable[[int], bool], within: Sequence[int]) -> None:
        self._document = document
        self._is_junk = is_junk
        self._within = within
        self._alone: dict[int, float] = {}

    def __getitem__(self, index: int) -> float:
        """Log odds of a sentence among the others."""
        return weigh(context(index, self._is_junk, self._within, self.alone), weights().among)

    def alone(self, index: int) -> float:
        """Log odds of a sentence by itself."""
        if index not in self._alone:
            self._alone[index] = self._odds_alone(index)
        return self._alone[index]

    def _odds_alone(self, index: int) -> float:
        found, known = features(self._document, index), weights()
        if self._document.language not in known.words:
            return weigh(found, known.unworded)
        found["wording"] = wording(self._document.words_of(index), known.words[self._document.language])
        return weigh(found, known.alone)


def features(document: Document, index: int) -> Features:
    """Features of a sentence by itself: its words, shape and place; those that are zero are left out."""
    text, words = document.printed[index], document.words_of(index)
    written, known = text.split(), page_words(document.language)
    capitals = sum([word[0].isupper() for word in written]) - written[0][0].isupper()
    one = {
        "log_length": math.log(max(1, len(words))),
        "capitals": capitals / max(1, len(written) - 1),
        "about": known.share(words, document.stop_words),
        "digits": sum([_DIGIT.search(word) is not None for word in written]) / len(written),
    }
    said = {
        "invites": known.invites(words),
        "you": known.addresses(words),
        "quotation": _QUOTED.search(text),
        "address": _ADDRESS.search(text),
        "colon": ":" in text,
        "small_letter": text[0].islower(),
        "starts_plainly": words and words[0] in document.stop_words,
        "last": len(document.sentences) - index <= max(3, 0.12 * len(document.sentences)),
    }
    return one | {name: 1.0 for name, found in said.items() if found}


def wording(words: Sequence[str], known: Mapping[str, float]) -> float:
    """Log odds of a sentence by its words, each counted once."""
    return known["bias"] + sum([known.get(word, 0.0) for word in distinct(words)])


def distinct(words: Sequence[str]) -> set[str]:
    """The words of a sentence; all digits are alike."""
    return {word if word.isalpha() else _DIGIT.sub("0", word) for word in words}


def weigh(features: Features, weights: Mapping[str, float]) -> float:
    """Weighted sum of features; one that no example had counts nothing."""
    return weights["bias"] + sum([weights.get(name, 0.0) * value for name, value in features.items()])


def context(
    index: int, is_junk: Callable[[int], bool], within: Sequence[int], alone: Callable[[int], float]
) -> Features:
    """Features of a sentence among the others, given the log odds of each by itself.

    Args:
        index: The sentence.
        is_junk: Tells whether a sentence is already known to be junk.
        within: Paragraph of each sentence.
        alone: Log odds of a sentence by itself.
    """
    near = range(max(0, index - AROUND), min(len(within), index + AROUND + 1))
    odds = {other: CERTAIN if is_junk(other) else max(-LARGEST, min(LARGEST, alone(other))) for other in near}
    before = [one for other, one in odds.items() if other < index]
    after = [one for other, one in odds.items() if other > index]
    same = [one for other, one in odds.items() if other != index and within[other] == within[index]]
    return {
        "own": alone(index),
        "previous": before[-1] if before and within[index - 1] == within[index] else 0.0,
        "following": after[0] if after and within[index + 1] == within[index] else 0.0,
        "paragraph": sum(same) / max(1, len(same)),
        "before": sum(before) / len(before) if before else 1.0,
        "after": sum(after) / len(after) if after else 1.5,
    }
