"""Tokens and their parts of speech."""

import importlib.util
import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nutgraf.errors import InputError, UnknownName
from nutgraf.text import tagging
from nutgraf.text.document import Document
from nutgraf.text.tagging import Tagged, tag

NEEDS_CRF = pytest.mark.skipif(
    not (importlib.util.find_spec("pycrfsuite") and importlib.util.find_spec("gruut_lang_en")),
    reason="the extra 'tagger' is not installed",
)
SENTENCE = "The old ferry crossed the grey harbour slowly."


def pairs(tagged: Tagged) -> dict[str, str]:
    return dict(zip(tagged.words, tagged.tags, strict=True))


def test_textblob_knows_nouns_adjectives_and_verbs():
    found = pairs(tag(Document.of(SENTENCE)))
    assert {found["ferry"], found["harbour"]} == {"NOUN"}
    assert {found["old"], found["grey"]} == {"ADJ"}
    assert (found["crossed"], found["slowly"], found["The"], found["."]) == ("VERB", "ADV", "DET", "PUNCT")


def test_clitics_part_from_their_words_and_negations_are_auxiliaries():
    tagged = tag(Document.of("Hamburg's ferries mustn't wait; they'll leave.", language="en"))
    assert tagged.words[:3] == ["Hamburg", "'s", "ferries"]
    assert tagged.words[7:9] == ["'ll", "leave"]
    assert pairs(tagged)["mustn't"] == "AUX"


def test_sentences_begin_where_they_begin():
    tagged = tag(Document.of("Boats wait. Crews sleep now.", language="en"))
    assert tagged.starts == [0, 3]


def test_marks_are_never_words():
    tagged = tag(Document.of("§ Ships % __ * sail → home", language="en"))
    assert [word for word, part in zip(tagged.words, tagged.tags, strict=True) if part != "PUNCT"] == [
        "Ships",
        "sail",
        "home",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The gauges fax quickly, unbelievable pre-war keels standardize 3.5 % of Zanzibarian docks.",
        "\u201cHarbours\u201d aren't re-floated; the ferry's unsinkability amazes ex-pilots.",
        "buses glass corpus GPU'S 12-15 running sings amphibious widgeted",
    ],
)
def test_tags_are_those_of_textblobs_own_parser(text):
    from textblob.en import parser

    words = tag(Document.of(text, language="en")).words
    plain = [word.replace("\u2019", "'") for word in words]
    assert tagging.penn_tags(words) == [penn for _, penn in parser.find_tags(plain)]


def test_greetings_name_nothing():
    found = pairs(tag(Document.of("Good morning, captain! Kind regards, Anna", language="en")))
    assert {found[word] for word in ("Good", "morning", "Kind", "regards")} == {"INTJ"}
    assert found["captain"] == "NOUN"


def test_content_takes_every_content_word_for_a_noun():
    found = pairs(tag(Document.of("The ferry crossed the harbour 12 times.", language="en"), "content"))
    assert found == {
        "The": "X", "ferry": "NOUN", "crossed": "NOUN", "the": "X", "harbour": "NOUN", "12": "NUM", "times": "NOUN",
        ".": "PUNCT",
    }  # fmt: skip


def test_single_letters_are_no_nouns_of_languages_without_a_tagger():
    found = dict(pairs(tag(Document.of("Гавань построили в 1948 г. мастера города.", language="ru"))))
    assert (found["г"], found["Гавань"]) == ("X", "NOUN")


def test_another_language_is_read_by_content_whatever_was_asked_for():
    document = Document.of("Der Kapitän und der Lotse und der Koch.", language="de")
    assert tag(document, "textblob").tags == tag(document, "content").tags
    assert tag(document, "crf").words == tag(document, "content").words
    assert pairs(tag(document, "crf"))["der"] == "X"


@pytest.mark.parametrize(("installed", "wanted"), [(True, "crf"), (False, "textblob")])
def test_auto_is_the_better_one_that_is_installed(monkeypatch, installed, wanted):
    monkeypatch.setattr(tagging, "find_spec", lambda name: object() if installed else None)
    assert tagging.available("auto") == wanted
    assert tagging.available("content") == "content"


def test_an_unknown_tagger_is_told_the_others():
    with pytest.raises(UnknownName, match="crf"):
        tag(Document.of(SENTENCE), "brill")  # type: ignore[arg-type]


def test_a_missing_extra_says_how_to_get_it(monkeypatch):
    from nutgraf.text import tagging

    tagging._crf_model.cache_clear()
    monkeypatch.setitem(sys.modules, "gruut_lang_en", None)
    with pytest.raises(InputError, match=r'pip install "nutgraf\[tagger\]"'):
        tag(Document.of(SENTENCE, name="missing extra"), "crf")


@NEEDS_CRF
def test_a_verb_behind_a_noun_is_no_noun_because_crf_says_so():
    """crf alone takes "turns" for a noun."""
    found = pairs(tag(Document.of("Dust cracked the rollers on which the bridge turns and creaks."), "crf"))
    assert (found["bridge"], found["turns"], found["rollers"]) == ("NOUN", "VERB", "NOUN")


@NEEDS_CRF
def test_crf_knows_them_too():
    found = pairs(tag(Document.of(SENTENCE + " Hamburg’s GPUs (3) run!", language="en"), "crf"))
    assert {found["ferry"], found["harbour"]} == {"NOUN"}
    assert {found["old"], found["grey"]} == {"ADJ"}
    assert (found["crossed"], found["Hamburg"], found["3"], found["("]) == ("VERB", "PROPN", "NUM", "PUNCT")


@given(st.text(max_size=200))
def test_spans_are_the_tokens_and_sentences_hold_them(text):
    document = Document.of(text, language="en")
    tagged = tag(document)
    assert [document.show(span) for span in tagged.spans] == tagged.words
    assert len(tagged.words) == len(tagged.tags)
    assert all(one < other for one, other in pairwise(tagged.starts))
    assert all(0 <= start < len(tagged.words) for start in tagged.starts)
