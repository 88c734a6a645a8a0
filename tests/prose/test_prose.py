"""Which sentences may stand in a summary."""

import pytest

from nutgraf.prose import prose_of
from nutgraf.text.document import Document


def prose(text, **how):
    document = Document.of(text, **how)
    return dict(zip(document.printed, prose_of(document), strict=True))


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
