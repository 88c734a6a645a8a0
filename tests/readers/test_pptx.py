"""PPTX: titles, points with what introduces them, tables, notes; slides are pages."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

import pptx
import pytest
from pptx.util import Inches

from decks import add_slide, deck_of, saved
from nutgraf.errors import InputError
from nutgraf.readers.reading import read_data
from nutgraf.text.document import Document


def one(data: bytes) -> Document:
    (document,) = read_data(data, "sites.pptx", "en")
    return document


def changed(data: bytes, parts: Mapping[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name in {*old.namelist(), *parts}:
            new.writestr(name, parts.get(name) or old.read(name))
    return target.getvalue()


def test_points_stand_behind_what_introduces_them() -> None:
    points = ["Harbour", "\t9,800 euros a month", "\tno dock", "Old mill:", "far away", "We take the harbour."]
    document = one(deck_of([("Sites", points)]))
    assert document.printed == [
        "Sites – Harbour: 9,800 euros a month; no dock.",
        "Sites – Old mill: far away.",
        "We take the harbour.",
    ]
    assert [section.name for section in document.sections] == ["Sites"]


def test_slides_are_pages_and_hidden_ones_are_told() -> None:
    deck = pptx.Presentation()
    add_slide(deck, "First", ["The lease ends in June."])
    add_slide(deck, "Backup", ["Nobody sees this."]).element.set("show", "0")
    add_slide(deck, "Third", ["The mill has no dock."], notes="Ask the board today.")
    document = one(saved(deck))
    assert document.printed == ["The lease ends in June.", "The mill has no dock.", "Ask the board today."]
    assert [document.page_of(sentence.start) for sentence in document.sentences] == [1, 3, 3]
    assert ["hidden" in notice for notice in document.notices] == [True]


def test_a_title_alone_says_what_a_picture_shows() -> None:
    assert one(deck_of([("Sales doubled in the north", [])])).printed == ["Sales doubled in the north."]


def test_rows_of_tables() -> None:
    deck = pptx.Presentation()
    slide = add_slide(deck, "Costs", [])
    table = slide.shapes.add_table(1, 2, Inches(1), Inches(1), Inches(4), Inches(1)).table
    table.cell(0, 0).text, table.cell(0, 1).text = "Harbour", "9,800"
    assert "Harbour\t9,800" in one(saved(deck)).text


SLIDE = "ppt/slides/slide2.xml"
DECK = deck_of([("First", ["The lease ends in June."]), ("Second", ["The mill has no dock."])])


def test_a_bomb_is_refused_where_it_is_read_and_left_where_it_is_not() -> None:
    with pytest.raises(InputError, match="unpacks"):
        one(changed(DECK, {SLIDE: b" " * 100_000_000}))
    assert len(one(changed(DECK, {"ppt/media/image1.png": bytes(100_000_000)})).sentences) == 2


def test_what_lies_outside_of_the_package_is_not_fetched() -> None:
    relations = "ppt/_rels/presentation.xml.rels"
    with zipfile.ZipFile(io.BytesIO(DECK)) as archive:
        listed = archive.read(relations)
    for target in (b'"http://127.0.0.1:9/slide2.xml" TargetMode="External"', b'"../../../etc/passwd"'):
        document = one(changed(DECK, {relations: listed.replace(b'"slides/slide2.xml"', target)}))
        assert document.printed == ["The lease ends in June."]
        assert document.notices


def test_entities_are_not_replaced() -> None:
    declared = b'<!DOCTYPE p [<!ENTITY a SYSTEM "file:///etc/hostname">]>'
    with zipfile.ZipFile(io.BytesIO(DECK)) as archive:
        slide = archive.read(SLIDE).split(b"?>", 1)[1].replace(b"no dock", b"no &a;dock")
    assert one(changed(DECK, {SLIDE: declared + slide})).printed[1] == "The mill has no dock."
