"""Phrases that the user names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nutgraf.errors import InputError
from nutgraf.text.document import Document, Phrase, join
from nutgraf.text.highlights import find_phrases, parse

TEXT = "The night ferry left. A Night  Ferry is late; night. Ferry crews wait for night ferries."


def test_a_weight_follows_the_last_colon():
    assert parse("night ferry") == ("night ferry", 1.0)
    assert parse(" night ferry : 2.5") == ("night ferry", 2.5)
    assert parse("12:30:1") == ("12:30", 1.0)


@pytest.mark.parametrize(
    "bad", ["ferry:fast", "ferry:", "ferry:0", "ferry:-1", "ferry:nan", "ferry:inf", "", ":2", "--:3"]
)
def test_what_cannot_be_read_is_told_in_a_sentence(bad):
    with pytest.raises(InputError, match="highlight"):
        parse(bad)


def test_a_code_of_a_terminal_is_no_phrase():
    with pytest.raises(InputError, match="has no words"):
        find_phrases(Document.of(TEXT, language="en"), ["\x1b[31m"])


def test_every_place_without_case_but_never_across_sentences():
    document = Document.of(TEXT, language="en")
    phrases, notices = find_phrases(document, ["NIGHT ferry:3"])
    assert phrases == [Phrase("NIGHT ferry", 3.0, ((4, 15), (24, 36)))]
    assert [document.show(span) for span in phrases[0].spans] == ["night ferry", "Night  Ferry"]
    assert notices == []


def test_stems_match_if_asked():
    (phrase,), _ = find_phrases(Document.of(TEXT, language="en"), ["night ferry"], stems=True)
    assert len(phrase.spans) == 3


def test_a_phrase_that_does_not_occur_is_a_notice():
    phrases, notices = find_phrases(Document.of(TEXT, name="log.txt", language="en"), ["day ferry", "crews"])
    assert [phrase.text for phrase in phrases] == ["crews"]
    assert notices == ["The highlight 'day ferry' does not occur in log.txt."]


def test_given_twice_a_phrase_has_one_weight():
    document = Document.of(TEXT, language="en")
    (phrase,), _ = find_phrases(document, ["ferry:2", "Ferry:2.0"])
    assert (phrase.text, phrase.score) == ("ferry", 2.0)
    with pytest.raises(InputError, match=r"'Ferry'.*2.*5"):
        find_phrases(document, ["ferry:2", "Ferry:5"])


def test_no_phrase_crosses_from_one_document_to_the_next():
    joined = join([Document.of("They took the night", language="en"), Document.of("ferry home", language="en")])
    assert find_phrases(joined, ["night ferry"])[0] == []


@given(st.text(max_size=80), st.text(max_size=12))
def test_spans_hold_what_was_asked_for(text, wanted):
    document = Document.of(text, language="en")
    try:
        phrases, notices = find_phrases(document, [f"{wanted}:2"])
    except InputError:
        return
    assert len(phrases) + len(notices) == 1
    for phrase in phrases:
        for span in phrase.spans:
            assert "".join(document.show(span).lower().split()) == "".join(wanted.lower().split())


def test_a_highlight_has_a_least_and_a_greatest_weight() -> None:
    assert parse("ferry:1000000") == ("ferry", 1_000_000)
    for weight, told in (("1e7", "too much"), ("1e-320", "too little")):
        with pytest.raises(InputError, match=rf"{told}.*0\.000001.*1,000,000"):
            parse(f"ferry:{weight}")


def test_many_highlights_that_do_not_occur_are_told_together() -> None:
    document = Document.of("The ferry sails.")
    _, notices = find_phrases(document, [f"boat {number}" for number in range(12)])
    assert len(notices) == 11
    assert notices[-1] == "2 other highlights do not occur in the document."
