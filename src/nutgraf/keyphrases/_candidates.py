"""Shared by extractors: candidates, their normal forms, scores and variants, and the base of those that read tags.

Variants of a phrase are "tide gauges" of "tide gauge", "Mr Obama" and "Obama" of "President Obama".
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count, repeat
from typing import Any, Literal

import numpy as np

from nutgraf.keyphrases import KeyphraseExtractor
from nutgraf.presets.ranges import PositiveInt, ProperShare, ShareBelowOne, check_rising
from nutgraf.text.document import Document, Phrase
from nutgraf.text.graph import Floats, Integers
from nutgraf.text.highlights import characters, find_forms
from nutgraf.text.tagging import Tagged, Tagger, tag
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

TITLES = frozenset(
    """mr mrs ms miss mx dr prof professor sir dame lord lady president vice-president chancellor premier prime minister
    senator sen congressman congresswoman representative rep governor gov mayor judge justice secretary ambassador
    general gen colonel col captain capt lieutenant lt major sergeant sgt admiral king queen prince princess pope
    bishop archbishop cardinal reverend rev father detective officer chief herr frau doktor monsieur madame mme mlle
    señor señora sr sra don doña signor signora senhor senhora""".split()
)
"""Words that stand before a name and are no part of it."""

OTHER_NAMES = frozenset("north south east west northern southern eastern western new old upper lower great".split())
"""Words that make another name of a name: "Korea" is not short for "North Korea"."""

_TIE = 12
"""Scores that agree to this many digits, relative to the best score, are tied."""


@dataclass(frozen=True)
class ExtractorConfig:
    """Options that all extractors have."""

    top: PositiveInt = 10
    """Number of phrases to return."""

    ngram_range: tuple[PositiveInt, PositiveInt] = (1, 3)
    """Smallest and largest number of words in a phrase."""

    merge_variants: bool = True
    """Merge phrases that differ only in endings, titles or first names ("President Obama", "Mr Obama", "Obama")."""

    def __post_init__(self) -> None:
        check_rising(self, "ngram_range")

    def allow(self, words: Sequence[str]) -> bool:
        """Return True if a phrase of these words has an allowed length."""
        shortest, longest = self.ngram_range
        return shortest <= len(words) <= longest


@dataclass(frozen=True)
class GraphConfig(ExtractorConfig):
    """Options of the extractors that rank words or topics by PageRank."""

    damping: ShareBelowOne = 0.85
    """Damping factor of PageRank."""

    tolerance: ProperShare = 1e-6
    """PageRank stops when the ranks change by less than this in total."""

    tagger: Tagger = "auto"
    """Part-of-speech tagger: "crf" (English, the extra `tagger`), "textblob", or "content", which keeps all words but
    stop words; "auto" is "crf" where it is installed, and "textblob" elsewhere."""


class TaggedExtractor(KeyphraseExtractor):
    """Extracts phrases from words with their parts of speech."""

    Config: type[Any]

    def __init__(self, config: Any = None) -> None:
        super().__init__(config or self.Config())

    @property
    def tagger(self) -> Tagger:
        """The part-of-speech tagger that is used."""
        return self.config.tagger

    def __call__(self, document: Document) -> list[Phrase]:
        """Extract phrases; see `KeyphraseExtractor`."""
        return self.rank(tag(document, self.tagger))

    @abstractmethod
    def rank(self, tagged: Tagged) -> list[Phrase]:
        """Extract phrases from tokens that are already tagged."""


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


def first_spans(candidates: Candidates) -> dict[tuple[str, ...], Span]:
    """First token span of each candidate."""
    return {form: places[0] for form, places in candidates.items()}


def rank_by_sum(
    tagged: Tagged,
    forms: Sequence[str],
    spans: Sequence[Span],
    worth: Floats,
    config: ExtractorConfig,
    frequency: float = 0.0,
) -> list[Phrase]:
    """Return the phrases whose words have the largest sum of scores, times their number to the power of `frequency`."""
    if not spans:
        return []
    firsts: dict[tuple[str, ...], Span] = {}
    for start, end in spans:
        firsts.setdefault(tuple(forms[start:end]), (start, end))
    borders = np.fromiter(chain.from_iterable(firsts.values()), dtype=np.intp)
    sums = np.add.reduceat(np.append(worth, 0.0), borders)[::2]
    if frequency:
        counts = Counter(tuple(forms[start:end]) for start, end in spans)
        sums = sums * np.array([counts[form] for form in firsts]) ** frequency
    return select(tagged, forms, firsts, sums, config)


def select(
    tagged: Tagged,
    forms: Sequence[str],
    firsts: Mapping[tuple[str, ...], Span],
    scores: Sequence[float] | Floats,
    config: ExtractorConfig,
    places: Candidates | None = None,
) -> list[Phrase]:
    """Return the best candidates as phrases; merged variants count as one, with the best of their scores."""
    if not firsts:
        return []
    groups = _variants(tagged, firsts) if config.merge_variants else np.arange(len(firsts))
    best = top_scoring(groups, scores, config.top)
    members: dict[int, list[tuple[str, ...]]] = {group: [] for group in best}
    for form, group in zip(firsts, groups.tolist(), strict=True):
        if group in members:
            members[group].append(form)
    if places is None:
        places = find_forms(forms, tagged.starts, {form for those in members.values() for form in those})
    phrases = [_as_phrase(tagged, score, [places[form] for form in members[group]]) for group, score in best.items()]
    return sorted(phrases, key=lambda phrase: (-phrase.score, phrase.spans[0][0], phrase.text))


def top_scoring(groups: Integers, scores: Sequence[float] | Floats, top: int) -> dict[int, float]:
    """Select the `top` groups by their best score; ties keep the order given, groups without a score are left out."""
    values = np.asarray(scores, dtype=np.float64)
    if not values.size or values.max() <= 0:
        return {}
    values = np.round(values / values.max(), _TIE)
    order = np.argsort(-values, kind="stable")
    order = order[np.sort(np.unique(groups[order], return_index=True)[1])][:top]
    order = order[values[order] > 0]
    norm = np.sqrt(np.square(values[order]).sum())
    return {int(groups[index]): float(values[index] / norm) for index in order}


def _as_phrase(tagged: Tagged, score: float, places: Sequence[Sequence[Span]]) -> Phrase:
    """Return a phrase of the occurrences of its variants; an occurrence inside a longer one is not counted again."""
    text = tagged.document.text
    spans = list(places[0]) if len(places) == 1 else _outermost(chain.from_iterable(places))
    found = tuple(characters(tagged, start, end) for start, end in spans)
    first = flatten(text[slice(*found[0])])
    if len(places) == 1:
        return Phrase(first, score, found)
    wordings = {shown.casefold(): shown for start, end in reversed(found) if (shown := flatten(text[start:end]))}
    others = [wordings[key] for key in dict.fromkeys(flatten(text[start:end]).casefold() for start, end in found)]
    return Phrase(first, score, found, tuple(others[1:]))


def _outermost(spans: Iterable[Span]) -> list[Span]:
    """Spans in order, without those that lie inside another one."""
    kept: list[Span] = []
    for start, end in sorted(set(spans), key=lambda span: (span[0], -span[1])):
        if not kept or end > kept[-1][1]:
            kept.append((start, end))
    return kept


def _variants(tagged: Tagged, firsts: Mapping[tuple[str, ...], Span]) -> Integers:
    """Number the candidates so that variants of one phrase have one number.

    Phrases are variants if their stems agree without titles. A name is a variant of a longer one that ends with it, if
    the text has only one such: "Obama" of "Barack Obama", unless there is a "Michelle Obama". A name is written with
    capitals only. So is a common noun of the only name that ends with it: "hospital" of "County Hospital".
    """
    stem = tagged.document.stem
    small = {word for word in tagged.words if word[:1].islower()}
    stems: dict[str, str] = {}
    numbers: dict[tuple[str, ...], int] = {}
    names: set[tuple[str, ...]] = set()
    nouns: set[tuple[str, ...]] = set()
    groups = np.empty(len(firsts), dtype=np.intp)
    for index, (start, end) in enumerate(firsts.values()):
        words = _untitled(tagged.words[start:end])
        lowered = [word.lower() for word in words]
        for word in lowered:
            if word not in stems:
                stems[word] = stem(word)
        key = tuple([stems[word] for word in lowered])
        groups[index] = numbers.setdefault(key, len(numbers))
        if all(word[:1].isupper() for word in words) and words[0].lower() not in small:
            names.add(key)
        elif len(words) == 1:
            nouns.add(key)
    renamed = np.arange(len(numbers))
    for short, long in _full_names(names, nouns).items():
        renamed[numbers[short]] = numbers[long]
    return np.asarray(renamed[groups])


def _untitled(words: Sequence[str]) -> Sequence[str]:
    """Words without titles before a name."""
    start = 0
    while start < len(words) - 1 and words[start].lower().strip(".") in TITLES and words[start + 1][:1].isupper():
        start += 1
    return words[start:]


def _full_names(names: set[tuple[str, ...]], nouns: set[tuple[str, ...]]) -> dict[tuple[str, ...], tuple[str, ...]]:
    """The only longer name that ends with a name or noun, for each that has one; it is the longest of its kind."""
    longer: defaultdict[tuple[str, ...], list[tuple[str, ...]]] = defaultdict(list)
    for name in names:
        for start in range(1, len(name)):
            if name[start - 1] in OTHER_NAMES:
                break
            if name[start:] in names or name[start:] in nouns:
                longer[name[start:]].append(name)
    found = {}
    for short, those in longer.items():
        longest = max(those, key=len)
        if all(longest[-len(one) :] == one for one in those):
            found[short] = longest
    return found
