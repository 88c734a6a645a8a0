"""Minutes: what is decided, promised and left open, who does it, and by when."""

import json
from pathlib import Path

import pytest

import nutgraf
from nutgraf.errors import InputError
from nutgraf.meetings.cues import Cues, cues_of
from nutgraf.meetings.dates import due
from nutgraf.meetings.records import Minutes, as_markdown
from nutgraf.meetings.utterances import is_minutes, names_in
from nutgraf.text.document import Document
from nutgraf.text.tokenize import words
from nutgraf.text.turns import Utterance, written_turns

TALK = """Ann: The blue paint or the green?

Bob: The green one dries faster.

Ann: Then we take the green.

Bob: Fine. I'll order ten cans on Monday.

Ann: Cleo, can you call the painter by Friday?

Cleo: Sure.

Bob: And who pays for the ladder?

Ann: No idea, nobody has told us.
"""

WRITTEN = """# Garden group

Present: Ann Lee, Bob Roy, Cleo Marsh

## Fence

Bob reported that the fence leans. Cleo suggested a hedge. It was agreed to replace the fence before winter.

## To do

- [ ] Bob: ask for two offers (by Friday)
- [x] Cleo: measure the fence
"""


def cues(language: str = "en") -> Cues:
    found = cues_of(language)
    assert found is not None
    return found


def test_talk_is_minuted_with_who_and_by_when() -> None:
    found = nutgraf.minutes(TALK)
    assert [(one.text, one.speaker) for one in found.decisions] == [("Then we take the green.", "Ann")]
    assert [(one.who, one.by) for one in found.actions] == [("Bob", "on Monday"), ("Cleo", "by Friday")]
    assert found.questions


def test_every_item_is_a_place_in_the_text() -> None:
    found = nutgraf.minutes(TALK)
    for item in found.items:
        assert item.sentences
        assert " ".join(found.document.text[one.start : one.end] for one in item.origins) == item.text


def test_written_minutes_give_decisions_and_tasks_that_are_not_done() -> None:
    found = nutgraf.minutes(WRITTEN.encode())
    assert [one.text for one in found.decisions] == ["It was agreed to replace the fence before winter."]
    [action] = found.actions
    assert (action.who, action.what, action.by) == ("Bob", "ask for two offers (by Friday)", "by Friday")


@pytest.mark.parametrize(
    ("language", "decided", "promised"),
    [
        ("de", "Also nehmen wir das Zelt.", "Einverstanden. Ich bestelle es morgen."),
        ("fr", "Donc on prend la tente.", "D'accord. Je l'achète demain."),
        ("es", "Entonces compramos la tienda.", "De acuerdo. Llamo mañana al almacén."),
        ("it", "Allora prendiamo la tenda.", "D'accordo. Chiamo io il negozio domani."),
    ],
)
def test_other_languages_have_phrases_of_their_own(language: str, decided: str, promised: str) -> None:
    text, turns = written_turns([Utterance("Ada", decided), Utterance("Ugo", promised), Utterance("Ada", "Mm.")])
    found = nutgraf.minutes(Document.of(text, turns=turns, language=language))
    assert [one.text for one in found.decisions] == [decided]
    assert [one.who for one in found.actions] == ["Ugo"]


@pytest.mark.parametrize(
    "said",
    [
        "Last year we agreed on green, and it peeled off.",
        "What if we took the green?",
        "If they call again, I'll go there myself.",
        "He promised us a ladder years ago.",
    ],
)
def test_memories_proposals_and_conditions_are_no_commitments(said: str) -> None:
    found = nutgraf.minutes(f"Ann: It rained all day.\n\nBob: {said}\n\nAnn: The radio was on.\n\nBob: It was loud.\n")
    assert not found.decisions
    assert not found.actions


def test_labels_on_one_line_are_actions_of_their_own() -> None:
    text = "Present: Ann Lee, Bob Roy\n\nAction: Ann to buy paint\nAction: Bob to book the hall by Friday\n"
    found = nutgraf.minutes(text)
    assert [(one.who, one.by) for one in found.actions] == [("Ann", ""), ("Bob", "by Friday")]


def test_a_request_and_the_promise_that_answers_it_are_one_action() -> None:
    found = nutgraf.minutes(TALK.replace("Cleo: Sure.", "Cleo: Sure, I'll call the painter tomorrow."))
    [asked] = [one for one in found.actions if one.who == "Cleo"]
    assert len(asked.origins) == 2


def test_what_says_no_more_than_yes_decides_nothing() -> None:
    assert all(one.text not in ("Fine.", "Sure.") for one in nutgraf.minutes(TALK).decisions)


def test_origins_of_items_have_times() -> None:
    captions = "WEBVTT\n\n00:00:05.000 --> 00:00:07.000\n<v Ann>Blue or green?\n\n"
    captions += "00:00:08.000 --> 00:00:09.000\n<v Bob>Green.\n\n"
    captions += "00:00:10.000 --> 00:00:12.000\n<v Ann>Then we take the green.\n\n"
    captions += "00:00:12.000 --> 00:00:14.000\n<v Bob>Fine. I'll order it on Monday.\n"
    found = nutgraf.minutes(captions.encode())
    assert found.actions[0].time == found.actions[0].origins[0].time
    assert found.actions[0].time is not None


