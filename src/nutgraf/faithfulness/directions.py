"""In which direction something changes by a number, or to it: "rose by 9%", "from £118 million"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nutgraf.faithfulness.arithmetic import changes
from nutgraf.faithfulness.negators import denies
from nutgraf.faithfulness.quantity import Quantity
from nutgraf.faithfulness.shares import has
from nutgraf.faithfulness.sources import Claim, Sources
from nutgraf.text.tokenize import words

_DIRECTION = re.compile(
    r"\b(from|to)\s(?:an?\s\w{1,20}\sof\s)?(?:about\s|almost\s|nearly\s|some\s|around\s)?$", re.IGNORECASE
)
_TREND = re.compile(
    r"\b(?:(?P<rise>r[io]s(?:e|es|en|ing)|gr[eo]w(?:n|s|ing)?|climb\w*|increas\w*|jump\w*|soar\w*|surg\w*|gain\w*|extend\w*"
    r"|rais\w*)"
    r"|(?:f[ae]ll(?:en|s|ing)?|drop\w*|declin\w*|decreas\w*|shr[aiu]nk\w*|slump\w*|plung\w*|slid\w*|tumbl\w*"
    r"|cut(?:s|ting)?|reduc\w*|lower\w*))\b",
    re.IGNORECASE,
)
LONGEST_TREND = 60
"""Characters before a number in which the word for the change by it is looked for."""

_FROM_TO = re.compile(
    r"\bfrom\s[^\s\d]?\d.{0,100}\bto\s[^\s\d]?\d|\bto\s[^\s\d]?\d.{0,100}\bfrom\s[^\s\d]?\d", re.IGNORECASE | re.DOTALL
)
"""A change from one number to another in one sentence, which the rule for swaps looks at."""

LONGEST_DIRECTION = 40
"""Characters in which "from" or "to" may stand before a number."""


def other_way(same: Sequence[Quantity], quantity: Quantity, claim: Claim, sources: Sources) -> str:
    """Return what all sources say of a change by or to a number, where a claim says the opposite; "" if they do not.

    That is "from" for "to" and the reverse, and "rise" for "fall" and the reverse.
    """
    if not changes(claim.sentence) or has(_FROM_TO, claim.sentence):
        return ""
    text = sources.document.text
    for told in (_direction, _trend):
        own, theirs = told(claim.sentence, quantity.start), {told(text, one.start) for one in same}
        if own and len(theirs) == 1 and (their := theirs.pop()) and their != own:
            return their
    return ""


def _direction(text: str, place: int) -> str:
    """Return "from" or "to" before a number, "" for neither."""
    match = _DIRECTION.search(text, max(0, place - LONGEST_DIRECTION), place)
    return match[1].lower() if match else ""


def _trend(text: str, place: int) -> str:
    """Return "rise" or "fall" for the last such word in the clause before a number; "" for none or a denied one."""
    begin = max(0, place - LONGEST_TREND)
    clause = re.split(r"[,;:.()]", text[begin:place])[-1]
    match = next(iter(reversed(list(_TREND.finditer(clause)))), None)
    return "" if match is None or denies(words(clause)) else "rise" if match["rise"] else "fall"
