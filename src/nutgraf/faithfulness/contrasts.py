"""Denials in half of a sentence: "not by sea", "but not pain", "do not believe that it was arson"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_CONTRAST = re.compile(
    r"(?:,\s(?:and\s|but\s)?not|\bbut\snot|\brather\sthan|\binstead\sof)\s"
    r"(?!only|just|yet|even|least|all|every|necessarily|surprisingly|to\b|because|if|when|until|before|always)"
    r"(?P<denied>[^,.;:()]{2,60}(?:[.,]\d[^,.;:()]{0,30})*)(?=[,.;:()]|$)",
    re.IGNORECASE,
)
_DISBELIEF = re.compile(
    r"(?:(?:\bnot|n['’]t|\bnever)\s(?:\w+\s)?(?:believe|think|say|find|show|conclude|expect|confirm)\s(?:that\s)?"
    r"|\bden(?:y|ies|ied)\sthat\s|\bno\s(?:evidence|sign|proof|indication)\sthat\s"
    r"|\brul(?:e|ed|es|ing)\sout\sthat\s)(?P<denied>[^,.;:()]{10,200})",
    re.IGNORECASE,
)


class Denied(NamedTuple):
    """Words that are denied, with True for a statement of its own and False for a part of one."""

    text: str
    whole: bool


def denied(text: str) -> Iterator[Denied]:
    """Find what a sentence denies in half of itself.

    >>> [one.text for one in denied("Therapy reduced insomnia, but not pain.")]
    ['pain']
    >>> list(denied("Police do not believe the fire was started deliberately."))
    [Denied(text='the fire was started deliberately', whole=True)]
    """
    yield from (Denied(match["denied"], False) for match in _CONTRAST.finditer(text))
    yield from (Denied(match["denied"], True) for match in _DISBELIEF.finditer(text))