def test_nothing_found_is_said() -> None:
    found = nutgraf.minutes("The ferry left at noon. It came back at dusk.")
    assert not found
    assert str(found).count("none found") == 3
    assert found.to_json()["decisions"] == []


def test_a_language_without_phrases_gives_a_notice() -> None:
    found = nutgraf.minutes("Båten gick klockan tolv och kom tillbaka på kvällen med alla ombord.", language="sv")
    assert not found
    assert len(found.notices) == 1


def test_json_and_markdown_name_what_was_found() -> None:
    found = nutgraf.minutes(TALK)
    data = json.loads(found.dumps())
    assert data["schema"] == "nutgraf.minutes/1"
    assert {"who", "what", "by", "text", "speaker", "time", "sentences", "origins"} == set(data["actions"][0])
    assert {"source", "start", "end"} <= set(data["decisions"][0]["origins"][0])
    shown = as_markdown(found)
    assert shown.count("- [ ] **") == 2
    assert shown.count("\n[^") == len(found)


def test_markdown_escapes_what_was_said() -> None:
    found = nutgraf.minutes(TALK.replace("the green.", "the <b>green</b>."))
    assert "<b>" not in as_markdown(found)


def test_a_mistake_is_an_input_error() -> None:
    with pytest.raises(InputError, match="nowhere"):
        nutgraf.minutes(Path("nowhere.vtt"))


def test_phrases_have_gaps_endings_and_places() -> None:
    english = cues()
    assert "promise" in english.kinds(words("Leave all of it with me."))
    assert "then" in english.kinds(words("Okay, then the tin."))
    assert "then" not in english.kinds(words("It was cheaper then, in spring."))
    assert "commit" in cues("fr").kinds(words("Alors on prend le train.", "fr"))


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("I'll send it by Friday noon, I think.", "by Friday noon"),
        ("We meet on 14 May at the inn.", "on 14 May"),
        ("Nobody knows.", ""),
    ],
)
def test_dates_are_given_as_they_were_said(text: str, when: str) -> None:
    assert due(text, "en", cues()) == when


def test_minutes_are_known_by_those_who_were_present() -> None:
    document = Document.of(WRITTEN)
    assert names_in(document, cues()) == ["Ann Lee", "Bob Roy", "Cleo Marsh"]
    assert is_minutes(document)
    assert not is_minutes(Document.of("The ferry left at noon. It came back at dusk: nobody was on it."))


BEFORE = "Ann: The hall is free.\n\nBob: It has a kitchen.\n\nCleo: And a large room.\n\n"


def minutes_after(said: str) -> Minutes:
    """Minutes of a talk of Ann, Bob and Cleo that goes on with what is said."""
    spoken = [Utterance(*line.split(": ", 1)) for line in (BEFORE + said).splitlines() if line]
    text, turns = written_turns(spoken)
    return nutgraf.minutes(Document.of(text, turns=turns, language="en"))


@pytest.mark.parametrize(
    ("said", "who"),
    [
        ("Cleo: Bob, please send everyone the address by Friday.\n\nBob: Will do.\n", "Bob"),
        ("Cleo: Could you tell everyone the new time, Bob?\n\nBob: Will do.\n", "Bob"),
        ("Cleo: Could you send everyone the address by Friday?\n\nBob: Sure, will do.\n", "Bob"),
        ("Cleo: Everyone, please bring a cup on Friday.\n\nBob: Okay.\n", "all"),
    ],
)
def test_who_is_addressed_does_it_for_everybody(said: str, who: str) -> None:
    [asked] = minutes_after(said).actions
    assert asked.who == who
    assert asked.text.startswith(said.partition(": ")[2].partition("\n")[0])


def test_a_request_is_kept_with_the_promise_that_answers_it() -> None:
    [asked] = minutes_after(
        "Ann: Bob, could you tell the painter that we keep the ladder until May?\n\n"
        "Bob: Sure, I'll write to him today.\n\nAnn: Thank you.\n"
    ).actions
    assert (asked.who, asked.speaker, asked.by, len(asked.origins)) == ("Bob", "Ann", "today", 2)
    assert asked.what.endswith("until May?")


@pytest.mark.parametrize(
    ("said", "who"),
    [
        ("Bob: Sorry, I'm away. Cleo can do it.\n\nCleo: Sure.\n", ["Cleo"]),
        ("Bob: No, I can't that week.\n\nCleo: I'll do it.\n", ["Cleo"]),
        ("Bob: No, I can't that week.\n\nCleo: Okay.\n", []),
        ("Bob: Not me, I'm in Lisbon.\n\nCleo: It rains.\n", []),
    ],
)
def test_who_refuses_is_not_given(said: str, who: list[str]) -> None:
    found = minutes_after("Ann: Bob, can you book the room by Monday?\n\n" + said)
    assert [one.who for one in found.actions] == who
