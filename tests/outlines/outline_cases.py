"""Books, laws, contracts and reports with the outlines that they have, and a figure of how many are found.

python tests/outlines/outline_cases.py
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from nutgraf.readers.reading import read_data
from nutgraf.text.document import Document

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

BOOK = {
    "Erster Teil: Der Hafen": {
        "Erstes Kapitel": "Am neunten November kam der letzte Kahn des Jahres, und niemand stand am Steuer. "
        "Der alte Brandt sah ihn zuerst, denn er war der einzige nüchterne Mann am Kai.",
        "Zweites Kapitel": "Niemand in Halden konnte die Briefe lesen, die in der Kajüte lagen. Jonna Brandt konnte "
        "es, aber sie behielt es elf Tage lang für sich.",
    },
    "Zweiter Teil: Die Insel": {
        "Drittes Kapitel": "Der Leuchtturm von Skerra war seit einem Jahr dunkel, als Jonna die Treppe hinaufstieg. "
        "Ein Mädchen von neun Jahren saß neben der Lampe und putzte das Messing.",
        "Viertes Kapitel": "In der Nacht brach der Sturm die Galerie ab und warf das Boot an den Strand. Am Morgen "
        "legte Jonna den Schlüssel auf den Kiel und sagte dem Mädchen, wer sie war.",
    },
}

CLAUSES = [
    ("Article 1 – Definitions", "“Services” means the maintenance of the Gauges as described in Annex A. “Gauges” "
     "means the nine tide gauges that belong to the Client."),
    ("Article 2 – Services", "The Contractor inspects each of the Gauges twice a year and repairs what has failed. "
     "A repair begins within three working days of a notice."),
    ("Article 3 – Fees", "The Client pays 1,200 crowns for each inspection and the price of spare parts. Invoices are "
     "due within thirty days."),
    ("Article 4 – Liability", "The Contractor is liable for damage to the Gauges up to 50,000 crowns a year. Nobody "
     "is liable for damage by ice."),
    ("Article 5 – Term", "This Contract runs until 31 December 2027 and is extended by a year unless a party "
     "gives notice by the end of September. Notice must be given in writing."),
]  # fmt: skip

PAGES = [
    ["Water Report 2025", "", "1 Introduction", "",
     "The town takes its water from two wells and from the Alder brook. This",
     "report tells what was measured in them in the year 2025.", "",
     "2 Wells", "", "2.1 North well", "",
     "The north well gave less water than in any year since 1976. Its level",
     "fell by ninety centimetres between June and September."],
    ["2.2 South well", "",
     "The south well held its level, because no field is watered above it. Its",
     "nitrate is still twice as high as that of the north well.", "",
     "3 Brook", "",
     "The brook was dry for nineteen days in August. The mill had to stop, and",
     "the fish were carried to the lake."],
]  # fmt: skip


class Case(NamedTuple):
    """A document and the titles of its parts, each with its level."""

    name: str
    document: Document
    expected: list[tuple[int, str]]


def cases() -> Iterator[Case]:
    """Yield the documents of this folder, and those that are made here."""
    for path in sorted(HERE.glob("*.outline")):
        [source] = [one for one in HERE.glob(f"{path.stem}.*") if one.suffix != ".outline"]
        lines = path.read_text(encoding="utf-8").splitlines()
        expected = [((len(line) - len(line.lstrip())) // 2 + 1, line.strip()) for line in lines]
        yield Case(source.name, read_data(source.read_bytes(), source.name)[0], expected)
    yield Case("roman.epub", read_data(_epub(), "roman.epub")[0], [*_titles_of_book()])
    yield Case("contract.docx", read_data(_docx(), "contract.docx")[0], [(1, title) for title, _ in CLAUSES])
    yield Case("water.pdf", read_data(_pdf(PAGES), "water.pdf")[0], WATER)


WATER = [(1, "1 Introduction"), (1, "2 Wells"), (2, "2.1 North well"), (2, "2.2 South well"), (1, "3 Brook")]


def _titles_of_book() -> Iterator[tuple[int, str]]:
    for part, chapters in BOOK.items():
        yield 1, part
        yield from ((2, chapter) for chapter in chapters)


def _epub() -> bytes:
    """A book whose chapters have no headings in their text; its table of contents names them."""
    from epubs import PAGE, book_of

    chapters, entries = [], []
    for part, inner in BOOK.items():
        chapters.append(f"<h1>{part}</h1>")
        for title, text in inner.items():
            entries.append(f'<li><a href="text/part%20{len(chapters)}.xhtml">{title}</a></li>')
            chapters.append(f"<p>{text}</p>")
    nested = f"<nav><ol><li><span>Inhalt</span><ol>{''.join(entries)}</ol></li></ol></nav>"
    return book_of(chapters, others={"OEBPS/nav.xhtml": PAGE.format(nested)})


def _docx() -> bytes:
    """A contract whose articles are bold paragraphs, not headings."""
    import docx

    file = docx.Document()
    file.add_heading("Maintenance contract", 0)
    for title, text in CLAUSES:
        file.add_paragraph().add_run(title).bold = True
        file.add_paragraph(text)
    stream = io.BytesIO()
    file.save(stream)
    return stream.getvalue()


def _pdf(pages: Sequence[Sequence[str]]) -> bytes:
    """A report with bookmarks."""
    import pypdf
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    writer = pypdf.PdfWriter()
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    fonts = DictionaryObject({NameObject("/F1"): writer._add_object(font)})
    for lines in pages:
        page = writer.add_blank_page(width=595, height=842)
        shown = " ".join(f"({line}) Tj T*" for line in lines)
        content = DecodedStreamObject()
        content.set_data(f"BT /F1 11 Tf 13 TL 72 770 Td {shown} ET".encode("latin-1"))
        page[NameObject("/Contents")] = writer._add_object(content)
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    writer.add_outline_item(title="Introduction", page_number=0)
    wells = writer.add_outline_item(title="Wells", page_number=0)
    writer.add_outline_item(title="North well", page_number=0, parent=wells)
    writer.add_outline_item(title="South well", page_number=1, parent=wells)
    writer.add_outline_item(title="Brook", page_number=1)
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


def main() -> None:
    """Print, for each document, how many of its headings are found in their order and level, and have a sentence."""
    import nutgraf

    summarize, found_all, expected_all = nutgraf.load(), 0, 0
    for case in cases():
        outline = summarize(case.document, by="section")
        found = [(part.level, part.title) for part in outline if part.title]
        filled = sum(bool(part.sentences) for part in outline if part.words)
        right = sum(one in found for one in case.expected)
        found_all, expected_all = found_all + right, expected_all + len(case.expected)
        more = len(found) - right
        said = f"{right} of {len(case.expected)} headings, {more} more, in order: {found == case.expected}"
        with_text = sum(bool(part.words) for part in outline)
        print(f"{case.name:16} {said}; a sentence in {filled} of {with_text} parts with text")
    print(f"{'all':16} {found_all} of {expected_all} headings")


if __name__ == "__main__":
    main()
