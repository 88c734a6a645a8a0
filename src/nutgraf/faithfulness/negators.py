"""English words that deny what follows them."""

from __future__ import annotations

import re
from collections.abc import Sequence

_NEGATORS = frozenset(
    "not never no none nobody nothing neither nor without cannot hardly unable "
    "avoid avoids avoided avoiding fail fails failed failing deny denies denied denying".split()
)
NEGATORS_BEFORE_TO = frozenset(
    "refuse refuses refused refusing decline declines declined declining neglect neglects neglected neglecting".split()
)
"""Words that deny what follows them where that begins with "to": "refused to pay"."""

_CONTRACTED = re.compile(r"n['’]t$")


def is_negator(word: str) -> bool:
    """Return True if a lowercased word denies what follows it."""
    return word in _NEGATORS or bool(_CONTRACTED.search(word))


def denies(words: Sequence[str]) -> bool:
    """Return True if one of some lowercased words may deny what follows it; "no" before a figure does not."""
    return any(
        word in NEGATORS_BEFORE_TO or is_negator(word)
        for place, word in enumerate(words)
        if word != "no" or not "".join(words[place + 1 : place + 2])[:1].isdigit()
    )
