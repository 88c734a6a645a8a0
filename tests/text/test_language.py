"""Stop words and stems by language."""

from __future__ import annotations

import pytest

from nutgraf.errors import InputError
from nutgraf.text.document import Document
from nutgraf.text.language import check_code, elision, function_words, recognize, stemmer
from nutgraf.text.stop_words import ENGLISH, STOP_WORDS


def test_stems_come_from_the_language() -> None:
    assert [stemmer("en")(word) for word in ("ferries", "running")] == ["ferri", "run"]
    assert stemmer("de")("häuser") == "haus"
    assert stemmer("xx")("ferries") == "ferries"


def test_english_function_words_are_a_list() -> None:
    assert function_words("en", []) is ENGLISH
    assert {"the", "of", "wouldn"} <= ENGLISH
    assert not {"ferry", "captain", "new"} & ENGLISH


@pytest.mark.parametrize(
    ("language", "stop", "content"),
    [
        ("de", "der und nicht wegen einer", "hund zug gericht"),
        ("fr", "le qu dans été leur", "train loi juge"),
        ("es", "el los también según", "tren ley juez"),
        ("it", "il della perché sono", "treno legge giudice"),
        ("pt", "o não também pelo", "trem lei juiz"),
        ("nl", "het een niet waarom", "trein wet rechter"),
        ("ru", "и не что который", "поезд закон судья"),
    ],
)
def test_eight_languages_have_stop_words(language: str, stop: str, content: str) -> None:
    assert set(stop.split()) <= function_words(language, [])
    assert not set(content.split()) & function_words(language, [])
    assert all(word == word.lower() for word in STOP_WORDS[language])


def test_other_function_words_are_the_few_that_fill_a_third_of_the_text() -> None:
    sentences = [["en", "hund"], ["en", "vej"], ["en", "mand"], ["og", "hat"], ["og", "dal"], ["og", "sø"]]
    assert function_words("da", sentences) == {"en", "og"}
    assert function_words("da", [["hund", "kat"]]) == frozenset()
    assert function_words("da", []) == frozenset()


def test_rare_words_are_no_function_words_however_short_the_text() -> None:
    assert function_words("da", [["en", "hund", "en", "hund"]]) == frozenset()


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "The tide gauge failed. Nobody reads the tide gauge."),
        ("de", "Der Zug kam spät, und niemand auf dem Bahnsteig wusste, warum das so war."),
        ("fr", "Le train est arrivé en retard et personne sur le quai ne savait pourquoi."),
        ("es", "El tren llegó tarde y nadie en el andén sabía por qué no había venido."),
        ("it", "Il treno era in ritardo e nessuno sul binario sapeva perché."),
        ("pt", "O trem chegou tarde e ninguém na estação sabia por que não tinha vindo."),
        ("nl", "De trein was te laat en niemand op het perron wist waarom."),
        ("sv", "Tåget var försenat, och ingen på perrongen visste varför det inte hade kommit."),
        ("ca", "El tren va arribar tard i ningú a l'andana no sabia per què."),
        ("ru", "Этот поезд опоздал, и никто на платформе не знал, почему он был пуст."),
        ("uk", "Поїзд запізнився, і ніхто на платформі не знав чому."),
        ("hi", "ट्रेन देर से आई और किसी को नहीं पता था कि क्यों।"),
        ("mr", "ट्रेन उशिरा आली आणि कोणालाही का ते माहीत नव्हते."),
        ("ar", "تأخر القطار"),
        ("fa", "قطار دیر رسید و هیچ‌کس نمی‌دانست چرا."),
        ("he", "הרכבת איחרה"),
        ("ko", "기차가 늦었다"),
        ("th", "รถไฟมาสาย"),
        ("ja", "電車は遅れた。"),
        ("zh", "火车晚点了。"),
    ],
)
def test_a_language_is_recognized_by_its_script_or_its_frequent_words(code: str, text: str) -> None:
    assert recognize(text) == code


@pytest.mark.parametrize("text", ["", "1234 5678 !", "Hello world", "Zug kam spät", "የባቡሩ መዘግየት", "Поезд"])
def test_what_says_too_little_is_not_recognized(text: str) -> None:
    assert recognize(text) is None


def test_a_document_knows_its_language_and_says_where_it_is_unsure() -> None:
    assert Document.of("Der Zug kam spät, und niemand wusste warum.").language == "de"
    short = Document.of("Zug kam spät", "zug.txt")
    assert (short.language, len(short.notices)) == ("en", 1)
    assert short.notices[0].startswith("zug.txt: the text is too short to recognize its language, so English is")
    assert Document.of("Zug kam spät", language="de").notices == ()
    assert Document.of("የባቡሩ መዘግየት").language == "und"


@pytest.mark.parametrize(
    ("declared", "text", "language"),
    [
        ("fi", "Silta suljettiin tiistaina.", "fi"),
        ("pt-BR", "A ponte fechou terça-feira.", "pt"),
        ("de", "The bridge of the town is closed to all of the ships, as they said.", "en"),  # it is plainly English
        ("en", "Мост.", "und"),  # no English letters
        ("ja", "橋閉鎖。", "ja"),
        ("sk", "Most je zatvorený a všetky lode sa vracajú do prístavu, kde na ne čaká loď.", "sk"),  # like Czech
        ("xx", "Silta suljettiin tiistaina.", "en"),  # no language
        ("", "Silta suljettiin tiistaina.", "en"),
    ],
)
def test_a_declared_language_is_believed_where_the_text_shows_no_other(declared: str, text: str, language: str) -> None:
    assert Document.of(text, declared=declared).language == language
    assert Document.of(text, declared=declared, language="fr").language == "fr"


def test_a_language_that_a_person_names_is_an_iso_code() -> None:
    assert [check_code(code) for code in ("de", "DE", "de-AT", "zh_Hans", "und", "pl")] == [
        "de", "de", "de", "zh", "und", "pl",
    ]  # fmt: skip


@pytest.mark.parametrize(("wrong", "guess"), [("german", "'de'"), ("grman", "'de'"), ("enn", "'en'"), ("deu", "'de'")])
def test_an_unknown_code_is_answered_with_the_nearest(wrong: str, guess: str) -> None:
    with pytest.raises(InputError, match=rf"'{wrong}'.*{guess}"):
        Document.of("Ein Zug.", language=wrong)


def test_elided_words_are_parted_from_the_word_they_lean_on() -> None:
    assert [elision("fr", word) for word in ("l'eau", "qu’il", "jusqu'alors", "aujourd'hui", "eau")] == [2, 3, 6, 0, 0]
    assert [elision("it", word) for word in ("l'acqua", "dell'acqua", "un'isola")] == [2, 5, 3]
    document = Document.of("L'histoire de l'île.", language="fr")
    assert document.terms == [["histoir", "île"]]
