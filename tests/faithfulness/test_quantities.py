"""Quantities, by hand."""

from __future__ import annotations

import pytest

from nutgraf.faithfulness.quantities import Quantity, quantities


def values(text: str) -> list[tuple[tuple[float, ...], str]]:
    return [(one.values, one.unit) for one in quantities(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("900 tonnes", [((900.0,), "tonne")]),
        ("1,400 people", [((1400.0,), "")]),
        ("$3.5m", [((3_500_000.0,), "$")]),
        ("3.5 million pounds", [((3_500_000.0,), "£")]),
        ("two hundred and fifty thousand", [((250_000.0,), "")]),
        ("a hundred", [((100.0,), "")]),
        ("two dozen", [((24.0,), "")]),
        ("twenty-five", [((25.0,), "")]),
        ("twenty twenty", [((20.0,), ""), ((20.0,), "")]),
        ("33-year-old", [((33.0,), "year")]),
        ("the 22nd minute", [((22.0,), "")]),
        ("38 per cent", [((38.0,), "%")]),
        ("a 3-2 win", [((3.0,), ""), ((2.0,), "")]),
        ("a 400m race", [((400.0, 400_000_000.0), "")]),
    ],
)
def test_figures_and_words(text: str, expected: list[tuple[tuple[float, ...], str]]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(("text", "share"), [("half of it", 50.0), ("a third", 100 / 3), ("one in five", 20.0)])
def test_fractions_are_shares(text: str, share: float) -> None:
    first = next(quantities(text))
    assert (first.values, first.unit, first.fraction) == ((pytest.approx(share),), "%", True)


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
        ("about 100", "93", True),
        ("100", "93", False),
        ("a third", "32 %", True),
        ("a third", "38 %", False),
        ("a third", "33", False),  # 33 of what?
    ],
)
def test_a_number_covers_what_is_rounded_to_it(said: str, found: str, covered: bool) -> None:
    assert only(said).covers(only(found)) is covered
