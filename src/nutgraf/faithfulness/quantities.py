"""Quantities in a text: numbers in figures and in English words, with their units, as values that can be compared.

"3.5 million", "3,500,000" and "$3.5m" have one value, "a third" and "33 %" another, and 500 µg is 0.5 mg. A hedge
("nearly", "more than") widens a number.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache
from itertools import pairwise

from nutgraf.faithfulness.quantity import PERCENT, ROUND_SHARE, Quantity, Reading
from nutgraf.faithfulness.times import CLOCK, matches, times
from nutgraf.faithfulness.units import Unit, symbols, units_after
from nutgraf.text.clean import with_plain_letters
from nutgraf.text.stop_words import STOP_WORDS

MOST_IN_A_SHARE = 1000
"""Largest whole of a share such as "one in five"; beyond it stand years."""

NEARLY = 0.2
"""Share of its value by which a hedged number ("nearly", "more than") may differ to one side."""

ABOUT = 0.1
"""Share of its value by which a number after "about" may differ to both sides."""

AND_A_HALF = 0.125
"""How far from one and a half of a unit may be what is called so: six weeks are a month and a half."""

ABOUT_AN_HOUR, ABOUT_A_TIME = 30.0, 10.0
"""Minutes by which a hedged time of day may differ to both sides, on the hour and at other minutes."""

_UNITS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUES = {
    "zero": 0,
    **{word: value for value, word in enumerate(_UNITS.split(), 1)},
    **{word: value for value, word in zip(range(20, 100, 10), _TENS, strict=True)},
}
_PARTS = {"half": 2, "halve": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}

_ADDED = {"½": 0.5, "¼": 0.25, "¾": 0.75, "half": 0.5, "quarter": 0.25, "quarters": 0.75}
"""What may stand behind a number and be added to it: "two and a quarter"."""

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

_LONG_BILLION = 1e12
"""What "billion" may mean in other languages than English."""

_SHORT = {"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9, "tn": 1e12}
_SHORT_FOR_MONEY = {"": 1.0, **_SHORT, "mm": 1e6, "mio": 1e6, "b": 1e9, "md": 1e9, "mds": 1e9, "mrd": 1e9, "t": 1e12}

_SHORT_FORMS, _MONEY = ("|".join(filter(None, forms)) for forms in (_SHORT, _SHORT_FOR_MONEY))
_PARTS_OF_NUMBERS = ("scale", "half", "before_money", "money", "short", "figures", "words")

_SIGNS = "$£€¥₹₽₪₺₩"
_CODES = "USD|EUR|GBP|CHF|JPY|CNY|CAD|INR|ILS|AUD|NOK|SEK|DKK|KRW|MXN"
_WORD = "|".join([*sorted(_VALUES, key=len, reverse=True), *_SCALES])
_LARGE = "hundred|thousand|million|billion|trillion"
_RUN = rf"(?:{_WORD})\b(?:(?:[\s-]|\s-\s|\sand\s(?!three[\s-]quarters))(?:{_WORD})\b)*"
_FIGURES = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_DECADES = "|".join(f"{word[:-1]}ies" for word in _TENS)
_FRACTION = re.compile(
    r"\b(?P<top>an?|one|two|three|four|five|six|seven|eight|nine)[\s-](?P<part>thirds?|quarters?|fifths?|sixths?|eighths?|tenths?)\b"
    r"|(?<!first)(?<!second)(?<!first[\s-])(?<!second[\s-])(?<!first\s-\s)(?<!second\s-\s)(?<!and[\s-]a[\s-])(?<!each\s)(?<!either\s)"
    r"\b(?P<half>half)\b(?!\s?-?\s?time)"
    r"|\b(?P<of>one|two|three|four|five|six|seven|eight|nine|(?<![.,])[1-9])\s(?:in|out\sof)\s(?:every\s)?(?P<all>\w+)\b",
    re.IGNORECASE,
)
_ONE_AND_A_HALF = re.compile(r"\b(?:an?|one)\s(?P<unit>[^\W\d_]+)[\s-]and[\s-]a[\s-]half\b", re.IGNORECASE)
_PLACE = re.compile(
    rf"""[-−–{_SIGNS}\dabcdefghijkmnoqstuz](?:
        (?<=[{_SIGNS}])(?=\s?\d)
      | (?<![^\W_].)(?:
            (?<=\d) | (?<=[-−–])(?=\s?[\d{_SIGNS}])
          | (?<=a)n?\s(?=hundred|thousand|[bm]illion|trillion|dozen|third|quarter|fifth|sixth|eighth|tenth)
          | (?<=b)illion | (?<=d)ozen | (?<=e)(?:ight|leven) | (?<=f)(?:our|i[vf]|orty) | (?<=h)(?:al[fv]|undred)
          | (?<=m)(?:illion|id(?:day|night)|inus\s) | (?<=n)(?:ine|oon|egative\s) | (?<=o)ne | (?<=q)uarter
          | (?<=s)(?:ix|even) | (?<=t)(?:wo|en|we|h(?:ree|ir|ousand)|rillion) | (?<=z)ero
          | (?:(?<=u)sd|(?<=e)ur|(?<=g)bp|(?<=c)(?:hf|ny|ad)|(?<=j)py|(?<=i)(?:nr|ls)|(?<=a)ud|(?<=n)ok|(?<=s)ek
              |(?<=d)kk|(?<=k)rw|(?<=m)xn)\s?(?=\d)
          | (?:(?<=u)s|(?<=[ac]))\$(?=\s?\d)
        )
    )""",
    re.VERBOSE,
)
_COMPARED = frozenset(
    "bigger cheaper faster fewer greater heavier higher larger less lighter longer lower more shorter slower smaller "
    "stronger weaker".split()
)
"""What may follow a share: "a third less"."""

_AGE = re.compile(r"[\s-]an?\s(?:century|decade|generation)\b", re.IGNORECASE)
_NUMBER_AND = re.compile(rf"(?:\d|\b(?:{_WORD}))[\s-]and[\s-]$", re.IGNORECASE)
_LONGEST_NUMBER_AND = 15
"""Characters of "seventeen and "."""

_NEXT_WORD = re.compile(r"\s([^\W\d_]+)")
_OF_ONE = re.compile(rf"[\s-](?P<of>of\s)?(?P<one>an?\s)?(?:(?P<scale>{_LARGE}|dozen)\b)?", re.IGNORECASE)

_HEDGES = {
    "en": (
        "more than|over|at least|above|exceed(?:s|ed|ing)?|tops|topped|topping|upwards of|no (?:fewer|less) than",
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
    r"\s?(?P<above>\+)(?!\w)|\s(?:or|and)\s(?:(?P<more>more|over|above)|(?P<less>fewer|less)|so)\b"
)
_LONGEST_HEDGE = 24
_RANGE = re.compile(r"\s?[-–—]\s?|\s(?:to|bis|à|a)\s")
_BETWEEN = re.compile(r"\bbetween\s$", re.IGNORECASE)

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
    places = list(_places(text))
    whole = [_time_of_day(time.hour, time.minutes, *time.span) for time in times(text, places)]
    if "half" in text:
        found = (_one_and_a_half(text, match, language) for match in _ONE_AND_A_HALF.finditer(text))
        whole.extend(one for one in found if one)
    taken = {place for one in whole for place in range(one.start, one.end)}
    for match in matches(_FRACTION, text, places):
        part = None if match.start() in taken else _fraction(text, match, language)
        if part and part.fraction:
            yield _hedged(text, part, language) if hedged else part
        elif part:
            whole.append(part)
            taken.update(range(part.start, part.end))
    numbers = [
        one
        for match in matches(_number(language), text, places)
        if match.end() - 1 not in taken
        for one in _numbers(text, match, language)
    ]
    for one in _with_ranges(text, sorted([*whole, *numbers], key=lambda one: one.start)):
        yield _hedged(text, one, language) if hedged else one


def _places(text: str) -> Iterator[int]:
    """Places where a quantity may begin, so that the slower patterns are tried there only."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(letter.lower()[:1] for letter in text)
    for match in _PLACE.finditer(lowered):
        yield match.start()


