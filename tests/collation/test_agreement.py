"""Several texts: what they share, what only one says, and where their numbers and dates differ."""

import json
from pathlib import Path

import pytest

import nutgraf
from nutgraf.collation.agreement import agreement
from nutgraf.collation.records import Agreement
from nutgraf.errors import InputError
from nutgraf.text.document import Document

TOWN = (
    "A fire in the Linden Street warehouse injured 14 people on Tuesday. It was noticed shortly after noon. "
    "About 300 neighbors had to leave their homes. The mayor praised the rescue teams."
)
WIRE = (
    "On Tuesday, a fire in a warehouse on Linden Street injured seventeen people. Nearly 300 neighbors had to leave "
    "their homes. The company stores paint and solvents there."
)
RADIO = "Fourteen people were hurt by the fire in the warehouse on Linden Street on Tuesday."


def compared(*texts: str, language: str = "en") -> Agreement:
    return agreement([Document.of(text, "ABCD"[at], language=language) for at, text in enumerate(texts)])


def said(found: Agreement) -> list[str]:
    return [found.said(one) for one in found.differences]


def test_numbers_about_the_same_thing_differ_in_words_and_in_figures() -> None:
    assert said(compared(TOWN, WIRE, RADIO)) == ["A: 14, B: seventeen, C: Fourteen"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The council hired 12 gardeners.", "The council hired a dozen gardeners."),
        ("About 300 people watched the race.", "Nearly 300 people watched the race."),
        ("The bridge is closed for two weeks.", "The bridge is closed for 14 days."),
        ("The tower cost 1.2bn dollars.", "The tower cost 1,200 million dollars."),
        ("Nine out of ten members voted for it.", "90 percent of the members voted for it."),
        ("The concert begins at 6 p.m.", "The concert begins at 18:00."),
        ("The ferry carried 120 cars.", "A farmer counted 45 sheep in the meadow."),
        ("The archive has 251,287 letters.", "The archive has 250,000 letters."),
        ("The mill burned down 12 years ago.", "The mill burned for 9 years."),
        ("Ada Brook, 57, won the race.", "Tim Harrow, 41, won the race."),
        ("Ada Brook, 57, won the race.", "The 57-year-old Ada Brook won the race."),
    ],
)
def test_what_agrees_or_counts_something_else_is_no_difference(first: str, second: str) -> None:
    assert not said(compared(first, second))


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("The council voted 5 to 4 for the library.", "The council voted 6 to 3 for the library.", "score"),
        ("The library opens on March 3.", "The library opens on March 5.", "date"),
        ("The library opens on Monday.", "The library opens on Friday.", "weekday"),
        ("The painting was stolen in 1987.", "The painting was stolen in 1978.", "year"),
        ("The winner needed 2:14:31 for the race.", "The winner needed 2:14:13 for the race.", "measure"),
        ("The fine is 45 million dollars.", "The fine is 54 million dollars.", "measure"),
        ("The outage began at 6:40 a.m.", "The outage began at 6:14 a.m.", "time of day"),
        ("The vaccine protects 68 percent.", "The vaccine protects 86 percent.", "share"),
        ("Ada Brook, 57, won the race on Sunday.", "The 56-year-old Ada Brook won the race on Sunday.", "age"),
    ],
)
def test_each_kind_of_number_can_differ(first: str, second: str, kind: str) -> None:
    assert [one.kind for one in compared(first, second).differences] == [kind]


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("de", "Dreiundzwanzig Häuser wurden überflutet.", "32 Häuser wurden überflutet."),
        ("fr", "La crue a touché une soixantaine de maisons.", "La crue a touché 160 maisons."),
        ("es", "El apagón dejó sin luz a treinta mil hogares.", "El apagón dejó sin luz a 63.000 hogares."),
        ("it", "L'incendio ha distrutto trentacinque case.", "L'incendio ha distrutto 53 case."),
        ("nl", "De brand verwoestte vijfendertig huizen.", "De brand verwoestte 53 huizen."),
        ("pt", "O incêndio destruiu trinta e cinco casas.", "O incêndio destruiu 53 casas."),
    ],
)
def test_numbers_in_words_of_other_languages(language: str, first: str, second: str) -> None:
    assert len(compared(first, second, language=language).differences) == 1


