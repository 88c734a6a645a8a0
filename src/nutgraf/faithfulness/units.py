"""Units of measurement and money: what each one measures, how large it is, and how it is written after a number.

One table says it all: "mmol/L" is read as a prefix, two rows and a stroke, so that what can be converted and what
cannot follows from the table, and no pair of units is named anywhere. Names are in English, German, French and Spanish;
symbols are the same in all languages.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

Dimension = tuple[tuple[str, int], ...]
"""What a unit measures: quantities with exponents, such as amount over the cube of length."""

_PREFIXES = {
    "p": 1e-12, "n": 1e-9, "µ": 1e-6, "u": 1e-6, "mc": 1e-6, "m": 1e-3, "c": 1e-2, "d": 1e-1,
    "h": 1e2, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12,
}  # fmt: skip
_PREFIX_NAMES = {
    "pico": 1e-12, "piko": 1e-12, "nano": 1e-9, "micro": 1e-6, "mikro": 1e-6, "milli": 1e-3, "mili": 1e-3,
    "centi": 1e-2, "zenti": 1e-2,
    "deci": 1e-1, "dezi": 1e-1, "hecto": 1e2, "hekto": 1e2, "kilo": 1e3, "mega": 1e6, "giga": 1e9,
    "tera": 1e12,
}  # fmt: skip

MOST_FACTORS = 3
"""Units that may follow the first one of a compound: "mg/kg/day" has two."""

_DAY = 86400
_YEAR = 365.25 * _DAY
_CELSIUS, _FAHRENHEIT = 273.15, 273.15 - 32 * 5 / 9
"""Where their zeros lie, in kelvins."""

_DEGREES = "degree|s de:grad fr:degre|s es:grado|s"
_CELSIUS_NAMES = (
    "celsius centigrade degree|s_celsius degree|s_c deg_c de:grad_celsius fr:degre|s_celsius es:grado|s_celsius"
)


class _Row(NamedTuple):
    """A unit, or several of one kind with prefixes.

    Names are separated by blanks, and their own blanks are underscores; endings stand behind bars; a name of one
    language alone stands behind its code: "metre|s de:meter|n" for "metre", "metres", and in German "Meter", "Metern".
    """

    measures: str
    size: float
    prefixes: str
    symbols: str
    names: str
    zero: float = 0.0


_TABLE = (
    _Row("length", 1, "n µ m c d k", "m", "meter|s metre|s de:meter|n fr:metre|s es:metro|s"),
    _Row("length", 1609.344, "", "mi", "mile|s de:meile|n fr:mille|s es:milla|s"),
    _Row("length", 1852, "", "nmi NM", "nautical_mile|s de:seemeile|n"),
    _Row("length", 0.9144, "", "yd yds", "yard|s"),
    _Row("length", 0.3048, "", "ft", "foot feet de:fuß fr:pied|s es:pie|s"),
    _Row("length", 0.0254, "", "", "inch|es de:zoll fr:pouce|s es:pulgada|s"),
    _Row("length^2", 4046.856, "", "", "acre|s"),
    _Row("length^2", 10_000, "", "ha", "hectare|s de:hektar|en es:hectarea|s"),
    _Row("length^3", 0.001, "n u µ m c d h", "l L", "liter|s litre|s de:liter|n es:litro|s"),
    _Row("length^3", 0.003785412, "", "gal", "gallon|s"),
    _Row("length^3", 0.00454609, "", "", "gallon|s"),
    _Row("length^3", 0.158987, "", "bbl", "barrel|s"),
    _Row("length time^-1", 0.44704, "", "mph", ""),
    _Row("length time^-1", 1 / 3.6, "", "kph kmh", ""),
    _Row("length time^-1", 1852 / 3600, "", "kn kt kts", "knot|s de:knoten"),
    _Row("mass", 0.001, "p n u µ mc m k", "g", "gram|s gramme|s de:gramm es:gramo|s"),
    _Row("mass", 1, "", "", "kilo|s"),
    _Row("mass", 1000, "", "t", "ton|s tonne|s metric_ton|s de:tonne|n es:tonelada|s"),
    _Row("mass", 907.18474, "", "", "ton|s short_ton|s"),
    _Row("mass", 1016.047, "", "", "ton|s long_ton|s"),
    _Row("mass", 0.45359237, "", "lb lbs", "pound|s"),
    _Row("mass", 0.02834952, "", "oz", "ounce|s de:unze|n"),
    _Row("time", 1, "n µ m", "s", "second|s sec|s de:sekunde|n fr:seconde|s es:segundo|s"),
    _Row("time", 60, "", "min", "minute|s min|s de:minute|n es:minuto|s"),
    _Row("time", 3600, "", "h", "hour|s hr|s de:stunde|n fr:heure|s es:hora|s"),
    _Row("time", _DAY, "", "", "day|s de:tag|e|en|s fr:jour|s es:dia|s"),
    _Row("time", 7 * _DAY, "", "", "week|s wk|s de:woche|n fr:semaine|s es:semana|s"),
    _Row("time", _YEAR / 12, "", "", "month|s de:monat|e|en|s fr:mois es:mes|es"),
    _Row("time", _YEAR, "", "", "year|s yr|s de:jahr|e|en|s fr:ans fr:annee|s es:ano|s"),
    _Row("time", 10 * _YEAR, "", "", "decade|s de:jahrzehnt|e|en fr:decennie|s es:decada|s"),
    _Row("time^-1", 1, "m k M G T", "Hz", "hertz"),
    _Row("time^-1", 1 / 60, "", "rpm", ""),
    _Row("beats", 1, "", "bpm", ""),
    _Row("temperature", 1, "", "", "kelvin|s"),
    _Row("temperature", 1, "", "°C ℃ °", f"{_CELSIUS_NAMES} {_DEGREES}", _CELSIUS),
    _Row(
        "temperature", 5 / 9, "", "°F ℉ °", f"fahrenheit degree|s_fahrenheit degree|s_f deg_f {_DEGREES}", _FAHRENHEIT
    ),
    _Row("angle", 1, "", "°", _DEGREES),
    _Row("amount", 1, "p n u µ m k", "mol", "mole|s"),
    _Row("amount length^-3", 1000, "n u µ m", "M", ""),
    _Row("charge", 1, "m", "Eq", ""),
    _Row("activity", 1, "u µ m k", "IU U UI IE", "international_unit|s"),
    _Row("radioactivity", 1, "k M G T", "Bq", "becquerel|s"),
    _Row("dose", 1, "µ m", "Sv", "sievert|s"),
    _Row("dose", 1, "c m", "Gy", ""),
    _Row("power", 1, "m k M G T", "W", "watt|s"),
    _Row("power", 745.7, "", "hp", "horsepower"),
    _Row("energy", 1, "k M G", "J", "joule|s"),
    _Row("energy", 3600, "k M G T", "Wh", ""),
    _Row("energy", 4184, "", "kcal", "calorie|s kilocalorie|s de:kalorie|n es:caloria|s"),
    _Row("energy", 1.602177e-19, "k M G T", "eV", ""),
    _Row("voltage", 1, "m k", "V", "volt|s"),
    _Row("pressure", 1, "h k M", "Pa", "pascal|s"),
    _Row("pressure", 100_000, "m", "bar", ""),
    _Row("pressure", 133.322, "", "mmHg", ""),
    _Row("pressure", 6894.757, "", "psi", ""),
    _Row("loudness", 1, "", "dB", "decibel|s"),
    _Row("information", 8, "k K M G T", "B", "byte|s"),
    _Row("information", 1, "k M G T", "bit", "bit|s"),
    _Row("information time^-1", 1, "k M G T", "bps", ""),
    _Row("share", 1, "", "%", "percent percentage pct per_cent de:prozent fr:pour_cent es:por_ciento"),
    _Row("share", 0.1, "", "‰", "per_mille de:promille"),
    _Row("share", 0.01, "", "", "basis_point|s"),
    _Row("share", 0.0001, "", "ppm", ""),
    _Row("share", 0.0000001, "", "ppb", ""),
    _Row("dollars", 1, "", "$ US$ A$ C$ USD AUD CAD", "dollar|s us_dollar|s de:us_dollar es:dolar|es"),
    _Row("dollars", 0.01, "", "¢", "cent|s"),
    _Row("euros", 1, "", "€ EUR", "euro|s"),
    _Row("euros", 0.01, "", "", "cent|s"),
    _Row("pounds", 1, "", "£ GBP", "pound|s quid de:pfund es:libra|s"),
    _Row("pounds", 0.01, "", "", "pence penny"),
    _Row("mass", 0.5, "", "", "de:pfund"),
    _Row("yen", 1, "", "¥ JPY", "yen"),
    _Row("yuan", 1, "", "¥ CNY RMB", "yuan renminbi"),
    _Row("rupees", 1, "", "₹ INR Rs", "rupee|s"),
    _Row("roubles", 1, "", "₽ RUB", "ruble|s rouble|s de:rubel"),
    _Row("francs", 1, "", "CHF", "franc|s de:franken"),
    _Row("kronor", 1, "", "SEK", "krona kronor"),
    _Row("kroner", 1, "", "NOK DKK", "krone kroner de:kronen"),
    _Row("pesos", 1, "", "MXN", "peso|s"),
    _Row("shekels", 1, "", "₪ ILS", "shekel|s"),
    _Row("lira", 1, "", "₺ TRY", "lira liras"),
    _Row("won", 1, "", "₩ KRW", ""),
)

_GAP = re.compile(r"[\s‑-]?(?:d['’]|d[ei]\s)?")
_BEFORE = re.compile(r"(?:(?P<square>square|sq\.?)|cubic|cu\.?)[\s-]|(?P<quadrat>quadrat)|kubik", re.IGNORECASE)
_WORD = re.compile(
    r"°\s?[CF](?![^\W_])|(?:US|[AC])?\$|[%‰°℃℉£€¥₹₽₪₺₩¢]|(?P<letters>[^\W\d_¹²³]+)(?![^\W\d_¹²³]|\.[^\W\d_])"
)
_SECOND_WORD = re.compile(r"[\s‑-]([^\W\d_]+)(?![^\W_])")
_POWER = re.compile(r"(?P<minus>⁻)?(?P<raised>[¹²³])|\^?(?P<plain>[23])(?!\w)|(?P<inverse>[-−][123])(?!\w)")
_AFTER = re.compile(r"\s(?:(?P<square>carr[ée]e?s?|cuadrad[oa]s?)|cubes?|c[úu]bic[oa]s?)\b", re.IGNORECASE)
_JOIN = re.compile(r"(?P<per>\s?/\s?|[\s-](?:per|an?|each|every|pro|par|por)[\s-])|\s?[·⋅]\s?|\s", re.IGNORECASE)

_SPEED = (("length", 1), ("time", -1))


class Unit(NamedTuple):
    """A unit, by what it measures.

    Attributes:
        dimension: What it measures.
        size: How large it is, in the base unit of the dimension.
        zero: Where its zero lies, in the base unit; other than 0 for temperatures.
        counted: Of a unit such as "mg per day" what stands before the stroke, which may stand alone; None for others.
    """

    dimension: Dimension
    size: float
    zero: float = 0.0
    counted: Unit | None = None

    def over(self, other: Unit) -> Unit:
        """Return this unit per another one. A speed is no length, so its time cannot be left out."""
        dimension = _dimension(dict(self.dimension), {name: -power for name, power in other.dimension})
        counted = None if dimension == _SPEED else self.counted or self
        return Unit(dimension, self.size / other.size, 0.0, counted)

    def raised(self, power: int) -> Unit:
        """Return a power of this unit."""
        if power == 1:
            return self
        return Unit(tuple((name, power * one) for name, one in self.dimension), self.size**power)


Units = tuple[Unit, ...]
"""What a unit may be: a pound is money or a weight."""


def comparable(one: Unit, other: Unit) -> tuple[Unit, Unit] | None:
    """Return two units as far as they can be compared ("mg per day" with "mg" as "mg"), None if they cannot."""
    if one.dimension == other.dimension:
        return one, other
    if (one.counted is None) == (other.counted is None):
        return None
    one, other = one.counted or one, other.counted or other
    return (one, other) if one.dimension == other.dimension else None


def is_multiple(one: Unit, other: Unit) -> bool:
    """Return True if one of two units is a whole number of the other, so that nobody rounds when converting them."""
    ratio = max(one.size, other.size) / min(one.size, other.size)
    return one.zero == other.zero and abs(ratio - round(ratio)) < 1e-9 * ratio


def units_after(text: str, start: int, language: str = "en", first: Units = ()) -> tuple[Units, int]:
    """Read the unit that stands after a number.

    >>> units_after("5 mg/dL of it", 1)[1], units_after("5 loaves", 1)
    (7, ((), 1))

    Args:
        text: The text.
        start: Character after the number.
        language: Language of the names; English and symbols are always known.
        first: The unit, if it stands before the number ("$5 a day"); what it is per is read.

    Returns:
        What it may be, nothing if there is no unit, and the character after it.
    """
    gap = _GAP.match(text, start)
    found, end = (first, start) if first else _factor(text, gap.end() if gap else start, language, 1)
    if not found:
        return (), start
    for _ in range(MOST_FACTORS):
        join = _JOIN.match(text, end)
        if join is None:
            break
        further, stop = _factor(text, join.end(), language, 2)
        if not further:
            break
        if join["per"]:
            found = tuple(one.over(other) for one, other in product(found, further))
        elif all(power < 0 for one in further for _, power in one.dimension):
            found = tuple(one.over(other.raised(-1)) for one, other in product(found, further))
        else:
            break
        end = stop
    return found, end


def _factor(text: str, start: int, language: str, place: int) -> tuple[Units, int]:
    """Read one unit with its power."""
    before = _BEFORE.match(text, start)
    word = _WORD.match(text, before.end() if before else start)
    if word is None:
        return (), start
    found, end = _known(word[0], language), word.end()
    second = _SECOND_WORD.match(text, end) if word["letters"] else None
    if second and (longer := names(language).get(_plain(f"{word[0]} {second[1]}"))):
        found, end = longer, second.end()
    if not found:
        return (), start
    power = 1
    if before:
        power = 2 if before["square"] or before["quadrat"] else 3
    elif (mark := _POWER.match(text, end)) and not (place == 1 and mark["inverse"]):
        power, end = _power(mark), mark.end()
    elif after := _AFTER.match(text, end):
        power, end = 2 if after["square"] else 3, after.end()
    if text[end : end + 1].isdecimal():
        return (), start
    return tuple(one.raised(power) for one in found), end


def _power(mark: re.Match[str]) -> int:
    if mark["raised"]:
        return ("¹²³".index(mark["raised"]) + 1) * (-1 if mark["minus"] else 1)
    return int(mark["plain"]) if mark["plain"] else -int(mark["inverse"][1:])


def _known(word: str, language: str) -> Units:
    exact, loose = symbols()
    word = word.replace("μ", "µ").replace("° ", "°")
    return exact.get(word) or names(language).get(_plain(word)) or loose.get(word.lower(), ())


@cache
def symbols() -> tuple[dict[str, Units], dict[str, Units]]:
    """All symbols, and in lower case those of two letters or more that case does not tell apart: "KM" is "km"."""
    found: dict[str, list[Unit]] = defaultdict(list)
    for row in _TABLE:
        for symbol in row.symbols.split():
            for prefix in ["", *row.prefixes.split()]:
                unit = Unit(_dimension_of(row.measures), row.size * _PREFIXES.get(prefix, 1.0), row.zero)
                found[prefix + symbol].append(unit)
    exact = {symbol: tuple(units) for symbol, units in found.items()}
    lowered = Counter(symbol.lower() for symbol in exact)
    loose = {
        symbol.lower(): units for symbol, units in exact.items() if len(symbol) > 1 and lowered[symbol.lower()] == 1
    }
    return exact, loose


@cache
def names(language: str) -> dict[str, Units]:
    """All names in a language and in English, in lower case and without accents."""
    found: dict[str, list[Unit]] = defaultdict(list)
    for row in _TABLE:
        dimension = _dimension_of(row.measures)
        prefixes = {_PREFIXES[prefix] for prefix in row.prefixes.split()}
        scales = [("", 1.0), *((name, size) for name, size in _PREFIX_NAMES.items() if size in prefixes)]
        for name, (prefix, size) in product(dict.fromkeys(_forms(row.names, language)), scales):
            found[prefix + name].append(Unit(dimension, row.size * size, row.zero))
    return {name: tuple(units) for name, units in found.items()}


def _forms(written: str, language: str) -> Iterator[str]:
    """All forms of the names in a row."""
    for one in written.split():
        code, _, name = one.rpartition(":")
        if code in ("", language):
            words = [part.split("|") for part in name.split("_")]
            yield from map(" ".join, product(*([stem, *(stem + end for end in ends)] for stem, *ends in words)))


def _plain(word: str) -> str:
    """A word in lower case, without accents."""
    lowered = word.lower()
    if lowered.isascii():
        return lowered
    return "".join(letter for letter in unicodedata.normalize("NFD", lowered) if not unicodedata.combining(letter))


@cache
def _dimension_of(measures: str) -> Dimension:
    """Read what a row measures: "amount length^-3"."""
    parts = (part.partition("^") for part in measures.split())
    return _dimension({name: int(power or 1) for name, _, power in parts})


def _dimension(*parts: dict[str, int]) -> Dimension:
    total: Counter[str] = Counter()
    for part in parts:
        for name, power in part.items():
            total[name] += power
    return tuple(sorted((name, power) for name, power in total.items() if power))