@lru_cache(maxsize=64)
def quantities_of(sentence: str, language: str) -> tuple[Quantity, ...]:
    """Return the quantities of a sentence of a summary, for which several rules ask."""
    return tuple(quantities(sentence, language))


def _time_of_day(hour: float, minutes: tuple[float, ...], start: int, end: int) -> Quantity:
    return Quantity(tuple(Reading(hour, CLOCK, one) for one in minutes), hour, start, end, end)


def _fraction(text: str, match: re.Match[str], language: str) -> Quantity | None:
    """Read a fraction: of a unit or of a scale ("half an hour", "a quarter of a million"), or else a share."""
    share = _share(match)
    if share is None or _is_no_share(text, match, language):
        return None
    whole = _OF_ONE.match(text, match.end()) if not match["of"] else None
    if whole and bool(whole["of"]) <= bool(whole["one"]):
        scale = _SCALES.get((whole["scale"] or "").lower(), 0.0)
        units, end = units_after(text, whole.end() - (not scale), language)
        if scale or units:
            if not (match["half"] or whole["one"] or "quarter" in match["part"].lower()):
                return None  # "A third day" is an ordinal number.
            value, slack = share / 100 * (scale or 1.0), ROUND_SHARE / 100 * (scale or 1.0)
            readings = tuple(Reading(value, unit, value, slack, slack) for unit in units or (None,))
            return Quantity(readings, value, match.start(), whole.end() if scale else end, max(end, whole.end()))
    return Quantity((Reading(share, PERCENT, share),), share, match.start(), match.end(), match.end(), fraction=True)


