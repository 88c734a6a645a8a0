"""Variants of a phrase are one."""

import pytest

from nutgraf.keyphrases import extractors, phrases
from nutgraf.text.document import Document

OBAMA = (
    "President Obama met Mr Cameron in London. Mr Obama praised the tide gauges. Barack Obama saw a tide gauge. "
    "Only Obama slept."
)


def groups(text: str, **options: object) -> dict[str, set[str]]:
    found = phrases(Document.of(text, language="en"), "tfidf", top=100, **options)
    return {phrase.text: set(phrase.forms) for phrase in found}


def test_titles_first_names_and_endings_do_not_make_another_phrase():
    found = groups(OBAMA)
    assert found["President Obama"] == {"Mr Obama", "Barack Obama", "Obama"}
    assert found["tide gauges"] == {"tide gauge"}
    assert not {"Obama", "Barack Obama", "tide gauge"} & set(found)
    assert found["Mr Cameron"] == set()  # "Cameron" stands nowhere else


def test_each_place_counts_once():
    document = Document.of(OBAMA, language="en")
    (obama,) = (phrase for phrase in phrases(document, "tfidf", top=100) if phrase.text == "President Obama")
    assert [document.show(span) for span in obama.spans] == ["President Obama", "Mr Obama", "Barack Obama", "Obama"]


def test_two_people_of_one_name_are_two():
    found = groups("Barack Obama spoke. Michelle Obama listened. Obama left.")
    assert {"Barack Obama", "Michelle Obama", "Obama"} <= set(found)


@pytest.mark.parametrize("text", ["He left North Korea. Korea waits.", "She saw New Mexico. Mexico waits."])
def test_a_quarter_of_the_compass_makes_another_name(text):
    assert all(not forms for forms in groups(text).values())


def test_a_common_noun_stands_for_the_only_name_that_ends_with_it():
    found = groups("County Hospital burned. Nobody was in the hospital. A hospital needs water.", ngram_range=(1, 2))
    assert found["County Hospital"] == {"hospital"}
    assert "hospital" not in found


def test_a_common_noun_of_two_names_stands_for_neither():
    found = groups("County Hospital burned. Mercy Hospital helped. The hospital needs water.", ngram_range=(1, 2))
    assert {"County Hospital", "Mercy Hospital", "Hospital"} <= set(found)


def test_a_title_alone_is_itself():
    assert "President" in groups("The President spoke. President Obama slept.")


@pytest.mark.parametrize("kind", ["tfidf", "position_rank", "text_rank", "multipartite_rank", "rake", "yake"])
def test_they_can_stay_apart(kind):
    apart = extractors.make(kind, top=100, merge_variants=False)(Document.of(OBAMA, language="en"))
    merged = extractors.make(kind, top=100)(Document.of(OBAMA, language="en"))
    assert all(not phrase.forms for phrase in apart)
    assert any(phrase.forms for phrase in merged)
    assert len(merged) < len(apart)
