"""Words that stand in the place of others in a sentence that follows its source nearly word for word."""

from __future__ import annotations

import pytest

import nutgraf
from nutgraf.faithfulness.roles import roles

SOURCE = (
    "The ferry company raised its fares after the storm. Google bought Waze for a billion dollars. "
    "In the crash on the coast road 15 people died and 12 were hurt. "
    "“We shall not turn back,” said Captain Reed of the Swan. Captain Lang slept. "
    "Alice Moor and Bob Hill won the regatta in Oslo on Friday. "
    "Sales of nets rose from 12 million to 15 million in 2020. LeBron James and Wade scored in the last minute."
)


def swaps(summary: str, source: str = SOURCE) -> list[str]:
    return [flag.text for flag in nutgraf.check(summary, source).flags if flag.kind in ("swaps", "opposites")]


@pytest.mark.parametrize(
    ("summary", "expected"),
    [
        ("The ferry company lowered its fares after the storm.", ["lowered"]),
        ("The ferry company raised its fares before the storm.", ["before"]),
        ("Waze bought Google for a billion dollars.", ["Waze", "Google"]),
        ("In the crash on the coast road 12 people died and 15 were hurt.", ["12", "15"]),
        ("In the crash on the coast road 12 people died.", ["12"]),
        ("“We shall not turn back,” said Captain Lang of the Swan.", ["Captain Lang"]),
        ("Sales of nets rose from 15 million to 12 million in 2020.", ["15 million", "12 million"]),
        ("Sales of nets fell from 12 million to 15 million in 2020.", ["fell"]),
    ],
)
def test_what_stands_in_the_place_of_something_else_is_flagged(summary: str, expected: list[str]) -> None:
    assert swaps(summary) == expected


@pytest.mark.parametrize(
    "summary",
    [
        "The ferry company increased its fares after the storm.",
        "Waze was bought by Google for a billion dollars.",
        "Bob Hill and Alice Moor won the regatta in Oslo on Friday.",
        "Hill and Moor won the regatta in Oslo on Friday.",
        "Sales of nets rose in 2020 from 12 million to 15 million.",
        "LeBron and Wade scored in the last minute.",
        "After the storm the ferry company raised its fares, and Google bought Waze.",
    ],
)
def test_what_only_says_the_same_otherwise_is_not(summary: str) -> None:
    assert swaps(summary) == []


def test_what_another_sentence_says_is_not() -> None:
    also = f"{SOURCE} It was Captain Lang of the Swan who told us: “We shall not turn back”."
    assert swaps("“We shall not turn back,” said Captain Lang of the Swan.", also) == []


def test_the_reason_shows_what_the_source_has() -> None:
    [flag] = nutgraf.check("The ferry company lowered its fares after the storm.", SOURCE).flags
    assert flag.reason == (
        "The source has “raised” in this place: “The ferry company raised its fares after the storm.”"
    )


def test_what_no_source_has_is_left_to_the_rules_for_numbers_and_names() -> None:
    found = nutgraf.check("In the crash on the coast road 14 people died.", SOURCE).flags
    assert [(flag.kind, flag.text) for flag in found] == [("numbers", "14")]


@pytest.mark.parametrize(
    ("said", "source", "swapped"),
    [
        ("Bay Town won all of their last six games.", "Bay Town won five of their last six games.", "all"),
        ("All of the sheep recovered in a week.", "Some of the sheep recovered in a week.", "All"),
        ("The crew went to the lower deck.", "The crew went to the upper deck.", "lower"),
        ("Hedges cost more of the rent than fences.", "Fences cost more of the rent than hedges.", "fences"),
        ("Hill farms lost more hay than lake farms.", "Lake farms lost more hay than hill farms.", "lake"),
    ],
)
def test_quantifiers_opposites_and_sides_of_a_comparison(said: str, source: str, swapped: str) -> None:
    assert [flag.text for flag in nutgraf.check(said, source).flags] == [swapped]


def test_sides_of_a_comparison_may_change_with_its_word() -> None:
    source = "Fences cost more of the rent than hedges."
    assert not nutgraf.check("Hedges cost less of the rent than fences.", source).flags


