"""Numbers that a summary works out, by hand."""

from __future__ import annotations

import pytest

import nutgraf

LANDINGS = "Landings fell from 5,200 tonnes in 1998 to 940 tonnes in 2023."
"""A fall of 4,260 tonnes, which is 81.9 % of 5,200."""

SHIPS = "By nine votes to six the council kept the ferry. Two of its eleven ships are laid up."
MARKET = "The family has sold cod in Tarvik since 1931. The market closed in 2023."


STRIKE = (
    "Drivers of the ferry went on strike from 16 to 20 October. The office was open from 9 a.m. to noon. "
    "The court sat from 1 March and ruled on 22 March. The fair ran from Monday to Thursday."
)


@pytest.mark.parametrize(
    ("summary", "source", "flagged"),
    [
        ("Landings fell by 4,260 tonnes.", LANDINGS, []),
        ("Landings fell by 82 percent.", LANDINGS, []),
        ("Landings dropped by more than 80% between 1998 and 2023.", LANDINGS, []),
        ("Landings fell by 18 percent.", LANDINGS, ["18"]),  # what was left
        ("Landings fell by 72 percent.", LANDINGS, ["72"]),
        ("Some 82 percent of the landings were cod.", LANDINGS, ["82"]),  # no change
        ("Nine of the ferry's 11 ships are not laid up.", SHIPS, []),
        ("Nine of the ferry's eleven ships are not laid up.", SHIPS, []),
        ("Eight of the ferry's eleven ships are not laid up.", SHIPS, ["Eight"]),
        ("The family has sold cod in Tarvik for 92 years.", MARKET, []),
        ("The family has sold cod in Tarvik for more than 90 years.", MARKET, []),
        ("The family has sold cod in Tarvik for 70 years.", MARKET, ["70"]),
        ("Over five years he sold shares.", "Between 2016 and 2021 he sold shares.", []),
        ("Over four years he sold shares.", "Between 2016 and 2026 he sold shares.", ["four"]),
        ("They seek the remaining two thirds of it.", "A third of it has been found.", []),
        ("They found two thirds of it.", "A third of it has been found.", ["two thirds"]),
        ("The trial takes a month and a half.", "The trial takes six weeks.", []),
        ("The trial takes a month and a half.", "The trial takes five weeks.", ["a month and a half"]),
        ("They have until 30 June.", "They have until the end of June.", []),
        ("They have until 20 June.", "They have until the end of June.", ["20"]),
        ("Three quarters of the nurses were women.", "They asked 128 nurses (97 women, 31 men).", []),
        ("Twelve did not finish.", "Of the 128 nurses, 116 finished.", []),
        ("Twelve finished.", "Of the 128 nurses, 116 finished.", ["Twelve"]),
        ("The family has sold 92 boats of cod in Tarvik.", MARKET, ["92"]),
        ("The ferry strike lasted five days.", STRIKE, []),  # 16, 17, 18, 19 and 20
        ("The ferry strike lasted six days.", STRIKE, ["six"]),
        ("The court ruled after three weeks.", STRIKE, []),
        ("The court ruled after five weeks.", STRIKE, ["five"]),
        ("The office was open for three hours.", STRIKE, []),
        ("The office was open for seven hours.", STRIKE, ["seven"]),
        ("The fair ran for four days.", STRIKE, []),
    ],
)
def test_what_follows_from_the_sources_is_not_flagged(summary: str, source: str, flagged: list[str]) -> None:
    assert [flag.text for flag in nutgraf.check(summary, source).flags] == flagged


def test_a_difference_may_lie_in_a_sentence_that_supports_little() -> None:
    source = (
        "The water division of Vantor did best, with sales up 12%. Margins of the division rose. "
        "The order book stood at £510 million, compared with £465 million a year earlier."
    )
    summary = "The water division of Vantor did best, with sales up 12%, and orders grew by £{} million."
    assert nutgraf.check(summary.format(45), source).flags == ()
    assert [flag.text for flag in nutgraf.check(summary.format(55), source).flags] == ["£55 million"]
