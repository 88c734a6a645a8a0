"""Dates in English: a month, with or without its day, dates in figures, days of the week, and quarters of a year."""

from __future__ import annotations

import datetime as dt
import re
from calendar import monthrange
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice, pairwise, product
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
_WEEKDAY = re.compile(rf"\b({'|'.join(WEEKDAYS)})s?\b", re.IGNORECASE)
_ORDINALS = ("first", "second", "third", "fourth")
_QUARTER = re.compile(
    rf"\bQ(?P<figure>[1-4])(?![^\W_])|(?<![^\W_])(?P<before>[1-4])Q(?=\d|\b)"
    rf"|\b(?:(?P<word>{'|'.join(_ORDINALS)})|(?P<ordinal>1st|2nd|3rd|4th))[\s-]quarter\b",
    re.IGNORECASE,
)
_TO = r"\s?(?:-|–|to|until|till|and|through)\s?"
_STRETCH = re.compile(
    rf"\b(?P<first>\d{{1,2}})(?:st|nd|rd|th)?{_TO}(?P<last>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?:{_MONTH})(?![^\W_])"
    rf"|\b(?:{_MONTH})\s(?P<from>\d{{1,2}})(?:st|nd|rd|th)?{_TO}(?P<to>\d{{1,2}})(?!\d|[.,:]\d)",
    re.IGNORECASE,
)
_END = re.compile(rf"\b(?:end|close) of ({'|'.join(MONTHS)})\b", re.IGNORECASE)
_WORDS = ("may", "march")


_YEAR = re.compile(r",?\s(\d{4})\b")
_WEEKDAY_BEFORE = re.compile(
    rf"\b(?P<day>{'|'.join(WEEKDAYS)}|(?:{'|'.join(day[:3] for day in WEEKDAYS)}|tues|wednes|thur|thurs)\.?),?\s$",
    re.IGNORECASE,
)
LONGEST_DAY = 12
"""Characters of "Wednesday, "."""

MOST_DATES = 20
"""Most dates of a text between which days are counted."""


class Date(NamedTuple):
    """A month from 1 to 12, and the day of the month, 0 if it is not given."""

    month: int
    day: int


HOLIDAYS = {
    "new year's day": Date(1, 1), "new year's eve": Date(12, 31), "valentine's day": Date(2, 14),
    "st patrick's day": Date(3, 17), "april fools' day": Date(4, 1), "may day": Date(5, 1),
    "independence day": Date(7, 4), "bastille day": Date(7, 14), "halloween": Date(10, 31),
    "christmas eve": Date(12, 24), "christmas day": Date(12, 25), "christmas": Date(12, 25),
    "boxing day": Date(12, 26),
}  # fmt: skip
"""Dates of holidays, by their names in lower case."""


def dates(text: str) -> Iterator[tuple[Date, Span]]:
    """Find the dates of a text, with their places; dates such as 3/4/2020 in both readings."""
    text = with_plain_letters(text)
    for match in _DATE.finditer(text):
        if _is_month(match):
            month = next(place for place, name in enumerate(MONTHS, 1) if name.startswith(match["month"].lower()[:3]))
            yield Date(month, int(match["day"] or match["after"] or 0)), match.span()
    for match in _IN_FIGURES.finditer(text):
        if match["month"]:
            yield Date(int(match["month"]), int(match["day"])), match.span()
        elif match[0] == "9/11":
            yield Date(9, 11), match.span()
        else:
            first, second = int(match["first"]), int(match["second"])
            yield Date(first, second), match.span()
            yield Date(second, first), match.span()


def month_ends(text: str) -> Iterator[Date]:
    """Find the last days of months that a text names as their end: 30 June for "the end of June"."""
    for match in _END.finditer(with_plain_letters(text)):
        month = MONTHS.index(match[1].lower()) + 1
        yield from (Date(month, day) for day in ((28, 29) if month == 2 else (monthrange(2001, month)[1],)))


