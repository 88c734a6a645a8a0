"""Stop words and stems by language."""

from __future__ import annotations

from nutgraf.text.language import ENGLISH, function_words, looks_english, stemmer
from nutgraf.text.tokenize import words


def test_stems_come_from_the_language() -> None:
    assert [stemmer("en")(word) for word in ("ferries", "running")] == ["ferri", "run"]
    assert stemmer("de")("häuser") == "haus"
    assert stemmer("xx")("ferries") == "ferries"


def test_english_function_words_are_a_list() -> None:
    assert function_words("en", []) is ENGLISH
    assert {"the", "of", "wouldn"} <= ENGLISH
    assert not {"ferry", "captain", "new"} & ENGLISH


def test_other_function_words_are_the_few_that_fill_a_third_of_the_text() -> None:
    sentences = [["der", "hund"], ["der", "zug"], ["der", "rat"], ["und", "hut"], ["und", "tal"], ["und", "see"]]
    assert function_words("de", sentences) == {"der", "und"}
    assert function_words("de", [["hund", "katze"]]) == frozenset()
    assert function_words("de", []) == frozenset()


def test_rare_words_are_no_function_words_however_short_the_text() -> None:
    assert function_words("de", [["der", "hund", "der", "hund"]]) == frozenset()


def test_english_is_told_by_its_function_words() -> None:
    assert looks_english(words("The train was late, and nobody on the platform knew why it had not come. " * 2))
    assert not looks_english(words("Der Zug kam spät, und niemand auf dem Bahnsteig wusste, warum das so war. " * 2))
    assert not looks_english(words("Поезд опоздал, и никто на платформе не знал почему. " * 3))


def test_a_few_latin_words_have_the_benefit_of_the_doubt() -> None:
    assert looks_english([])
    assert looks_english(["zug", "kam", "spät"])
    assert not looks_english(["поезд", "опоздал"])
