"""Time stamps as programs write them: hours with or without a date, in the order of many countries."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from nutgraf.text.late import Late
from nutgraf.text.times import Time

GROWING = 0.85
"""Minimum share of the time stamps of a transcript that are not before the one above them."""

LONGEST_DATE = 50
"""Maximum number of characters of a date before a time of day."""

SPACE = r"[^\S\n]"
"""Pattern of white space within a line."""

_HALF_DAY = 12 * 60 * 60
_MORNING, _AFTERNOON = ("오전", "上午", "午前"), ("오후", "下午", "午後")
_CLOCK = Late(
    rf"(?:(?<![\w:.])|(?<=\dT))(?:(?P<east>{'|'.join(_MORNING + _AFTERNOON)}){SPACE}?)?"
    rf"(?P<clock>\d{{1,3}}:(?:\d{{1,2}}:\d{{1,2}}|\d\d)(?![\d:]))(?P<part>[.,]\d{{1,6}})?"
    rf"(?:{SPACE}?(?P<half>[AaPp])\.?{SPACE}?[Mm]\b\.?|(?P<zone>Z\b|[+-]\d\d:?\d\d\b)|{SPACE}?Uhr\b)?"
)
_DOTTED = Late(rf"(?P<clock>\d{{1,2}}{SPACE}?[.hH]{SPACE}?\d\d(?:[.:]\d\d)?)(?![\d.])")
_NUMBER = Late(r"\d+")
_WORD = Late(r"[^\W\d_]+")

Date = tuple[int, int, int]
"""Year, month and day."""


class Stamp(NamedTuple):
    """A time stamp as it is written.

    Attributes:
        start: First character.
        end: Character after it.
        date: The three numbers of its date, () if it has none.
        order: Order of these numbers, such as "ymd"; "" if they do not tell.
        clock: Numbers of the time of day, or of the time in a recording.
        seconds: Seconds from midnight, or from the beginning, if the first of two numbers counts hours.
        short: True if its first number has one digit or is 0, and neither a date nor AM or PM is beside it.
        american: True if it has AM or PM in capitals.
        zone: Time zone as written.
    """

    start: int
    end: int
    date: tuple[int, ...]
    order: str
    clock: tuple[int, ...]
    seconds: float
    short: bool
    american: bool
    zone: str


@cache
def words() -> dict[str, Any]:
    """Return the words of chats; see `chat.toml`."""
    return tomllib.loads(Path(__file__).with_name("chat.toml").read_text(encoding="utf-8"))


def any_of(names: Iterable[str]) -> str:
    """Return the pattern of any of some words, the longest first, in any case."""
    return f"(?i:{'|'.join(re.escape(name) for name in sorted(set(names), key=len, reverse=True))})"


@cache
def _months() -> dict[str, int]:
    return {name: number for number, names in enumerate(words()["months"], 1) for name in names.split()}


@cache
def day_words() -> str:
    """Return the pattern of words that stand before a time, with the space after them: weekdays, "yesterday", "at"."""
    return rf"(?:{any_of([*words()['weekdays'].split(), *words()['before'].split()])}\b[.,]?{SPACE}+){{1,3}}"


@cache
def date_pattern() -> str:
    """Return the pattern of a date with its weekday."""
    month = rf"{any_of(_months())}\b\.?"
    year = r"(?:,?[ -]{1,2} ?(?:de )?\d{2,4}\b(?![:.]\d))?"
    numbers = rf"\d{{1,4}}(?:[./-]{SPACE}?\d{{1,2}}){{2}}(?:\d\d)?(?!\d)\.?"
    day_first = rf"\d{{1,2}}(?:st|nd|rd|th|\.|º|er)?[ -]{{1,2}}(?:de )?{month}{year}"
    month_first = rf"{month} {{1,2}}\d{{1,2}}(?:st|nd|rd|th)?\b(?![:.]\d){year}"
    eastern = rf"\d{{4}}[年년]{SPACE}?\d{{1,2}}[月월]{SPACE}?\d{{1,2}}[日일]"
    return rf"(?:{day_words()})?(?<!\w)(?:{numbers}|{day_first}|{month_first}|{eastern})"


@cache
def _date_before() -> re.Pattern[str]:
    return re.compile(rf"(?P<date>{date_pattern()})(?:T|,?{SPACE}+(?:{day_words()})?|,)$")


def stamp_in(text: str, start: int, end: int) -> Stamp | None:
    """Return the first time stamp in a part of a line; None if it has none."""
    found = _CLOCK.search(text, start, end)
    if found is not None:
        begin = max(start, found.start() - LONGEST_DATE)
        numbered = _NUMBER.search(text, begin, found.start())
        dated = _date_before().search(text, begin, found.start()) if numbered else None
        return _stamp(found, dated)
    for found in _DOTTED.finditer(text, start, end):  # 9.15 is a time behind a date alone
        dated = _date_before().search(text, max(start, found.start() - LONGEST_DATE), found.start())
        if dated:
            return _stamp(found, dated)
    return None


def _stamp(found: re.Match[str], dated: re.Match[str] | None) -> Stamp | None:
    """A time stamp of its time of day and its date; None if there is no such time."""
    named = found.groupdict()
    clock = tuple(map(int, _NUMBER.findall(found["clock"])))
    if max(clock[1:]) > 59:
        return None
    date, order = _numbers(dated["date"]) if dated else ((), "")
    half, first = named.get("half") or "", clock[0]
    twelve = bool(half or named.get("east"))
    if twelve:
        first = first % 12 + 12 * (half in ("p", "P") or named.get("east") in _AFTERNOON)
    if first > 23 and date:
        return None
    part = float(f"0.{named['part'][1:]}") if named.get("part") else 0.0
    return Stamp(
        start=dated.start() if dated else found.start(),
        end=found.end(),
        date=date,
        order=order,
        clock=(first, *clock[1:]),
        seconds=3600 * first + 60 * clock[1] + (clock[2] if len(clock) > 2 else 0) + part,
        short=not (date or twelve) and (first == 0 or not found["clock"][1].isdigit()),
        american=half.isupper(),
        zone=named.get("zone") or "",
    )


def _numbers(written: str) -> tuple[tuple[int, ...], str]:
    """The three numbers of a date, and their order if it is known; () if there is no such date."""
    numbers = tuple(map(int, _NUMBER.findall(written)))
    named = [_months()[word] for word in _WORD.findall(written.casefold()) if word in _months()]
    if named and len(numbers) == 2:
        return (numbers[1], named[-1], numbers[0]), "ymd"
    if len(numbers) != 3:
        return (), ""
    first, second, _ = numbers
    if first > 31:
        return numbers, "ymd"
    return numbers, "dmy" if first > 12 or "." in written else "mdy" if second > 12 else ""


def full_date(written: str) -> Date | None:
    """Return the date that a line consists of; None if there is none, or it has no year."""
    found = _only_date().fullmatch(_CLOCK.sub("", written))
    numbers, order = _numbers(found["date"]) if found else ((), "")
    return _ordered(numbers, order or "dmy") if numbers else None


@cache
def _only_date() -> re.Pattern[str]:
    day = rf"{any_of(words()['weekdays'].split())}|[月火水木金土日월화수목금토일](?:요일|曜日)?"
    opening = any_of(words()["opening"])
    return re.compile(rf"[\W_]*(?:{opening}[:\s]+)?(?P<date>{date_pattern()})[\W_]*(?:{day})?[\W_]*")


def are_growing(stamps: Sequence[Stamp]) -> bool:
    """Return True if most time stamps are not before the one above them; after midnight they begin anew."""
    return _growing(stamps, _order(stamps)) >= GROWING


def times_of(stamps: Sequence[Stamp]) -> list[Time]:
    """Return the times of the time stamps of a text, in their order.

    Day and month may be in either order; the one in which the times grow is taken.
    """
    order = _order(stamps)
    recording = bool(stamps) and (stamps[0].short or any(one.clock[0] > 23 for one in stamps))
    return [_seconds(one) if recording and not one.date else _moment(one, order) for one in stamps]


def _order(stamps: Sequence[Stamp]) -> str:
    known = next((one.order for one in stamps if one.order in ("dmy", "mdy")), "")
    dated = [one for one in stamps if one.date and not one.order]
    if known or not dated:
        return known or "dmy"
    # Where the month comes first, the hours go to 12, and AM and PM have capitals.
    preferred = ("mdy", "dmy") if dated[0].american else ("dmy", "mdy")
    return max(preferred, key=lambda order: (_growing(dated, order), -_days(dated, order)))


def _days(stamps: Sequence[Stamp], order: str) -> int:
    """Number of days, roughly, from the first date to the last."""
    first, last = (_ordered(one.date, order) or (0, 0, 0) for one in (stamps[0], stamps[-1]))
    return abs(372 * (last[0] - first[0]) + 31 * (last[1] - first[1]) + last[2] - first[2])


def _growing(stamps: Sequence[Stamp], order: str) -> float:
    keys = [(_ordered(one.date, one.order or order), one.seconds) for one in stamps]
    return sum(_is_later(before, after) for before, after in pairwise(keys)) / max(1, len(keys) - 1)


def _is_later(before: tuple[Date | None, float], after: tuple[Date | None, float]) -> bool:
    if before[0] and after[0] and before[0] != after[0]:
        return before[0] < after[0]
    return before[1] <= after[1] or (not after[0] and before[1] - after[1] > _HALF_DAY)


def _ordered(numbers: Sequence[int], order: str) -> Date | None:
    """The date of three numbers in an order; None if there is no such date."""
    found = dict(zip(order, numbers, strict=False))
    if len(found) < 3 or not 1 <= found["m"] <= 12 or not 1 <= found["d"] <= 31:
        return None
    return found["y"] + 2000 * (found["y"] < 100), found["m"], found["d"]


def _seconds(stamp: Stamp) -> float:
    """Seconds from the beginning of a recording; two numbers are minutes and seconds."""
    return stamp.seconds / 60 if len(stamp.clock) == 2 else stamp.seconds


def _moment(stamp: Stamp, order: str) -> str:
    """A date and a time, or a time of day, by ISO 8601."""
    hour, minute, second = (*stamp.clock, 0)[:3]
    clock = f"{hour:02}:{minute:02}:{second:02}{stamp.zone}"
    date = _ordered(stamp.date, stamp.order or order)
    return on_date(date, clock) if date else clock


def on_date(date: Date, clock: str) -> str:
    """Return a time of day on a date, by ISO 8601."""
    year, month, day = date
    return f"{year:04}-{month:02}-{day:02}T{clock}"
