"""Summaries by parts: what each part has, how a length is divided among parts, and where sentences come from."""

from __future__ import annotations

import json
from typing import Any

import pytest

import nutgraf
from nutgraf.errors import BudgetError, InputError, NutgrafError
from nutgraf.readers import readers
from nutgraf.text.document import Document
from nutgraf.text.outline import Outline, Part
from nutgraf.text.request import Request

LAW = """Harbour Act

Chapter 1 Boats

§ 1 Permits

(1) Whoever ties up a boat in the harbour needs a permit of the master. The master decides within three days.

(2) No permit is required for a boat of the county

1. if it is shorter than three metres and has no engine,

2. if it stays for less than two hours, or

3. if the master has waived the permit in writing.

§ 2 Fees

The fee for a permit is seven crowns for each day. Boats without an engine pay half of it.

Chapter 2 Nets

§ 3 Drying

Nets are dried on the north quay and nowhere else. Nobody may leave a net there overnight.

§ 4 Fines

Whoever breaks this act pays a fine of up to ninety crowns.
"""

TALK = """Ana: The lease of the old hall ends on the thirtieth of June.

Tom: Then we have to find a new hall before the summer begins.

Ana: I have seen a hall in Ferris Street that costs less than ours.

Tom: I will ask the owner of it for a contract by Friday.
"""

REPORT = """# Report

## Wells

The wells held their level in spite of the dry summer that the town had last year.

### Pumps

One pump failed.

## Brook

The brook was dry for nineteen days in August, so that the mill had to stop its wheel.
"""


def outline(text: str, **options: Any) -> Outline:
    found = nutgraf.load()(Document.of(text), by=options.pop("by", "section"), **options)
    assert isinstance(found, Outline)
    return found


def titles(parts: tuple[Part, ...]) -> list[str]:
    return [part.title for part in parts]


def test_without_a_length_each_part_with_text_has_a_sentence() -> None:
    found = outline(LAW)
    assert (found.title, titles(found.parts)) == ("Harbour Act", ["Chapter 1 Boats", "Chapter 2 Nets"])
    assert [titles(part.parts) for part in found.parts] == [["§ 1 Permits", "§ 2 Fees"], ["§ 3 Drying", "§ 4 Fines"]]
    assert [len(part.sentences) for part in found][2:] == [1, 0, 1, 1]


def test_a_sentence_that_leans_on_others_comes_with_them() -> None:
    permits = outline(LAW).parts[0].parts[0]
    assert [sentence.text[:3] for sentence in permits.sentences] == ["(1)", "(2)", "1. ", "2. ", "3. "]


LISTED = """LEASE

1. RENT

The tenant pays the rent on the first working day of each month to the landlord.

2. FORFEITURE

The landlord may end this lease if:

(a) any rent is unpaid twenty-one days after it became due;

(b) the tenant is in breach of its obligations; or

(c) the tenant becomes insolvent.
"""


@pytest.mark.parametrize("length", [{}, {"share": "90%"}, {"words": 50}])
def test_a_part_that_is_a_list_is_taken_whole(length: dict[str, Any]) -> None:
    forfeiture = outline(LISTED, **length).parts[1]
    assert len(forfeiture.sentences) == 4


def test_a_notice_names_the_parts_without_a_sentence() -> None:
    for length in ({"sentences": 1}, {"words": 20}):
        found = outline(LISTED, **length)
        assert [len(part.sentences) for part in found] == [1, 0]
        assert any("FORFEITURE" in notice for notice in found.notices)


def test_a_number_of_sentences_is_for_each_part() -> None:
    assert [len(part.sentences) for part in outline(LAW, sentences=2)][1:3] == [2, 2]


def test_a_rule_is_taken_with_its_exceptions_or_not_at_all() -> None:
    found = outline(LAW, words=400)
    permits = found.parts[0].parts[0]
    listed = [sentence.text.startswith(("1.", "2.", "3.", "(2)")) for sentence in permits.sentences]
    assert sum(listed) in (0, 4)


@pytest.mark.parametrize("length", [{"words": words} for words in (12, 30, 60, 100)] + [{"share": "40%"}])
def test_words_of_all_parts_are_at_most_those_asked_for(length: dict[str, Any]) -> None:
    found = outline(LAW, **length)
    limit = found.summary.limit
    assert limit is not None
    assert sum(len(part.text.split()) for part in found) == found.words <= limit


def test_characters_count_the_white_space_between_parts() -> None:
    found = outline(LAW, characters=300)
    assert sum(len(part.text) + 1 for part in found if part.text) <= 301


def test_a_short_length_joins_the_deepest_level_with_the_one_above() -> None:
    found = outline(LAW, words=30)
    assert [(part.title, part.joined) for part in found] == [
        ("Chapter 1 Boats", ("§ 1 Permits", "§ 2 Fees")),
        ("Chapter 2 Nets", ("§ 3 Drying", "§ 4 Fines")),
    ]
    assert all(part.sentences for part in found)


def test_a_length_for_fewer_parts_than_there_are_goes_to_the_longest_and_is_told() -> None:
    found = outline(LAW, words=9)
    assert sum(bool(part.sentences) for part in found) == 1
    assert any("1 of 2 parts" in notice for notice in found.notices)


def test_a_length_without_a_sentence_is_refused_and_says_which_would_do() -> None:
    with pytest.raises(BudgetError) as refused:
        outline(LAW, words=2)
    smallest = refused.value.smallest
    assert smallest is not None
    assert outline(LAW, words=smallest).words <= smallest


