"""DOCX: what a reader of the document sees."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import qn

from nutgraf.errors import InputError
from nutgraf.readers import _archive, readers
from nutgraf.text.document import Document

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def saved(document: Any) -> bytes:
    target = io.BytesIO()
    document.save(target)
    return target.getvalue()


def read(data: bytes) -> Document:
    return readers.make("docx").read(data, "bread.docx", "en")[0]


def test_headings_are_sections_and_no_sentences() -> None:
    file = docx.Document()
    file.add_heading("Bread", 0)
    file.add_heading("Rye", 1)
    file.add_paragraph("It is dark. ").add_run("It is sour.").bold = True
    file.add_heading("Wheat", 2)
    file.add_paragraph("It is light.")
    document = read(saved(file))
    assert document.text == "Bread\n\nRye\n\nIt is dark. It is sour.\n\nWheat\n\nIt is light."
    assert [section.name for section in document.sections] == ["Rye", "Wheat"]
    assert document.printed == ["It is dark.", "It is sour.", "It is light."]


def test_the_default_language_is_that_of_a_text_too_short_to_show_it() -> None:
    file = docx.Document()
    file.add_paragraph("Silta suljettiin tiistaina.")
    next(file.styles.element.iter(qn("w:lang"))).set(qn("w:val"), "fi-FI")
    assert readers.make("docx").read(saved(file), "bridge.docx")[0].language == "fi"


def test_rows_of_tables_are_blocks_where_they_stand() -> None:
    file = docx.Document()
    file.add_paragraph("Before.")
    table = file.add_table(2, 2)
    for row, cells in zip(table.rows, (("Year", "Cost"), ("1902", "12")), strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    file.add_paragraph("After.")
    assert read(saved(file)).text == "Before.\n\nYear\tCost\n\n1902\t12\n\nAfter."


def test_insertions_are_accepted_and_deletions_gone() -> None:
    file = docx.Document()
    paragraph = file.add_paragraph("Bread is ")._p
    paragraph.append(parse_xml(f"<w:ins {W}><w:r><w:t>very </w:t></w:r></w:ins>"))
    paragraph.append(parse_xml(f"<w:del {W}><w:r><w:delText>not </w:delText></w:r></w:del>"))
    paragraph.append(parse_xml(f"<w:r {W}><w:t>good.</w:t><w:br/><w:t>Eat</w:t><w:tab/><w:t>it.</w:t></w:r>"))
    assert read(saved(file)).text == "Bread is very good.\nEat\tit."


def test_text_in_content_controls_is_read() -> None:
    file = docx.Document()
    control = f"<w:sdt {W}><w:sdtContent><w:p><w:r><w:t>Controlled bread.</w:t></w:r></w:p></w:sdtContent></w:sdt>"
    file.element.body.insert(0, parse_xml(control))
    assert read(saved(file)).text == "Controlled bread."


def test_text_behind_an_entity_is_read_and_the_entity_is_not() -> None:
    target = io.BytesIO(saved(docx.Document()))
    written = f"<w:document {W}><w:body><w:p><w:r><w:t>The ferry &p; left.</w:t></w:r></w:p></w:body></w:document>"
    with zipfile.ZipFile(target) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["word/document.xml"] = f'<!DOCTYPE x [<!ENTITY p SYSTEM "file:///etc/hostname">]>{written}'.encode()
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    assert read(target.getvalue()).text == "The ferry  left."


def packed(body: str, **parts: str) -> bytes:
    """A document of this body; the name of each other part is that of its root and its file."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("word/document.xml", f"<w:document {W}><w:body>{body}</w:body></w:document>")
        for name, content in parts.items():
            archive.writestr(f"word/{name}.xml", f"<w:{name} {W}>{content}</w:{name}>")
    return target.getvalue()


def paragraph(text: str, inside: str = "", style: str = "") -> str:
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}<w:r><w:t>{text}</w:t>{inside}</w:r></w:p>"


