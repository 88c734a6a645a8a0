"""Quantities in a text: numbers in figures and in English words, with their units, as values that can be compared.

"3.5 million", "3,500,000" and "$3.5m" have one value, "a third" and "33 %" another, and 500 µg is 0.5 mg. A hedge
("nearly", "more than") widens a number.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, lru_cache
from itertools import chain

from nutgraf.faithfulness.quantity import CLOCK, PERCENT, ROUND_SHARE, Quantity, Reading
from nutgraf.faithfulness.units import Unit, symbols, units_after
from nutgraf.text.clean import with_plain_letters

MOST_IN_A_SHARE = 1000
"""Largest whole of a share such as "one in five"; beyond it stand years."""

NEARLY, ABOUT = 0.2, 0.1
"""Share of its value by which a number behind "nearly" or "more than", or behind "about", may differ."""

A_DAY, ABOUT_A_TIME = 24 * 60, 30.0
"""Minutes of a day, and those by which a hedged time of day may differ."""

_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_VALUES = {word: float(value) for value, word in [*enumerate(_ONES), *zip(range(20, 100, 10), _TENS, strict=True)]}
_NTHS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_NTHS += [f"{word}th" for word in _ONES[13:]]
_NTH = dict(zip([*_NTHS, *(f"{word[:-1]}ieth" for word in _TENS)], [*_VALUES.values()][1:], strict=True))
_PARTS = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_ADDED = {"½": 0.5, "¼": 0.25, "¾": 0.75, "half": 0.5, "quarters": 0.75, "quarter": 0.25}
_SCALES = {"hundred": 1e2, "dozen": 12.0, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_FOREIGN_SCALES = {
    "de": {"tausend": 1e3, "tsd": 1e3, "millionen": 1e6, "mio": 1e6, "milliarden?": 1e9, "mrd": 1e9, "billionen": 1e12},
    "es": {"mil": 1e3, "mill[oó]n": 1e6, "millones": 1e6, "bill[oó]n": 1e12, "billones": 1e12},
    "fr": {"mille": 1e3, "milliers": 1e3, "milliards?": 1e9, "mds?": 1e9, "mrds?": 1e9},
    "it": {"mila": 1e3, "milion[ei]": 1e6, "mln": 1e6, "miliard[oi]": 1e9, "mld": 1e9, "mrd": 1e9},
    "nl": {"duizend": 1e3, "miljoen": 1e6, "mln": 1e6, "miljard": 1e9, "mld": 1e9},
    "pt": {"mil": 1e3, "milh(?:ão|ões)": 1e6, "bilh(?:ão|ões)": 1e9},
}
"""Patterns of words for large numbers, by language, beside the English ones, which every language has."""

_THOUSANDFOLD = 1e12, 1e9, 1e6, 1e3
"""A number in words that is a multiple of one of these stands for what is rounded to it."""

_SHORT = {"": 1.0, "k": 1e3, "m": 1e6, "mm": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9, "tn": 1e12}

_SIGNS = "$£€¥₹₽₪₺₩"
_CODES = "USD|EUR|GBP|CHF|JPY|CNY|CAD|INR|ILS|AUD|NOK|SEK|DKK|KRW|MXN"
_WORD = "|".join(sorted(_VALUES, key=len, reverse=True))
_UNDER_A_HUNDRED = rf"(?:(?:{'|'.join(_TENS)})(?:\s?[\s-]\s?(?:{'|'.join(_ONES[1:10])}))?|{_WORD})\b"
_LARGE = "hundred|thousand|million|billion|trillion"
_COUNTED = "two|three|four|five|six|seven|eight|nine"
_TIME = re.compile(
    r"\b(?<![.,:/$€£])(?P<hour>[01]?\d|2[0-4])(?:(?P<mark>[:.])(?P<minute>[0-5]\d))?(?![:\d]|[.,]\d)"
    r"(?P<half>\s?(?:(?P<before>a)|(?P<after>p))(?:m\b|\.\s?m\b\.?)|\s?(?:Uhr|o['’]?clock)\b)?",
    re.IGNORECASE,
)
_PLACE = re.compile(
    rf"[-−–{_SIGNS}\d]|minus|an? (?={_LARGE}|dozen|decade|century|third|quarter|fifth)|half|quarter"
    rf"|{_WORD}|{'|'.join([*_NTH][2:])}"
    rf"|\b(?:(?:{_CODES.lower()})(?=\s?\d)|(?:us|[ac])(?=\$))"
)
"""Where a quantity may begin in a text in lower case, so that the slower patterns are tried there only."""

_FRACTION = re.compile(
    r"(?<!and\sa\s)(?<!and-a-)(?<!first\s)(?<!second\s)(?<!first\s-\s)(?<!second\s-\s)(?<!-)"
    rf"\b(?:(?P<top>an?|one|{_COUNTED})[\s-](?P<part>(?:third|quarter|fifth|sixth|eighth|tenth)s?)"
    rf"|(?P<half>half(?!\s?-?\s?time|\spast))|(?P<of>one|{_COUNTED}|(?<![.,])[1-9])\s(?:in|out\sof)\s(?:every\s)?(?P<all>\w+))\b",
    re.IGNORECASE,
)
_OF_ONE = re.compile(rf"[\s-](?:of\s)?(?P<one>an?\s)?(?:(?P<scale>{_LARGE}|dozen)\b)?", re.IGNORECASE)
_BEFORE_A_SHARE = re.compile(r"\b(?:by|to|than|about|around|nearly|almost|some|under|over|only|just)\s$", re.IGNORECASE)
_LONGEST_BEFORE = 8
_FOLLOWS_A_SHARE = re.compile(
    r"\s(?:of|as|less|more|fewer|higher|lower|larger|smaller|bigger|longer|shorter)\b|\s?[.,;:!?)]|\s*$", re.IGNORECASE
)
"""What stands before or behind a share in words; elsewhere "a third" is an ordinal number."""

_HEDGES = {
    "en": (
        "more than|over|at least|above|exceed(?:s|ed|ing)?|tops|topped|upwards of|no (?:fewer|less) than",
        "nearly|almost|under|less than|fewer than|up to|close to|at most|below|no more than|just short of",
        "about|around|some|roughly|approximately|estimated|an estimated|or so|circa|ca\\.",
    ),
    "de": (
        "mehr als|über|mindestens",
        "fast|knapp|beinahe|weniger als|unter|bis zu|höchstens",
        "etwa|rund|ungefähr|zirka",
    ),
    "es": ("más de|al menos", "casi|menos de|hasta", "unos|unas|cerca de|alrededor de|aproximadamente"),
    "fr": ("plus de?|au moins", "presque|près de|moins de|jusqu'à", "environ|quelque|autour de|à peu près"),
}
"""What stands before a number that lies above, below or around what is written, by language."""

_HEDGE_AFTER = re.compile(
    r"\s?(?P<more>\+)(?!\w)|\s(?:or|and)\s(?:(?P<over>more|over|above)|(?P<less>fewer|less)|so)\b"
)
_LONGEST_HEDGE = 24

DECIMAL_COMMA = frozenset({"de", "es", "fr", "it", "nl", "pt", "ru"})
"""Languages that write a comma before decimals."""

_THOUSANDS = re.compile("(?<=\\d)[ .\u00a0\u202f](?=\\d{3}(?!\\d))")
_DECIMAL = re.compile(r"(?<=\d),(?=\d{1,2}(?!\d))")


def quantities(text: str, language: str = "en", hedged: bool = True) -> Iterator[Quantity]:
    """Find the quantities of a text: shares in words, whose numbers are found as well, then all others in order.

    Args:
        text: The text; numbers in words are English.
        language: Its language; some write 3,5 for 3.5, and 12 500 or 12.500 for 12,500.
        hedged: Whether "nearly" and the like widen a number.
    """
    text = with_plain_letters(text)
    if language in DECIMAL_COMMA:
        text = _DECIMAL.sub(".", _THOUSANDS.sub(",", text))
    lowered = text.replace("\u0130", "I").lower()  # as long as the text: in lower case, this letter is two
    places = [match.start() for match in _PLACE.finditer(lowered)]
    whole = list(_times(text))
    taken = {place for one in whole for place in range(one.start, one.end)}
    found = (_part(text, match, language) for match in _matches(_FRACTION, text, places) if match.start() not in taken)
    parts = [one for one in found if one]
    whole += [one for one in parts if not one.fraction]
    taken.update(place for one in whole for place in range(one.start, one.end))
    numbers = (match for match in _matches(_number(language), text, places) if match.end() - 1 not in taken)
    whole += [_read(text, match, language) for match in numbers]
    whole.sort(key=lambda one: one.start)
    for one in chain((part for part in parts if part.fraction), whole):
        yield _hedged(text, one, language) if hedged else one


@lru_cache(maxsize=64)
def quantities_of(sentence: str, language: str) -> tuple[Quantity, ...]:
    """Return the quantities of a sentence of a summary in order, for which several rules ask."""
    return tuple(sorted(quantities(sentence, language), key=lambda one: one.start))


def _matches(pattern: re.Pattern[str], text: str, places: Iterable[int]) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that begin at some places, those that overlap with the one before left out."""
    end = 0
    for place in places:
        match = pattern.match(text, place) if place >= end else None
        if match is not None:
            end = match.end()
            yield match