def test_levels_below_a_depth_belong_to_the_one_above() -> None:
    assert [(part.level, part.joined) for part in outline(LAW, depth=1)] == [
        (1, ("§ 1 Permits", "§ 2 Fees")),
        (1, ("§ 3 Drying", "§ 4 Fines")),
    ]


def test_a_tiny_part_without_a_number_is_joined_with_the_one_around_it() -> None:
    [document] = readers.make("markdown").read(REPORT.encode(), "report.md", "en")
    found = nutgraf.load()(document, by="section")
    assert [(part.title, part.joined) for part in found] == [("Wells", ("Pumps",)), ("Brook", ())]


def test_origins_are_places_in_the_whole_document() -> None:
    found = outline(LAW, words=100)
    for part in found:
        for sentence in part.sentences:
            [origin] = sentence.origins
            assert " ".join(LAW[origin.start : origin.end].split()) == sentence.text
            assert part.place.start < origin.start < origin.end <= part.place.end
    assert found.summary.sentences == tuple(sentence for part in found for sentence in part.sentences)


def test_a_speaker_is_the_title_and_is_named_in_the_data_of_the_sentences() -> None:
    found = outline(TALK, by="speaker")
    assert titles(found.parts) == ["Ana", "Tom"]
    assert all(sentence.speaker == part.title for part in found for sentence in part.sentences)
    assert not any(part.text.startswith(part.title) for part in found)


def test_what_has_no_parts_has_an_ordinary_summary_and_says_so() -> None:
    text = "The ferry left the harbour at noon. It came back at dusk with nobody on it."
    found = outline(text, sentences=1)
    assert found.parts == ()
    assert found.text == nutgraf.load()(text, sentences=1).text
    assert any("section" in notice for notice in found.notices)


@pytest.mark.parametrize("system", ["lead", "text_rank", "lex_rank", "mls_plus", "random", "submodular"])
def test_every_system_of_sentences_makes_outlines(system: str) -> None:
    found = nutgraf.load(system)(Document.of(LAW), by="section")
    assert [part.title for part in found if part.sentences] == ["§ 1 Permits", "§ 2 Fees", "§ 3 Drying", "§ 4 Fines"]
    assert 0 < nutgraf.load(system)(Document.of(LAW), by="section", words=90).words <= 90


def test_highlights_are_looked_for_in_the_whole_and_told_once() -> None:
    found = outline(LAW, highlights=["north quay", "lighthouse"])
    assert "north quay" in found.parts[1].parts[0].text
    assert sum("lighthouse" in notice for notice in found.notices) == 1


def test_the_json_nests_parts_and_has_the_keys_of_a_summary() -> None:
    found = outline(LAW, words=100)
    written = json.loads(found.dumps())
    assert written["schema"] == "nutgraf.outline/1"
    assert [part["title"] for part in written["parts"]] == titles(found.parts)
    first = written["parts"][0]["parts"][0]
    assert {"title", "level", "place", "words", "text", "sentences", "joined", "notices", "parts"} == set(first)
    assert first["sentences"][0]["origins"][0]["start"] > 0
    assert written["budget"]["words"] == 100
    assert {"by", "title", "text", "words", "sources", "language", "notices", "signature"} <= set(written)


def test_what_does_not_go_with_parts_is_refused() -> None:
    system = nutgraf.load()
    with pytest.raises(InputError):
        system(LAW, depth=2)  # type: ignore[call-overload]
    with pytest.raises(InputError):
        system(LAW, by="chapter")  # type: ignore[call-overload]
    with pytest.raises(NutgrafError):
        system(LAW, by="section", highlights=["boat"], compare=True)
    with pytest.raises(InputError, match="leave out by"):
        system(LAW, Request(), by="section")  # type: ignore[call-overload]
    assert isinstance(system(LAW, Request.of(by="section")), Outline)


def test_parts_whose_heading_is_left_out_are_outermost_ones_and_short_lengths_end() -> None:
    text = (
        "# Contents\n\n## Boats\n\nThe boats left the harbour at noon.\n\n## Nets\n\nThe nets were dried on the quay.\n"
    )
    [document] = readers.make("markdown").read(f"{text}\n# End\n\nNobody saw the boats again.\n".encode(), "x.md", "en")
    found = nutgraf.load()(document, by="section", words=6)
    assert [part.level for part in found] == [1, 1, 1]
    assert found.words <= 6


def test_several_texts_have_an_outline_each_and_errors_in_their_places() -> None:
    system, request = nutgraf.load("lead"), Request.of(by="section", sentences=1)
    one, wrong, other = system.many([LAW, "", "Rain fell. It was late."], request)
    assert isinstance(one, Outline)
    assert one.text == system(LAW, by="section", sentences=1).text
    assert isinstance(wrong, InputError)
    assert isinstance(other, Outline)
    assert other.parts == ()
    assert [str(made) for made in system.stream([LAW], by="section", sentences=1)] == [one.text]
    assert "An oracle" in str(system.many([LAW], request, oracles=[["A."]])[0])


def test_messages_have_their_times_and_those_without_a_sentence_are_counted() -> None:
    chat = """[12/03/2026, 09:15:00] Ana: The lease of the old hall ends on the thirtieth of June.
[12/03/2026, 09:16:10] Tom: Then we have to find a new hall before the summer begins.
[12/03/2026, 09:18:40] Ana: I have seen a hall in Ferris Street that costs less than ours.
"""
    assert outline(chat, by="message").text.splitlines()[::3] == ["09:15 Ana", "09:16 Tom", "09:18 Ana"]
    short = outline(chat, by="message", words=15)
    assert 0 < len(short.text.split("\n\n")) < 3
    assert any("left out" in notice for notice in short.notices)