def test_notes_stand_at_the_end_of_the_section_that_refers_to_them() -> None:
    styles = '<w:style w:styleId="H"><w:name w:val="heading 1"/></w:style>'
    footnotes = (
        f'<w:footnote w:type="separator" w:id="0">{paragraph("No note.")}</w:footnote>'
        f'<w:footnote w:id="2">{paragraph("By weight.")}{paragraph("Not by volume.")}</w:footnote>'
        f'<w:footnote w:id="3">{paragraph("A baker of Alphatown.")}</w:footnote>'
        f'<w:footnote w:id="4">{paragraph("Nobody refers to it.")}</w:footnote>'
    )
    body = (
        paragraph("Bread", '<w:footnoteReference w:id="3"/>', "H")
        + paragraph("Half is flour.", '<w:footnoteReference w:id="2"/><w:endnoteReference w:id="2"/>')
        + paragraph("The rest is water.")
        + paragraph("Salt", style="H")
        + paragraph("It has little.", '<w:footnoteReference w:id="2"/>')
    )
    endnotes = f'<w:endnote w:id="2">{paragraph("See the mill.")}</w:endnote>'
    document = read(packed(body, styles=styles, footnotes=footnotes, endnotes=endnotes))
    assert [(section.name, document.show(section)) for section in document.sections] == [
        (
            "Bread",
            "Half is flour.\n\nThe rest is water.\n\n"
            "A baker of Alphatown.\n\nBy weight.\n\nNot by volume.\n\nSee the mill.",
        ),
        ("Salt", "It has little."),
    ]
    assert document.notices == ()


def test_notes_of_a_table_stand_behind_it() -> None:
    cells = paragraph("Rye", '<w:footnoteReference w:id="1"/>'), paragraph("12")
    row = "<w:tr>" + "".join(f"<w:tc>{cell}</w:tc>" for cell in cells) + "</w:tr>"
    footnotes = f'<w:footnote w:id="1">{paragraph("In 1902.")}</w:footnote>'
    assert read(packed(f"<w:tbl>{row}</w:tbl>", footnotes=footnotes)).text == "Rye\t12\n\nIn 1902."


def test_text_boxes_are_read_once_behind_their_paragraph() -> None:
    box = f"<w:txbxContent>{paragraph('Eat it warm.')}</w:txbxContent>"
    mc = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    twice = (
        f'<mc:AlternateContent {mc}><mc:Choice Requires="wps">{box}</mc:Choice>'
        f"<mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent>"
    )
    body = paragraph("Bread is good.", twice) + paragraph("It keeps.", f"<w:pict>{box}</w:pict>")
    assert read(packed(body)).text == "Bread is good.\n\nEat it warm.\n\nIt keeps.\n\nEat it warm."


def test_formulas_are_text() -> None:
    m = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    formula = f"<m:oMath {m}><m:r><m:t>a=2b</m:t></m:r></m:oMath>"
    assert read(packed(f"<w:p><w:r><w:t>Here </w:t></w:r>{formula}<w:r><w:t> holds.</w:t></w:r></w:p>")).text == (
        "Here a=2b holds."
    )


def test_comments_and_tracked_changes_are_told() -> None:
    marks = '<w:commentReference w:id="1"/>'
    changed = "<w:p><w:del><w:r><w:delText>Not so.</w:delText></w:r></w:del><w:r><w:t>It keeps.</w:t></w:r></w:p>"
    assert read(packed(paragraph("Bread is good.", marks) + changed)).notices == (
        "bread.docx: 1 comment is left out.",
        "bread.docx has tracked changes; it is read as if all of them were accepted.",
    )
    assert read(packed(paragraph("Bread is good.", 2 * marks))).notices == ("bread.docx: 2 comments are left out.",)


@pytest.mark.parametrize("length", [4, 500, 20_000])
def test_a_damaged_file_is_refused(length: int) -> None:
    with pytest.raises(InputError, match=r"bread\.docx"):
        read(saved(docx.Document())[:length])


def test_an_archive_without_the_rest_of_a_document_is_refused() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("word/document.xml", "<bread>")
    with pytest.raises(InputError, match="damaged"):
        read(target.getvalue())


def test_what_would_unpack_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_archive, "MOST_XML", 100)
    with pytest.raises(InputError, match="split it"):
        read(saved(docx.Document()))