def _is_no_share(text: str, match: re.Match[str], language: str) -> bool:
    """Return True for "6-2 in 58 minutes", for "half a century", and for the ordinal number in "a third seed"."""
    if match["of"]:
        return match["of"].isdecimal() and bool(units_after(text, match.end(), language)[0])
    if match["half"]:
        return bool(_AGE.match(text, match.end()))
    if "quarter" in match["part"].lower() and match["top"].lower() in ("a", "three"):
        before = max(0, match.start() - _LONGEST_NUMBER_AND)
        if _NUMBER_AND.search(text, before, match.start()):
            return True  # it belongs to the number: "two and a quarter hours"
    following = _NEXT_WORD.match(text, match.end())
    if following is None or match["top"].lower() not in ("a", "an") or match["part"].lower() in ("quarter", "quarters"):
        return False
    word = following[1].lower()
    if units_after(text, match.end(), language)[0] or word in STOP_WORDS["en"] or word in _COMPARED:
        return False
    return not word.endswith("ed")


def _one_and_a_half(text: str, match: re.Match[str], language: str) -> Quantity | None:
    """Read "a year and a half"."""
    units, end = units_after(text, match.start("unit") - 1, language)
    if not units or end != match.end("unit"):
        return None
    readings = tuple(Reading(1.5, unit, 1.5, AND_A_HALF, AND_A_HALF) for unit in units)
    return Quantity(readings, 1.5, match.start(), match.end(), match.end())


def _share(match: re.Match[str]) -> float | None:
    if match["half"]:
        return 50.0
    if match["of"]:
        part, whole = (_whole_number(match[name].lower()) for name in ("of", "all"))
        return 100 * part / whole if part < whole <= MOST_IN_A_SHARE else None
    top = _VALUES.get(match["top"].lower(), 1)
    return min(100.0, 100 * top / _PARTS[match["part"].lower().removesuffix("s")])


def _whole_number(written: str) -> float:
    """Value of a whole number in figures or in one word; 0 for other words."""
    return float(written) if written.isdecimal() else float(_VALUES.get(written, 0))


@cache
def _scales(language: str) -> dict[str, float]:
    """Patterns of words for large numbers, with their values."""
    return {**_FOREIGN_SCALES.get(language, {}), **{f"{word}s?": _SCALES[word] for word in _LARGE.split("|")}}


