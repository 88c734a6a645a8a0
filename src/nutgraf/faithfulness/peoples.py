"""Which names mean the same people or place: by their endings, by a table, or by initials."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from nutgraf.text.dictionary import is_common

LONGEST_ENDING = 6
"""Letters in which two names may differ that belong together: Afghanistan, Afghan."""

_PEOPLES_ENDING = re.compile(r"[a-z]{0,2}(?:i?ans?|ish|ese|ics?|ists?|ism|ites?|iots?)")
"""Endings of peoples, adjectives and followers, with up to two letters before them: Norw-ay, Norw-egian."""

_COMMON_ENDING = re.compile(r"e?s|is?|[eo]rs?|ies|(?:ion)?al|m[ae]n|i?stan|land")
"""Endings that tell less, and count only behind a whole name, or in place of its last vowel: Senat-e, Senat-or."""

_AFTER_A = re.compile(r"ns?")
"""Endings that count only behind an a: Kenya-n, Texa-n, but not Rose-n."""

_LAST_LETTERS = frozenset({"", "a", "e", "o", "s", "y"})

_PEOPLE = {
    "american": "us america states", "british": "uk britain kingdom england scotland wales",
    "brit": "uk britain british", "briton": "uk britain british", "frenchman": "france french",
    "englishman": "england english", "scotsman": "scotland scottish", "dutchman": "netherlands holland dutch",
    "dutch": "netherlands holland", "english": "england", "french": "france",
    "german": "germany", "greek": "greece", "irish": "ireland", "spanish": "spain", "spaniard": "spain",
    "swiss": "switzerland", "welsh": "wales", "thai": "thailand", "polish": "poland", "danish": "denmark",
    "swedish": "sweden", "finnish": "finland", "czech": "czechia", "filipino": "philippines", "lao": "laos",
    "iraqi": "iraq", "irishman": "ireland irish", "muslim": "islam islamic", "jew": "jewish judaism",
    "gop": "republican republicans", "dane": "denmark danish", "turk": "turkey turkish", "swede": "sweden swedish",
    "finn": "finland finnish", "pole": "poland polish", "scot": "scotland scottish", "serb": "serbia serbian",
    "croat": "croatia croatian", "slovak": "slovakia", "kurd": "kurdistan kurdish", "uzbek": "uzbekistan",
    "norse": "norway norwegian", "flemish": "flanders belgium", "emirati": "emirates", "cypriot": "cyprus",
    "monegasque": "monaco", "burmese": "myanmar burma", "ivorian": "ivory", "argentine": "argentina",
    "portuguese": "portugal", "slovene": "slovenia", "latvian": "latvia", "greenlander": "greenland",
}  # fmt: skip
_RELATED = {form: names.split() for form, names in _PEOPLE.items()}
for _form, _names in list(_RELATED.items()):
    for _name in _names:
        _RELATED[_name] = [*_RELATED.get(_name, []), _form, *_names]
_PLACES = frozenset(
    {"costa rica", "el salvador", "hong kong", "los angeles", "new jersey", "new york", "new zealand"}
    | {"north korea", "puerto rico", "san francisco", "saudi arabia", "south africa", "south korea", "sri lanka"}
)
"""Places of two words that are known by their initials."""

_LONG_NAMES = {
    "czech republic": "czech", "dominican republic": "dominican", "saudi arabia": "saudi", "sri lanka": "lankan",
    "united arab emirates": "emirati", "united kingdom": "british", "united states": "american",
    "ivory coast": "ivorian",
    "south korea": "korean", "new zealand": "zealander", "papua new guinea": "papuan", "hong kong": "hongkonger",
}  # fmt: skip
"""Countries whose names have several words, with their people."""


def related(name: str) -> Sequence[str]:
    """Return the names of a people, its country and what else means them; none if it is not known.

    >>> related("frenchman")
    ['france', 'french']

    Args:
        name: A name in lower case.
    """
    return _RELATED.get(name.removesuffix("woman") + "man" if name.endswith("woman") else name, ())


def people_of(country: str) -> str:
    """Return the people of a country whose name has several words; "" for others.

    >>> people_of("czech republic")
    'czech'

    Args:
        country: Its name in lower case.
    """
    return _LONG_NAMES.get(country, "")


def countries_of(people: str) -> Sequence[str]:
    """Return the names of the country of a people; none if it is not known.

    >>> countries_of("dutch")
    ['netherlands', 'holland']

    Args:
        people: Its name in lower case.
    """
    man = people.removesuffix("woman") + "man" if people.endswith("woman") else people
    return _PEOPLE.get(man, _PEOPLE.get(man.removesuffix("s"), "")).split()


def belong_together(one: str, other: str) -> bool:
    """Return True if two words in lower case differ by endings, one of which is that of a people or an adjective.

    >>> belong_together("turkish", "turkey"), belong_together("afghan", "afghanistan")
    (True, True)
    >>> belong_together("houston", "house"), belong_together("rosen", "rose")
    (False, False)
    """
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    endings = one[shared:], other[shared:]
    if max(map(len, endings)) > LONGEST_ENDING:
        return False
    if any(map(_PEOPLES_ENDING.fullmatch, endings)):
        return True
    if one[:shared].endswith("a") and any(map(_AFTER_A.fullmatch, endings)) and not {"", "s"}.isdisjoint(endings):
        return True
    return any(
        first in _LAST_LETTERS and _COMMON_ENDING.fullmatch(second) for first, second in (endings, endings[::-1])
    )


def is_known_by_initials(words: Sequence[str]) -> bool:
    """Return True for a name that may stand for its initials.

    Two initials may be anybody's. They stand for words of the dictionary (United Nations), and for places.

    Args:
        words: Words of the name that have a capital, two at least.
    """
    lowered = [word.lower() for word in words]
    return len(words) > 2 or " ".join(lowered) in _PLACES or all(map(is_common, lowered))
