"""The case of lower-cased words: the source's, the dictionary's."""

import pytest

from nutgraf.text.dictionary import english_tag, is_english
from nutgraf.text.document import Document
from nutgraf.text.truecasing import Truecaser, capitalize

TEXT = (
    "Storm hits Tremouth. Pilots of the tug Agnes called NASA on Monday. Gulls watched the iPhone sink. "
    "Ossington went home. Monday was dry. The Agnes stayed. ALL SHIPS MUST LEAVE. "
    'He said: "Nobody slept." An apple fell; Apple fell too, and Apple rose.'
)


@pytest.fixture(scope="module")
def casing():
    return Truecaser(Document.of(TEXT, language="en"))


def at(word, occurrence=0):
    start = -1
    for _ in range(occurrence + 1):
        start = TEXT.index(word, start + 1)
    return start, start + len(word)


@pytest.mark.parametrize(("word", "place"), [("Agnes", 0), ("NASA", 0), ("iPhone", 0), ("Monday", 0), ("apple", 0)])
def test_a_copied_word_stands_as_in_its_place(casing, word, place):
    assert casing(word.lower(), at(word, place)) == word


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("the", "the"),  # elsewhere it stands in lower case
        ("storm", "storm"),  # nowhere else, but the dictionary knows it
        ("pilots", "pilots"),
        ("gulls", "gulls"),  # a plural of what it knows
        ("ossington", "Ossington"),  # nobody knows it: a name
        ("monday", "Monday"),  # elsewhere within a sentence
        ("nobody", "nobody"),  # a quotation begins a sentence, too
    ],
)
def test_a_word_copied_from_the_beginning_of_a_sentence_stands_as_elsewhere(casing, word, expected):
    assert casing(word, at(capitalize(word))) == expected


@pytest.mark.parametrize(("word", "expected"), [("SHIPS", "ships"), ("LEAVE", "leave")])
def test_what_was_shouted_is_said(casing, word, expected):
    assert casing(word.lower(), at(word)) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("agnes", "Agnes"),
        ("nasa", "NASA"),
        ("apple", "Apple"),  # twice against once
        ("london", "London"),  # not in the source: the dictionary has it with a capital only
        ("thursday", "Thursday"),
        ("u.s.", "U.S."),
        ("nbc", "NBC"),
        ("e.g.", "e.g."),
        ("harbour", "harbour"),
        ("bridges", "bridges"),
        ("zyzzyx", "zyzzyx"),
        ("12th", "12th"),
        ("Tremouth", "Tremouth"),
        (",", ","),
        ("", ""),
    ],
)
def test_a_generated_word_stands_as_in_the_source_or_in_the_dictionary(casing, word, expected):
    assert casing(word) == expected


def test_other_languages_have_no_english_words():
    casing = Truecaser(Document.of("Der Sturm kam. Die Hunde bellten den Sturm an.", language="de"))
    assert [casing("sturm"), casing("london"), casing("hunde")] == ["Sturm", "london", "Hunde"]


@pytest.mark.parametrize(
    ("word", "expected"),
    [("tug", "Tug"), ("iPhone", "iPhone"), ("NASA", "NASA"), ("ßen", "ßen"), ("éa", "Éa"), ("", "")],
)
def test_capitals(word, expected):
    assert capitalize(word) == expected


@pytest.mark.parametrize(
    ("word", "expected"), [("i", "I"), ("i'm", "I'm"), ("i’ve", "I’ve"), ("i.e.", "i.e."), ("is", "is")]
)
def test_i(casing, word, expected):
    assert casing(word) == expected


def test_a_source_without_capitals_tells_nothing():
    text = "the tug left london on monday . i stayed ."
    casing = Truecaser(Document.of(text, language="en"))
    assert [casing(word, (text.index(word), text.index(word) + len(word))) for word in ("london", "monday", "tug")] == [
        "London",
        "Monday",
        "tug",
    ]


def test_the_dictionary_is_the_lexicon_of_the_tagger() -> None:
    from textblob.en import parser

    parser.lexicon.load()
    assert {word: english_tag(word) for word in parser.lexicon} == dict(parser.lexicon)
    assert not any(map(is_english, ("", " ", ";;;", "zyzzyx", "the DT", "the ", "~~~~~", "\uffff")))
