"""Dates in English: a month, with or without its day, dates in figures and days of the week."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from nutgraf.text.clean import with_plain_letters
from nutgraf.text.tokenize import Span

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

_MONTH = "|".join(f"{month}|{month[:4] if month == 'september' else month[:3]}\\.?" for month in MONTHS)
_DATE = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?)?(?P<month>{_MONTH})(?![^\W_])"
    r"(?:\s(?P<after>\d{1,2})(?:st|nd|rd|th)?(?!\d|[.,:]\d))?",
    re.IGNORECASE,
)
_IN_FIGURES = re.compile(
    r"\b\d{4}-(?P<month>\d{2})-(?P<day>\d{2})\b|\b(?P<first>\d{1,2})[/.](?P<second>\d{1,2})[/.]\d{2,4}\b"
    r"|(?<![\w/])9/11(?![\w/])"
)
_WEEKDAY = re.compile(
    rf"\b(?:(?i:(?P<day>{'|'.join(WEEKDAYS)})s?\b)|(?P<short>Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\.)"
)


class Date(NamedTuple):
    """A month from 1 to 12, and the day of the month, 0 if it is not given."""

    month: int
    day: int


@lru_cache(maxsize=64)
def dates(text: str) -> tuple[tuple[Date, Span], ...]:
    """Find the dates of a text, with their places; dates such as 3/4/2020 in both readings."""
    return tuple(_dates(with_plain_letters(text)))


def _dates(text: str) -> Iterator[tuple[Date, Span]]:
    for match in _DATE.finditer(text):
        if _is_month(match):
            month = next(place for place, name in enumerate(MONTHS, 1) if name.startswith(match["month"].lower()[:3]))
            yield Date(month, int(match["day"] or match["after"] or 0)), match.span()
    for match in _IN_FIGURES.finditer(text):
        if match["month"] and int(match["month"]) <= len(MONTHS):
            yield Date(int(match["month"]), int(match["day"])), match.span()
        elif not match["month"]:
            first, second = int(match["first"] or 9), int(match["second"] or 11)
            yield from (
                (Date(*one), match.span()) for one in ((first, second), (second, first)) if one[0] <= len(MONTHS)
            )


def weekdays(text: str) -> Iterator[tuple[str, Span]]:
    """Find the days of the week that a text names, in lower case, with their places."""
    for match in _WEEKDAY.finditer(with_plain_letters(text)):
        written = (match["day"] or match["short"]).lower()
        yield next(day for day in WEEKDAYS if day.startswith(written)), match.span()


def _is_month(match: re.Match[str]) -> bool:
    """Return False for "may" and "march" as words, and for short forms without a day."""
    month = match["month"]
    if match["day"] or match["after"]:
        return True
    return month.lower() in MONTHS and (month.lower() not in ("may", "march") or month[0].isupper())
