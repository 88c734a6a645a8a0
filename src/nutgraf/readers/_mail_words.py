"""Words of mail in eight languages: headers, lines above quotations, dates, prefixes of subjects, closings, footers.

They are listed by language in `_mail.toml`. A text need not be in the language of the program that quoted it, so those
of all languages are looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta, timezone
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from nutgraf.text.late import Late

MOST_NAME = 6
"""Maximum number of words of a sender's name."""

LONGEST_HEAD = 400
"""Maximum number of characters of a line above a quotation, and of the value of a header that is looked at."""

_CENTURY = 70
"""Years of two digits from which they are those of the last century."""

FROM, SENT, TO, SUBJECT = "from", "sent", "to", "subject"

_ADDRESS = Late(r"[<(\[]*(?:mailto:)?(?P<address>[^\s<>()\[\]:;,\"']+@[^\s<>()\[\]:;,\"']+)[>)\]]*")
_KEY = Late(r"[ \t]{0,3}\*{0,2}(?P<key>[^\W\d_][\w -]{0,24}?)\s?\*{0,2}[:：]\*{0,2}(?:[ \t]+(?P<value>.*)|$)")
_WORD = Late(r"[^\s,;()<>\"“”„«»]+")
_CLOCK = Late(r"\b(\d{1,2})(?::|\s?[hH]\s?)(\d{2})(?::(\d{2}))?\s?(?:([AaPp])\.?\s?[Mm]\b\.?)?")
_ZONE = Late(r"(?<![\d-])(?:GMT|UTC)?([+-])(\d{2}):?(\d{2})\b")
_YEAR_FIRST = Late(r"\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b")
_DAY_FIRST = Late(r"\b(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4}|\d{2})\b")
_DAY_MONTH = Late(
    r"\b(\d{1,2})(?:\.|st|nd|rd|th|er|º)?\s(?:de\s|of\s)?([^\W\d_]{3,12})\.?,?(?:\sde)?\s['’]?(\d{4}|\d{2})\b"
)
_MONTH_DAY = Late(r"\b([^\W\d_]{3,12})\.?\s(\d{1,2})(?:st|nd|rd|th)?,?\s['’]?(\d{4}|\d{2})\b")


class Surety(Enum):
    """Lines below one that may introduce a quotation: marked as quoted or not, in a mail or not."""

    UNMARKED, UNMARKED_IN_MAIL, MARKED, MARKED_IN_MAIL = range(4)


class Head(NamedTuple):
    """Head of a message: who sent it, when (ISO 8601, "" if unknown), and its subject."""

    sender: str = ""
    time: str = ""
    subject: str = ""


@cache
def _words() -> dict[str, dict[str, Any]]:
    import tomllib  # most texts need none of these words

    return tomllib.loads(Path(__file__).with_name("_mail.toml").read_text(encoding="utf-8"))


def _all(kind: str) -> list[str]:
    return [word for language in _words().values() for word in language.get(kind, ())]


@cache
def _keys() -> dict[str, str]:
    """The role of each key of a header; one that has two roles in different languages has the first of them."""
    found: dict[str, str] = {}
    for role in (FROM, SENT, TO, SUBJECT):
        for word in _all(role):
            found.setdefault(word, role)
    return found


def _either(words: Iterable[str]) -> str:
    return "|".join(words)


@cache
def _prefix() -> re.Pattern[str]:
    return re.compile(rf"\s*(\[[^\[\]]{{1,40}}\]\s*)?(?:{_either(_all('replies'))})(?:\[\d+\])?\s?[:：]", re.IGNORECASE)


@cache
def closing_line() -> re.Pattern[str]:
    """A line that closes a letter, such as "Best regards", perhaps with a name behind it."""
    name = r"(?:[\s,]+[^\W\d_a-zß-ÿ][\w.'’-]*){0,3}"
    return re.compile(rf"^[ \t]*(?i:{_either(_all('closings'))})(?:[,.!–—-]*{name})[ \t]*[,.!]*[ \t]*$", re.MULTILINE)


