"""Variants of a phrase: "tide gauges" of "tide gauge", "Mr Obama" and "Obama" of "President Obama"."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from nutgraf.text.graph import Integers
from nutgraf.text.tagging import Tagged
from nutgraf.text.tokenize import Span

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


def variants(tagged: Tagged, firsts: Mapping[tuple[str, ...], Span]) -> Integers:
    """Number the candidates so that variants of one phrase have one number.

    Phrases are variants if their stems agree without titles. A name is a variant of a longer one that ends with it, if
    the text has only one such: "Obama" of "Barack Obama", unless there is a "Michelle Obama". A name is written with
    capitals only.
    """
    stem = tagged.document.stem
    small = {word for word in tagged.words if word[:1].islower()}
    stems: dict[str, str] = {}
    numbers: dict[tuple[str, ...], int] = {}
    names: set[tuple[str, ...]] = set()
    groups = np.empty(len(firsts), dtype=np.intp)
    for index, (start, end) in enumerate(firsts.values()):
        words = _untitled(tagged.words[start:end])
        lowered = [word.lower() for word in words]
        for word in lowered:
            if word not in stems:
                stems[word] = stem(word)
        key = tuple([stems[word] for word in lowered])
        groups[index] = numbers.setdefault(key, len(numbers))
        if all(word[:1].isupper() and word.lower() not in small for word in words):
            names.add(key)
    renamed = np.arange(len(numbers))
    for short, long in _full_names(names).items():
        renamed[numbers[short]] = numbers[long]
    return np.asarray(renamed[groups])


def _untitled(words: Sequence[str]) -> Sequence[str]:
    """Words without titles before a name."""
    start = 0
    while start < len(words) - 1 and words[start].lower().strip(".") in TITLES and words[start + 1][:1].isupper():
        start += 1
    return words[start:]


def _full_names(names: set[tuple[str, ...]]) -> dict[tuple[str, ...], tuple[str, ...]]:
    """The only longer name that ends with a name, for each that has one; it is the longest of its kind."""
    longer: defaultdict[tuple[str, ...], list[tuple[str, ...]]] = defaultdict(list)
    for name in names:
        for start in range(1, len(name)):
            if name[start - 1] in OTHER_NAMES:
                break
            if name[start:] in names:
                longer[name[start:]].append(name)
    found = {}
    for short, those in longer.items():
        longest = max(those, key=len)
        if all(longest[-len(one) :] == one for one in those):
            found[short] = longest
    return found
