"""Documents of the fuzzing campaign in the formats of files, damaged inside their containers."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from xml.sax.saxutils import escape

from fuzz_text import SENTENCES, encoded, flip, mutated, text

from epubs import book_of

LAYOUTS = Path(__file__).parents[1] / "readers" / "layouts"
HTML = (
    "p", "div", "aside", "nav", "article", "main", "section", "table", "tr", "td", "ul", "li", "a", "b", "h1", "h2",
    "pre", "code", "sup", "script", "style", "svg", "math", "template", "title", "head", "body", "html", "br", "form",
    "select", "option", "textarea", "iframe", "noscript", "frameset", "plaintext", "base", "header", "footer",
)  # fmt: skip
ATTRIBUTES = (
    'class="menu"', 'class="x"', "hidden", 'role="main"', 'role="navigation"', 'itemprop="articleBody"',
    'style="display: none"', "style=", 'aria-hidden="true"', 'id="footer"', "a=1 a=2", 'x="<', "'", "=", 'charset="x"',
)  # fmt: skip
WORD_PARTS = (
    "w:p", "w:r", "w:t", "w:tbl", "w:tr", "w:tc", "w:ins", "w:del", "w:txbxContent", "w:sdt", "w:sdtContent", "w:pPr",
    "w:moveFrom", "w:moveTo", "w:tab", "w:br", "w:hyperlink", "w:body", "w:drawing", "x", "w:",
)  # fmt: skip
PDF_OPERATORS = (
    "Tj", "TJ", "'", '"', "Td", "TD", "Tm", "T*", "Tf", "TL", "Tc", "Tw", "Tz", "Ts", "Tr", "cm", "q", "Q", "Do", "BI",
    "ID", "EI", "BT", "ET", "BDC", "EMC", "re", "f", "W", "n", "sh", "gs", "d0", "MP",
)  # fmt: skip
PDF_VALUES = (
    "0", "1", "-1", "1e9", "99999999999999999999", "0.0000001", "/F", "/X", "/F 10", "(Text.)", "<48656C6C6F>", "<4",
    "[(a) -300 (b)]", "[", "]", "(", ")", "<<", ">>", "<</A 1>>", "true", "null", "3 0 R", "%", "\\", "(\\", "\\777",
)  # fmt: skip
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def _plain(random: Random) -> bytes:
    return encoded(random, text(random))


def _markdown(random: Random) -> bytes:
    pieces = []
    for _ in range(random.randint(0, 12)):
        mark = random.choice(
            ("", "# ", "- ", "> ", "1. ", "    ", "```\n", "|a|b|\n|-|-|\n|", "[", "![", "**", "<", "~~")
        )
        pieces.append(
            mark * random.choice((1, 1, 3)) + text(random, 4) + random.choice(("\n", "\n\n", "](b)", "```\n"))
        )
    return encoded(random, "".join(pieces))


def _html(random: Random) -> bytes:
    pieces = [random.choice(("<!doctype html><html>", "<html>", "", '<?xml version="1.0"?>', "<!-- x -->"))]
    opened: list[str] = []
    for _ in range(random.randint(1, 40)):
        match random.randrange(4):
            case 0:
                tag = random.choice(HTML)
                opened.append(tag)
                attributes = " ".join(random.choices(ATTRIBUTES, k=random.choice((0, 1, 1, 3))))
                pieces.append(f"<{tag} {attributes}>" if attributes else f"<{tag}>")
            case 1 if opened:
                pieces.append(f"</{opened.pop(random.randrange(len(opened)))}>")
            case _:
                pieces.append(text(random, 3))
    page = "".join(pieces)
    return encoded(random, mutated(random, page) if random.random() < 0.2 else page)


def jsonl(random: Random) -> bytes:
    if random.random() < 0.3:
        value = _value(random, 3) if random.random() < 0.5 else [_entry(random) for _ in range(random.randint(0, 4))]
        return json.dumps(value, indent=random.choice((None, 1)), ensure_ascii=random.random() < 0.5).encode(
            "utf-8", "replace"
        )
    return json_lines(random, random.randint(1, 4))


def json_lines(random: Random, count: int) -> bytes:
    lines = [json.dumps(_entry(random), ensure_ascii=random.random() < 0.5) for _ in range(count)]
    return "\n".join(mutated(random, line) if random.random() < 0.05 else line for line in lines).encode(
        "utf-8", "replace"
    )


def _entry(random: Random) -> dict[str, Any]:
    """An object with fields that readers and data sets look for, some with values of a wrong kind."""
    entry: dict[str, Any] = {}
    names = ("text", "document", "documents", "sections", "hypothesis", "summary", "reference", "references", "id")
    for name in ("text", "summary", *random.sample(names, random.randint(0, 3))):
        match random.randrange(12) if name != "sections" else 2:
            case 0:
                entry[name] = _value(random, 2)
            case 1:
                entry[name] = [text(random, 3) for _ in range(random.randint(0, 4))]
            case 2:
                entry[name] = [
                    {random.choice(("name", "name", "x")): text(random, 1), "text": text(random, 4)} for _ in range(2)
                ]
            case _:
                entry[name] = text(random, 8)
    return entry


def _value(random: Random, depth: int) -> Any:
    if depth and random.random() < 0.4:
        values = [_value(random, depth - 1) for _ in range(random.randint(0, 3))]
        return values if random.random() < 0.5 else {text(random, 1): value for value in values}
    leaf = random.choice((None, True, 0, -1, 10**30, 1.5, float("nan"), float("inf"), "", "text"))
    return text(random, 3) if leaf == "text" else leaf


def _docx(random: Random) -> bytes:
    pieces = []
    for _ in range(random.randint(0, 12)):
        inner = f"<w:r><w:t>{_xml(text(random, 4))}</w:t></w:r>"
        for _ in range(random.choice((0, 0, 1, 3))):
            tag = random.choice(WORD_PARTS)
            inner = f"<{tag}>{inner}</{tag}>"
        style = random.choice(("", "", "Heading1", "Title", "TOC1", "missing"))
        properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
        paragraph = f"<w:p>{properties}{inner}</w:p>"
        if random.random() < 0.2:
            paragraph = f"<w:tbl><w:tr><w:tc>{paragraph}</w:tc><w:tc>{paragraph}</w:tc></w:tr></w:tbl>"
        pieces.append(paragraph)
    document = f"<w:document {_W}><w:body>{''.join(pieces)}</w:body></w:document>"
    styles = (
        f'<w:styles {_W}><w:style w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>'
        '<w:style w:styleId="TOC1"><w:name w:val="toc 1"/></w:style></w:styles>'
    )
    if random.random() < 0.1:
        document = '<!DOCTYPE a [<!ENTITY b "ccc"><!ENTITY d SYSTEM "file:///etc/passwd">]>' + document.replace(
            "ferry", "&b;&d;"
        )
    parts = {"word/document.xml": document.encode("utf-8", "replace"), "word/styles.xml": styles.encode()}
    return zipped(random, parts)


def _epub(random: Random) -> bytes:
    chapters = [f"<h1>{_xml(text(random, 1))}</h1><p>{_xml(text(random, 8))}</p>" for _ in range(random.randint(1, 5))]
    order = random.choices(range(len(chapters)), k=random.randint(0, 6)) if random.random() < 0.3 else None
    others = {}
    if random.random() < 0.4:
        name = random.choice(("OEBPS/nav.xhtml", "OEBPS/toc.ncx", "OEBPS/book.opf", "META-INF/container.xml"))
        points = "".join(
            f'<li><a href="{random.choice(("text/part%200.xhtml", "#x", "../../a", "file:///etc/passwd"))}">'
            f"{_xml(text(random, 1))}</a>"
            for _ in range(random.randint(0, 5))
        )
        others[name] = random.choice((f"<nav><ol>{points}</ol></nav>", "", text(random, 3))).encode("utf-8", "replace")
    book = book_of(chapters, order, others)
    return flip(random, book) if random.random() < 0.2 else book


def _pptx(random: Random) -> bytes:
    office = "http://schemas.openxmlformats.org"
    names = f'xmlns:p="{office}/presentationml/2006/main" xmlns:a="{office}/drawingml/2006/main"'
    parts = {
        "ppt/presentation.xml": f'<p:presentation {names} xmlns:r="{office}/officeDocument/2006/relationships">'
        '<p:sldId r:id="r0"/><p:sldId r:id="r1"/></p:presentation>',
        "ppt/_rels/presentation.xml.rels": '<R><S Id="r0" Type="x/slide" Target="slides/slide0.xml"/>'
        '<S Id="r1" Type="x/slide" Target="slides/slide1.xml"/></R>',
    }
    for number in range(2):
        shapes = ""
        for _ in range(random.randint(0, 6)):
            kind = random.choice(("", 'type="title"', 'type="body"', 'type="sldNum"', 'type="x"'))
            paragraphs = "".join(
                f'<a:p><a:pPr lvl="{random.choice((0, 1, 2, 9, "x"))}"/>'
                f"<a:r><a:t>{_xml(text(random, 4))}</a:t></a:r></a:p>"
                for _ in range(random.randint(0, 5))
            )
            shapes += (
                f"<p:sp><p:nvSpPr><p:nvPr><p:ph {kind}/></p:nvPr></p:nvSpPr><p:txBody>{paragraphs}</p:txBody></p:sp>"
            )
            if random.random() < 0.2:
                shapes = f"<p:grpSp>{shapes}</p:grpSp>"
        parts[f"ppt/slides/slide{number}.xml"] = (
            f"<p:sld {names}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"
        )
    return zipped(random, {name: content.encode("utf-8", "replace") for name, content in parts.items()})


def zipped(random: Random, parts: dict[str, bytes]) -> bytes:
    changed = dict(parts)
    if random.random() < 0.3:
        name = random.choice(list(changed))
        changed[name] = random.choice((flip(random, changed[name]), b"", b"\0" * 1000, changed[name] * 2))
    if random.random() < 0.1:
        del changed[random.choice(list(changed))]
    if random.random() < 0.1:
        changed["word/media/" + random.choice(("a.png", "../../x", "a" * 300))] = b"\0" * random.choice((10, 1_000_000))
    packed = io.BytesIO()
    method = random.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_LZMA))
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, data in changed.items():
            archive.writestr(zipfile.ZipInfo(name), data, compress_type=method)
    return packed.getvalue()


def _xml(given: str) -> str:
    return escape("".join(letter for letter in given if letter in "\t\n" or " " <= letter < "\ud800"))


def _pdf(random: Random) -> bytes:
    """Pages of lines; operators and values at random among them; objects changed; a broken table of objects."""
    return _pdf_of(random, [_pdf_page(random) for _ in range(random.randint(1, 3))])


def _pdf_of(random: Random, contents: list[bytes]) -> bytes:
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"", b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    kids = []
    for content in contents:
        packed, says = (zlib.compress(content), b"/Filter/FlateDecode") if random.random() < 0.6 else (content, b"")
        if random.random() < 0.1:
            packed = flip(random, packed)
        length = random.choice((len(packed), len(packed), len(packed), 0, 10**9))
        objects.append(b"<</Length %d%s>>stream\n%s\nendstream" % (length, says, packed))
        kids.append(len(objects) + 1)
        own = random.choice((b"3 0 R", b"3 0 R", b"%d 0 R" % kids[-1], b"null", b"99 0 R"))
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents %d 0 R/Resources<</Font<</F %s>>"
            b"/XObject<</X %d 0 R>>>>>>" % (len(objects), own, random.randint(1, len(objects)))
        )
    objects[1] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), b" ".join(b"%d 0 R" % kid for kid in kids))
    if random.random() < 0.2:
        at = random.randrange(len(objects))
        objects[at] = flip(random, objects[at])
    written = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, each in enumerate(objects, 1):
        offsets.append(len(written))
        written += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = len(written) if random.random() < 0.9 else random.randrange(len(written))
    written += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    written += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    written += b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, table)
    return bytes(written)


def _pdf_page(random: Random) -> bytes:
    pieces = ["BT /F 10 Tf 14 TL 50 780 Td"]
    noise = random.choice((0.0, 0.1, 0.5))
    for _ in range(random.randint(0, 40)):
        if random.random() < noise:
            pieces.append(" ".join(random.choices(PDF_VALUES, k=random.randint(0, 6))))
            pieces.append(random.choice(PDF_OPERATORS))
        else:
            line = random.choice(SENTENCES) if random.random() < 0.8 else text(random, 2)
            escaped = line.replace("\\", "").replace("(", "\\(").replace(")", "\\)")
            pieces.append(f"({escaped}) Tj T*")
    return " ".join([*pieces, "ET"]).encode("cp1252", "replace")


def _layout(random: Random) -> bytes:
    """A page of lines in columns, tables, notes and running heads, or one of the layouts of the tests."""
    if random.random() < 0.4:
        data = random.choice(sorted(LAYOUTS.glob("*.pdf"))).read_bytes()
        return flip(random, data) if random.random() < 0.6 else data
    return _pdf_of(random, [_placed_page(random) for _ in range(random.randint(1, 4))])


def _placed_page(random: Random) -> bytes:
    pieces = ["BT"]
    columns = random.randint(1, 4)
    width = 500 // columns
    for column in range(columns):
        across, down = 50 + column * width, 760
        for _ in range(random.randint(0, 25)):
            size = random.choice((0, 1, 6, 8, 10, 10, 10, 10, 14, 30, 500))
            turned = random.choice(("1 0 0 1",) * 12 + ("0 1 -1 0", "-1 0 0 -1", "0 0 0 0", "1 0 1 1"))
            shift = random.choice((0, 0, 0, 0, 12, -30, 1000))
            line = random.choice(SENTENCES) if random.random() < 0.8 else text(random, 1)
            shown = (
                line[: random.choice((width // 6, 3, 400))].replace("\\", "").replace("(", "\\(").replace(")", "\\)")
            )
            pieces.append(f"/F {size} Tf {turned} {across + shift} {down} Tm ({shown}) Tj")
            down -= random.choice((12, 12, 12, 12, 0, 24, -12))
    random.shuffle(pieces) if random.random() < 0.2 else None
    drawn = " ".join(["BT", *(piece for piece in pieces if piece != "BT"), "ET"])
    rules = " ".join(f"50 {y} m 550 {y} l S" for y in random.sample(range(800), random.choice((0, 0, 1, 9))))
    return f"{rules} {drawn}".encode("cp1252", "replace")


FORMATS: tuple[tuple[str, str, Callable[[Random], bytes]], ...] = (
    ("plain", ".txt", _plain), ("markdown", ".md", _markdown), ("html", ".html", _html), ("pdf", ".pdf", _pdf),
    ("docx", ".docx", _docx), ("jsonl", ".jsonl", jsonl), ("epub", ".epub", _epub), ("pptx", ".pptx", _pptx),
    ("layout", ".pdf", _layout),
)  # fmt: skip
