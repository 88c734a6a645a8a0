"""The odds of a sentence to be junk, by its words, its shape and its neighbours.

A pattern (`boilerplate.py`) knows a phrase; this file weighs what no phrase tells. Three logistic regressions follow
one another. The first sees the words of the sentence. The second sees the first's opinion, its capitals, digits, marks
and length, where in the document it stands, and whether known junk stands next to it. The third sees the second's
opinion of the sentence and of its neighbours, because junk comes in runs. Words are English, German, French and
Spanish, and texts in other languages are left to the patterns and shapes of `quality.py`.

The weights are those that `tests/junk/fit.py` found on the labelled documents and sentences in `tests/junk`. Pairs of
words, lists of words by what they are about, words that bind a sentence to its document and wider surroundings were
tried: neither documents that were not learned from nor corpora of prose miss them.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from nutgraf.text.document import Document
from nutgraf.text.verbs import has_verb

LANGUAGES = ("en", "de", "fr", "es")
"""Languages of the words."""

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
_LABEL = re.compile(r"[^\W\d_][\w'’ -]{1,24}[:—–]\s")
_QUOTED = re.compile(r"[\"“”«»„]")
_DIGIT = re.compile(r"\d")


class Weights(NamedTuple):
    """Weights of the three regressions.

    Attributes:
        words: Of words, by language.
        alone: Of the features of a sentence by itself.
        among: Of its features among the others.
    """

    words: dict[str, Features]
    alone: Features
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
            words = wording(self._document.words_of(index), weights().words[self._document.language])
            self._alone[index] = weigh({**self.features(index), "wording": words}, weights().alone)
        return self._alone[index]

    def features(self, index: int) -> Features:
        """Features of a sentence by itself: its shape, its place, and whether known junk stands next to it."""
        one, paragraph, count = _shape(self._document, index), self._within[index], len(self._within)
        one["alone"] = float(self._sizes[paragraph] == 1)
        one["junk_before"] = sum(map(self._is_junk, range(max(0, index - 3), index))) / 3
        after = sum(map(self._is_junk, range(index + 1, min(count, index + 4))))
        one["junk_after"] = (after + max(0, index + 4 - count)) / 3
        if index < max(3, 0.08 * count):
            one["first"] = 1.0
        if count - index <= max(3, 0.12 * count):
            one["last"] = 1.0
        return one

    @cached_property
    def _sizes(self) -> Counter[int]:
        """Sentences of each paragraph."""
        return Counter(self._within)


def _shape(document: Document, index: int) -> Features:
    """Return features of the signs, capitals and length of a sentence; those that are zero are left out."""
    text, words = document.printed[index], document.words_of(index)
    written, length = text.split(), max(1, len(words))
    capitals = sum([word[0].isupper() for word in written]) - written[0][0].isupper()
    one = {
        "log_length": math.log(length),
        "capitals": capitals / max(1, len(written) - 1),
        "stop_words": sum(map(document.stop_words.__contains__, words)) / length,
    }
    if length < 6:
        one["short"] = 1.0
    if _DIGIT.search(text):
        one["digits"] = sum([_DIGIT.search(word) is not None for word in written]) / len(written)
        one["number"] = float(text.lstrip("([§ ")[:1].isdigit())
    if "?" in text[-3:]:
        one["question"] = 1.0
    elif "!" in text[-3:]:
        one["exclamation"] = 1.0
    if "," in text:
        one["comma"] = 1.0
    if _QUOTED.search(text):
        one["quotation"] = 1.0
    if _ADDRESS.search(text):
        one["address"] = 1.0
    if ":" in text:
        one["colon"] = 1.0
    if _LABEL.match(text):
        one["label"] = 1.0
    if not text[0].isalpha():
        one["bracket"], one["sign"] = float(text[0] in "(["), float(text[0] in "*†‡_-–—•·")
    elif text[0].islower():
        one["small_letter"] = 1.0
    if document.language == "en" and not has_verb(words):
        one["verbless"] = 1.0
    if document.speakers[index] is not None:
        one["spoken"], one["spoken_short"] = 1.0, float(len(words) < 9)
    if words and words[0] in document.stop_words:
        one["starts_plainly"] = 1.0
    return one


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
