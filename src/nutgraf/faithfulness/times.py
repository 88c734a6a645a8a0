"""Times of day: "9 a.m.", "21:30", "half past nine", "nine o'clock", "9 Uhr", "14h30", as minutes after midnight.

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
_PARTS = {"half": 30, "quarter": 15, "five": 5, "ten": 10, "twenty": 20, "twenty-five": 25}
_PART = r"half|quarter|(?:five|ten|twenty(?:-five)?|\d\d?)(?:\sminutes?)?"
_HALF = r"[ap]m(?![^\W_])|[ap]\.\s?m\b\.?|in\sthe\s(?:morning|afternoon|evening)\b"
_UHR = r"Uhr(?:\s(?:morgens|früh|vormittags|nachmittags|abends))?\b"
_TIME = re.compile(
    rf"""(?<![\w.,:/$€£])(?:
        (?P<name>(?:12\s)?(?:noon|midday|midnight)\b)
      | (?:(?:an?\s)?(?P<past>{_PART})\spast\s|(?:an?\s)?(?P<before>quarter|\w+\sminutes?)\sto\s)?
        (?:(?P<hour>[01]?\d|2[0-4])(?!\d)
             (?:(?::|[.](?=\d\d\s?(?:{_HALF}|Uhr))|\s?h\s?)(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?(?![:\d]|[.,]\d))?
         | (?P<word>{"|".join(_HOURS)})\b)
        (?:\s?(?P<half>{_HALF}|{_UHR})|\s(?P<clock>o['’]?\s?clock)\b)?
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_FORENOON = re.compile(r"a\W?\s?m|.*(?:morning|morgens|früh|vormittags)", re.IGNORECASE)
_AFTERNOON = re.compile(r"p\W?\s?m|.*(?:noon|evening|nachmittags|abends)", re.IGNORECASE)


class Time(NamedTuple):
    """A time of day, with its place.

    Attributes:
        hour: The hour that is written, with what is past it: 9.5 for "half past nine" and for "9:30 p.m.".
        minutes: Minutes after midnight that it may mean.
        span: Its place.
    """

    hour: float
    minutes: tuple[float, ...]
    span: Span


def times(text: str, places: Iterable[int]) -> Iterator[Time]:
    """Find the times of day in a text.

    >>> [time.minutes for time in times("half past nine to 2 p.m.", [0, 18])]
    [(570.0, 1290.0), (840.0,)]

    Args:
        text: The text.
        places: Where numbers in figures and in words, halves and quarters begin, in their order.
    """
    for match in matches(_TIME, text, places):
        if match["name"]:
            hour = 0 if "night" in match["name"].lower() else 12
            yield Time(hour or 12, (60 * hour,), match.span())
        elif any(match[mark] for mark in ("minute", "past", "before", "half", "clock")):
            yield _time(match)


def matches(pattern: re.Pattern[str], text: str, places: Iterable[int]) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that begin at some places, those that overlap with the one before left out."""
    end = 0
    for place in places:
        match = pattern.match(text, place) if place >= end else None
        if match is not None:
            end = match.end()
            yield match


def _time(match: re.Match[str]) -> Time:
    hour = int(match["hour"]) if match["hour"] else _HOURS.index(match["word"].lower()) + 1
    after = int(match["minute"] or 0) + int(match["second"] or 0) / 60 + _part(match["past"]) - _part(match["before"])
    told = match["half"] or ""
    if hour == 0 or hour > 12:
        hours = [hour]
    elif _FORENOON.match(told):
        hours = [hour % 12]
    elif _AFTERNOON.match(told):
        hours = [hour % 12 + 12]
    else:
        hours = [hour % 12, hour % 12 + 12]
    return Time(hour + after / 60, tuple((60 * one + after) % _DAY for one in hours), match.span())


def _part(written: str | None) -> int:
    """Minutes of "half", "quarter" or "ten minutes"."""
    word = (written or "").split(" ")[0].lower()
    return int(word) if word.isdecimal() else _PARTS.get(word, 0)
