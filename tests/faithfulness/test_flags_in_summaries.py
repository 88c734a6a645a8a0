"""Sentences that a model wrote have their flags, with characters of the sentence; copied ones have none."""

from __future__ import annotations

from nutgraf.faithfulness.flags import flagged
from nutgraf.text.document import Document, join
from nutgraf.text.flag import Flag
from nutgraf.text.summary import Budget, Summary, SummarySentence


def summary(document: Document, *sentences: tuple[str, str]) -> Summary:
    made = tuple(SummarySentence(text, operation, ()) for operation, text in sentences)
    return Summary(made, document, Budget(), "test")


def harbour() -> Document:
    return Document.of("Four boats left the harbour at noon.", language="en")


def test_offsets_count_from_the_beginning_of_the_sentence():
    made = summary(
        harbour(),
        ("copied", "Four boats left the harbour at noon."),
        ("generated", "At noon five boats left."),
        ("generated", "Four boats left Dover."),
    )
    assert [sentence.flags for sentence in flagged(made)] == [
        (),
        (Flag("numbers", 8, 12, "five", "No source has the number five."),),
        (Flag("names", 16, 21, "Dover", "No source has the name Dover."),),
    ]


def test_what_stands_in_the_sources_is_never_flagged():
    made = flagged(summary(harbour(), ("copied", "Five boats left."), ("generated", "Four boats left.")))
    assert [sentence.flags for sentence in made] == [(), ()]


def test_a_summary_of_copied_sentences_is_returned_as_it_is():
    made = summary(harbour(), ("copied", "Four boats left."), ("filled", "At noon."), ("expanded", "Boats."))
    assert flagged(made) is made


def test_where_sources_disagree_nothing_is_flagged():
    sources = join([harbour(), Document.of("Five boats left the harbour at noon.", language="en")])
    made = summary(
        sources, ("generated", "Four boats left the harbour."), ("generated", "Five boats left the harbour.")
    )
    assert [sentence.flags for sentence in flagged(made)] == [(), ()]


def test_two_flags_of_a_sentence_stand_in_order():
    [made] = flagged(summary(harbour(), ("generated", "Nine boats left Dover.")))
    assert [(flag.kind, flag.text, made.text[flag.start : flag.end]) for flag in made.flags] == [
        ("numbers", "Nine", "Nine"),
        ("names", "Dover", "Dover"),
    ]


def test_marks_of_markdown_are_not_flagged_and_offsets_stay():
    made = flagged(
        summary(harbour(), ("generated", "**Timeline:**"), ("generated", "**Ullapool** lost *five* boats at noon."))
    )
    assert [[(one.text, one.start, one.end) for one in sentence.flags] for sentence in made.sentences] == [
        [],
        [("Ullapool", 2, 10), ("five", 19, 23)],
    ]