@cache
def footer() -> re.Pattern[str]:
    """Words of footers alone: that a message is confidential, or what sent it."""
    return re.compile(_either(_all("footers")), re.IGNORECASE | re.MULTILINE)


@cache
def _months() -> list[tuple[re.Pattern[str], int]]:
    rows = [language["months"].split() for language in _words().values() if "months" in language]
    return [(re.compile(_either(sorted({row[month] for row in rows}))), month + 1) for month in range(12)]


@cache
def _before() -> frozenset[str]:
    """Words that stand before a date, and days of the week."""
    days = (word for language in _words().values() for word in language.get("days", "").split())
    return frozenset((*days, *(word for phrase in _all("beside") for word in phrase.split())))


@cache
def _after() -> frozenset[str]:
    """Words that stand behind a time."""
    return frozenset(_all("after"))


@cache
def _wrote() -> re.Pattern[str]:
    words = sorted(map(re.escape, _all("wrote")), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{_either(words)})(?!\w)", re.IGNORECASE)


def without_prefixes(subject: str) -> tuple[str, bool]:
    """Return a subject without "Re:", "AW:" and the like, and True if there was one.

    >>> without_prefixes("Re: [moor] AW: Lease")
    ('[moor] Lease', True)
    """
    text, found = subject.strip(), False
    while prefix := _prefix().match(text):
        text, found = ((prefix[1] or "") + text[prefix.end() :].strip()).strip(), True
        if prefix[1]:
            rest, _ = without_prefixes(text[len(prefix[1]) :])
            return f"{prefix[1].strip()} {rest}".strip(), True
    return text, found


def name_of(written: str) -> str:
    """Return the name of a sender as it is written in a header; the address if there is no name.

    >>> name_of('"Berg, Anna" <anna@example.org>'), name_of("tom@example.net")
    ('Anna Berg', 'tom@example.net')
    """
    written = written[:LONGEST_HEAD]
    address = _ADDRESS.search(written)
    name = " ".join(_ADDRESS.sub(" ", written).replace('"', " ").split()).strip(" '*,;<>[]()")
    name = re.split(r"\s(?:via|on behalf of|im Auftrag von)\s", name)[0]
    family, comma, given = name.partition(", ")
    if comma and "," not in given and len(family.split()) <= 3 and len(given.split()) <= 2:
        name = f"{given} {family}"
    return name or (address["address"] if address else "")


def header_at(lines: Sequence[str], index: int) -> tuple[Head | None, int]:
    """Return what the headers of a quoted message say that begin at a line, and the line behind them.

    They name who sent it, and its time or its subject; None if none begin before the line behind them.
    """
    if not _role(lines[index]):
        return None, index + 1
    roles: dict[str, str] = {}
    last = ""
    while index < len(lines) and lines[index].strip():
        found = _KEY.match(lines[index])
        if found:
            last = _keys().get(found["key"].strip().lower(), "other")
            roles.setdefault(last, (found["value"] or "").strip())
        elif lines[index][0].isspace() or last == TO or _is_key(lines, index + 1):
            roles[last] = f"{roles[last][:LONGEST_HEAD]} {lines[index].strip()}"
        else:
            break
        index += 1
    if FROM not in roles or not (SENT in roles or SUBJECT in roles):
        return None, index
    return Head(name_of(roles[FROM]), time_in(roles.get(SENT, "")), roles.get(SUBJECT, "")[:LONGEST_HEAD]), index


def _is_key(lines: Sequence[str], index: int) -> bool:
    return index < len(lines) and _KEY.match(lines[index]) is not None


def _role(line: str) -> str:
    found = _KEY.match(line) if ":" in line[:40] or "：" in line[:40] else None
    return _keys().get(found["key"].strip().lower(), "") if found else ""


