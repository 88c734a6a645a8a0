"""Questions that are answered in the first sentence, or of which is said that the text does not answer them."""

import json

import pytest

import nutgraf
from nutgraf.errors import InputError
from nutgraf.questions.question import read_question
from nutgraf.questions.related import likeness, stand_ins
from nutgraf.text.document import Document
from nutgraf.text.stop_words import ENGLISH
from nutgraf.text.summary import Summary

LIBRARY = (
    "The library in Mill Street has a new roof. It cost 84,000 euros, and the county paid half of it. "
    "The reading room is closed until May because the plaster is still wet. Readers sit in the old chapel until then. "
    "Ines Marr, who leads the library, has lent out 300 umbrellas. On Saturdays the children paint the fence."
)


@pytest.mark.parametrize(
    ("question", "kind", "unit"),
    [
        ("how much is the rent", "number", "money"),
        ("How long does it take?", "number", "duration"),
        ("who runs the shop", "person", ""),
        ("when is it open", "date", ""),
        ("where can I park", "place", ""),
        ("why was it cancelled", "reason", ""),
        ("how do I reset it", "way", ""),
        ("is it open on Sundays", "yes_no", ""),
        ("what is a tun", "thing", ""),
        ("how much faster is it", "number", "measure"),
        ("how much of the water is lost", "number", "share"),
    ],
)
def test_kinds_by_their_words(question, kind, unit):
    found = read_question(question, "en", ENGLISH)
    assert (found.kind, found.unit) == (kind, unit)


@pytest.mark.parametrize(
    ("question", "language", "kind"),
    [
        ("Wie viel kostet das?", "de", "number"),
        ("warum ist das Bad zu", "de", "reason"),
        ("Qui a gagné ?", "fr", "person"),
        ("à quelle heure ça ferme", "fr", "date"),
        ("¿Dónde se firma?", "es", "place"),
        ("cuántos vinieron", "es", "number"),
    ],
)
def test_kinds_in_other_languages(question, language, kind):
    assert read_question(question, language, frozenset()).kind == kind


def test_variants_of_a_word():
    assert {"child", "britain"} <= {*stand_ins("kids", "en"), *stand_ins("uk", "en")}
    assert "payment" in stand_ins("pay", "en")
    assert likeness("schnee", "schneeräumen", "de") > 0.0
    assert likeness("schnee", "schnur", "de") == 0.0
    assert likeness("colour", "color", "en") > 0.0
    assert likeness("theatre", "theater", "en") > 0.0
    assert likeness("harbor", "hunter", "en") == 0.0


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("how much did the roof cost", "84,000"),
        ("why is the reading room closed", "because the plaster"),
        ("who leads the library", "Ines Marr"),
    ],
)
def test_an_answer_comes_first(question, said):
    found = nutgraf.answer(question, LIBRARY)
    assert found.answered
    assert said in found.sentence
    (origin,) = found.origins
    assert said in LIBRARY[origin.start : origin.end]
    summary = nutgraf.load()(LIBRARY, words=40, query=question)
    assert said in summary.sentences[0].text
    assert summary.answer == found


def test_what_somebody_asked_is_no_answer_and_what_follows_may_be():
    text = (
        "The library in Mill Street was open all week. Readers asked how the lamps were repaired. "
        "An electrician put new wires into the lamps. The children painted the fence. Rain fell on Friday."
    )
    assert (
        nutgraf.answer("how were the lamps repaired", text).sentence == "An electrician put new wires into the lamps."
    )


def test_a_number_counts_what_stands_beside_it():
    text = "Two of the flats have a balcony. The house has 26 flats. The garden is behind it. Nobody parks there."
    assert nutgraf.answer("how many flats does the house have", text).sentence == "The house has 26 flats."


def test_a_text_that_does_not_answer():
    found = nutgraf.answer("when was the architect born", LIBRARY)
    assert not found.answered
    assert 0 <= found.score < 0.5
    summary = nutgraf.load()(LIBRARY, words=40, query="when was the architect of the roof born")
    assert summary.answer is not None
    assert not summary.answer.answered
    assert any("does not seem to answer" in notice for notice in summary.notices)


def test_json_has_the_answer_and_is_read_again():
    summary = nutgraf.load()(LIBRARY, words=40, query="who leads the library")
    written = summary.to_json()["answer"]
    assert set(written) == {"question", "kind", "answered", "sentence", "origins", "score", "context"}
    assert written["kind"] == "person"
    again = Summary.loads(json.dumps(summary.to_json()), summary.document)
    assert again.answer is not None
    assert again.answer.origins == summary.answer.origins
    assert "answer" not in nutgraf.load()(LIBRARY, words=40).to_json()


def test_several_sources_and_what_is_no_question():
    found = nutgraf.answer("who leads the library", "The fence is green.", Document.of(LIBRARY))
    assert found.origins[0].source == 1
    with pytest.raises(InputError, match="no words"):
        nutgraf.answer("?!", LIBRARY)
    with pytest.raises(InputError, match="no text"):
        nutgraf.answer("who leads the library")
