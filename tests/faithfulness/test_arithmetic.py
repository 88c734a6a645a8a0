"""Numbers that a summary works out from two of its sources, by hand."""

from __future__ import annotations

import pytest

import nutgraf

LANDINGS = "Landings fell from 5,200 tonnes in 1998 to 940 tonnes in 2023."
"""A fall of 4,260 tonnes, which is 81.9 % of 5,200."""

SHIP = "The ship can carry 420 passengers, and 214 were on board."
"""214 of 420 are 51 %, and together they are 634."""

SENTENCE = "He was jailed for two years and eight months."
COST = "The repair costs £240,000, of which the county pays a quarter."
PROFIT = "Profit fell to £27.1 million from £34.8 million."
"""The fall is one of £7.7 million, and of 22 %."""

REVENUE = "Revenue rose to 48.6 million euros, from 43.4 million euros a year earlier."
UNIT_ONCE = "Revenue rose from 43.4 million to 48.6 million euros."
"""A rise of 5.2 million euros, and of 12 %."""

SALES = "Sales rose from 40 cars to 52 cars."


@pytest.mark.parametrize(
    ("summary", "source", "flagged"),
    [
        ("Landings fell by 4,260 tonnes.", LANDINGS, []),
        ("Landings fell by 4,360 tonnes.", LANDINGS, ["4,360"]),
        ("Landings fell by 82 percent.", LANDINGS, []),
        ("Landings dropped by more than 80% between 1998 and 2023.", LANDINGS, []),
        ("Landings fell by 72 percent.", LANDINGS, ["72"]),
        ("The ship was about half full.", SHIP, []),
        ("The ship was about a quarter full.", SHIP, ["a quarter"]),
        ("The ship had 634 passengers.", SHIP, []),
        ("The ship had 644 passengers.", SHIP, ["644"]),
        ("He was jailed for 32 months.", SENTENCE, []),
        ("He was jailed for 34 months.", SENTENCE, ["34"]),
        ("The county pays £60,000 of the repair.", COST, []),
        ("The county pays £80,000 of the repair.", COST, ["£80,000"]),
        ("Profit fell by 22%.", PROFIT, []),
        ("Profit fell by £7.7 million.", PROFIT, []),
        ("Profit fell by 25%.", PROFIT, ["25"]),
        ("Revenue rose by 5.2 million euros.", REVENUE, []),
        ("Revenue rose by 5.3 million euros.", REVENUE, ["5.3 million"]),
        ("Revenue rose by 5.2 million euros.", REVENUE.replace("euros,", "euros in the third quarter,"), []),
        ("Revenue rose by 5.2 million euros.", UNIT_ONCE, []),
        ("Revenue rose by 12%.", UNIT_ONCE, []),
        ("Sales rose by 12.", SALES, []),
        ("Sales rose by 13.", SALES, ["13"]),
    ],
)
def test_what_follows_from_the_sources_is_not_flagged(summary: str, source: str, flagged: list[str]) -> None:
    assert [flag.text for flag in nutgraf.check(summary, source).flags] == flagged


def test_small_numbers_without_a_unit_are_not_added() -> None:
    assert [one.text for one in nutgraf.check("They won 15 cups.", "One has 5 cups, the other 10.").flags] == ["15"]


def test_a_source_without_words_lets_nothing_follow() -> None:
    assert [flag.text for flag in nutgraf.check("Four boats left.", "…").flags] == ["Four"]
