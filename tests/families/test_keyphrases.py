"""The contract of the extractors, over every file in the folder."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from members import members

from nutgraf.errors import PresetError
from nutgraf.keyphrases import extractors
from nutgraf.text.document import Document, join
from nutgraf.text.tokenize import flatten

TEXT = """The tide gauge in the old harbour failed in March. A tide gauge measures the height of the sea, and without a
tide gauge the harbour master guesses. The harbour master of the small town asked the council for a new tide gauge.

The council's answer came late. New gauges are dear, wrote the council; the small town is poor. So the harbour master
built a wooden tide gauge from an old mast, a copper float and a pencil. The wooden gauge writes on paper all night.
In the morning the harbour master reads the paper to the small town's fishermen."""

every = pytest.mark.parametrize("kind", members(extractors))


@every
def test_scores_have_an_l2_norm_of_one_and_fall(kind):
    phrases = extractors.make(kind)(Document.of(TEXT))
    assert math.isclose(sum(phrase.score**2 for phrase in phrases), 1.0)
    assert phrases == sorted(phrases, key=lambda phrase: (-phrase.score, phrase.spans[0][0], phrase.text))


@every
def test_text_is_the_first_place_and_all_places_are_in_order(kind):
    document = Document.of(TEXT)
    for phrase in extractors.make(kind, top=50)(document):
        assert flatten(document.show(phrase.spans[0])) == phrase.text
        assert list(phrase.spans) == sorted(set(phrase.spans))


@every
def test_no_phrase_crosses_a_sentence_or_a_document(kind):
    document = join([Document.of(TEXT, "one"), Document.of(TEXT, "two")])
    for phrase in extractors.make(kind, top=50)(document):
        for start, end in phrase.spans:
            assert any(sentence.start <= start < end <= sentence.end for sentence in document.sentences)


@every
def test_a_phrase_of_both_documents_stands_in_both(kind):
    document = join([Document.of(TEXT, "one"), Document.of(TEXT, "two")])
    for phrase in extractors.make(kind)(document):
        assert {document.part_of(start) for start, _ in phrase.spans} == {0, 1}


@every
@pytest.mark.parametrize(("shortest", "longest"), [(1, 1), (2, 3), (3, 3)])
def test_limits_on_words_hold(kind, shortest, longest):
    phrases = extractors.make(kind, top=100, ngram_range=[shortest, longest])(Document.of(TEXT))
    assert {len(phrase.text.split()) for phrase in phrases} <= set(range(shortest, longest + 1))


@every
def test_no_more_than_the_top(kind):
    few = extractors.make(kind, top=3)(Document.of(TEXT))
    many = extractors.make(kind, top=50)(Document.of(TEXT))
    assert len(few) == min(3, len(many))
    assert [phrase.text for phrase in many[:3]] == [phrase.text for phrase in few]


@every
def test_twice_is_the_same(kind):
    assert extractors.make(kind)(Document.of(TEXT)) == extractors.make(kind)(Document.of(TEXT))


@every
@pytest.mark.parametrize("text", ["", "   \n ", "... !?", "the of and", "→ ☂ 🎈"])
def test_a_document_without_phrases_has_none(kind, text):
    assert extractors.make(kind)(Document.of(text, language="en")) == []


@every
@pytest.mark.parametrize("language", ["de", "und", "zh"])
def test_other_languages_have_phrases_too(kind, language):
    text = "Die Fähre fährt. Die Fähre wartet. Die Fähre sinkt. Die Hafenmeisterei und die Fähre schweigen."
    document = Document.of(text, language=language)
    phrases = extractors.make(kind)(document)
    assert phrases
    assert all("Die" not in phrase.text.split() for phrase in phrases)


@every
@pytest.mark.parametrize(
    "bad", [{"top": 0}, {"ngram_range": [0, 3]}, {"ngram_range": [3, 2]}, {"ngram_range": [2]}, {"top": "ten"}]
)
def test_impossible_options_are_told(kind, bad):
    with pytest.raises(PresetError, match=kind):
        extractors.make(kind, **bad)


@every
@settings(max_examples=25)
@given(text=st.text(max_size=120))
def test_any_text_at_all(kind, text):
    document = Document.of(text)
    for phrase in extractors.make(kind)(document):
        assert phrase.text
        assert all(0 <= start < end <= len(text) for start, end in phrase.spans)
