"""Cities, and the countries and states in which they lie: what happens in Leicester happens in England."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

_BRITISH = "uk", "britain"
"""Other names of the United Kingdom."""

_TELLS_NOTHING = frozenset("united of and the republic american".split())
"""Words in names of countries that others have, too."""

_PLACE = re.compile(
    r"\b(?:in|at|near|outside|around|across|(?:universit(?:y|ies)|city|town|port|mayor|people|streets) of) "
    r"(?=(\w+)(?: (\w+))?)",
    re.IGNORECASE,
)
"""One or two words that name a place; elsewhere they may be a name of people: Jackson, Elizabeth."""


def regions_of(text: str) -> frozenset[str]:
    """Return the words of the names of countries, and of American states, in a city of which something is told.

    >>> sorted(regions_of("She teaches at the University of Leicester."))
    ['britain', 'england', 'kingdom', 'uk']
    >>> regions_of("Elizabeth Jackson moved to New York.")
    frozenset()
    """
    regions = _regions()
    return frozenset(word for city in _cities(text) for word in regions.get(city, ()))


def _cities(text: str) -> Iterator[str]:
    """Yield what may be a city, in lower case, two words as one."""
    known = _regions()
    for place in _PLACE.finditer(text):
        first, second = place[1].lower(), (place[2] or "").lower()
        yield first + second if first + second in known else first


@cache
def _regions() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for line in Path(__file__).with_name("cities.txt").read_text(encoding="utf-8").splitlines():
        region, _, cities = line.partition(": ")
        words = {*region.split(), *(_BRITISH if "kingdom" in region else ())} - _TELLS_NOTHING
        for city in cities.split():
            found[city] |= words
    return {city: frozenset(words) for city, words in found.items()}