@cache
def _number(language: str) -> re.Pattern[str]:
    """Compile the pattern of a number in figures or in words."""
    large = "|".join(sorted(_scales(language), key=len, reverse=True))
    return re.compile(
        rf"""(?P<sign>(?<![\w)\]%°.,'’{_SIGNS}-])[-−–]|\b(?:minus|negative)\s)?
        (?P<currency>(?:(?:\b(?:US|[AC])(?=\$))?[{_SIGNS}]|\b(?:{_CODES})(?=\s?\d))\s?)?
        (?: (?(currency)|(?<![^\W_]))(?P<figures>{_FIGURES})
            (?: (?(currency)\s?(?P<money>{_MONEY})|(?P<short>{_SHORT_FORMS}))(?![^\W_])
              | \s?(?P<before_money>(?:{_MONEY})\.?)(?=\s?[{_SIGNS}])
            )?
            (?P<ordinal>(?:st|nd|rd|th|['’]?s)(?![^\W_]))?
          | \b(?P<words>(?:an?\s(?={_LARGE}|dozen))?{_RUN})
          | \b(?P<decade>{_DECADES})\b
        )
        (?P<half>\s?[½¼¾]|[\s-]and[\s-](?:a[\s-](?:half|quarter)|three[\s-]quarters)\b)?
        (?:[\s-]?(?P<scale>(?:(?:{large})\s)?(?:{large})(?![^\W_])(?:\.(?=\s?[^\W\d_]|\s?[{_SIGNS}]))?))?
        """,
        re.IGNORECASE | re.VERBOSE,
    )


def _numbers(text: str, match: re.Match[str], language: str) -> Iterator[Quantity]:
    """Read a number; a run of words may be several."""
    if match["decade"] or (match["ordinal"] or "").lower() in ("s", "'s", "’s"):
        yield _decade(match)
        return
    start, end = match.start(), max(match.end(name) for name in _PARTS_OF_NUMBERS)
    first = symbols()[0].get((match["currency"] or "").strip().upper(), ())
    units, unit_end = ((), match.end("ordinal")) if match["ordinal"] else units_after(text, end, language, first)
    more = next((value for word, value in _ADDED.items() if (match["half"] or "").lower().endswith(word)), 0.0)
    scales = _scale(match["scale"], language)
    if match["words"]:
        for number in _in_words(match["words"].lower()):
            readings = _readings(number + more, scales, units, _rounding(number), match["sign"])
            yield Quantity(readings, number + more, start, end, unit_end)
        return
    figures = match["figures"].replace(",", "")
    if not units and len(figures) == 2 and text[start - 1 : start] in ("'", "’"):  # "in March '25"
        value = float(figures)
        readings = tuple(Reading(one, None, one) for one in (value, 1900 + value, 2000 + value))
        yield Quantity(readings, value, start, end, end)
        return
    figure, rounding = float(figures) + more, 0.5 * 10.0 ** -len(figures.partition(".")[2])
    size = _SHORT_FOR_MONEY[(match["money"] or match["before_money"] or match["short"] or "").lower().rstrip(".")]
    readings = _readings(figure, tuple(scale * size for scale in scales), units, rounding, match["sign"])
    if match["short"] and (meters := units_after(text, match.end("figures"), language))[0]:
        readings += _readings(figure, (1.0,), meters[0], rounding, match["sign"])
        unit_end = max(unit_end, meters[1])
    yield Quantity(readings, figure, start, end, unit_end)


def _readings(
    figure: float, scales: tuple[float, ...], units: tuple[Unit, ...], rounding: float, sign: str | None
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
        for scale in scales
        for unit in units or (None,)
    )


def _decade(match: re.Match[str]) -> Quantity:
    """Read "the 1980s", "in her 30s" or "the eighties"; "30s" may be seconds, and "the 1900s" a century."""
    written = match["decade"] or match["figures"].replace(",", "")
    value = float(_VALUES[f"{written[:-3].lower()}y"] if match["decade"] else written)
    years = 0.0 if 100 <= value < 1000 or value % 10 else 9.0 if value % 100 else 99.0
    readings = [Reading(value, None, value, 0.0, years)]
    if 10 <= value < 100 and years:
        readings.append(Reading(1900 + value, None, 1900 + value, 0.0, years))
    if match["ordinal"] in ("s", "S") and value < 1000:
        (second,) = symbols()[0]["s"]
        readings.append(Reading(value, second, value, 0.5, 0.5))
    end = match.end("decade" if match["decade"] else "ordinal")
    return Quantity(tuple(readings), value, match.start(), end, end, decade=bool(years))


