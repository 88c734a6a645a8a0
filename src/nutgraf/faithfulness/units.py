"""Units of measurement and money: what each one measures, how large it is, and how it is written after a number.

One table says it all: "mmol/L" is read as a prefix, two rows and a stroke, so that what can be converted and what
cannot follows from the table, and no pair of units is named anywhere. Names are in English, German, French and Spanish;
symbols are the same in all languages.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from functools import cache
from itertools import product
from typing import NamedTuple

from nutgraf.faithfulness.words import plain

Dimension = tuple[tuple[str, int], ...]
"""What a unit measures: quantities with exponents, such as amount over the cube of length."""

_MICRO = "micro mikro", 1e-6
_PREFIXES = {
    "p": ("pico", 1e-12), "n": ("nano", 1e-9), "µ": _MICRO, "u": _MICRO, "mc": _MICRO, "m": ("milli mili", 1e-3),
    "c": ("centi zenti", 1e-2), "d": ("deci", 1e-1), "h": ("hecto", 1e2), "k": ("kilo", 1e3), "K": ("kilo", 1e3),
    "M": ("mega", 1e6), "G": ("giga", 1e9), "T": ("tera", 1e12),
}  # fmt: skip
"""Names and size of each prefix of a symbol."""

MOST_FACTORS = 3
"""Units that may follow the first one of a compound: "mg/kg/day" has two."""

_DAY = 86400
_YEAR = 365.25 * _DAY
_CELSIUS, _FAHRENHEIT = 273.15, 273.15 - 32 * 5 / 9
"""Where their zeros lie, in kelvins."""

_DEGREES = "degree de:grad fr:degre es:grado"
_OF_CELSIUS = "celsius centigrade degree_celsius degrees_celsius de:grad_celsius fr:degres_celsius es:grados_celsius"


class _Row(NamedTuple):
    """A unit, or several of one kind with prefixes.

    Names are plain words, separated by blanks, and their own blanks are underscores; endings stand behind bars; a name
    of one language alone stands behind its code: "metre de:meter|n" for "metres", and in German "Meter" and "Metern".
    """

    measures: str
    size: float
    prefixes: str
    symbols: str
    names: str
    zero: float = 0.0


_TABLE = (
    _Row("length", 1, "n µ m c d k", "m", "meter metre de:meter|n fr:metre es:metro"),
    _Row("length", 1609.344, "", "mi", "mile de:meile|n fr:mille es:milla"),
    _Row("length", 1852, "", "nmi NM", "nautical_mile de:seemeile|n"),
    _Row("length", 0.9144, "", "yd yds", "yard"),
    _Row("length", 0.3048, "", "ft", "foot feet de:fuß fr:pied es:pie"),
    _Row("length", 0.0254, "", "", "inch|es de:zoll fr:pouce es:pulgada"),
    _Row("length^2", 4046.856, "", "", "acre"),
    _Row("length^2", 10_000, "", "ha", "hectare de:hektar|en es:hectarea"),
    _Row("length^3", 0.001, "n u µ m c d h", "l L", "liter litre de:liter|n es:litro"),
    _Row("length^3", 0.003785412, "", "gal", "gallon"),
    _Row("length^3", 0.00454609, "", "", "gallon"),
    _Row("length^3", 0.158987, "", "bbl", "barrel"),
    _Row("length^3", 0.0000295735, "", "", "fluid_ounce fl_oz"),
    _Row("length time^-1", 0.44704, "", "mph", ""),
    _Row("length time^-1", 1 / 3.6, "", "kph kmh", ""),
    _Row("length time^-1", 1852 / 3600, "", "kn kt kts", "knot de:knoten"),
    _Row("mass", 0.001, "p n u µ mc m k", "g", "gram gramme de:gramm es:gramo"),
    _Row("mass", 1, "", "", "kilo"),
    _Row("mass", 1000, "", "t", "ton tonne metric_ton de:tonne|n es:tonelada"),
    _Row("mass", 907.18474, "", "", "ton short_ton"),
    _Row("mass", 0.45359237, "", "lb lbs", "pound"),
    _Row("mass", 0.02834952, "", "oz", "ounce de:unze|n"),
    _Row("time", 1, "n µ m", "s", "second sec de:sekunde|n fr:seconde es:segundo"),
    _Row("time", 60, "", "min", "minute min de:minute|n es:minuto"),
    _Row("time", 3600, "", "h", "hour hr de:stunde|n fr:heure es:hora"),
    _Row("time", _DAY, "", "", "day de:tag|e|en fr:jour es:dia"),
    _Row("time", 7 * _DAY, "", "", "week wk de:woche|n fr:semaine es:semana"),
    _Row("time", _YEAR / 12, "", "", "month de:monat|e|en fr:mois es:mes|es"),
    _Row("time", _YEAR, "", "", "year yr de:jahr|e|en fr:ans fr:annee es:ano"),
    _Row("time", 10 * _YEAR, "", "", "decade de:jahrzehnt|e|en fr:decennie es:decada"),
    _Row("time", 100 * _YEAR, "", "", "century centuries de:jahrhundert|e|en fr:siecle es:siglo"),
    _Row("time^-1", 1, "m k M G T", "Hz", "hertz"),
    _Row("time^-1", 1 / 60, "", "rpm", ""),
    _Row("beats", 1, "", "bpm", ""),
    _Row("temperature", 1, "", "", "kelvin"),
    _Row("temperature", 1, "", "°C ℃ °", f"{_OF_CELSIUS} {_DEGREES}", _CELSIUS),
    _Row("temperature", 5 / 9, "", "°F ℉ °", f"fahrenheit degrees_fahrenheit {_DEGREES}", _FAHRENHEIT),
    _Row("angle", 1, "", "°", _DEGREES),
    _Row("amount", 1, "p n u µ m k", "mol", "mole"),
    _Row("amount length^-3", 1000, "n u µ m", "M", ""),
    _Row("charge", 1, "m", "Eq", ""),
    _Row("activity", 1, "u µ m k", "IU U UI IE", "international_unit"),
    _Row("radioactivity", 1, "k M G T", "Bq", "becquerel"),
    _Row("dose", 1, "µ m", "Sv", "sievert"),
    _Row("dose", 1, "c m", "Gy", ""),
    _Row("power", 1, "m k M G T", "W", "watt"),
    _Row("power", 745.7, "", "hp", "horsepower"),
    _Row("energy", 1, "k M G", "J", "joule"),
    _Row("energy", 3600, "k M G T", "Wh", ""),
    _Row("energy", 4184, "", "kcal", "calorie kilocalorie de:kalorie|n es:caloria"),
    _Row("energy", 1.602177e-19, "k M G T", "eV", ""),
    _Row("voltage", 1, "m k", "V", "volt"),
    _Row("pressure", 1, "h k M", "Pa", "pascal"),
    _Row("pressure", 100_000, "m", "bar", ""),
    _Row("pressure", 133.322, "", "mmHg", ""),
    _Row("pressure", 6894.757, "", "psi", ""),
    _Row("loudness", 1, "", "dB", "decibel"),
    _Row("information", 8, "k K M G T", "B", "byte"),
    _Row("information", 1, "k M G T", "bit", "bit"),
    _Row("information time^-1", 1, "k M G T", "bps", ""),
    _Row("share", 1, "", "%", "percent percentage pct per_cent de:prozent fr:pour_cent es:por_ciento"),
    _Row("share", 0.1, "", "‰", "per_mille de:promille"),
    _Row("share", 0.01, "", "", "basis_point"),
    _Row("share", 0.0001, "", "ppm", ""),
    _Row("share", 0.0000001, "", "ppb", ""),
    _Row("dollars", 1, "", "$ US$ A$ C$ USD AUD CAD", "dollar us_dollar de:us_dollar es:dolar|es"),
    _Row("dollars", 0.01, "", "¢", "cent"),
    _Row("euros", 1, "", "€ EUR", "euro"),
    _Row("euros", 0.01, "", "", "cent"),
    _Row("pounds", 1, "", "£ GBP", "pound quid de:pfund es:libra"),
    _Row("pounds", 0.01, "", "", "pence penny"),
    _Row("mass", 0.5, "", "", "de:pfund"),
    _Row("yen", 1, "", "¥ JPY", "yen"),
    _Row("yuan", 1, "", "¥ CNY RMB", "yuan renminbi"),
    _Row("rupees", 1, "", "₹ INR Rs", "rupee"),
    _Row("roubles", 1, "", "₽ RUB", "ruble rouble de:rubel"),
    _Row("francs", 1, "", "CHF", "franc de:franken"),
    _Row("kronor", 1, "", "SEK", "krona kronor"),
    _Row("kroner", 1, "", "NOK DKK", "krone kroner de:kronen"),
    _Row("pesos", 1, "", "MXN", "peso"),
    _Row("shekels", 1, "", "₪ ILS", "shekel"),
    _Row("lira", 1, "", "₺ TRY", "lira liras"),
    _Row("won", 1, "", "₩ KRW", ""),
)

_GAP = re.compile(r"[\s‑-]?(?:d['’]|d[ei]\s)?")
_FACTOR = re.compile(
    r"(?:(?P<square>(?:square|sq\.?)\s|quadrat)|(?P<cubic>(?:cubic|cu\.?)\s|kubik))?"
    r"(?P<word>°\s?[CF](?![^\W_])|(?:US|[AC])?\$|[%‰°℃℉£€¥₹₽₪₺₩¢]|[^\W\d_¹²³]+(?![^\W\d_¹²³]|\.[^\W\d_]))"
    r"(?P<second>[\s‑-][^\W\d_]+(?![^\W_]))?",
    re.IGNORECASE,
)
_POWER = re.compile(r"(?P<minus>[⁻−-])?\^?(?P<power>[¹²³123])(?!\w)")
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
    pairs = (one, other), (one.counted, other), (one, other.counted)
    return next(((mine, its) for mine, its in pairs if mine and its and mine.dimension == its.dimension), None)


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
    found, end = (first, start) if first else _factor(text, gap.end() if gap else start, language)
    for _ in range(MOST_FACTORS if found else 0):
        join = _JOIN.match(text, end)
        further, stop = _factor(text, join.end(), language) if join else ((), end)
        inverse = all(power < 0 for one in further for _, power in one.dimension)
        if not join or not further or not (join["per"] or inverse):
            break
        below = further if join["per"] else tuple(one.raised(-1) for one in further)
        found, end = tuple(one.over(other) for one, other in product(found, below)), stop
    return (found, end) if found else ((), start)


def _factor(text: str, start: int, language: str) -> tuple[Units, int]:
    """Read one unit with its power."""
    match = _FACTOR.match(text, start)
    if match is None:
        return (), start
    known, end = names(language), match.end("word")
    found = symbols().get(match["word"].replace("μ", "µ").replace("° ", "°")) or known.get(_folded(match["word"]), ())
    if match["second"] and (longer := known.get(_folded(match["word"], match["second"][1:]))):
        found, end = longer, match.end("second")
    power = 2 if match["square"] else 3 if match["cubic"] else 1
    if mark := _POWER.match(text, end):
        power = int(unicodedata.digit(mark["power"])) * (-1 if mark["minus"] else 1)
        end = mark.end()
    if not found or text[end : end + 1].isdecimal():
        return (), start
    return tuple(one.raised(power) for one in found), end


@cache
def symbols() -> dict[str, Units]:
    """All symbols, with their prefixes."""
    found: dict[str, list[Unit]] = defaultdict(list)
    for row in _TABLE:
        for symbol, prefix in product(row.symbols.split(), ["", *row.prefixes.split()]):
            size = row.size * _PREFIXES.get(prefix, ("", 1.0))[1]
            found[prefix + symbol].append(Unit(_dimension_of(row.measures), size, row.zero))
    return {symbol: tuple(units) for symbol, units in found.items()}


@cache
def names(language: str) -> dict[str, Units]:
    """All names in a language and in English, as plain words with blanks between them, with their prefixes."""
    found: dict[str, dict[Unit, None]] = defaultdict(dict)
    for row in _TABLE:
        prefixes = (_PREFIXES[prefix] for prefix in row.prefixes.split())
        scales = {"": 1.0, **{name: size for written, size in prefixes for name in written.split()}}
        for written, (prefix, size) in product(row.names.split(), scales.items()):
            code, _, forms = written.rpartition(":")
            stem, *endings = forms.split("|")
            for ending in ["", *endings] if code in ("", language) else ():
                unit = Unit(_dimension_of(row.measures), row.size * size, row.zero)
                found[_folded(*(prefix + stem + ending).split("_"))][unit] = None
    return {name: tuple(units) for name, units in found.items()}


def _folded(*words: str) -> str:
    return " ".join(map(plain, words))


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
