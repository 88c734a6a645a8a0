"""The sentence that introduces the subject of a text: what is announced, or what is defined and is the subject."""

from __future__ import annotations

import pytest

import nutgraf
from nutgraf.prose.introduction import announcement, introduction
from nutgraf.text.document import Document

README = """\
brineflow

Build passing. Coverage 97 %.

Pumps in salt works wear out fast. brineflow is a Python package that simulates the flow of brine between basins.

brineflow reads the depth of each basin from a table. It computes the flow through every gate of the works.

The gates are opened and closed by a schedule. A schedule of brineflow is a list of times and positions.

Run the tests before you send a change. Questions about brineflow are answered on the mailing list.
"""


def introduced(text: str, language: str | None = None) -> str | None:
    document = Document.of(text, language=language)
    index = introduction(document)
    return None if index is None else document.printed[index]


def test_a_definition_of_what_the_title_names_introduces_it():
    text = README.replace("Pumps in salt works wear out fast. ", "")
    assert introduced(text) == "brineflow is a Python package that simulates the flow of brine between basins."


def test_without_a_title_the_subject_is_what_many_sentences_name():
    text = (
        "Winter comes early in the north. Rain is a nuisance to sailors there. "
        "Quernholm (formerly Querne) is an island off the coast of Vellland. Quernholm has two villages. "
        "A ferry sails to Quernholm twice a day. Most people of Quernholm fish for herring in the summer months."
    )
    assert introduced(text) == "Quernholm (formerly Querne) is an island off the coast of Vellland."


@pytest.mark.parametrize(
    ("language", "sentence", "rest"),
    [
        (
            "de",
            "Die Quernburg ist eine Ruine am Rand der Stadt.",
            "Die Quernburg brannte nieder. Zur Quernburg geht man.",
        ),
        (
            "fr",
            "Le Quernoy est un affluent de la Vaure du nord.",
            "Le Quernoy gèle en hiver. On pêche dans le Quernoy.",
        ),
        ("es", "El Querno es una sierra del norte del país.", "El Querno tiene bosques. Se sube al Querno en verano."),
        ("nl", "De Querne is een rivier in het noorden.", "De Querne bevriest zelden. Aan de Querne ligt een dorp."),
    ],
)
def test_definitions_in_other_languages(language: str, sentence: str, rest: str):
    assert introduced(f"{sentence} {rest}", language) == sentence


def test_what_leans_on_another_sentence_introduces_nothing():
    assert introduced("The brine rises at night. It is a pump of the salt works that brine needs for this.") is None


ABSTRACT = """\
Brine is a costly material for salt works. Pumps of brine fail often. In this paper, we present a schedule for pumps \
that halves their wear. We show that a schedule saves brine in twelve salt works.
"""


def test_an_announcement_comes_before_a_definition():
    document = Document.of(ABSTRACT)
    assert introduction(document) == announcement(document) == 2
    assert announcement(Document.of(README)) is None


def test_the_default_takes_the_introduction_first():
    summarize = nutgraf.load("adaptive")
    sentence = "Brineflow is a Python package that simulates the flow of brine between basins."
    document = Document.of(README.replace("Pumps in salt works wear out fast. brineflow", "Brineflow"))
    summary = summarize(document, sentences=1)
    assert summary.text == sentence
    assert "introduces the subject" in summary.sentences[0].reasons
    assert "schedule" in summarize(document, sentences=1, highlights=["schedule of brineflow"]).text


def test_the_introduction_can_be_turned_off():
    summarize = nutgraf.load("adaptive", ["extractive.introduce=false"])
    summary = summarize(Document.of(README), words=60)
    assert all("introduces the subject" not in one.reasons for one in summary.sentences)


def test_news_need_no_introduction():
    text = (
        "Quernholm harbour was closed on Monday after a storm, the mayor said. Quernholm is an island off the coast. "
        "The ferry to Quernholm lost its rudder, a sailor told the paper. Nobody on Quernholm was hurt."
    )
    summary = nutgraf.load("adaptive")(Document.of(text), words=40)
    assert all("introduces the subject" not in one.reasons for one in summary.sentences)


def test_the_result_of_an_abstract_comes_with_what_it_announces():
    summary = nutgraf.load("adaptive")(Document.of(ABSTRACT), sentences=2)
    assert summary.genre == "abstract"
    assert [one.text.split()[0] for one in summary.sentences] == ["In", "We"]