def attribution(line: str, surety: Surety) -> Head | None:
    """Return who wrote what a line such as "On 3 May, Tom Reyes wrote:" introduces, and when; None if it is none."""
    text = line.strip().rstrip("*")
    if not text.endswith((":", "：")) or len(text) > LONGEST_HEAD:
        return None
    address, wrote, time = _ADDRESS.search(text), _wrote().search(text), time_in(text)
    dated = "T" in time
    if not (wrote or (address and dated)):
        return None
    words = [word.strip(".,:：") for word in _WORD.findall(_wrote().sub(" | ", _ADDRESS.sub(" ", text[:-1])))]
    dates = [place for place, word in enumerate(words) if word.lstrip("+-")[:1].isdigit()]
    name = _name_among(words, dates)
    plain = len(name) <= 2 and all(word[:1].isupper() for word in name)
    sure = {
        Surety.UNMARKED: bool(address) and dated,
        Surety.UNMARKED_IN_MAIL: bool(address) or dated,
        Surety.MARKED: bool(dates or address) or words[0].lower() in _before(),
        Surety.MARKED_IN_MAIL: bool(dates or address) or words[0].lower() in _before() or plain,
    }[surety]
    if not sure or len(name) > MOST_NAME:
        return None
    return Head(name_of(" ".join(name)) or (address["address"] if address else ""), time)


def _name_among(words: Sequence[str], dates: Sequence[int]) -> list[str]:
    """The words of a name: those behind the date, or those before it and what stands before a date."""
    if dates:
        first, last = dates[0], dates[-1] + 1
        while last < len(words) and (words[last].lower() in _after() or words[last] == "|"):
            last += 1
    else:
        first, last = 0, sum(word.lower() in _before() for word in words[:2])
    while first > 0 and (
        words[first - 1].lower() in _before() or words[first - 1] == "|" or _month_of(words[first - 1])
    ):
        first -= 1
    name = words[last:] if any(word != "|" for word in words[last:]) else words[:first]
    return [word for word in (name[: name.index("|")] if "|" in name else name) if word]


def _month_of(word: str) -> int:
    return next((month for months, month in _months() if months.match(word.lower())), 0)


def time_in(text: str) -> str:
    """Return a date in a text, with its time of day if there is one, by ISO 8601; "" if there is none.

    >>> time_in("Montag, 11. März 2024 um 18:02 Uhr"), time_in("3/11/24, 6:02 PM")
    ('2024-03-11T18:02:00', '2024-03-11T18:02:00')
    """
    text = text[:LONGEST_HEAD]
    clock = _CLOCK.search(text)
    date = _date_in(f" {text} " if clock is None else f" {text[: clock.start()]} | {text[clock.end() :]} ", clock)
    if date is None:
        return ""
    try:
        if clock is None:
            return datetime(*date).date().isoformat()
        hour = int(clock[1])
        if clock[4]:
            hour = hour % 12 + (12 if clock[4] in "pP" else 0)
        zone = _ZONE.search(text, clock.end())
        shift = timedelta(hours=int(zone[2]), minutes=int(zone[3])) if zone else timedelta()
        return datetime(
            *date, hour, int(clock[2]), int(clock[3] or 0),
            tzinfo=timezone(-shift if zone[1] == "-" else shift) if zone else None,
        ).isoformat()  # fmt: skip
    except ValueError:
        return ""


def _date_in(text: str, clock: re.Match[str] | None) -> tuple[int, int, int] | None:
    """Year, month and day."""
    if found := _YEAR_FIRST.search(text):
        return int(found[1]), int(found[2]), int(found[3])
    if found := _DAY_FIRST.search(text):
        first, second, year = int(found[1]), int(found[3]), _year(found[4])
        american = found[2] == "/" and (len(found[4]) == 2 or bool(clock and clock[4]))
        if second > 12 or (american and first <= 12):
            first, second = second, first
        return year, second, first
    for found in _DAY_MONTH.finditer(text):
        if _month_of(found[2]):
            return _year(found[3]), _month_of(found[2]), int(found[1])
    for found in _MONTH_DAY.finditer(text):
        if _month_of(found[1]):
            return _year(found[3]), _month_of(found[1]), int(found[2])
    return None


def _year(written: str) -> int:
    year = int(written)
    return year if len(written) == 4 else year + (1900 if year >= _CENTURY else 2000)
