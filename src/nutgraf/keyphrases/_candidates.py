"""Candidates, normal forms and scores, shared by the extractors."""

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
"""Token spans of each candidate, keyed by normal form, in order of first occurrence."""

Normalization = Literal["lower", "stem"]
Overlong = Literal["drop", "trim"]

NAMES = {"NOUN": "N", "PROPN": "N", "ADJ": "A"}
"""Part-of-speech tags that key phrases consist of, as letters of a pattern."""

CONTENT = {"NOUN": "N", "NUM": "N"}
"""Words and numbers, for the tagger `content`."""

NOUN_PHRASE = re.compile(r"[Aa]A*N+|[Nn]N*")
"""ADJ* (NOUN | PROPN)+. A lower-case letter starts a sentence, so that no phrase crosses its end."""

RUN = re.compile(r"[AaNn][AN]*")

_TIE = 12
"""Scores that agree to this many digits, relative to the best score, are tied."""


@dataclass(frozen=True)
class ExtractorConfig:
    """Options that all extractors have."""

    top: int = 10
    """Number of phrases to return."""

    ngram_range: tuple[int, ...] = (1, 3)
    """Smallest and largest number of words in a phrase."""

    def __post_init__(self) -> None:
        if self.top < 1:
            raise ValueError(f"top must be 1 or more, not {self.top}.")
        if len(self.ngram_range) != 2 or not 1 <= self.ngram_range[0] <= self.ngram_range[1]:
            raise ValueError(
                f"ngram_range must be two numbers of words, as [1, 3], the first 1 or more and at most the second, "
                f"not {list(self.ngram_range)}."
            )

    def allow(self, words: Sequence[str]) -> bool:
        """Return True if a phrase of these words has an allowed length."""
        shortest, longest = self.ngram_range
        return shortest <= len(words) <= longest


@dataclass(frozen=True)
class GraphConfig(ExtractorConfig):
    """Options of the extractors that rank words or topics by PageRank."""

    damping: float = 0.85
    """Damping factor of PageRank."""

    tolerance: float = 1e-6
    """PageRank stops when the ranks change by less than this in total."""

    tagger: Tagger = "textblob"
    """Part-of-speech tagger: "textblob", "crf" (English, the extra `tagger`), or "content", which keeps all words but
    stop words."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.damping < 1:
            raise ValueError(f"damping must be 0 or more and below 1, not {self.damping}.")
        if not 0 < self.tolerance < 1:
            raise ValueError(f"tolerance must lie between 0 and 1, not {self.tolerance}.")


def normal_forms(tagged: Tagged, normalization: Normalization) -> list[str]:
    """Normal form of each token: lowercased, or its stem."""
    lowered = list(map(str.lower, tagged.words))
    if normalization == "lower":
        return lowered
    stem = tagged.document.stem
    stems = {word: stem(word) for word in set(lowered)}
    return list(map(stems.__getitem__, lowered))


def form_ids(forms: Iterable[str]) -> Integers:
    """Id of each form, in order of first appearance."""
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    return np.fromiter(map(numbers.__getitem__, forms), dtype=np.intp)


def tag_string(tagged: Tagged, meaning: Mapping[str, str]) -> str:
    """One letter per token by its part of speech, lower case where a sentence starts; "." for all other tags."""
    spelled = list(map(meaning.get, tagged.tags, repeat(".")))
    for start in tagged.starts:
        spelled[start] = spelled[start].lower()
    return "".join(spelled)


def tagged_positions(spelled: str) -> Integers:
    """Positions of the tokens that have a letter."""
    return np.flatnonzero(np.frombuffer(spelled.encode(), dtype=np.uint8) != ord("."))


def match_spans(pattern: re.Pattern[str], spelled: str) -> list[Span]:
    """Token spans that match the pattern."""
    return [match.span() for match in pattern.finditer(spelled)]


def filter_by_length(spans: Iterable[Span], limits: ExtractorConfig, overlong: Overlong = "drop") -> list[Span]:
    """Remove spans that are too short; remove spans that are too long, or trim them to their last words."""
    shortest, longest = limits.ngram_range
    if overlong == "drop":
        return [(start, end) for start, end in spans if shortest <= end - start <= longest]
    return [(max(start, end - longest), end) for start, end in spans if shortest <= end - start]


def group_by_form(spans: Iterable[Span], forms: Sequence[str]) -> Candidates:
    """Group token spans by the normal form of their tokens."""
    candidates: defaultdict[tuple[str, ...], list[Span]] = defaultdict(list)
    for start, end in spans:
        candidates[tuple(forms[start:end])].append((start, end))
    return dict(candidates)


def rank_by_sum(tagged: Tagged, forms: Sequence[str], spans: Sequence[Span], worth: Floats, top: int) -> list[Phrase]:
    """Return the phrases whose words have the largest sum of scores.

    Args:
        tagged: The tokens.
        forms: Normal form of each token.
        spans: Token spans of the candidates.
        worth: Score of each token.
        top: Number of phrases.
    """
    if not spans:
        return []
    firsts: dict[tuple[str, ...], Span] = {}
    for start, end in spans:
        firsts.setdefault(tuple(forms[start:end]), (start, end))
    borders = np.fromiter(chain.from_iterable(firsts.values()), dtype=np.intp)
    chosen = top_scoring(firsts, np.add.reduceat(np.append(worth, 0.0), borders)[::2], top)
    return as_phrases(tagged, chosen, find_occurrences(tagged, forms, chosen))


def top_scoring(
    forms: Iterable[tuple[str, ...]], scores: Sequence[float] | Floats, top: int
) -> dict[tuple[str, ...], float]:
    """Select the `top` forms by descending score; ties keep the order given, forms without a score are left out.

    Returns:
        The scores of the selected forms, scaled to an L2 norm of 1.
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


def find_occurrences(tagged: Tagged, forms: Sequence[str], chosen: Mapping[tuple[str, ...], float]) -> Candidates:
    """All occurrences of the selected phrases, including those inside longer phrases."""
    return find_forms(forms, tagged.starts, chosen.keys())


def as_phrases(tagged: Tagged, chosen: Mapping[tuple[str, ...], float], places: Candidates) -> list[Phrase]:
    """Phrases with their spans, by descending score, then first position, then alphabetically."""
    phrases = []
    for form, score in chosen.items():
        spans = tuple(characters(tagged, start, end) for start, end in places[form])
        start, end = spans[0]
        phrases.append(Phrase(flatten(tagged.document.text[start:end]), score, spans))
    return sorted(phrases, key=lambda phrase: (-phrase.score, phrase.spans[0][0], phrase.text))
