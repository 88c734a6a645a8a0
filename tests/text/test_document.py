"""Documents: records with offsets."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nutgraf.errors import InputError
from nutgraf.text.document import Document, Section, join

FOG = "The ferry left in thick fog. Its captain knew the rocks."
RYE = "Rye is dark. It is sour."


def test_sentences_are_spans_of_the_text() -> None:
    document = Document.of(FOG, "fog.txt")
    assert [document.show(sentence) for sentence in document.sentences] == [
        "The ferry left in thick fog.",
        "Its captain knew the rocks.",
    ]
    assert document.language == "en"
    assert document.parts == (Section("fog.txt", 0, len(FOG)),)


def test_what_is_known_of_sentences() -> None:
    document = Document.of("The  ferries\nleft. 7 a x sank!", language="en", sentences=[(0, 18), (19, 31)])
    assert document.printed == ["The ferries left.", "7 a x sank!"]
    assert document.lengths == [3, 4]
    assert document.words == [["the", "ferries", "left"], ["7", "a", "x", "sank"]]
    assert document.terms == [["ferri", "left"], ["sank"]]


def test_known_sentences_are_taken_as_they_are() -> None:
    document = Document.of("a . b . c", language="en", sentences=[(0, 3), (4, 9)])
    assert document.printed == ["a .", "b . c"]


def test_a_sentence_that_prints_nothing_is_none() -> None:
    assert Document.of("\x1b \x07", language="en").sentences == ()
    assert Document.of("Yes. \ufeff", language="en").printed == ["Yes."]


def test_long_sentences_are_broken_with_a_notice() -> None:
    document = Document.of("word " * 600, "wall.txt", language="en")
    assert document.lengths == [50] * 12
    assert document.notices == (
        "wall.txt: 1 sentence of more than 250 words, or 1,000 words and marks, was broken into shorter pieces.",
    )


def test_a_run_without_spaces_is_broken_where_it_has_more_than_a_thousand_words_and_marks() -> None:
    document = Document.of("Ab/" * 600, language="en")
    assert len(document.sentences) == 1200 / 50
    assert Document.of("Ab/" * 400, language="en").printed == ["Ab/" * 400]


def test_a_text_in_an_unknown_language_gets_a_notice() -> None:
    document = Document.of("Rongo malfruis, kaj neniu sciis kial. " * 5, "rongo.txt")
    assert document.language == "und"
    assert document.notices[0].startswith("rongo.txt: the language was not recognized, so words are not reduced")
    assert Document.of("Der Zug kam spät. " * 9, language="de").notices == ()


def test_joined_documents_are_parts_and_no_sentence_crosses() -> None:
    one = Document.of(FOG, "fog", pages=[0, 29], language="en")
    other = Document.of(RYE, "rye", sections=[Section("Taste", 13, 24)], pages=[0], language="en")
    both = join([one, other])
    base = len(FOG) + 2
    assert [both.show(part) for part in both.parts] == [FOG, RYE]
    assert both.printed == [*one.printed, *other.printed]
    assert both.sections == (Section("Taste", base + 13, base + 24),)
    assert both.name == "fog, rye"
    assert [both.part_of(offset) for offset in (0, base - 3, base, base + 5)] == [0, 0, 1, 1]
    assert [both.page_of(offset) for offset in (0, 28, 29, base, base + 20)] == [1, 1, 2, 1, 1]


def test_joining_what_was_joined_keeps_all_parts() -> None:
    one, two, three = (Document.of(f"{name} is here.", name, language="en") for name in ("Ann", "Bob", "Cyd"))
    assert join([join([one, two]), three]).parts == join([one, two, three]).parts


def test_joining_nothing_is_a_mistake_and_joining_one_is_itself() -> None:
    document = Document.of(FOG)
    assert join([document]) is document
    with pytest.raises(InputError, match="no document"):
        join([])


def test_languages_that_differ_are_none() -> None:
    assert join([Document.of(FOG, language="en"), Document.of(RYE, language="en")]).language == "en"
    assert join([Document.of(FOG, language="en"), Document.of(RYE, language="de")]).language == "und"


def test_marks_alone_are_no_sentence_where_they_are_no_word() -> None:
    assert Document.of("雾来了。\n\n——\n\n\u202e\n\n船走了。", language="zh").printed == ["雾来了。", "船走了。"]


def test_what_cannot_be_seen_is_no_sentence() -> None:
    assert Document.of("\u200b\u200d\n\nThe fog came.\n\n\ufeff\u2060", language="en").printed == ["The fog came."]


def test_formats_without_pages_have_none() -> None:
    assert Document.of(FOG).page_of(7) is None


@given(st.lists(st.text(max_size=80), min_size=1, max_size=3), st.sampled_from([None, "en", "de", "fr", "zh", "th"]))
@example(["_0", "\u0300\x1b0"], "zh")
def test_any_text_becomes_a_document(texts: list[str], language: str | None) -> None:
    document = join([Document.of(text, language=language) for text in texts])
    count = len(document.sentences)
    assert [len(one) for one in (document.printed, document.lengths, document.words, document.terms)] == [count] * 4
    assert all(document.printed)
    assert all(document.lengths)
    at = 0
    for sentence in document.sentences:
        assert at <= sentence.start < sentence.end <= len(document.text)
        part = document.parts[document.part_of(sentence.start)]
        assert part.start <= sentence.start < sentence.end <= part.end
        at = sentence.end


def test_a_text_whose_language_is_not_recognized_is_read_like_the_others() -> None:
    english = Document.of("The boat left the harbour, and it was the last of them that had been there for a year.")
    german = Document.of("Das Boot hat den Hafen verlassen, und es war das letzte, das noch im Hafen war, als sie kam.")
    unknown = Document.of(", ".join(f"Kelo {number}, mardo tunik belafa rosti" for number in range(9)))
    assert [one.language for one in (english, german, unknown)] == ["en", "de", "und"]
    assert [join(pair).language for pair in ([english, unknown], [unknown, german])] == ["en", "de"]
    assert join([english, german]).language == join([unknown, unknown]).language == "und"
    assert "language" in join([english, unknown]).notices[0]
