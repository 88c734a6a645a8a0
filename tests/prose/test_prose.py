"""Which sentences may stand in a summary, and which can stand there alone."""

import pytest

from nutgraf.prose import prose_of, standalone
from nutgraf.text.document import Document


def prose(text, **how):
    document = Document.of(text, **how)
    return dict(zip(document.printed, prose_of(document), strict=True))


def alone(text, **how):
    document = Document.of(text, **how)
    return dict(zip(document.printed, standalone(document), strict=True))


def test_headings_and_captions_are_no_prose():
    found = prose("The harbour\n\nThe tug came. It left.\n\nPhoto: Ada\n\nNobody saw it!")
    assert found == {
        "The harbour": False,
        "The tug came.": True,
        "It left.": True,
        "Photo: Ada": False,
        "Nobody saw it!": True,
    }


@pytest.mark.parametrize("end", [".", "!", "?", "…", ".”", '."', ".)", "؟", "。", "।"])
def test_many_marks_end_a_sentence(end):
    assert prose_of(Document.of(f"The tug came{end}", language="en")) == [True]
    assert prose_of(Document.of(f"One. Two. The tug came{end}"))[-1]


def test_a_text_without_marks_is_all_prose():
    assert prose("The harbour\n\nThe tug came.\n\nThe quay") == {
        "The harbour": True,
        "The tug came.": True,
        "The quay": True,
    }


def test_sentences_that_point_back_do_not_stand_alone():
    assert alone("The tug came. It left. However, Ada stayed. Ada wrote it down.") == {
        "The tug came.": True,
        "It left.": False,
        "However, Ada stayed.": False,
        "Ada wrote it down.": True,
    }


def test_quotations_are_closed_where_they_are_opened():
    document = Document.of("“The tug came. Bob left,” said Ada. “The quay fell,” said Cy.", language="en")
    assert [standing for standing, text in zip(standalone(document), document.printed, strict=True)] == [
        text.count("“") == text.count("”") for text in document.printed
    ]
    assert not all(standalone(document))


def test_other_languages_have_no_list_of_such_words():
    assert all(alone("It rains. It snows. It hails.", language="de").values())
