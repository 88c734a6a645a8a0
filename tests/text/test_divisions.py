"""Words that a line end divides are whole in a summary, where somebody knows them."""

import pytest

import nutgraf
from nutgraf.text.document import Document
from nutgraf.text.paragraphs import without_divisions

KNOWN = {("earth", "worm"), ("hafen", "meister")}


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("An earth-\nworm digs.", "An earthworm digs."),
        ("An earth-  \n  worm.", "An earthworm."),
        ("An earth- worm.", "An earth- worm."),  # no line end
        ("The in- and output of in-\nand output.", "The in- and output of in-\nand output."),
        ("An e\u00adm\u00ad\nu.", "An e\u00admu."),  # a soft hyphen divides
        ("Pages 12-\n14, or 1\u2010\n2, 3–\n4.", "Pages 12-14, or 1\u20102, 3–4."),
        ("The Earth-\nworm.", "The Earthworm."),
        ("Der Hafen\u2010\nmeister.", "Der Hafenmeister."),
        ("An earth-\n\nworm.", "An earth-\n\nworm."),  # two paragraphs
        ("An earth-Worm, an earth-\nWorm.", "An earth-Worm, an earth-\nWorm."),  # a name
        ("An earth - worm, an earth--\nworm.", "An earth - worm, an earth--\nworm."),  # dashes
        ("A well-\nknown tug.", "A well-\nknown tug."),  # nobody knows "wellknown"
        ("A non-earth-\nworm.", "A non-earth-\nworm."),
        ("Two- and three-year-old.", "Two- and three-year-old."),
    ],
)
def test_parts_are_joined_where_the_word_is_known(text: str, whole: str) -> None:
    assert without_divisions(text, lambda *parts: parts in KNOWN) == whole


def test_a_word_is_known_by_the_dictionary_or_the_text() -> None:
    text = "A single earth-\nworm dug.\n\nThe skree-\nling dug, a skreeling and a well-\nknown one. No ploo-\nfing."
    document = Document.of(text, language="en")
    assert document.printed == [
        "A single earthworm dug.",
        "The skreeling dug, a skreeling and a well-known one.",
        "No ploo- fing.",
    ]
    assert document.words[0] == ["a", "single", "earthworm", "dug"]
    assert document.show(document.sentences[0]) == "A single earth-\nworm dug."
    assert [nutgraf.load()(document, sentences=1).sentences[0].origins[0].end] == [document.sentences[1].end]


@pytest.mark.parametrize(
    ("language", "text", "printed"),
    [
        ("en", "The in- and output of the port is large.", "The in- and output of the port is large."),
        ("en", "The in-\nand output of the port is large.", "The in- and output of the port is large."),
        ("en", "A short- and long-\nterm plan.", "A short- and long-term plan."),
        (
            "en",
            "The tug was brought to Leith by Jean-\nPierre Roux, for Jean-Pierre is able.",
            "The tug was brought to Leith by Jean-Pierre Roux, for Jean-Pierre is able.",
        ),
        ("en", "The mother-in-\nlaw saw an up-\nto-date list.", "The mother-in-law saw an up-to-date list."),
        ("de", "Die Haupt-\nund Nebenstraße ist zu.", "Die Haupt- und Nebenstraße ist zu."),
        ("nl", "Op-\nen afritten zijn open voor boten.", "Op- en afritten zijn open voor boten."),
        ("fr", "La pré-\net post-guerre, un porte-\nmanteau.", "La pré- et post-guerre, un porte- manteau."),
    ],
)
def test_copied_text_differs_from_its_source_in_line_ends_only(language: str, text: str, printed: str) -> None:
    assert Document.of(text, language=language).printed == [printed]


def test_other_languages_have_the_text_alone() -> None:
    text = "Der Hafen-\nmeister kam. Ein Hafenmeister schläft nie. Der Leucht-\nturm steht. Vor- und Nachteile gibt es."
    printed = Document.of(text, language="de").printed
    assert printed[0] == "Der Hafenmeister kam."
    assert printed[2:] == ["Der Leucht- turm steht.", "Vor- und Nachteile gibt es."]