@pytest.mark.parametrize(
    ("said", "source", "expected"),
    [
        ("Ben sued Anna.", "Anna sued Ben.", ["Ben", "Anna"]),
        ("Anna Lang was sued by Ben Okri.", "Anna Lang sued Ben Okri over the boat.", ["Anna Lang", "Ben Okri"]),
        ("Anna Lang sued Ben Okri.", "Over the boat Anna Lang was sued by Ben Okri.", ["Anna Lang", "Ben Okri"]),
        ("Anna Lang was sued by Ben Okri.", "Ben Okri sued Anna Lang.", []),
        ("Ben met Anna.", "Anna met Ben.", []),
        ("Ben sued Anna.", "Anna sued Ben, and a week later Ben sued Anna.", []),
    ],
)
def test_who_did_it_to_whom(said: str, source: str, expected: list[str]) -> None:
    assert [flag.text for flag in nutgraf.check(said, source).flags] == expected


@pytest.mark.parametrize(
    ("summary", "source"),
    [
        ("Arce upset Kral.", "Kral upset the third seed, Arce."),
        ("Plainsman sued Merrill.", "Merrill sued its insurer, Plainsman, in March."),
        ("Plainsman is suing Merrill.", "Merrill is suing Plainsman."),
    ],
)
def test_names_around_a_verb_may_be_described(summary: str, source: str) -> None:
    assert all("the other way round" in flag.reason for flag in nutgraf.check(summary, source).flags)
    assert nutgraf.check(summary, source).flags
    first, *between, last = summary.rstrip(".").split()
    assert not nutgraf.check(f"{last} {' '.join(between)} {first}.", source).flags


def test_what_stands_before_by_must_be_a_verb() -> None:
    assert list(roles("Vane was there by Okri".split(), {0, 4})) == []


STREETS = "The mean number of visits was 2.1 (standard deviation 1.4) in dark streets and 1.5 (1.2) in lit streets."


@pytest.mark.parametrize(
    ("summary", "flagged"),
    [
        ("In lit streets there were 2.1 visits, against 1.5 in dark ones.", ["2.1", "1.5"]),
        ("In dark streets there were 2.1 visits, against 1.5 in lit ones.", []),
        ("Dark and lit streets had 2.1 and 1.5 visits.", []),
    ],
)
def test_the_figures_of_two_things_in_other_words(summary: str, flagged: list[str]) -> None:
    assert swaps(summary, STREETS) == flagged


@pytest.mark.parametrize(
    ("summary", "flagged"),
    [
        ("Osterby & Daughters must pay Grannex damages.", ["Daughters", "Grannex"]),
        ("Grannex must pay Osterby & Daughters damages.", []),
    ],
)
def test_two_names_exchanged_around_must(summary: str, flagged: list[str]) -> None:
    source = "The court ruled that Grannex must pay the family bakery Osterby & Daughters 412,000 euros in damages."
    assert swaps(summary, source) == flagged


@pytest.mark.parametrize(
    ("said", "source", "expected"),
    [
        (
            "The list was made by the supplier, not by our warehouse.",
            "The list was made by our warehouse, not by the supplier.",
            ["supplier"],
        ),
        (
            "The dividend was cancelled, but the buy-back will be paid.",
            "The buy-back was cancelled, but the dividend will be paid.",
            ["dividend"],
        ),
        (
            "Boats to Lang are cancelled until Monday, while those to Vane sail.",
            "All boats to Vane are cancelled until Monday; those to Lang sail.",
            ["Lang"],
        ),
        (
            "The dividend will be paid, but the buy-back was cancelled.",
            "The buy-back was cancelled, but the dividend will be paid.",
            [],
        ),
        (
            "The list was made by the supplier, not by our warehouse.",
            "The list was made by the supplier, and not by our warehouse.",
            [],
        ),
    ],
)
def test_what_changes_sides_around_not_and_but(said: str, source: str, expected: list[str]) -> None:
    assert swaps(said, source) == expected