def days_between(texts: Iterable[str]) -> frozenset[int]:
    """Return how many days lie between dates, or days of the week in one of the texts, with and without the last one.

    >>> sorted(days_between(["It ran from 16 to 20 October.", "It paused from Monday to Friday."]))
    [4, 5]
    >>> sorted(days_between(["It began on 30 December.", "It was over on 2 January."]))
    [3, 4, 362, 363]
    """
    found: set[int] = set()
    days: list[int] = []
    for text in texts:
        days += [ordinal for date, _ in islice(dates(text), MOST_DATES) if (ordinal := _ordinal(date)) is not None]
        plain = with_plain_letters(text)
        for match in _STRETCH.finditer(plain):
            found.add(int(match["last"] or match["to"]) - int(match["first"] or match["from"]))
        of_week = [WEEKDAYS.index(day) for day, _ in weekdays(text)]
        found.update((after - before) % 7 for before, after in pairwise(of_week))
    found.update((after - before) % 365 for before, after in product(set(days), repeat=2))
    return frozenset(one for days in found if days > 0 for one in (days, days + 1))


def months_between(texts: Iterable[str]) -> frozenset[int]:
    """Return how many months lie between two that one text names, with and without the last one.

    >>> sorted(months_between(["Between April and September they counted visits."]))
    [5, 6]
    >>> sorted(months_between(["It ran from August 2019 to March 2021."]))
    [19, 20]
    """
    found: set[int] = set()
    for text in texts:
        named = [(date.month, _YEAR.match(text, end)) for date, (_, end) in islice(dates(text), MOST_DATES)]
        for (first, year), (last, later) in pairwise(named):
            found.add(last - first + 12 * (int(later[1]) - int(year[1])) if year and later else (last - first) % 12)
    return frozenset(one for months in found if months > 0 for one in (months, months + 1))


def dates_of_weekdays(text: str) -> frozenset[Date]:
    """Return the dates of the weekdays that a text names, in the week before and after a date with its weekday.

    >>> sorted(dates_of_weekdays("Tue, 5 March: Give him until Friday."))
    [Date(month=3, day=1), Date(month=3, day=8)]
    """
    named = {WEEKDAYS.index(day) for day, _ in weekdays(text)}
    found: set[Date] = set()
    for date, (start, _) in dates(text):
        before = _WEEKDAY_BEFORE.search(text, max(0, start - LONGEST_DAY), start)
        ordinal = _ordinal(date) if before and date.day else None
        if before is None or ordinal is None:
            continue
        own = next(place for place, day in enumerate(WEEKDAYS) if day.startswith(before["day"].lower().rstrip(".")))
        for day in named - {own}:
            for ahead in ((day - own) % 7, (day - own) % 7 - 7):
                other = dt.date.fromordinal(ordinal + ahead)
                found.add(Date(other.month, other.day))
    return frozenset(found)


def _ordinal(date: Date) -> int | None:
    """Return the number of a day in a common year, None for a month or a day that there is not."""
    try:
        return dt.date(2001, date.month, date.day).toordinal()
    except ValueError:
        return None


@lru_cache(maxsize=64)
def dates_of(sentence: str) -> tuple[tuple[Date, Span], ...]:
    """Return the dates of a sentence of a summary, for which several rules ask."""
    return tuple(dates(sentence))


def weekdays(text: str) -> Iterator[tuple[str, Span]]:
    """Find the days of the week that a text names, in lower case, with their places."""
    for match in _WEEKDAY.finditer(with_plain_letters(text)):
        yield match[1].lower(), match.span()


def quarters(text: str) -> Iterator[tuple[int, Span]]:
    """Find the quarters of a year that a text names, from 1 to 4, with their places.

    >>> list(quarters("In Q2 and in the third quarter"))
    [(2, (3, 5)), (3, (17, 30))]
    """
    for match in _QUARTER.finditer(with_plain_letters(text)):
        figure = match["figure"] or match["before"] or (match["ordinal"] or "")[:1]
        yield int(figure) if figure else _ORDINALS.index(match["word"].lower()) + 1, match.span()


def _is_month(match: re.Match[str]) -> bool:
    """Return False for "may" and "march" as words, and for short forms without a day."""
    month = match["month"]
    if match["day"] or match["after"]:
        return True
    return month.lower() in MONTHS and (month.lower() not in _WORDS or month[0].isupper())