def _times(text: str) -> Iterator[Quantity]:
    """Read the times of day: "9 a.m.", "21:30", "9 Uhr"; without its half of the day, one has both readings."""
    for match in _TIME.finditer(text):
        if match["half"] or match["mark"] == ":":
            hour, past = int(match["hour"]), float(match["minute"] or 0)
            both = (0, 12) if 0 < hour <= 12 else (hour // 12 * 12,)
            halves = (0,) if match["before"] else (12,) if match["after"] else both
            written, end = hour + past / 60, match.end()
            readings = (Reading(written, CLOCK, (60.0 * (hour % 12 + half) + past) % A_DAY) for half in halves)
            yield Quantity(tuple(readings), written, match.start(), end, end)


def _part(text: str, match: re.Match[str], language: str) -> Quantity | None:
    """Read a fraction: of a unit or of a scale ("half an hour", "a quarter of a million"), or else a share."""
    share, start = _share(match), match.start()
    if share is None or ((match["of"] or "").isdecimal() and units_after(text, match.end(), language)[0]):
        return None  # "6-2 in 58 minutes"
    whole = _OF_ONE.match(text, match.end()) if not match["of"] else None
    if whole and (whole["one"] or match["half"]):
        scale = _SCALES.get((whole["scale"] or "").lower(), 0.0)
        units, end = units_after(text, whole.end() - (not scale), language)
        if scale or units:
            value, slack = share / 100 * (scale or 1.0), ROUND_SHARE / 100 * (scale or 1.0)
            readings = tuple(Reading(value, unit, value, slack, slack) for unit in units or (None,))
            return Quantity(readings, value, start, whole.end() if scale else end, max(end, whole.end()))
    before = _BEFORE_A_SHARE.search(text, max(0, start - _LONGEST_BEFORE), start)
    if not (match["half"] or match["of"] or before or _FOLLOWS_A_SHARE.match(text, match.end())):
        return None
    return Quantity((Reading(share, PERCENT, share),), share, start, match.end(), match.end(), fraction=True)


def _share(match: re.Match[str]) -> float | None:
    if match["half"]:
        return 50.0
    if match["of"]:
        written = match["of"].lower(), match["all"].lower()
        part, whole = (float(one) if one.isdecimal() else _VALUES.get(one, 0.0) for one in written)
        return 100 * part / whole if part < whole <= MOST_IN_A_SHARE else None
    return min(100.0, 100 * _VALUES.get(match["top"].lower(), 1) / _PARTS[match["part"].lower().removesuffix("s")])


@cache
def _scales(language: str) -> dict[str, float]:
    """Patterns of words for large numbers, with their values."""
    return {**_FOREIGN_SCALES.get(language, {}), **{f"{word}s?": size for word, size in _SCALES.items()}}


@cache
def _number(language: str) -> re.Pattern[str]:
    """Compile the pattern of a number in figures or in words."""
    large = "|".join(sorted(_scales(language), key=len, reverse=True))
    scale = rf"(?:(?:{large})\s)?(?:{large})(?![^\W_])(?:\.(?=\s?[^\W\d_]|\s?[{_SIGNS}]))?"
    return re.compile(
        rf"""(?P<sign>(?<![\w)\]%°.,'’{_SIGNS}-])[-−–]|\bminus\s)?
        (?P<currency>(?:(?:\b(?:US|[AC])(?=\$))?[{_SIGNS}]|\b(?:{_CODES})(?=\s?\d))\s?)?
        (?: (?(currency)|(?<![^\W_]))(?P<figures>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)
            (?:(?(currency)\s?|(?:\s(?=m{{1,2}}[{_SIGNS}]))?)(?P<short>{"|".join(filter(None, _SHORT))})(?![^\W_]))?
            (?P<ordinal>(?:st|nd|rd|th|['’]?s)(?![^\W_]))?
          | \b(?P<nth>(?:{"|".join(_TENS)})[\s-](?:{"|".join(_NTHS[:9])})|(?<!\ba[\s-])(?:{"|".join([*_NTH][2:])}))\b
          | \b(?P<words>(?:an?(?=\s(?:{_LARGE}|dozen|decade|century)\b)|{_UNDER_A_HUNDRED})
                (?:\s?[\s-]\s?(?:{_LARGE}|dozen)\b(?:\s?(?:[\s-]|and(?!\sthree[\s-]q))\s?{_UNDER_A_HUNDRED})?)*)
        )
        (?P<half>\s?[½¼¾]|[\s-]and[\s-](?:a[\s-](?:half|quarter)|three[\s-]quarters)\b)?
        (?:[\s-]?(?P<scale>{scale})|(?=\s?(?:[-–]|to|or)\s?\d[\d.,]*[\s-]?(?P<shared>{scale})))?
        """,
        re.IGNORECASE | re.VERBOSE,
    )


def _read(text: str, match: re.Match[str], language: str) -> Quantity:
    """Read a number."""
    parts = ("scale", "half", "short", "ordinal", "figures", "nth", "words")
    start, end = match.start(), max(match.end(name) for name in parts)
    first = symbols().get((match["currency"] or "").strip().upper(), ())
    units, unit_end = ((), end) if match["ordinal"] or match["nth"] else units_after(text, end, language, first)
    if words := match["nth"] or match["words"]:
        figure = _in_words(words.lower())
        rounding = next((scale / 2 for scale in _THOUSANDFOLD if figure >= scale and not figure % scale), 0.0)
    else:
        figures = match["figures"].replace(",", "")
        figure, rounding = float(figures), 0.5 * 10.0 ** -len(figures.partition(".")[2])
    figure += next((value for word, value in _ADDED.items() if (match["half"] or "").lower().endswith(word)), 0.0)
    scale = _scale(match["scale"] or match["shared"], language) * _SHORT[(match["short"] or "").lower()]
    readings = _readings(figure, scale, units, rounding, match["sign"])
    if (match["ordinal"] or "").lower().endswith("s") and not figure % 10:
        readings = (Reading(figure, None, figure, 0.0, 9.0),)
    if match["short"] and not match["currency"]:
        meters, meters_end = units_after(text, match.end("figures"), language)
        readings += _readings(figure, 1.0, meters, rounding, match["sign"]) if meters else ()
        unit_end = max(unit_end, meters_end)
    return Quantity(readings, figure, start, end, unit_end)


def _readings(
    figure: float, scale: float, units: tuple[Unit, ...], rounding: float, sign: str | None
) -> tuple[Reading, ...]:
    """All readings of a number. A sign tells in temperatures alone: a fall is one of 3 % or of −3 %."""
    return tuple(
        Reading(
            figure * scale,
            unit,
            -figure * scale if sign and unit is not None and unit.zero else figure * scale,
            rounding * scale,
            rounding * scale,
        )
        for unit in units or (None,)
    )


def _scale(written: str | None, language: str) -> float:
    """Read one or two words for large numbers: "mil millones"."""
    words = [word.rstrip(".") for word in (written or "").split()]
    scales = _scales(language).items()
    return math.prod(next(size for form, size in scales if re.fullmatch(form, word, re.I)) for word in words)


def _hedged(text: str, quantity: Quantity, language: str) -> Quantity:
    """Widen a number by what stands before it or after it."""
    before = _hedge(language).search(text, max(0, quantity.start - _LONGEST_HEDGE), quantity.start)
    hedge = before or _HEDGE_AFTER.match(text, quantity.unit_end)
    if hedge is None:
        return quantity
    more, less = bool(hedge["more"] or hedge["over"]), bool(hedge["less"])
    return replace(quantity, readings=tuple(_widened(reading, more, less) for reading in quantity.readings))


def _widened(reading: Reading, more: bool, less: bool) -> Reading:
    """Widen a reading upward, downward, or both ways."""
    share = NEARLY if more or less else ABOUT
    width = ABOUT_A_TIME if reading.unit is CLOCK else share * reading.value
    below, above = max(reading.below, width * (not more)), max(reading.above, width * (not less))
    return reading._replace(below=below, above=above)


@cache
def _hedge(language: str) -> re.Pattern[str]:
    more, less, around = (
        "|".join(words) for words in zip(*(_HEDGES[code] for code in ("en", language) if code in _HEDGES), strict=True)
    )
    return re.compile(
        rf"(?:\b(?:(?P<more>{more})|(?P<less>{less})|(?:{around}))\s+(?:an?\s)?|(?P<over>[>≥])\s?|[~≈]\s?)$",
        re.IGNORECASE,
    )


def _in_words(run: str) -> float:
    """Value of a number in words."""
    total = current = 0.0
    for word in re.split(r"[\s-]+", run):
        if word in _SCALES:
            current = max(current, 1.0) * _SCALES[word]
        if _SCALES.get(word, 0.0) >= 1000:
            total, current = total + current, 0.0
        current += (_VALUES | _NTH).get(word, float(word in ("a", "an")))
    return total + current
