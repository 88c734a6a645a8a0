"""Places and reasons are said in words that a reader uses."""

from __future__ import annotations

import pytest
from report_samples import sentence, two_sources

from nutgraf.report.whys import Paragraphs, reasons_of
from nutgraf.text.blocks import Block
from nutgraf.text.document import Document
from nutgraf.text.summary import Origin


def place_of(document: Document, text: str) -> str:
    start = document.text.index(text)
    return Paragraphs(document).place(Origin(0, start, start + len(text)))


def test_paragraphs_are_counted_in_their_own_document() -> None:
    places = Paragraphs(two_sources())
    assert places.place(Origin(0, 30, 46)) == "first paragraph"
    assert places.place(Origin(1, 54, 62)) == "second paragraph"


def test_headings_and_lines_without_an_end_mark_are_not_counted() -> None:
    document = Document.of("The bridge is shut\n\nA barge struck it.\n\nNobody was hurt.", language="en")
    assert place_of(document, "Nobody") == "second paragraph"
    assert place_of(document, "The bridge") == ""


def test_where_no_paragraph_has_an_end_mark_all_are_counted() -> None:
    document = Document.of("One is first\n\nTwo is next\n\nThree is last", language="en")
    assert place_of(document, "Three") == "third paragraph"


@pytest.mark.parametrize(
    ("number", "said"),
    [(1, "first paragraph"), (10, "tenth paragraph"), (11, "paragraph 11 of 13"), (13, "last paragraph")],
)
def test_long_numbers_are_figures(number: int, said: str) -> None:
    document = Document.of("\n\n".join(f"Here is paragraph P{n}." for n in range(1, 14)), language="en")
    assert place_of(document, f"P{number}.") == said


def test_a_text_of_one_paragraph_has_no_number() -> None:
    assert place_of(Document.of("One sentence. Another.", language="en"), "Another") == ""


def test_the_innermost_heading_is_named() -> None:
    blocks = [Block("Results", heading=True), Block("It works."), Block("Methods", heading=True), Block("We tried.")]
    document = Document.of_blocks(blocks, language="en")
    start = document.text.index("We tried")
    assert Paragraphs(document).section(Origin(0, start, start + 9)) == "Methods"
    assert Paragraphs(two_sources()).section(Origin(0, 0, 9)) == ""


def test_a_system_that_gives_no_reason_is_read_by_its_greatest_share() -> None:
    document = two_sources()
    shares = {"topics": 0.1, "keywords": 0.4, "redundancy": -0.9}
    assert reasons_of(sentence(document, 0, shares=shares)) == ("has many key words of the text",)
    assert reasons_of(sentence(document, 0, shares=shares, reasons=("opens the text",))) == ("opens the text",)
    assert reasons_of(sentence(document, 0, shares={"of another": 2.0})) == ()
    assert reasons_of(sentence(document, 0, shares={"topics": -0.1})) == ()