def test_the_date_on_which_a_report_appeared_is_no_claim() -> None:
    first = "The harbor fire\n\nTuesday, March 3\n\nThe harbor burned on March 2."
    second = "The fire at the harbor\n\nWednesday, March 4\n\nThe harbor burned on March 2."
    assert not said(compared(first, second))


def test_a_statement_of_all_and_what_only_one_says() -> None:
    found = compared(TOWN, WIRE, RADIO)
    assert [one.sources for one in found.all_say] == [(0, 1, 2)]
    assert {(one.source, one.text) for one in found.single} == {
        (0, "It was noticed shortly after noon."),
        (0, "The mayor praised the rescue teams."),
        (1, "The company stores paint and solvents there."),
    }


def test_offsets_are_characters_of_each_source() -> None:
    found = compared(TOWN, WIRE)
    for value in found.differences[0].values:
        source = (TOWN, WIRE)[value.source]
        assert source[value.start : value.end] == value.text
        assert source[value.passage.start : value.passage.end] == value.passage.text


def test_marks_of_a_summary() -> None:
    summary = nutgraf.load("lead")([Document.of(TOWN, "A"), Document.of(WIRE, "B")], sentences=4)
    found = nutgraf.agreement(summary.document)
    marks = {one.text: mark for one, mark in zip(summary, found.marks_of(summary), strict=True)}
    fire = marks["A fire in the Linden Street warehouse injured 14 people on Tuesday."]
    assert fire.said_by == (0, 1)
    assert found.marked(fire) == ("said by 2 of 2", "may differ: A: 14, B: seventeen")
    noon = marks["It was noticed shortly after noon."]
    assert noon.said_by == (0,)
    assert found.marked(noon) == ("only in A",)
    told = json.loads(json.dumps(found.to_json(summary)))
    assert told["schema"] == "nutgraf.agreement/1"
    assert len(told["marks"]) == 4
    assert [one["text"] for one in told["differences"][0]["values"]] == ["14", "seventeen"]


def test_marks_are_of_a_summary_of_the_same_documents() -> None:
    other = nutgraf.load("lead")(Document.of(TOWN, "X"))
    with pytest.raises(InputError):
        compared(TOWN, WIRE).marks_of(other)


@pytest.mark.parametrize("given", [TOWN, [], [TOWN], [TOWN, TOWN], 5, [TOWN, 5], Document.of(TOWN)])
def test_two_different_documents_are_needed(given: object) -> None:
    with pytest.raises(InputError):
        nutgraf.agreement(given)  # type: ignore[arg-type]


def test_texts_without_anything_to_compare() -> None:
    assert compared("...", "Two ferries sank.").statements == ()


def test_what_is_not_read_in_a_language_is_said() -> None:
    found = compared("Laiva upposi satamassa maanantaina.", "Laiva upposi satamassa tiistaina.", language="fi")
    assert any("dates" in notice for notice in found.notices)


def test_the_planted_differences_are_found() -> None:
    """27 of 30 and one false one when this was made."""
    folder = Path(__file__).parents[1] / "agreement"
    found = 0
    for cluster in json.loads((folder / "clusters.json").read_text(encoding="utf-8")):
        texts = [Document.of((folder / name).read_text(encoding="utf-8"), name) for name in cluster["documents"]]
        told = [{(one.source, one.passage.text) for one in each.values} for each in agreement(texts).differences]
        for planted in cluster["differences"]:
            quotes = {(one["document"], one["quote"]) for one in planted["values"]}
            found += any(len(quotes & each) > 1 for each in told)
    assert found >= 25
