"""Who holds which office, by hand."""

from __future__ import annotations

import pytest

import nutgraf

SOURCE = (
    "Judge Helen Astley told him to expect prison. Priya Nair prosecuted. Sens. Ada Kim and Jo Lee were there, and so "
    "were Senator Ray and Vane, the mayor, with Mayor Brandt."
)


@pytest.mark.parametrize(
    ("summary", "flagged"),
    [
        ("Judge Astley told him to expect prison.", []),
        ("Judge Nair told him to expect prison.", ["Judge Nair"]),
        ("Senator Lee was there.", []),  # in one sentence with "Sens."
        ("Senator Nair was there.", ["Senator Nair"]),
        ("Mayor Vane was there.", []),
        ("Mayor Helen Astley was there.", ["Mayor Helen Astley"]),
        ("Bishop Nair was there.", []),  # of whom the sources say it, is not known
    ],
)
def test_an_office_that_the_sources_give_to_others(summary: str, flagged: list[str]) -> None:
    assert [flag.text for flag in nutgraf.check(summary, SOURCE).flags if flag.kind == "offices"] == flagged


FIRM = (
    "Its chief executive, Morten Dahl, rejected this. Its spokeswoman, Karin Berge, and Jo Lee, the firm's chair, left."
)


@pytest.mark.parametrize(
    ("summary", "flagged"),
    [
        ("Morten Dahl, the chief executive, rejected this.", []),
        ("CEO Dahl rejected this.", []),
        ("Chief executive Karin Berge rejected this.", ["Chief executive Karin Berge"]),
        ("Karin Berge, chief executive of the firm, left.", ["Karin Berge, chief executive"]),
        ("Karin Berge is the CEO.", ["Karin Berge is the CEO"]),
        ("Karin Berge, who met chief executive Dahl, left.", []),
        ("Jo Lee is the chair.", []),
        ("Foreign secretary Karin Berge left.", []),  # of whom the sources say it, is not known
    ],
)
def test_offices_of_two_words_and_behind_a_name(summary: str, flagged: list[str]) -> None:
    assert [flag.text for flag in nutgraf.check(summary, FIRM).flags if flag.kind == "offices"] == flagged


def test_an_office_of_something_before_a_name() -> None:
    source = (
        "“We had buckets ready,” said the chair of the trust, Nell Harrow. Its treasurer, Tom Birch, was not there."
    )
    flags = nutgraf.check("Tom Birch, the chair of the trust, said that they had buckets ready.", source).flags
    assert [flag.kind for flag in flags] == ["offices"]
    assert not nutgraf.check("Nell Harrow, the chair of the trust, said that they had buckets ready.", source).flags


def test_a_foreign_secretary_is_no_press_secretary() -> None:
    source = "Press secretary Ada Kim spoke for Boris Lane, who leads the ministry."
    assert not nutgraf.check("Foreign Secretary Boris Lane did not speak.", source).flags


def test_the_reason_names_who_holds_it() -> None:
    [reason] = [flag.reason for flag in nutgraf.check("Judge Nair spoke.", SOURCE).flags if flag.kind == "offices"]
    assert reason == "In the sources only Helen Astley has the office “judge”."
