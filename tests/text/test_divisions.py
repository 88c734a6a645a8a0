"""Parts of a document by speakers, messages, documents and pages."""

from __future__ import annotations

import pytest

from nutgraf.errors import InputError
from nutgraf.text.divisions import check_by, check_depth, divide
from nutgraf.text.document import Document, join

TALK = "Ana: The lease ends in June.\n\nTom: Then we need a new hall.\n\nAna: I have seen one.\n\nTom: Where is it?"


def said(document: Document, spans: tuple[tuple[int, int], ...]) -> list[str]:
    return [document.text[start:end] for start, end in spans]


def test_all_turns_of_a_speaker_are_one_part() -> None:
    document = Document.of(TALK)
    parts = divide(document, "speaker").parts
    assert [(one.title, said(document, one.spans)) for one in parts] == [
        ("Ana", ["The lease ends in June.", "I have seen one."]),
        ("Tom", ["Then we need a new hall.", "Where is it?"]),
    ]


def test_every_turn_is_a_message() -> None:
    assert [one.title for one in divide(Document.of(TALK), "message").parts] == ["Ana", "Tom", "Ana", "Tom"]


def test_documents_that_were_joined_are_parts() -> None:
    both = join([Document.of("The sea was calm.", "one"), Document.of("The sea was rough.", "two")])
    assert [(one.title, said(both, one.spans)) for one in divide(both, "document").parts] == [
        ("one", ["The sea was calm."]),
        ("two", ["The sea was rough."]),
    ]


def test_a_page_has_the_sentences_that_begin_on_it() -> None:
    text = "The sea was calm. The boat went out. It came back."
    document = Document.of(text, pages=[0, 25])
    parts = divide(document, "page").parts
    assert [(one.title, said(document, one.spans)) for one in parts] == [
        ("Page 1", ["The sea was calm. The boa"]),
        ("Page 2", ["It came back."]),
    ]


@pytest.mark.parametrize("by", ["section", "speaker", "message", "document", "page"])
def test_one_part_is_none(by: str) -> None:
    assert divide(Document.of("The sea was calm. The boat went out."), check_by(by)).parts == ()


def test_there_are_no_other_parts_and_no_level_above_the_first() -> None:
    with pytest.raises(InputError, match="speaker"):
        check_by("chapter")
    for depth in (0, True):
        with pytest.raises(InputError):
            check_depth(depth)
