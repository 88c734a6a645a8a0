"""Words whose opposites the source has of the same thing, in sentences that do not follow it word for word."""

from __future__ import annotations

import pytest

import nutgraf

SOURCE = (
    "Take one tablet twice daily after food. The councillors voted on Monday to reject the plan for the harbour. "
    "The appeal of Mr Okri was upheld. Costs of the ferry rose sharply last year. "
    "Two passengers were hurt when the ferry struck the pier. Nobody complained about the loud horn. "
    "Lang, world no 3, reached the final after beating Okri, and ran 20 laps more than Vane."
)


def opposites(summary: str, source: str = SOURCE) -> list[str]:
    return [flag.text for flag in nutgraf.check(summary, source).flags if flag.kind == "opposites"]


@pytest.mark.parametrize(
    ("summary", "flagged"),
    [
        ("The tablet is to be taken before food, twice a day.", ["before"]),
        ("The tablet is to be taken after food, twice a day.", []),
        ("The council approved the harbour plan.", ["approved"]),
        ("The plan was accepted by the councillors on Monday.", ["accepted"]),
        ("The harbour plan was turned down.", []),
        ("Judges rejected Okri's appeal.", ["rejected"]),
        ("Judges upheld Okri's appeal.", []),
        ("Ferry costs fell sharply.", ["fell"]),
        ("Ferry costs did not fall.", []),  # what is denied is no opposite
        ("Before beating Okri, Lang reached the final.", []),  # two events, either of which may be told first
        ("Vane ran 20 laps less than Lang.", []),
    ],
)
def test_a_word_in_the_company_of_which_the_source_has_the_opposite(summary: str, flagged: list[str]) -> None:
    assert opposites(summary) == flagged


@pytest.mark.parametrize(
    ("summary", "flagged"),
    [
        ("When the ferry hit the pier, no passengers were hurt.", ["no"]),
        ("When the ferry hit the pier, nobody was hurt.", ["nobody"]),
        ("When the ferry hit the pier, no dogs were hurt.", []),
        ("When the ferry hit the pier, two were hurt.", []),
        ("Two complained about the horn, which was loud.", ["Two"]),
        ("Lang, the world no 3, reached the final.", []),
    ],
)
def test_what_nobody_did_and_some_did(summary: str, flagged: list[str]) -> None:
    assert opposites(summary) == flagged


@pytest.mark.parametrize(
    ("summary", "said"),
    [
        ("Ferry costs fell sharply.", "In spring the costs of the ferry fell."),
        ("When the ferry hit the pier, nobody was hurt.", "On the pier nobody was hurt."),
    ],
)
def test_what_another_sentence_says_is_no_contradiction(summary: str, said: str) -> None:
    assert opposites(summary)
    assert not opposites(summary, f"{SOURCE} {said}")


def test_the_reason_shows_the_opposite_in_its_sentence() -> None:
    [flag] = nutgraf.check("Take the tablet daily before food.", SOURCE).flags
    assert flag.reason == "The source has “after” in this place: “Take one tablet twice daily after food.”"


def test_a_clause_is_enough() -> None:
    source = "Nobody was hurt. The people woke to an island without bread."
    flags = nutgraf.check("Two people were hurt, and the island was left without bread.", source).flags
    assert [(flag.kind, flag.text) for flag in flags] == [("opposites", "Two")]


def test_who_opposed_what_another_proposed() -> None:
    source = "Ada Lang proposed a new roof. Bo Vane opposed it."
    assert [flag.text for flag in nutgraf.check("Ada Lang opposed a new roof.", source).flags] == ["opposed"]


MINUTES = (
    "The minutes of April were approved. Colin Dacre reported a surplus of 6,250 crowns for the year. The proposal to "
    "ban phones during the whole school day was rejected. Ada Lang will step down as chair in October. Darren Vane, "
    "who had been charged with fraud, was acquitted in June."
)


@pytest.mark.parametrize(
    ("summary", "flagged"),
    [
        ("The proposal to ban phones during the school day was approved.", ["approved"]),
        ("They approved a ban on phones during the school day.", ["approved"]),
        ("They rejected a ban on phones during the school day.", []),
        ("The minutes of April were approved.", []),
        ("The treasurer reported a deficit of 6,250 crowns.", ["deficit"]),
        ("Darren Vane was convicted of fraud in June.", ["convicted"]),
        ("Ada Lang will give up the chair in October.", []),  # "up" is no direction here
    ],
)
def test_one_event_has_one_outcome_in_any_words(summary: str, flagged: list[str]) -> None:
    assert [flag.text for flag in nutgraf.check(summary, MINUTES).flags] == flagged
