"""Short dialogues: what states the topic is kept, and both speakers are heard."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import nutgraf
from nutgraf.prose import judgements
from nutgraf.prose.opening import opening
from nutgraf.text.document import Document
from nutgraf.text.genre import recognize_genre

DIALOGUES = Path(__file__).parent / "dialogues"
"""Ten dialogues for development and ten held out, each with the question of its topic and the names of its speakers."""


def dialogues(part: str) -> list[tuple[Document, str, list[str]]]:
    rows = json.loads((DIALOGUES / f"{part}.json").read_text(encoding="utf-8"))
    return [(Document.of("\n".join(row["lines"])), row["question"], row["speakers"]) for row in rows]


def test_the_question_of_the_topic_and_both_speakers_are_in_18_of_20():
    summarize = nutgraf.load("adaptive")
    told = []
    for document, question, speakers in [*dialogues("development"), *dialogues("held_out")]:
        summary = summarize(document)
        assert summary.genre == "dialogue"
        told.append(question in summary.text and all(f"{speaker}: " in summary.text for speaker in speakers))
    assert len(told) == 20
    assert sum(told) >= 18


CALL = """\
Ines: Hello, how are you?
Omar: Fine, thanks, and you?
Ines: Fine. Can we rent the crane of the north quay in June?
Omar: The crane? I have to look.
Ines: We have two ships of the Kelp line.
Omar: It is free in the second week, for nine hundred a day.
Ines: What about a driver?
Omar: The driver is in the price.
"""


def test_the_topic_is_told_from_small_talk_by_what_follows_and_answered_by_who_does_not_ask_back():
    document = Document.of(CALL, language="en")
    found = opening(document)
    assert found is not None
    assert found.asks
    assert document.printed[found.topic] == "Can we rent the crane of the north quay in June?"
    assert found.answer is not None
    assert document.printed[found.answer] == "It is free in the second week, for nine hundred a day."


def test_a_long_statement_before_any_such_question_is_the_topic():
    text = CALL.replace(
        "Fine. Can", "Fine. The gearbox of our large crane broke, and two ships wait at the fish market. Can"
    )
    document = Document.of(text, language="en")
    found = opening(document)
    assert found is not None
    assert not found.asks
    assert document.printed[found.topic].startswith("The gearbox of our large crane")


def test_the_opening_is_good_prose_and_what_comes_before_it_is_not():
    document = Document.of(CALL, language="en")
    found = opening(document)
    assert found is not None
    assert [judgements(document)[index].quality for index in found.sentences] == [1.0, 1.0]
    assert max(one.quality for one in judgements(document)[: found.topic]) < 1


def test_a_highlight_comes_before_the_topic():
    document = Document.of(CALL, language="en")
    summarize = nutgraf.load("adaptive")
    assert "in June?" in summarize(document, words=12).text
    assert "driver" in summarize(document, words=12, highlights=["driver"]).text


def test_long_talk_and_several_dialogues_have_no_opening():
    long = Document.of(CALL * 20, language="en")
    assert recognize_genre(long) == "transcript"
    assert opening(long) is None
    assert opening(Document.of("The crane broke. Who repairs it?", language="en")) is None


@pytest.mark.parametrize("words", [10, 14, 20, 30])
def test_no_budget_is_exceeded(words: int):
    summary = nutgraf.load("adaptive")(Document.of(CALL, language="en"), words=words)
    assert len(str(summary).split()) == summary.words <= words
