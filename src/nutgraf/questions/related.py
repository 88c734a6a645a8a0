"""Words that may stand for a word of a question: children for kids, Britain for the UK, payment for pay.

Three lists are asked: the words of `same` in the language's own list; in English the synonyms and the word families of
WordNet (Miller 1995), as far as its tagged texts use both words in that sense; and the names of peoples and countries.
Words that begin alike, or differ in a letter, stand for each other in every language, and in German and Dutch so do a
compound and its parts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from importlib import resources

from nutgraf.faithfulness.peoples import related as related_names
from nutgraf.faithfulness.words import plain
from nutgraf.questions.wordlists import word_lists
from nutgraf.text.irregular import base_forms
from nutgraf.text.language import stemmer

SAME, FAMILY, SYNONYM, ALIKE, PART = 0.8, 0.9, 0.6, 0.6, 0.6
"""How well a word is matched by one of its own list, its family, its synonyms, one that begins alike, or a compound."""

LEAST_ALIKE, LEAST_PART = 5, 4
"""Letters that words have in common at their beginning, and letters of a part of a compound."""

LEAST_MISSPELLED = 6
"""Letters of the longer of two words of which one is taken for the other misspelled: colour and color."""

SHARE_ALIKE = 0.65
"""Share of the longer word that those have in common."""

COMPOUNDING = frozenset({"de", "nl"})
"""Languages that write compounds as one word."""


@lru_cache(maxsize=8)
def normalizer(language: str) -> Callable[[str], str]:
    """Return what brings a lowercased word to the form in which words are compared: a stem, without irregular forms."""
    stem = stemmer(language)
    if language != "en":
        return lambda word: stem(word)
    verbs, nouns = base_forms("verb"), base_forms("noun")
    return lambda word: stem(verbs.get(word) or nouns.get(word) or word)


def stand_ins(word: str, language: str) -> Mapping[str, float]:
    """Return the words, in the form in which they are compared, that may stand for one, and how well they do."""
    normal = normalizer(language)
    found: dict[str, float] = {}
    for other, strength in _listed(word, normal(word), language):
        found[other] = max(strength, found.get(other, 0.0))
    found[normal(word)] = 1.0
    return found


def _listed(word: str, stem: str, language: str) -> Iterator[tuple[str, float]]:
    normal = normalizer(language)
    yield from ((other, SAME) for other in _own(language).get(stem, ()))
    if language == "en":
        yield from ((other, FAMILY) for other in _of_wordnet("families").get(stem, ()))
        yield from ((other, SYNONYM) for other in _of_wordnet("synonyms").get(stem, ()))
        yield from ((normal(other), FAMILY) for other in related_names(plain(word)))


def likeness(word: str, other: str, language: str) -> float:
    """Strength, from 0 to 1, with which a word of a text stands for one of a question by its letters alone."""
    shared = _shared(word, other)
    if shared >= LEAST_ALIKE and shared >= SHARE_ALIKE * max(len(word), len(other)):
        return ALIKE
    short, long = sorted((word, other), key=len)
    if len(long) >= LEAST_MISSPELLED and word[0] == other[0] and word.isalpha() and _is_misspelled(short, long):
        return ALIKE
    if language in COMPOUNDING and len(short) >= LEAST_PART and len(long) >= len(short) + 3:
        return PART if long.startswith(short) or long.endswith(short) else 0.0
    return 0.0


def _is_misspelled(short: str, long: str) -> bool:
    """Return True if one letter is too many, missing, another one, or in the place of the next."""
    if len(long) > len(short) + 1 or short == long:
        return False
    at = _shared(short, long)
    if len(short) < len(long):
        return short[at:] == long[at + 1 :]
    swapped = short[at : at + 2] == long[at : at + 2][::-1]
    return short[at + 1 :] == long[at + 1 :] or (swapped and short[at + 2 :] == long[at + 2 :])


def _shared(one: str, other: str) -> int:
    for place, (first, second) in enumerate(zip(one, other, strict=False)):
        if first != second:
            return place
    return min(len(one), len(other))


@cache
def _own(language: str) -> Mapping[str, set[str]]:
    lists, normal = word_lists(language), normalizer(language)
    found: dict[str, set[str]] = defaultdict(set)
    for word, others in (lists.same if lists else {}).items():
        found[normal(word)].update(map(normal, others))
    return found


@cache
def _of_wordnet(name: str) -> Mapping[str, set[str]]:
    """Words of each line of a list: all of a line of synonyms, and of a family its head with the others."""
    normal = normalizer("en")
    lines = (resources.files("nutgraf.text") / "wordnet" / f"{name}.txt").read_text("ascii").splitlines()
    found: dict[str, set[str]] = defaultdict(set)
    for line in lines:
        words = list(map(normal, line.split()))
        for word in words if name == "synonyms" else words[:1]:
            found[word].update(words)
        if name == "families":
            for word in words[1:]:
                found[word].add(words[0])
    return found
