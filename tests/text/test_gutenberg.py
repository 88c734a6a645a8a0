"""Books of Project Gutenberg are read without its licence."""

from __future__ import annotations

from pathlib import Path

import pytest

from nutgraf.text.document import Document

CASE = Path(__file__).parents[1] / "readers" / "cases" / "gutenberg.txt"
BOOK = "Curling is played on ice. The stones are heavy."
START = "*** START OF THE PROJECT GUTENBERG EBOOK CURLING\nON ICE ***"
END = "*** END OF THE PROJECT GUTENBERG EBOOK CURLING ON ICE ***"


def test_the_licence_behind_a_book_is_left_out_with_a_notice() -> None:
    document = Document.of(CASE.read_text(encoding="utf-8"))
    assert document.printed[0] == "Curling is played on ice with heavy stones."
    assert document.printed[-1].endswith("from one end of the rink to the other.")
    assert any("Gutenberg" in notice for notice in document.notices)


@pytest.mark.parametrize(
    "text",
    [
        f"The Project Gutenberg eBook of Curling.\n\nIt is for anyone.\n\n{START}\n\n{BOOK}\n\n{END}\n\nKeep it free.",
        f"{BOOK}\n\n{END}\n\nUpdated editions will replace the previous one.",
        f"Read this of Project Gutenberg.\n\n*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04*END*\n\n{BOOK}",
        f"{BOOK}\n\nEnd of Project Gutenberg's Curling, by Ada Kim\n\nKeep it free.",
        f"{BOOK}\n\nSection 1. General Terms of Use and Redistributing Project\nGutenberg works\n\nKeep it free.",
    ],
)
def test_the_book_is_what_stands_between(text: str) -> None:
    document = Document.of(text)
    assert document.printed == ["Curling is played on ice.", "The stones are heavy."]
    assert document.text == text


@pytest.mark.parametrize(
    "text", ["Project Gutenberg was founded in 1971. It has many books.", f"{END}\n\nThe licence is all there is."]
)
def test_other_texts_that_name_it_stay_whole(text: str) -> None:
    document = Document.of(text)
    assert document.printed == [document.show(sentence).replace("\n", " ") for sentence in document.sentences]
    assert document.text.endswith(document.printed[-1])
    assert not any("Gutenberg" in notice for notice in document.notices)
