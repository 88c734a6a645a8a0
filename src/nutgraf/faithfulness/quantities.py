"""Quantities in a text: numbers in figures and in English words, with their units, as values that can be compared.

"3.5 million", "3,500,000" and "$3.5m" have one value, "a third" and "33 %" another. A number is as exact as it is
written: "1.2 million" stands for everything that is rounded to it, and a hedge ("nearly", "more than") widens it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

PERCENT = "%"
"""Unit of shares."""

ROUND_SHARE = 2.0
"""Percentage points within which a fraction in words stands for a percentage: "a third" for 32 % as for 35 %."""

NEARLY = 0.2
"""Share of its value by which a hedged number ("nearly", "more than") may differ to one side."""

ABOUT = 0.1
"""Share of its value by which a number after "about" may differ to both sides."""

_UNITS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_VALUES = {
    "zero": 0,
    **{word: value for value, word in enumerate(_UNITS.split(), 1)},
    **{word: value for value, word in zip(range(20, 100, 10), _TENS.split(), strict=True)},
}
_SCALES = {"hundred": 1e2, "dozen": 12.0, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SUFFIXES = {"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9, "tn": 1e12}
_PARTS = {"half": 2, "halve": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}

_NAMES = {
    "mph": r"mph miles\s(?:per|an)\shour",
    "kph": r"kph kmh kilomet(?:er|re)s\s(?:per|an)\shour",
    "$": "dollars? usd",
    "£": "pounds? gbp quid",
    "€": "euros? eur",
    PERCENT: "percent percentage pct",
    "km": "kilomet(?:er|re)s?",
    "mile": "miles?",
    "m": "met(?:er|re)s?",
    "cm": "centimet(?:er|re)s?",
    "mm": "millimet(?:er|re)s?",
    "foot": "f(?:oo|ee)t ft",
    "inch": "inch(?:es)?",
    "kg": "kilograms? kilogrammes? kilos?",
    "g": "grams? grammes?",
    "tonne": "tons? tonnes?",
    "litre": "lit(?:er|re)s?",
    "second": "seconds? secs?",
    "minute": "minutes? mins?",
    "hour": "hours? hrs?",
    "day": "days?",
    "week": "weeks?",
    "month": "months?",
    "year": "years?",
    "acre": "acres?",
    "hectare": "hectares?",
    "degree": "degrees? °c? °f",
}
_UNIT = "|".join(
    f"(?P<u{place}>{'|'.join([re.escape(unit), *names.split()])})" for place, (unit, names) in enumerate(_NAMES.items())
)
_UNIT_AFTER = re.compile(rf"[\s-]?(?:per\s?cent|{_UNIT})(?![^\W\d_])", re.IGNORECASE)
_WORD = "|".join([*sorted(_VALUES, key=len, reverse=True), *_SCALES])
_LARGE = "hundred|thousand|million|billion|trillion"
_RUN = rf"(?:{_WORD})\b(?:(?:[\s-]|\sand\s)(?:{_WORD})\b)*"
_FIGURES = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_NUMBER = re.compile(
    rf"""(?P<currency>[$£€]\s?)?
    (?: (?<![^\W\d_])(?P<figures>{_FIGURES})(?:(?(currency)\s?|)(?P<suffix>(?:k|mn?|bn|tn)(?![^\W_])))?
        (?P<ordinal>(?:st|nd|rd|th|s)(?![^\W_]))?(?:[\s-]?(?P<scale>{_LARGE})s?\b)?
      | \b(?P<words>(?:an?\s(?={_LARGE}|dozen))?{_RUN})
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_FRACTION = re.compile(
    r"\b(?P<top>an?|one|two|three|four)[\s-](?P<part>thirds?|quarters?|fifths?|sixths?|eighths?|tenths?)\b"
    r"|(?<!first)(?<!second)(?<!first[\s-])(?<!second[\s-])(?<!first\s-\s)(?<!second\s-\s)\b(?P<half>half)\b(?!\s?-?\s?time)"
    r"|\b(?P<of>one|two|three|four)\s(?:in|out\sof)\s(?P<all>\w+)\b",
    re.IGNORECASE,
)
_MORE = r"more than|over|at least|above|exceed(?:s|ed|ing)?|upwards of|no (?:fewer|less) than"
_LESS = r"nearly|almost|under|less than|fewer than|up to|close to|at most|below|no more than|just short of"
_AROUND = r"about|around|some|roughly|approximately|estimated|an estimated|or so|circa"
_HEDGES = rf"(?P<more>{_MORE})|(?P<less>{_LESS})|(?P<around>{_AROUND})"
_HEDGE = re.compile(rf"\b(?:{_HEDGES})\s+(?:an?\s)?$", re.IGNORECASE)
_BEFORE = 24


DECIMAL_COMMA = frozenset({"de", "es", "fr", "it", "nl", "pt", "ru"})
"""Languages that write a comma before decimals."""

_THOUSANDS = re.compile("(?<=\\d)[ .\u00a0\u202f](?=\\d{3}(?!\\d))")
_DECIMAL = re.compile(r"(?<=\d),(?=\d{1,2}(?!\d))")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit.

    Attributes:
        values: Its value; more than one where it can be read in several ways ("400m").
        unit: The unit, "" if none is known.
        start: First character.
        end: Character after the last one, the unit not included.
        below: How far a number that it stands for may lie below its value.
        above: How far it may lie above.
        fraction: True for a share in words, such as "a third".
    """

    values: tuple[float, ...]
    unit: str
    start: int
    end: int
    below: float = 0.0
    above: float = 0.0
    fraction: bool = False

    def covers(self, other: Quantity) -> bool:
        """Return True if one of its values stands for one of another's."""
        if PERCENT in (self.unit, other.unit) and self.unit != other.unit and (self.fraction or other.fraction):
            return False
        slack = ROUND_SHARE if self.fraction or other.fraction else 0.0
        return any(
            value - max(self.below, slack) - 1e-9 <= found <= value + max(self.above, slack) + 1e-9
            for value in self.values
            for found in other.values
        )


def quantities(text: str, language: str = "en", hedged: bool = True) -> Iterator[Quantity]:
    """Find the quantities of a text, in order of their kinds: fractions in words, then numbers.

    Args:
        text: The text; numbers in words are English.
        language: Its language; some write 3,5 for 3.5, and 12 500 or 12.500 for 12,500.
        hedged: Whether "nearly" and the like widen a number.
    """
    if language in DECIMAL_COMMA:
        text = _DECIMAL.sub(".", _THOUSANDS.sub(",", text))
    for match in _FRACTION.finditer(text):
        share = _share(match)
        if share is not None:
            yield Quantity((share,), PERCENT, match.start(), match.end(), fraction=True)
    for match in _NUMBER.finditer(text):
        for one in _numbers(text, match):
            yield _hedged(text, one) if hedged else one


def _share(match: re.Match[str]) -> float | None:
    if match["half"]:
        return 50.0
    if match["of"]:
        whole = _VALUES.get(match["all"].lower()) or (int(match["all"]) if match["all"].isdecimal() else 0)
        return 100 * _VALUES[match["of"].lower()] / whole if whole >= 2 else None
    top = _VALUES.get(match["top"].lower(), 1)
    return min(100.0, 100 * top / _PARTS[match["part"].lower().removesuffix("s")])


def _numbers(text: str, match: re.Match[str]) -> Iterator[Quantity]:
    unit = (match["currency"] or "").strip() or ("" if match["ordinal"] else _unit_after(text, match.end()))
    if match["words"]:
        for value in _in_words(match["words"].lower()):
            yield Quantity((value,), unit, match.start("words"), match.end("words"), *_rounding(value))
        return
    figures = match["figures"].replace(",", "")
    value, decimals = float(figures), len(figures.partition(".")[2])
    scale = _SCALES.get((match["scale"] or "").lower(), 1.0)
    suffix = _SUFFIXES.get((match["suffix"] or "").lower(), 1.0)
    values: tuple[float, ...] = (value * scale * suffix,)
    if suffix != 1.0 and not match["currency"] and match["suffix"].lower() == "m":
        values, unit = (value, value * suffix), ""
    half = 0.5 * 10**-decimals * scale * suffix
    end = match.end("scale") if match["scale"] else match.end("suffix") if match["suffix"] else match.end("figures")
    yield Quantity(values, unit, match.start(), end, half, half)


def _rounding(value: float) -> tuple[float, float]:
    """Half a unit of the last place of a number in words that is a multiple of a thousand."""
    half = 0.0
    for scale in (1e12, 1e9, 1e6, 1e3):
        if value >= scale and value % scale == 0:
            half = scale / 2
            break
    return half, half


def _hedged(text: str, quantity: Quantity) -> Quantity:
    hedge = _HEDGE.search(text, max(0, quantity.start - _BEFORE), quantity.start)
    if hedge is None:
        return quantity
    below, above = quantity.below, quantity.above
    most = max(quantity.values)
    if hedge["more"] or hedge["around"]:
        above = max(above, most * (NEARLY if hedge["more"] else ABOUT))
    if hedge["less"] or hedge["around"]:
        below = max(below, most * (NEARLY if hedge["less"] else ABOUT))
    return Quantity(quantity.values, quantity.unit, quantity.start, quantity.end, below, above)


def _unit_after(text: str, end: int) -> str:
    match = _UNIT_AFTER.match(text, end)
    if match is None:
        return ""
    units = list(_NAMES)
    return next((units[int(name[1:])] for name, found in match.groupdict().items() if found), PERCENT)


def _in_words(run: str) -> Iterator[float]:
    """Values of a run of number words; "twenty twenty" are two numbers."""
    total = current = 0.0
    last = math.inf
    begun = False
    for word in re.split(r"[\s-]+", run):
        if word in _VALUES:
            value = float(_VALUES[word])
            if begun and not (last >= 20 and value < last and (last < 100) == (value < 10)) and last < 100:
                yield total + current
                total = current = 0.0
            current += value
            last, begun = value, True
        elif word in _SCALES:
            scale = _SCALES[word]
            current = max(current, 1.0) * scale
            if scale >= 1000:
                total, current = total + current, 0.0
            last, begun = scale, True
    if begun:
        yield total + current
