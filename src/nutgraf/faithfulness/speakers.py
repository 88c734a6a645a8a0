"""Who says something: names beside a verb of saying in English."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nutgraf.faithfulness.dates import MONTHS, WEEKDAYS

_SAYING = (
    "said says told tells added adds wrote writes replied answered asked argued argues warned warns claimed claims "
    "noted insisted explained announced stated states declared tweeted testified recalled "
    "observed remarked continued commented concluded complained joked"
).split()
_AFTER = "|".join(verb for verb in _SAYING if verb not in ("told", "tells"))
"""Verbs before the name of a speaker; who stands after "told" is spoken to."""

_NO_TITLE = (
    "about after again and as at because before but by during for from he his her how if in into it last many more of "
    "on once only or over she since so some such that the there these they this those to under until was we were "
    "what when where which while who why with would you"
).split()
"""Words that are no part of a title: "said that Anna Vane had left"."""

_NAME = r"(?:[^\W\d_a-z][\w.’'-]{0,40})(?:\s[^\W\d_a-z][\w.’'-]{0,40}){0,4}"
_BEFORE_VERB = re.compile(rf"\b(?P<name>{_NAME})(?:,[^,.;:“”\"]{{1,60}},)?\s(?:{'|'.join(_SAYING)})\b")
_TITLE = rf"(?:(?:the|its|their|our|an?)\s)?(?:(?!(?:{'|'.join(_NO_TITLE)})\b)[a-z][a-z-]*,?\s){{0,4}}"
"""What may stand before the name of a speaker: "said the chief executive Anna Vane"."""

_AFTER_VERB = re.compile(rf"\b(?:{_AFTER})\s{_TITLE}(?P<name>{_NAME})")
_OF = re.compile(r"\bof\s(?:the\s)?(?:[^\W\d_a-z][\w.’'-]*\s)*$")
LONGEST_OFFICE = 60
"""Characters before a name in which that may stand of which somebody is the captain: "of the Madison County Office"."""

_ENDING = re.compile(r"['’]s?$|[.,]+$")

_NO_NAMES = frozenset(
    "a an the he she it they we i you his her their this that these those who one mr mrs ms dr sir president".split()
) | {*WEEKDAYS, *MONTHS}


def speakers(text: str) -> Iterator[tuple[str, ...]]:
    """Find the names of those who say something.

    >>> list(speakers("“No,” said Dr Ada Okri, and Lang, the mayor, told Mr Vane so on Monday."))
    [('Lang',), ('Ada', 'Okri')]

    Args:
        text: A sentence.

    Yields:
        The words of each name, without titles.
    """
    for pattern in (_BEFORE_VERB, _AFTER_VERB):
        for match in pattern.finditer(text):
            if pattern is _BEFORE_VERB and _OF.search(text, max(0, match.start() - LONGEST_OFFICE), match.start()):
                continue
            words = (_ENDING.sub("", word) for word in match["name"].split())
            if name := tuple(word for word in words if word.lower() not in _NO_NAMES):
                yield name
