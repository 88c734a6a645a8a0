"""Which names mean the same people or place, by their endings or by a table."""

from __future__ import annotations

import re
from itertools import takewhile

from nutgraf.faithfulness.words import plain

LONGEST_ENDING = 6
"""Letters in which two names may differ that belong together: Afghanistan, Afghan."""

_PEOPLES_ENDING = re.compile(r"[a-z]{0,2}(?:i?an|ish|ese|ic|ist|ism|ite|iot|ern)")
"""Endings of peoples, adjectives and followers, with up to two letters before them: Norw-ay, Norw-egian."""

_COMMON_ENDING = re.compile(r"es?|i|y|[eo]r|ies|(?:ion)?al|m[ae]n|i?stan|land")
"""Endings that tell less, and count only behind a whole name, or in place of its last vowel: Senat-e, Senat-or."""

_GROUPS = (
    "us usa america american states", "uk britain british briton england english scotland scottish scot wales welsh",
    "france french", "netherlands holland dutch", "spain spanish", "greece greek", "switzerland swiss", "ireland irish",
    "poland polish pole", "denmark danish dane", "finland finnish finn", "czech czechia", "turkey turkish turk",
    "philippines filipino", "burma burmese myanmar", "islam islamic muslim", "jew jewish",
)  # fmt: skip
"""Peoples and countries whose names tell nothing by their endings."""

_SAME = {plain(name): frozenset(names.split()) for names in _GROUPS for name in names.split()}

_PERSON = re.compile(r"(?:wo)?m[ae]n$")
"""Ending of a person of a people: Irish-man."""

_LAST_LETTERS = frozenset({"", "a", "e", "o", "y"})


def related(name: str) -> frozenset[str]:
    """Return the names of a people and its country, if their endings do not tell them, of a plain name."""
    return _SAME.get(name) or _SAME.get(_PERSON.sub("", name), frozenset())


def belong_together(one: str, other: str) -> bool:
    """Return True if two plain words differ by endings, one of which is that of a people or an adjective.

    >>> belong_together("turkish", "turkey"), belong_together("afghan", "afghanistan")
    (True, True)
    >>> belong_together("houston", "house"), belong_together("rosen", "rose")
    (False, False)
    """
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    endings = one[shared:], other[shared:]
    if max(map(len, endings)) > LONGEST_ENDING:
        return False
    if any(_PEOPLES_ENDING.fullmatch(word, start) for word in (one, other) for start in (shared, shared - 1)):
        return True
    return any(
        first in _LAST_LETTERS and _COMMON_ENDING.fullmatch(second) for first, second in (endings, endings[::-1])
    )
