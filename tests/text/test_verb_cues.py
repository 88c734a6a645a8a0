"""Key phrases without verbs, in languages for which there is no tagger."""

import pytest

from nutgraf.keyphrases import phrases
from nutgraf.text.document import Document
from nutgraf.text.verb_cues import verbs

TEXTS = {
    "de": (
        "Am Dienstag legt Relotius sein Amt nieder. Der Kapitän verlor die neue Fähre im Sturm. Gestern sank die alte "
        "Fähre vor dem Hafen. Die Hafenmeisterin sucht einen erfahrenen Kapitän.",
        {"Dienstag", "Relotius", "Amt", "neue Fähre", "alte Fähre", "Sturm", "Hafen", "erfahrenen Kapitän"},
        "legt verlor Gestern sank sucht",
    ),
    "fr": (
        "Le président annonce une réforme fiscale. La réforme fiscale inquiète les pêcheurs du port. Les pêcheurs ne "
        "veulent pas payer la taxe. Le maire a défendu la réforme.",
        {"président", "réforme fiscale", "pêcheurs", "port", "taxe", "maire"},
        "annonce inquiète veulent payer défendu",
    ),
    "es": (
        "El capitán perdió la vieja barca en la tormenta. La vieja barca llevaba sal al puerto. El alcalde anunció un "
        "puerto nuevo. Los pescadores no quieren pagar el puerto.",
        {"capitán", "vieja barca", "tormenta", "puerto nuevo", "alcalde", "pescadores"},
        "perdió llevaba anunció quieren pagar",
    ),
    "it": (
        "Il capitano perse la vecchia barca nella tempesta. La vecchia barca portava sale al porto. Il sindaco "
        "annunciò un porto nuovo. I pescatori non vogliono pagare il porto.",
        {"capitano", "vecchia barca", "tempesta", "porto nuovo", "sindaco", "pescatori"},
        "perse portava annunciò vogliono pagare",
    ),
    "pt": (
        "O capitão perdeu o velho barco na tempestade. O velho barco levava sal ao porto. O prefeito anunciou um porto "
        "novo. Os pescadores não querem pagar o porto.",
        {"capitão", "velho barco", "tempestade", "porto novo", "prefeito", "pescadores"},
        "perdeu levava anunciou querem pagar",
    ),
    "nl": (
        "De kapitein verloor de oude veerboot in de storm. De oude veerboot bracht zout naar de haven. De burgemeester "
        "kondigde een nieuwe haven aan. De vissers willen de haven niet betalen.",
        {"kapitein", "oude veerboot", "storm", "nieuwe haven", "burgemeester", "vissers"},
        "verloor bracht kondigde willen betalen",
    ),
    "ru": (
        "Капитан потерял старую лодку во время бури. Старая лодка везла соль в гавань. Мэр объявил о новой гавани. "
        "Рыбаки не хотят платить за гавань.",
        {"Капитан", "старую лодку", "гавань", "Мэр", "новой гавани", "Рыбаки"},
        "потерял везла объявил хотят платить",
    ),
}


@pytest.mark.parametrize("language", TEXTS)
def test_key_phrases_hold_no_verbs(language):
    text, expected, barred = TEXTS[language]
    found = phrases(Document.of(text, language=language), top=30)
    spoken = {word for phrase in found for form in (phrase.text, *phrase.forms) for word in form.split()}
    assert spoken.isdisjoint(barred.split())
    assert expected <= {form for phrase in found for form in (phrase.text, *phrase.forms)}


def test_german_without_capitals_has_its_words_still():
    text = "die fähre sinkt. die fähre wartet. der kapitän ruft die fähre."
    assert "fähre" in {word for phrase in phrases(Document.of(text, language="de")) for word in phrase.text.split()}


def test_of_other_languages_nothing_is_known():
    assert verbs(["Loď", "čeká"], [0], "cs", frozenset()) is None


def test_a_noun_with_the_ending_of_a_verb_stays_one_behind_its_article():
    found = phrases(Document.of("Le loyer baisse. Le loyer et le chantier. Un dîner.", language="fr"))
    assert {"loyer", "chantier", "dîner"} <= {phrase.text for phrase in found}


@pytest.mark.parametrize(
    ("language", "text", "verb"),
    [
        ("fr", "Lundi maire intervient. Lundi conseil vote.", "intervient"),
        ("es", "Viento norte proviene ahora. Viento sur llega.", "proviene"),
        ("ru", "Храм построен мастером. Дом стоит.", "построен"),
        ("nl", "Gisteren politie aanhield dieven. Gisteren dieven vluchtten.", "aanhield"),
    ],
)
def test_a_verb_is_known_by_its_prefix_or_its_ending(language, text, verb):
    found = {word for phrase in phrases(Document.of(text, language=language)) for word in phrase.text.split()}
    assert found
    assert verb not in found


def test_a_noun_that_looks_like_that_is_none():
    found = phrases(Document.of("Departement vraagt aandacht. Media schenken aandacht.", language="nl"))
    assert "aandacht" in {word for phrase in found for word in phrase.text.split()}
