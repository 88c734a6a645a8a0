"""Times of day in figures, as minutes after midnight: "9 a.m.", "9:30 PM", "21.30 Uhr".

A time that does not say which half of the day it means has both readings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from nutgraf.faithfulness.units import Unit
from nutgraf.text.tokenize import Span

CLOCK = Unit((("time of day", 1),), 1.0)
"""Unit of times of day: a minute after midnight."""

_DAY = 24 * 60
_TIME = re.compile(
    r"\b(?<![.,:/$€£])(?P<hour>[01]?\d|2[0-4])(?:(?P<mark>[:.])(?P<minute>[0-5]\d))?(?![:\d]|[.,]\d)"
    r"(?P<half>\s?(?:(?P<before>a)|(?P<after>p))(?:m\b|\.\s?m\b\.?)|\s?(?:Uhr|o['’]?clock)\b)?",
    re.IGNORECASE,
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


def times(text: str) -> Iterator[Time]:
    """Find the times of day in a text.

    >>> [time.minutes for time in times("9:30 to 2 p.m.")]
    [(570.0, 1290.0), (840.0,)]
    """
    for match in _TIME.finditer(text):
        if match["half"] or match["mark"] == ":":
            hour, past = int(match["hour"]), float(match["minute"] or 0)
            both = (0, 12) if 0 < hour <= 12 else (hour // 12 * 12,)
            halves = (0,) if match["before"] else (12,) if match["after"] else both
            minutes = tuple((60.0 * (hour % 12 + half) + past) % _DAY for half in halves)
            yield Time(hour + past / 60, minutes, match.span())
