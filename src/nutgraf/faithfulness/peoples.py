"""Which names mean the same people or place, by their endings: Turkey and Turkish, West and Western."""

from __future__ import annotations

import re
from itertools import takewhile

LONGEST_ENDING = 6
"""Letters in which two names may differ that belong together: Afghanistan, Afghan."""

_PEOPLES_ENDING = re.compile(r"[a-z]{0,2}(?:i?an|ish|ese|ic|ist|ism|ite|iot|ern)")
"""Endings of peoples, adjectives and followers, with up to two letters before them: Norw-ay, Norw-egian."""

_COMMON_ENDING = re.compile(r"es?|i|y|[eo]r|ies|(?:ion)?al|m[ae]n|i?stan|land")
"""Endings that tell less, and count only behind a whole name, or in place of its last vowel: Senat-e, Senat-or."""

_LAST_LETTERS = frozenset({"", "a", "e", "o", "y"})


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
