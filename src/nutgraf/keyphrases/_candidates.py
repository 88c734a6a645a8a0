"""What the extractors share: limits, normal forms, candidates, and the way from scores to Phrases."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count, repeat
from typing import Literal

import numpy as np

from nutgraf.text.document import Phrase
from nutgraf.text.graph import Floats, Integers
from nutgraf.text.highlights import characters, find_forms
from nutgraf.text.tagging import Tagged, Tagger
from nutgraf.text.tokenize import Span, flatten

Candidates = dict[tuple[str, ...], list[Span]]
"""Phrases by their normal forms, in the order in which they first stand, with the ranges of tokens where they do."""

Normalization = Literal["lower", "stem"]
Overlong = Literal["drop", "trim"]

NAMES = {"NOUN": "N", "PROPN": "N", "ADJ": "A"}
"""The tags of which key phrases are made, as letters of a pattern."""

CONTENT = {"NOUN": "N", "NUM": "N"}
"""Words and numbers, where the tagger is `content`."""

NOUN_PHRASE = re.compile(r"[Aa]A*N+|[Nn]N*")
"""ADJ* (NOUN | PROPN)+. A small letter opens a sentence, so that no phrase crosses its end."""

RUN = re.compile(r"[AaNn][AN]*")

_TIE = 12
"""Scores that agree in this many digits, measured by the best score, are tied."""


@dataclass(frozen=True)
class Limits:
    """How many phrases, and how many words a phrase may have."""

    top: int = 10
    ngram_range: tuple[int, ...] = (1, 3)

    def __post_init__(self) -> None:
        if self.top < 1:
            raise ValueError(f"top must be 1 or more, not {self.top}.")
        if len(self.ngram_range) != 2 or not 1 <= self.ngram_range[0] <= self.ngram_range[1]:
            raise ValueError(
                f"ngram_range must be two numbers of words, as [1, 3], the first 1 or more and at most the second, "
                f"not {list(self.ngram_range)}."
            )

    def allow(self, words: Sequence[str]) -> bool:
        """Whether a phrase of these words is neither too short nor too long."""
        shortest, longest = self.ngram_range
        return shortest <= len(words) <= longest


@dataclass(frozen=True)
class Walk(Limits):
    """What the extractors that walk a graph have besides: see `pagerank` and `tag`."""

    damping: float = 0.85
    tolerance: float = 1e-6
    tagger: Tagger = "textblob"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.damping < 1:
            raise ValueError(f"damping must be 0 or more and below 1, not {self.damping}.")
        if not 0 < self.tolerance < 1:
            raise ValueError(f"tolerance must lie between 0 and 1, not {self.tolerance}.")


def normal_forms(tagged: Tagged, normalization: Normalization) -> list[str]:
    """Each token lower-cased, or its stem."""
    lowered = list(map(str.lower, tagged.words))
    if normalization == "lower":
        return lowered
    stem = tagged.document.stem
    stems = {word: stem(word) for word in set(lowered)}
    return list(map(stems.__getitem__, lowered))


def numbered(forms: Iterable[str]) -> Integers:
    """The number of each form, counted from 0 in the order in which they first appear."""
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    return np.fromiter(map(numbers.__getitem__, forms), dtype=np.intp)


def letters(tagged: Tagged, meaning: Mapping[str, str]) -> str:
    """One letter a token, by its tag: a capital, or a small letter where a sentence begins; "." for other tags."""
    spelled = list(map(meaning.get, tagged.tags, repeat(".")))
    for start in tagged.starts:
        spelled[start] = spelled[start].lower()
    return "".join(spelled)


def lettered(spelled: str) -> Integers:
    """The positions of tokens that have a letter."""
    return np.flatnonzero(np.frombuffer(spelled.encode(), dtype=np.uint8) != ord("."))


def stretches(pattern: re.Pattern[str], spelled: str) -> list[Span]:
    """The ranges of tokens that match the pattern."""
    return [match.span() for match in pattern.finditer(spelled)]


def limit(spans: Iterable[Span], limits: Limits, overlong: Overlong = "drop") -> list[Span]:
    """Without what is too short; what is too long is dropped, or trimmed to its last words."""
    shortest, longest = limits.ngram_range
    if overlong == "drop":
        return [(start, end) for start, end in spans if shortest <= end - start <= longest]
    return [(max(start, end - longest), end) for start, end in spans if shortest <= end - start]


def gather(spans: Iterable[Span], forms: Sequence[str]) -> Candidates:
    """The ranges of tokens by what stands in them."""
    candidates: defaultdict[tuple[str, ...], list[Span]] = defaultdict(list)
    for start, end in spans:
        candidates[tuple(forms[start:end])].append((start, end))
    return dict(candidates)


def best_sums(tagged: Tagged, forms: Sequence[str], spans: Sequence[Span], worth: Floats, top: int) -> list[Phrase]:
    """Of what stands in the spans, the phrases whose words are worth most together.

    worth: one number a token.
    """
    if not spans:
        return []
    firsts: dict[tuple[str, ...], Span] = {}
    for start, end in spans:
        firsts.setdefault(tuple(forms[start:end]), (start, end))
    borders = np.fromiter(chain.from_iterable(firsts.values()), dtype=np.intp)
    chosen = strongest(firsts, np.add.reduceat(np.append(worth, 0.0), borders)[::2], top)
    return as_phrases(tagged, chosen, everywhere(tagged, forms, chosen))


def strongest(
    forms: Iterable[tuple[str, ...]], scores: Sequence[float] | Floats, top: int
) -> dict[tuple[str, ...], float]:
    """The `top` forms by falling score, tied ones in the order given; the scores' L2 norm is one.

    What scores nothing is left out.
    """
    values = np.asarray(scores, dtype=np.float64)
    if not values.size or values.max() <= 0:
        return {}
    values = np.round(values / values.max(), _TIE)
    order = np.argsort(-values, kind="stable")[:top]
    order = order[values[order] > 0]
    norm = np.sqrt(np.square(values[order]).sum())
    every = list(forms)
    return {every[index]: float(values[index] / norm) for index in order}


def everywhere(tagged: Tagged, forms: Sequence[str], chosen: Mapping[tuple[str, ...], float]) -> Candidates:
    """Every place where the chosen phrases stand, also inside longer ones."""
    return find_forms(forms, tagged.starts, chosen.keys())


def as_phrases(tagged: Tagged, chosen: Mapping[tuple[str, ...], float], places: Candidates) -> list[Phrase]:
    """The chosen phrases with their spans, by falling score, then first place, then alphabetically."""
    phrases = []
    for form, score in chosen.items():
        spans = tuple(characters(tagged, start, end) for start, end in places[form])
        start, end = spans[0]
        phrases.append(Phrase(flatten(tagged.document.text[start:end]), score, spans))
    return sorted(phrases, key=lambda phrase: (-phrase.score, phrase.spans[0][0], phrase.text))
