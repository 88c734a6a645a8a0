"""PDF: text that runs on over lines and pages."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence

import pypdf
import pytest

from nutgraf.errors import InputError
from nutgraf.readers import _glued, pdf, readers
from nutgraf.text.document import Document

PdfOf = Callable[[Sequence[Sequence[str]]], bytes]

BODY = [
    "The keeper of the lighthouse lit the lamp at dusk and went down to",
    "the kitchen, where the soup was waiting. He ate it slowly and lis-",
    "tened to the well-known sound of the sea. Then he wrote a few lines",
    "in the book, as he had done on each evening of the last nine years.",
]

NIGHT = [
    "In the night a storm rose from the west, and the windows of the tower",
    "shook until the glass of one of them broke. He climbed the stairs with",
    "a board and nine nails, and shut out the rain. The lamp had gone out,",
    "and he lit it again with the last dry match that he found in his coat.",
]
MORNING = [
    "In the morning the sea lay flat and grey. Upon the rocks below sat a",
    "man, who had lost his boat but not his hat, and he waved with it when",
    "he saw the keeper on the gallery. They drank tea until noon, and then",
    "the mail boat took the man to his village on the other side of the bay.",
]


def read(data: bytes) -> Document:
    return readers.make("pdf").read(data, "tale.pdf", "en")[0]


def shown(document: Document) -> list[str]:
    return [document.show(sentence) for sentence in document.sentences]


def test_lines_of_a_paragraph_become_running_text(pdf_of: PdfOf) -> None:
    document = read(pdf_of([BODY]))
    assert shown(document) == [
        "The keeper of the lighthouse lit the lamp at dusk and went down to the kitchen, where the soup was waiting.",
        "He ate it slowly and listened to the well-known sound of the sea.",
        "Then he wrote a few lines in the book, as he had done on each evening of the last nine years.",
    ]


def test_the_hyphen_of_a_compound_that_stands_elsewhere_stays(pdf_of: PdfOf) -> None:
    lines = [
        "It was a well-known place, and yet nobody had ever seen a ship well-",
        "known to all come so near, or hold so straight a course to the sho-",
        "re.",
    ]
    assert read(pdf_of([lines])).text.endswith(
        "a ship well-known to all come so near, or hold so straight a course to the shore."
    )


def test_a_hyphen_that_stands_for_a_part_or_is_in_the_dictionary_stays(pdf_of: PdfOf) -> None:
    lines = [
        "The keeper counted all of the in-",
        "and outgoing boats of the port, since a well-",
        "known ship had been lost near the light-",
        "house.",
    ]
    assert read(pdf_of([lines])).text.endswith(
        "all of the in- and outgoing boats of the port, since a well-known ship had been lost near the lighthouse."
    )


def test_the_hyphen_before_a_participle_stays(pdf_of: PdfOf) -> None:
    lines = [
        "The harbor had a government-",
        "owned crane, which the keeper never understood and seldom men-",
        "tioned.",
    ]
    assert read(pdf_of([lines])).text == (
        "The harbor had a government-owned crane, which the keeper never understood and seldom mentioned."
    )


def test_a_sentence_runs_over_the_end_of_a_page(pdf_of: PdfOf) -> None:
    document = read(pdf_of([BODY[:1], BODY[1:2], BODY[2:]]))
    assert shown(document)[0].endswith("went down to the kitchen, where the soup was waiting.")
    assert shown(document)[1] == "He ate it slowly and listened to the well-known sound of the sea."


def test_pages_begin_where_their_first_word_stands(pdf_of: PdfOf) -> None:
    document = read(pdf_of([BODY[:1], [], BODY[1:2], ["tened at last."]]))
    assert len(document.pages) == 4
    assert document.pages[0] == 0
    assert document.pages[1] == document.pages[2] == document.text.index("the kitchen")
    assert document.page_of(document.text.index("keeper")) == 1
    assert document.page_of(document.text.index("kitchen")) == 3
    assert document.page_of(document.text.index("at last")) == 4
    assert document.notices == ("tale.pdf: 1 of 4 pages hold no text that could be read.",)


def test_running_heads_and_page_numbers_go(pdf_of: PdfOf) -> None:
    head = "The Lighthouse, a Tale"
    pages = [[head, *body, f"Page {number} of 3"] for number, body in enumerate((BODY, NIGHT, MORNING), start=1)]
    assert read(pdf_of(pages)).text == read(pdf_of([BODY, NIGHT, MORNING])).text


def test_the_title_of_a_chapter_beside_the_page_number_goes(pdf_of: PdfOf) -> None:
    bodies = (BODY, NIGHT, MORNING, ["He slept."], ["Nobody came."])
    chapters = ["Dusk", "Dusk", "Dawn", "Dawn", "Dawn"]
    pages = [
        [f"Chapter 1: {chapter} {number}", *body]
        for number, (chapter, body) in enumerate(zip(chapters, bodies, strict=True), start=7)
    ]
    assert "Chapter" not in read(pdf_of(pages)).text


def test_pages_that_are_alike_altogether_are_kept(pdf_of: PdfOf) -> None:
    assert read(pdf_of([BODY[:2], BODY[:2]])).text.count("The keeper") == 2


def test_numbers_in_the_middle_of_a_page_stay(pdf_of: PdfOf) -> None:
    assert "1847" in read(pdf_of([[*BODY[:3], "in the book, as on each day since", "1847", "and went to bed."]])).text


def test_numbered_lines_of_their_own_are_headings(pdf_of: PdfOf) -> None:
    document = read(pdf_of([["1 The evening", *BODY, "2 The night", *BODY, "It was late."]]))
    assert [section.name for section in document.sections] == ["1 The evening", "2 The night"]
    assert not any("The night" in sentence for sentence in shown(document))


def test_items_of_a_list_are_sentences_of_their_own(pdf_of: PdfOf) -> None:
    document = read(pdf_of([[*BODY, "\u2022 a lamp", "\u2022 oil for nine nights"]]))
    assert shown(document)[-2:] == ["\u2022 a lamp", "\u2022 oil for nine nights"]


def test_tables_of_contents_go(pdf_of: PdfOf) -> None:
    document = read(pdf_of([["1 The evening . . . . . . . . . . . 3", "2 The night .......... 14", "", *BODY]]))
    assert document.text.startswith("The keeper")


def test_moves_between_words_are_blanks(pdf_of: PdfOf) -> None:
    assert read(without_blanks(pdf_of([BODY, NIGHT]))).text == read(pdf_of([BODY, NIGHT])).text


def test_words_that_run_together_are_told(pdf_of: PdfOf) -> None:
    document = read(pdf_of([[line.replace(" ", "") for line in BODY], NIGHT]))
    assert document.notices == ("tale.pdf: the words of 1 of 2 pages run together.",)


def test_a_page_that_draws_too_much_is_told(pdf_of: PdfOf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "MOST_SHOWN", 5)
    document = read(pdf_of([BODY, [*BODY, *NIGHT]]))
    assert document.text == read(pdf_of([BODY])).text
    assert "1 of 2 pages" in document.notices[0]
    with pytest.raises(InputError, match="1 of 1 pages"):
        read(pdf_of([[*BODY, *NIGHT]]))


def test_the_outline_names_the_sections(pdf_of: PdfOf) -> None:
    written = pypdf.PdfWriter(
        clone_from=io.BytesIO(pdf_of([["On the tower", *BODY, *NIGHT], ["After the storm", *MORNING]]))
    )
    part = written.add_outline_item(title="On the Tower", page_number=0)
    written.add_outline_item(title="After the storm", page_number=1, parent=part)
    target = io.BytesIO()
    written.write(target)
    document = read(target.getvalue())
    assert [section.name for section in document.sections] == ["On the tower", "After the storm"]
    assert document.text[document.sections[1].start :].startswith("In the morning")


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("The keeper ofthelighthouse", 0.0),
        ("Thekeeperofthelighthouselit the lamp", 27 / 34),
        ("Donaudampfschifffahrtsgesellschaften fahren", 36 / 42),
        ("今天天气很好我住在北京真的今天天气很好我住在北京真的吗", 0.0),
        ("", 0.0),
    ],
)
def test_share_of_letters_in_runs_too_long_for_words(text: str, share: float) -> None:
    assert _glued.share_glued(text) == pytest.approx(share)


def test_a_password_is_asked_for(pdf_of: PdfOf) -> None:
    with pytest.raises(InputError, match="password"):
        read(encrypted(pdf_of([BODY]), "sesame"))


def test_a_file_that_only_forbids_printing_is_read(pdf_of: PdfOf) -> None:
    assert read(encrypted(pdf_of([BODY]), "")).text.startswith("The keeper")


def test_pictures_of_pages_need_their_text_recognized_first(pdf_of: PdfOf) -> None:
    with pytest.raises(InputError, match="ocrmypdf"):
        read(pdf_of([[], []]))


@pytest.mark.parametrize("length", [9, 60, 300])
def test_a_damaged_file_is_refused(pdf_of: PdfOf, length: int) -> None:
    with pytest.raises(InputError, match=r"tale\.pdf"):
        read(pdf_of([BODY])[:length])


def without_blanks(data: bytes) -> bytes:
    """The same pages, with moves of 0.12 em between the words in place of their blanks."""

    def moved(line: re.Match[bytes]) -> bytes:
        return b"[(" + line[1].replace(b" ", b") -120 (") + b")] TJ"

    reader = pypdf.PdfReader(io.BytesIO(data))
    writer = pypdf.PdfWriter(clone_from=reader)
    for page in writer.pages:
        stream = page["/Contents"].get_object()
        stream.set_data(re.sub(rb"\(((?:[^()\\]|\\.)*)\) Tj", moved, stream.get_data()))
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


def encrypted(data: bytes, password: str) -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
    writer.encrypt(password, "the owner", algorithm="RC4-128")
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


def test_text_beside_the_pages_is_told(pdf_of: PdfOf) -> None:
    from pypdf.annotations import FreeText, Link

    written = pypdf.PdfWriter(clone_from=io.BytesIO(pdf_of([BODY])))
    square = (9, 9, 90, 90)
    for annotation in (FreeText(text="Ask the keeper.", rect=square), Link(rect=square, url="http://a.example")):
        written.add_annotation(0, annotation)
    written.add_annotation(0, _field("Ada Kim"))
    written.add_annotation(0, _field(""))
    written.add_attachment("one.txt", b"The lamp.")
    written.add_attachment("two.txt", b"The soup.")
    target = io.BytesIO()
    written.write(target)
    assert read(target.getvalue()).notices == (
        "tale.pdf: 1 comment is left out.",
        "tale.pdf: 1 filled-in field is left out.",
        "tale.pdf: 2 attached files are left out.",
    )
    assert read(pdf_of([BODY])).notices == ()


def _field(value: str) -> dict[str, object]:
    from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, TextStringObject

    return DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Annot"),
            NameObject("/Subtype"): NameObject("/Widget"),
            NameObject("/FT"): NameObject("/Tx"),
            NameObject("/V"): TextStringObject(value),
            NameObject("/Rect"): ArrayObject(map(NumberObject, (9, 9, 90, 90))),
        }
    )


@pytest.mark.parametrize("error", [ImportError, AttributeError])
def test_where_fonts_are_described_in_another_way_the_text_of_pypdf_is_taken(
    pdf_of: PdfOf, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    data = pdf_of([NIGHT])
    expected = read(data).printed

    def missing(*_: object) -> None:
        raise error

    monkeypatch.setattr("nutgraf.readers._drawn._Page._face", missing)
    assert read(data).printed == expected
