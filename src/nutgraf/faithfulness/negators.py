"""English words that deny what follows them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

_NEGATORS = frozenset(
    "not never no none nobody nothing neither nor without cannot hardly unable "
    "avoid avoids avoided avoiding fail fails failed failing deny denies denied denying".split()
)
NEGATORS_BEFORE_TO = frozenset(
    "refuse refuses refused refusing decline declines declined declining neglect neglects neglected neglecting "
    "yet".split()
)
"""Words that deny what follows them where that begins with "to": "refused to pay", "has yet to pay"."""

_CONTRACTED = re.compile(r"n['’]t$")


def is_negator(word: str) -> bool:
    """Return True if a lowercased word denies what follows it."""
    return word in _NEGATORS or bool(_CONTRACTED.search(word))


def denies(words: Sequence[str]) -> bool:
    """Return True if one of some lowercased words may deny what follows it; "no" before a figure does not."""
    return any(
        (following == "to")
        if word in NEGATORS_BEFORE_TO
        else is_negator(word) and not (word == "no" and following[:1].isdigit())
        for word, following in pairwise([*words, ""])
    )
