"""Dates and days of the week in eight languages, beside those that `nutgraf.faithfulness.dates` reads in English."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from nutgraf.text.tokenize import Span

LONGEST_MONTH = 31
"""Days of the longest month."""

MONTHS = 12


class Day(NamedTuple):
    """A day of the year, or a day of the week.

    Attributes:
        month: From 1 to 12; 0 for a day of the week.
        day: Day of the month, 0 for a month; of the week from 1, Monday.
        year: The year; 0 if it is not given.
    """

    month: int
    day: int
    year: int = 0

    def agrees(self, other: Day) -> bool:
        """Return True if both can be the same day: what one of them leaves open does not count."""
        return all(
            mine == its or (at and not (mine and its)) for at, (mine, its) in enumerate(zip(self, other, strict=True))
        )


Frame = Literal["old", "ago", "later", ""]
"""From where a length of time is counted; "" if it is a length alone."""

LONGEST_FRAME = 12
"""Characters of the words before a length of time that say it."""


class _Words(NamedTuple):
    date: re.Pattern[str]
    weekday: re.Pattern[str]
    months: dict[str, int]
    weekdays: dict[str, int]
    said: frozenset[str]
    frames: dict[Frame, tuple[re.Pattern[str], re.Pattern[str]]]


_IN_FIGURES = re.compile(
    r"\b(?P<iso>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})\b|\b(?P<first>\d{1,2})(?P<mark>[/.])(?P<second>\d{1,2})(?P=mark)(?P<year>\d{4})\b"
)


def days(text: str, language: str) -> Iterator[tuple[Day, Span]]:
    """Find the dates and the days of the week of a text, with their places.

    >>> [day for day, _ in days("am Dienstag, dem 14. März 2026", "de")]
    [Day(month=0, day=2, year=0), Day(month=3, day=14, year=2026)]
    """
    known = _words(language)
    found: list[tuple[Day, Span]] = []
    if known:
        found += (
            (Day(0, known.weekdays[match["name"].lower()]), match.span()) for match in known.weekday.finditer(text)
        )
        for match in known.date.finditer(text):
            month = known.months[match["month"].lower()]
            number = int(match["before"] or match["after"] or 0)
            if number <= LONGEST_MONTH and (number or _is_month(match, language)):
                found.append((Day(month, number, int(match["year"] or 0)), match.span()))
    found += _in_figures(text, language)
    yield from sorted(found, key=lambda one: one[1])


def _is_month(match: re.Match[str], language: str) -> bool:
    """Return False for a month without a day that may be another word: "may", "Mar"."""
    return len(match["month"]) > 3 and (language in _SMALL_MONTHS or match["month"][0].isupper())


_SMALL_MONTHS = frozenset({"es", "fr", "it", "nl", "pt", "ru"})
"""Languages that write months without capitals."""


def _in_figures(text: str, language: str) -> Iterator[tuple[Day, Span]]:
    for match in _IN_FIGURES.finditer(text):
        if match["iso"]:
            day = Day(int(match["month"]), int(match["day"]), int(match["iso"]))
        else:
            month, number = int(match["first"]), int(match["second"])
            if language != "en" or match["mark"] == "." or month > MONTHS:
                month, number = number, month
            day = Day(month, number, int(match["year"]))
        if 1 <= day.month <= MONTHS and 1 <= day.day <= LONGEST_MONTH:
            yield day, match.span()


def verbs_of_saying(language: str) -> frozenset[str]:
    """Return words beside which a day is the one on which something was said."""
    known = _words(language)
    return known.said if known else frozenset()


def frame_of(text: str, start: int, end: int, language: str) -> tuple[Frame, int]:
    """Return from where a length of time is counted, and where the words end that say so behind it.

    >>> frame_of("ten years ago", 0, 9, "en"), frame_of("il y a dix ans", 7, 14, "fr")
    (('ago', 13), ('ago', 14))
    """
    known = _words(language)
    for frame, (before, behind) in known.frames.items() if known else ():
        if match := behind.match(text, end):
            return frame, match.end()
        if before.search(text, max(0, start - LONGEST_FRAME), start):
            return frame, end
    return "", end


def reads_days(language: str) -> bool:
    """Return True for a language whose dates are known."""
    return _words(language) is not None


@cache
def _words(language: str) -> _Words | None:
    path = Path(__file__).with_name("calendar.toml")
    told = tomllib.loads(path.read_text(encoding="utf-8")).get(language)
    if told is None:
        return None
    months, weekdays = (
        {form: place for place, forms in enumerate(told[kind].split(), 1) for form in forms.split("|")}
        for kind in ("months", "weekdays")
    )
    month, name = ("|".join(sorted(map(re.escape, words), key=len, reverse=True)) for words in (months, weekdays))
    date = re.compile(
        rf"\b(?:(?P<before>\d{{1,2}})(?:st|nd|rd|th|er|\.|º)?\s(?:of\s|de\s)?)?(?P<month>{month})(?![^\W_])\.?"
        rf"(?:\s(?P<after>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:]|[.,]\d))?(?:,?\s(?:de\s)?(?P<year>[12]\d{{3}})\b)?",
        re.IGNORECASE,
    )
    hours = rf"(?:\s(?:{'|'.join(told['hours'].split())})\b)?" if told["hours"] else ""
    glued = r"(?:abend|morgen|nachmittag|nacht|mittag|avond|ochtend|middag)?"
    weekday = re.compile(rf"\b(?P<name>{name}){glued}(?![^\W_]){hours}", re.IGNORECASE)
    frames = {frame: _beside(told[frame]) for frame in get_args(Frame) if frame and told[frame]}
    return _Words(date, weekday, months, weekdays, frozenset(told["said"].split()), frames)


def _beside(phrases: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return patterns of phrases before something and behind it."""
    words = "|".join(map(re.escape, phrases.split("|")))
    return re.compile(rf"\b(?:{words})\s$", re.IGNORECASE), re.compile(rf"[\s-](?:{words})\b", re.IGNORECASE)
