"""Times of day in figures: "9 a.m.", "21:30", "half past nine", "9 Uhr", "14h30", as minutes after midnight.

A time that does not say which half of the day it means has both readings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from nutgraf.faithfulness.units import Unit
from nutgraf.text.tokenize import Span

CLOCK = Unit((("time of day", 1),), 1.0)
"""Unit of times of day: a minute after midnight."""

_DAY = 24 * 60
_HOURS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_PARTS = {"half": 30.0, "quarter": 15.0}
_NAMES = {"noon": 720.0, "midday": 720.0, "midnight": 0.0}
_BEFORE_NOON = r"a\.?\s?m\b\.?|in\sthe\smorning\b"
_AFTER_NOON = r"p\.?\s?m\b\.?|in\sthe\s(?:afternoon|evening)\b"
_TIME = re.compile(
    rf"""(?<![\w.,:/$€£])(?:
        (?P<name>{"|".join(_NAMES)})\b
      | (?:(?P<past>{"|".join(_PARTS)})\spast\s)?(?:(?P<hour>[01]?\d|2[0-4])(?!\d)(?:(?::|\s?h\s?|[.](?=\d\d\s?(?:[ap]\.?m|Uhr)))(?P<minute>[0-5]\d)(?![:\d]|[.,]\d))?
          |(?P<word>{"|".join(_HOURS)})\b)
        (?:\s?(?:(?P<before>{_BEFORE_NOON})|(?P<after>{_AFTER_NOON})|(?P<clock>Uhr\b|o['’]?\s?clock\b)))?
    )""",
    re.IGNORECASE | re.VERBOSE,
)


class Time(NamedTuple):
    """A time of day, with its place.

    Attributes:
        hour: The hour that is written, with its minutes as a fraction: 9.5 for "9:30 p.m.".
        minutes: Minutes after midnight that it may mean.
        span: Its place.
    """

    hour: float
    minutes: tuple[float, ...]
    span: Span


def times(text: str, places: Iterable[int]) -> Iterator[Time]:
    """Find the times of day in a text.

    >>> [time.minutes for time in times("9:30 to 2 p.m.", [0, 8])]
    [(570.0, 1290.0), (840.0,)]

    Args:
        text: The text.
        places: Where numbers in figures and in words begin, in their order.
    """
    for match in matches(_TIME, text, places):
        if match["name"]:
            minutes = _NAMES[match["name"].lower()]
            yield Time(12.0, (minutes,), match.span())
        elif any(match[mark] for mark in ("past", "minute", "before", "after", "clock")):
            hour = int(match["hour"]) if match["hour"] else _HOURS.index(match["word"].lower()) + 1
            past = float(match["minute"] or _PARTS.get((match["past"] or "").lower(), 0))
            yield Time(
                hour + past / 60, tuple((60.0 * one + past) % _DAY for one in _halves(hour, match)), match.span()
            )


def _halves(hour: int, match: re.Match[str]) -> tuple[int, ...]:
    """Hours of the day that an hour may mean."""
    if hour == 0 or hour > 12:
        return (hour,)
    if match["before"]:
        return (hour % 12,)
    return (hour % 12 + 12,) if match["after"] else (hour % 12, hour % 12 + 12)


def matches(pattern: re.Pattern[str], text: str, places: Iterable[int]) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that begin at some places, those that overlap with the one before left out."""
    end = 0
    for place in places:
        match = pattern.match(text, place) if place >= end else None
        if match is not None:
            end = match.end()
            yield match
