"""EPUB: chapters in reading order, and archives that would do harm."""

from __future__ import annotations

from pathlib import Path

import pytest

from epubs import CONTAINER, PAGE, book_of
from nutgraf.errors import InputError
from nutgraf.readers import _archive, epub, readers
from nutgraf.readers.reading import read
from nutgraf.text.document import Document

FERRY = "<h1>The ferry</h1><p>The ferry left the island in thick fog. Nobody saw it go.</p>"
CREW = "<h1>The crew</h1><p>The crew knew the rocks. The bell guided them home.</p>"
BOOK = "OEBPS/book.opf"


def book(data: bytes) -> Document:
    return readers.make("epub").read(data, "tale.epub", "en")[0]


def test_chapters_come_in_reading_order_and_headings_are_sections(tmp_path: Path) -> None:
    (tmp_path / "tale.epub").write_bytes(book_of([FERRY, CREW], order=[1, 0]))
    (document,) = read(tmp_path / "tale.epub")
    assert document.printed == [
        "The crew knew the rocks.",
        "The bell guided them home.",
        "The ferry left the island in thick fog.",
        "Nobody saw it go.",
    ]
    assert [section.name for section in document.sections] == ["The crew", "The ferry"]


def test_the_language_of_the_book_is_that_of_a_text_too_short_to_show_it() -> None:
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
        "<dc:language>fi</dc:language></metadata><manifest>"
        '<item id="c0" href="text/part%200.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="c0"/></spine></package>'
    )
    data = book_of(["<p>Silta suljettiin tiistaina.</p>"], others={"OEBPS/book.opf": package})
    assert readers.make("epub").read(data, "book.epub")[0].language == "fi"


def test_a_chapter_that_the_order_names_twice_is_read_once() -> None:
    assert book(book_of([FERRY], order=[0, 0])).printed == book(book_of([FERRY])).printed


def test_parts_that_are_not_linear_stand_at_the_end() -> None:
    package = book_of([FERRY, CREW], order=[1, 0])
    spine = '<spine><itemref idref="c1" linear="no"/><itemref idref="c0"/></spine>'
    items = "".join(
        f'<item id="c{n}" href="text/part%20{n}.xhtml" media-type="application/xhtml+xml"/>' for n in (0, 1)
    )
    document = book(book_of([FERRY, CREW], others={BOOK: f"<package><manifest>{items}</manifest>{spine}</package>"}))
    assert document.printed == book(book_of([FERRY, CREW])).printed
    assert document.printed != book(package).printed


def test_what_the_order_names_and_nobody_can_read_is_told() -> None:
    items = (
        '<item id="c0" href="text/part%200.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="map" href="map.svg" media-type="image/svg+xml"/>'
    )
    spine = '<spine><itemref idref="c0"/><itemref idref="map"/><itemref idref="none"/></spine>'
    document = book(book_of([FERRY], others={BOOK: f"<package><manifest>{items}</manifest>{spine}</package>"}))
    assert document.notices == ("tale.epub: 2 parts of the reading order are missing or no text.",)


def test_all_lines_of_a_chapter_are_its_text() -> None:
    chapter = (
        "<p>“No,” he said</p><div class='sidebar'><p>The bell was cast in May.</p></div>"
        f"{FERRY}<aside epub:type='footnote'><p>It was the last ferry.</p></aside><p>THE END</p>"
    )
    assert book(book_of([chapter])).text == (
        "“No,” he said\n\nThe bell was cast in May.\n\nThe ferry\n\nThe ferry left the island in thick fog. "
        "Nobody saw it go.\n\nIt was the last ferry.\n\nTHE END"
    )


def test_parts_beside_the_order_are_not_read() -> None:
    assert "crew" not in book(book_of([FERRY, CREW], order=[0])).text


def test_a_book_that_is_protected_is_told() -> None:
    encryption = '<encryption><CipherReference URI="OEBPS/text/part%200.xhtml"/></encryption>'
    with pytest.raises(InputError, match="protected"):
        book(book_of([FERRY], others={"META-INF/encryption.xml": encryption}))
    fonts = encryption.replace("text/part%200.xhtml", "font.otf")
    assert book(book_of([FERRY], others={"META-INF/encryption.xml": fonts})).printed


@pytest.mark.parametrize(
    "others",
    [
        {"META-INF/container.xml": "<container>"},
        {"META-INF/container.xml": CONTAINER.replace("book.opf", "none.opf")},
        {BOOK: "<package><manifest/><spine/></package>"},
        {BOOK: "\0"},
    ],
)
def test_a_damaged_book_is_told_in_a_sentence(others: dict[str, str]) -> None:
    with pytest.raises(InputError, match=r"tale\.epub is a damaged EPUB"):
        book(book_of([FERRY], others=others))


def test_entities_of_the_package_are_not_expanded() -> None:
    laughs = '<!DOCTYPE p [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>'
    with pytest.raises(InputError, match="damaged"):
        book(book_of([FERRY], others={BOOK: f"{laughs}<package><spine>&b;&c;</spine></package>"}))


def test_a_bomb_is_refused() -> None:
    bomb = PAGE.format("<p>" + " " * (17 << 20) + "</p>")
    with pytest.raises(InputError, match="500 times"):
        book(book_of([FERRY, bomb]))
    # A bomb that is no chapter costs nothing.
    assert book(book_of([FERRY], others={"OEBPS/picture.bin": b"\0" * (17 << 20)})).printed


def test_more_than_a_book_can_have_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = book_of([FERRY, CREW])
    for module, name, message in (
        (_archive, "MOST_XML", "unpacks to more than"),
        (_archive, "MOST_ELEMENTS", "XML elements"),
        (epub, "MOST_CHAPTERS", "chapters"),
        (epub, "MOST_PACKAGE", "describes itself"),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(module, name, 1)
            with pytest.raises(InputError, match=message):
                book(data)


def test_a_zip_of_something_else_is_no_book() -> None:
    with pytest.raises(InputError, match="not a book"):
        book(b"PK\x03\x04 nothing")