def _scale(written: str | None, language: str) -> tuple[float, ...]:
    """Read one or two words for large numbers ("mil millones"); outside English a billion may be 10¹²."""
    if not written:
        return (1.0,)
    value = 1.0
    for word in written.split():
        known = (
            size for form, size in _scales(language).items() if re.fullmatch(form, word.rstrip("."), re.IGNORECASE)
        )
        value *= next(known)
    is_long = language != "en" and re.fullmatch("billions?", written, re.IGNORECASE)
    return (value, _LONG_BILLION) if is_long else (value,)


def _rounding(value: float) -> float:
    """Half a unit of the last place of a number in words that is a multiple of a thousand."""
    return next((scale / 2 for scale in (1e12, 1e9, 1e6, 1e3) if value >= scale and value % scale == 0), 0.0)


def _with_ranges(text: str, found: list[Quantity]) -> Iterator[Quantity]:
    """Give the first number of a range the unit of the second, and its scale as a reading: "2 to 3 million euros"."""
    for one, after in pairwise([*found, None]):
        if one is None:
            continue
        if after is None or one.end != one.unit_end or one.is_time or not _is_range(text, one, after):
            yield one
            continue
        yield replace(one, readings=tuple(_in_range(one, after)))


def _is_range(text: str, one: Quantity, after: Quantity) -> bool:
    between = text[one.end : after.start]
    if between == " and ":
        return bool(_BETWEEN.search(text, max(0, one.start - 8), one.start))
    return bool(_RANGE.fullmatch(between))


def _in_range(one: Quantity, after: Quantity) -> Iterator[Reading]:
    for reading in one.readings:
        for other in after.readings:
            if other.unit is CLOCK:
                hour = reading.value % 12
                yield from (Reading(reading.value, CLOCK, 60 * hour + half) for half in (0.0, 720.0))
                continue
            scale = other.value / after.figure if after.figure else 1.0
            for size in dict.fromkeys((1.0, scale)):
                yield reading._replace(
                    value=reading.value * size,
                    amount=reading.amount * size,
                    unit=other.unit or reading.unit,
                    below=reading.below * size,
                    above=reading.above * size,
                )


def _hedged(text: str, quantity: Quantity, language: str) -> Quantity:
    """Widen a number by what stands before it or after it."""
    before = _hedge(language).search(text, max(0, quantity.start - _LONGEST_HEDGE), quantity.start)
    hedge = before or _HEDGE_AFTER.match(text, quantity.unit_end)
    if hedge is None or quantity.decade:
        return quantity
    more, less = bool(hedge["more"] or hedge["above"]), bool(hedge["less"])
    readings = tuple(
        _widened(reading, more or not less, less or not more, more != less) for reading in quantity.readings
    )
    return replace(quantity, readings=readings)


def _widened(reading: Reading, up: bool, down: bool, one_sided: bool) -> Reading:
    """Widen a reading; "more than 1,000" stands for whatever lies below the next number that is as round."""
    if reading.unit is CLOCK:
        minutes = ABOUT_A_TIME if reading.amount % 60 else ABOUT_AN_HOUR
        return reading._replace(below=minutes, above=minutes)
    width = reading.value * (NEARLY if one_sided else ABOUT)
    next_one = max(width, _place(reading.value)) if one_sided else width
    return reading._replace(
        below=max(reading.below, width) if down else reading.below,
        above=max(reading.above, next_one) if up else reading.above,
    )


def _place(value: float) -> float:
    """Value of the last place of a whole number that is no zero: 100 for 1,200."""
    if not value or value % 1:
        return 0.0
    place = 1.0
    while value % (10 * place) == 0:
        place *= 10
    return place


@cache
def _hedge(language: str) -> re.Pattern[str]:
    more, less, around = (
        "|".join(words) for words in zip(*(_HEDGES[code] for code in ("en", language) if code in _HEDGES), strict=True)
    )
    return re.compile(
        rf"(?:\b(?:(?P<more>{more})|(?P<less>{less})|(?:{around}))\s+(?:an?\s)?|(?P<above>[>≥])\s?|[~≈]\s?)$",
        re.IGNORECASE,
    )


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
