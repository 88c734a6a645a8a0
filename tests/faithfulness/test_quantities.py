"""Quantities, by hand."""

from __future__ import annotations

import pytest

from nutgraf.faithfulness.quantities import quantities
from nutgraf.faithfulness.quantity import PERCENT, Quantity
from nutgraf.faithfulness.units import Unit, comparable, units_after


def values(text: str) -> list[tuple[tuple[float, ...], str]]:
    """Values of the quantities of a text, and the units as they are written there."""
    return [(one.values, text[one.end : one.unit_end].strip(" -")) for one in quantities(text)]


def unit(name: str, language: str = "en") -> tuple[Unit, ...]:
    found, end = units_after(f"5 {name}", 1, language)
    assert end == len(f"5 {name}"), f"{name} is read in part"
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("900 tonnes", [((900.0,), "tonnes")]),
        ("1,400 people", [((1400.0,), "")]),
        ("$3.5m", [((3_500_000.0,), "")]),
        ("3.5 million pounds", [((3_500_000.0,), "pounds")]),
        ("two hundred and fifty thousand", [((250_000.0,), "")]),
        ("a hundred", [((100.0,), "")]),
        ("two dozen", [((24.0,), "")]),
        ("twenty-five", [((25.0,), "")]),
        ("twenty twenty", [((20.0,), ""), ((20.0,), "")]),
        ("a hundred and one thousand two hundred", [((101_200.0,), "")]),
        ("2–3 million people", [((2_000_000.0,), ""), ((3_000_000.0,), "")]),
        ("33-year-old", [((33.0,), "year")]),
        ("the 22nd minute", [((22.0,), "")]),
        ("38 per cent", [((38.0,), "per cent")]),
        ("a 3-2 win", [((3.0,), ""), ((2.0,), "")]),
        ("two and a half hours", [((2.5,), "hours")]),
        ("half a million", [((500_000.0,), "")]),
        ("US$5 a day", [((5.0,), "a day")]),
        ("NOK 4.2 million, USD5m", [((4_200_000.0,), ""), ((5_000_000.0,), "")]),
        ("at 9:30 p.m.", [((9.5,), "")]),
        ("a 400m race", [((400_000_000.0, 400.0), "")]),
    ],
)
def test_figures_and_words(text: str, expected: list[tuple[tuple[float, ...], str]]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(
    ("text", "share"),
    [("half of it", 50.0), ("a third", 100 / 3), ("one in five", 20.0), ("1 in 3 cases", 100 / 3), ("9 out of 10", 90)],
)
def test_fractions_are_shares(text: str, share: float) -> None:
    first = next(quantities(text))
    [reading] = first.readings
    assert (reading.value, reading.unit, first.fraction) == (pytest.approx(share), PERCENT, True)


def only(text: str) -> Quantity:
    (one,) = quantities(text)
    return one


@pytest.mark.parametrize(
    ("said", "found", "covered"),
    [
        ("1.2 million", "1,234,567", True),  # 1.15 to 1.25 million is rounded to it
        ("1.2 million", "1,260,000", False),
        ("nearly 300", "287", True),
        ("nearly 300", "310", False),
        ("more than 300", "310", True),
        ("tops 300", "319.97", True),
        ("about 100", "93", True),
        ("100", "93", False),
        ("a third", "32 %", True),
        ("a third", "38 %", False),
        ("a third", "33", False),  # 33 of what?
        ("more than 1,200", "1,900", False),
        ("the 1980s", "1987", True),
        ("the 1980s", "1990", False),
        ("1987", "the 1980s", False),
        ("0.5 mg", "500 µg", True),
        ("1 hour", "60 minutes", True),
        ("62 miles", "100 km", True),  # 62.14 miles
        ("70 miles", "100 km", False),
        ("86 °F", "30 °C", True),
        ("-20 °C", "20 °C", False),
        ("-3 %", "3 %", True),  # "a fall of 3 %"
        ("200 lb", "200 pounds", True),  # a weight, or money
        ("£200", "200 pounds", True),
        ("£200", "200 lb", False),
        ("30 degrees", "30 °F", True),
        ("400 mg", "400 mg per day", True),
        ("400 mg/kg", "400 mg per day", False),
        ("50 km", "50 km/h", False),  # a speed is no length
        ("9 a.m.", "9:00", True),
        ("9 a.m.", "21:00", False),
        ("about 9 a.m.", "9:20 a.m.", True),
        ("half an hour", "30 minutes", True),
        ("$3B", "3 billion dollars", True),
    ],
)
def test_a_number_covers_what_is_rounded_to_it(said: str, found: str, covered: bool) -> None:
    assert only(said).covers(only(found)) is covered


@pytest.mark.parametrize(
    ("written", "same", "language"),
    [
        ("mmol/L", "mmol L⁻¹", "en"),
        ("km²", "square kilometres", "en"),
        ("Quadratkilometer", "km2", "de"),
        ("mcg", "μg", "en"),
        ("km", "Kilometern", "de"),
        ("US-Dollar", "dólares", "es"),
        ("degrees Celsius", "° C", "en"),
        ("mph", "miles per hour", "en"),
    ],
)
def test_a_unit_may_be_written_in_many_ways(written: str, same: str, language: str) -> None:
    assert unit(written, language) == unit(same, language)


def test_units_follow_from_their_parts() -> None:
    """1 mmol/L is 1 mol/m³: a millimole is 0.001 mol, and a litre 0.001 m³."""
    [millimolar], [gram_per_decilitre] = unit("mmol/L"), unit("g/dL")
    assert millimolar.dimension == (("amount", 1), ("length", -3))
    assert millimolar.size == pytest.approx(1.0)
    assert gram_per_decilitre.size == pytest.approx(10.0)
    assert comparable(millimolar, gram_per_decilitre) is None


@pytest.mark.parametrize("text", ["5 loaves", "5 U.S. states", "4 squares", "12 PM", "5 m2x"])
def test_what_is_no_unit(text: str) -> None:
    start = text.index(" ")
    assert units_after(text, start) == ((), start)


def test_letters_and_digits_together_are_no_number() -> None:
    assert values("The trial NCT01234567 of B12 ended.") == []


@pytest.mark.parametrize("text", ["1 in 2015", "3 in 1", "2.3 in 5"])
def test_figures_before_in_that_are_no_share(text: str) -> None:
    assert not any(one.fraction for one in quantities(text))
