"""Inputs of the fuzzing campaign: command lines with files of every format, damaged at every level.

`make(seed, index)` builds the same input for the same numbers. A file begins as text made of ordinary sentences and of
pieces that are known to be awkward. It is written in a format, and changed in its text, inside its container (a part of
a DOCX, a value of JSON, the content of a PDF's stream, what is compressed), or in its bytes.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any
from xml.sax.saxutils import escape

SENTENCES = (
    "The ferry left the harbour at noon.", "It carried a piano, two goats and 1,175 letters.",
    "“Nobody was hurt,” said Dr. A. B. Smith of the U.S. Coast Guard.", "Was it the storm?", "No!",
    "A storm broke its mast near the rock (see Fig. 3).", "Die Fähre fuhr um zwölf Uhr ab.", "渡し船は正午に出た。",
    "Он уехал в 12 часов.", "غادرت العبّارة عند الظهر.", "The keeper of the bridge closed it at 10:30 p.m. on Jan. 5.",
    "he said \"yes\" and 'no'", "Chapter 1", "• an item", "See https://example.org/a?b=c&d=%20e.", "x = y + z",
)  # fmt: skip
AWKWARD = (
    "", " ", "\n", "\n\n", "\r", "\r\n", "\t", "\0", "\1", "\x0b", "\x0c", "\x1b[31m", "\x7f", "\x85", "\xa0", "\xad",
    "\u200b", "\u200d", "\u2028", "\u2029", "\u202e", "\u2060", "\ufeff", "\ufffd", "\ufffe", "\U0001f600",
    "\U0010ffff", "e\u0301", "\u0301", "ﬃ", "ß", "İ", "ǆ", "۔", "。", "…", ". . .", "...", "?!", "!?" * 40, '."', "”",
    "“", '"' * 50, "'" * 50, "(" * 60, ")" * 60, "[" * 60, "<", ">", "&", "&#1;", "&amp;", "&#x110000;", "]]>", "<!--",
    "-->", "<![CDATA[", "<?", "%", "\\", "`" * 30, "*" * 30, "_" * 30, "|", "#", "---", "===", "- ", "1. ", "> " * 30,
    "{{7*7}}", "${x}", "nutgraf: forged", "NaN", "1e999", "0" * 50, "a" * 2000, "a." * 200, "1," * 200, "x-" * 200,
    "中" * 300, "Mr. " * 30, "I. " * 30, "</p>", "<p>", "</script>", "\ud800", "nul\0l", "word " * 300, "No. " * 50,
)  # fmt: skip
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
ENCODINGS = ("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252", "latin-1", "shift_jis")
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


@dataclass(frozen=True)
class Input:
    """A command line and its files.

    Attributes:
        kind: What was built, for the report.
        argv: The arguments after `nutgraf`.
        files: The files of the working directory.
        words: The most words that a summary may have; None for no limit.
        each: The option --each: several summaries.
    """

    kind: str
    argv: list[str]
    files: dict[str, bytes] = field(default_factory=dict)
    words: int | None = None
    each: bool = False


def make(seed: int, index: int) -> Input:
    """The input of that number."""
    random = Random(f"{seed}:{index}")
    command = random.choices((_summarize, _phrases, _score, _evaluate), (70, 12, 13, 5))[0]
    return command(random)


def _summarize(random: Random) -> Input:
    files, kinds = {}, []
    each = random.random() < 0.5
    for number in range(random.randint(10, 30) if each else 1 if random.random() < 0.85 else random.randint(2, 4)):
        kind, name, data = document(random)
        files[f"{number}{name}"] = data
        kinds.append(kind)
    system = random.choices(
        ("mls_plus", "lead", "salience", "text_rank", "lex_rank", "tfidf", "random", "graph_sample", "systematic"),
        (30, 15, 10, 10, 10, 5, 5, 5, 5),
    )[0]
    argv = ["summarize", *files, "--system", system]
    words = None
    match random.randrange(5):
        case 0 | 1 | 2:
            words = random.choice((1, 2, 3, 7, 20, 60, 500, 100_000))
            argv += ["--words", str(words)]
        case 3:
            argv += ["--sentences", str(random.choice((1, 2, 9, 1000)))]
        case 4 if random.random() < 0.5:
            argv += ["--share", random.choice(("1/8", "50%", "1", "0.001"))]
    argv += ["--each"] * each + ["--json"] * (random.random() < 0.5)
    if random.random() < 0.1 and not each:
        argv += ["--report", "page.html"]
    if random.random() < 0.2:
        argv += ["--highlight", random.choice(("ferry", "the storm:3", "中", "a", "x-x", "bridge keeper"))]
    if random.random() < 0.15:
        argv += ["--language", random.choice(("en", "de", "und", "zh", "ja"))]
    if random.random() < 0.1 and not each:
        argv += ["--explain"]
    return Input("many" if each else "+".join(sorted(set(kinds))), argv, files, words, each)


def _phrases(random: Random) -> Input:
    kind, name, data = document(random)
    extractor = random.choice(
        ("position_rank", "topic_rank", "text_rank", "rake", "tfidf", "yake", "multipartite_rank")
    )
    argv = ["phrases", name, "--extractor", extractor, "--top", str(random.choice((1, 10, 1000)))]
    return Input(f"phrases {kind}", argv + ["--json"] * (random.random() < 0.5), {name: data})


def _score(random: Random) -> Input:
    count = random.randint(1, 4)
    suffix, write = random.choice(((".txt", _lines), (".jsonl", _json_lines)))
    files = {}
    for name in ("hypotheses", "references"):
        data = write(random, count)
        name, data = _packed(random, name + suffix, data)
        files[name] = _flip(random, data) if random.random() < 0.3 else data
    ours, theirs = files
    metrics = random.choices(("rouge", "meteor", "rouge,repetition", "novelty"), (70, 10, 10, 10))[0]
    argv = ["score", "-H", ours, "-R", theirs, "--metrics", metrics, "--resamples", "10"]
    return Input("score", argv + ["--json"] * (random.random() < 0.5), files)


def _evaluate(random: Random) -> Input:
    name, data = random.choice((_rows_csv, _rows_jsonl, _rows_parquet))(random)
    if random.random() < 0.4:
        data = _flip(random, data)
    if not name.endswith((".parquet", ".arrow")):
        name, data = _packed(random, name, data)
    kind = next(suffix for suffix in ("csv", "parquet", "json") if suffix in name)
    argv = ["evaluate", "lead", "--data", name, "--kind", "jsonl" if kind == "json" else kind]
    return Input(f"rows {kind}", [*argv, "--words", "10"], {name: data})


def document(random: Random) -> tuple[str, str, bytes]:
    """Kind, name and bytes."""
    kind, suffix, write = random.choice(_FORMATS)
    data = write(random)
    name = "given" + (suffix if random.random() < 0.9 else random.choice(("", ".txt", ".pdf", ".html", ".docx")))
    if random.random() < 0.1:
        name, data = _packed(random, name, data, always=True)
        kind += " packed"
    if random.random() < 0.25:
        data = _flip(random, data)
    return kind, name, data


# Text


def text(random: Random, most: int = 30) -> str:
    """Sentences with awkward pieces between and inside them."""
    pieces: list[str] = []
    awkward = random.choice((0.0, 0.1, 0.3, 0.9))
    for _ in range(random.randint(0, most)):
        if random.random() < awkward:
            pieces.append(random.choice(AWKWARD) * random.choice((1, 1, 1, 2, 20)))
        else:
            pieces.append(random.choice(SENTENCES) + random.choice((" ", " ", "\n", "\n\n", "")))
    return _mutated(random, "".join(pieces)) if random.random() < 0.2 else "".join(pieces)


def _mutated(random: Random, given: str) -> str:
    """Some stretches doubled, moved, cut out or replaced."""
    for _ in range(random.randint(1, 4)):
        start = random.randint(0, len(given))
        end = min(len(given), start + random.choice((1, 5, 50)))
        stretch = random.choice(("", given[start:end] * random.choice((2, 30)), random.choice(AWKWARD)))
        at = random.choice((start, random.randint(0, start)))
        given = given[:at] + stretch + given[end if at == start else at :]
    return given[:100_000]


def _flip(random: Random, data: bytes) -> bytes:
    """Some bytes changed, a stretch doubled or cut out, or the end cut off."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 3, 20))):
        if not changed:
            break
        at = random.randrange(len(changed))
        match random.randrange(5):
            case 0:
                changed[at] = random.randrange(256)
            case 1:
                changed[at] ^= 1 << random.randrange(8)
            case 2:
                del changed[at : at + random.choice((1, 10, 1000))]
            case 3:
                changed[at:at] = changed[at : at + random.choice((1, 10, 200))]
            case 4:
                changed[at:at] = random.choice((b"\0", b"\xff", b"\r\n", b"<", b"\xed\xa0\x80", b"0" * 20))
    return bytes(changed[: random.randrange(len(changed) + 1)] if random.random() < 0.1 else changed)


def _encoded(random: Random, given: str) -> bytes:
    return given.encode(random.choice(ENCODINGS), random.choice(("replace", "ignore", "xmlcharrefreplace")))


def _packed(random: Random, name: str, data: bytes, always: bool = False) -> tuple[str, bytes]:
    if not always and random.random() < 0.7:
        return name, data
    suffix, pack = random.choice(_PACKINGS)
    packed = pack(data)
    if random.random() < 0.1:
        packed += random.choice((packed, b"\0" * 10, b"junk"))
    if random.random() < 0.05:
        packed = pack(packed)
    return name + (suffix if random.random() < 0.8 else ""), packed


_PACKINGS: tuple[tuple[str, Callable[[bytes], bytes]], ...] = (
    (".gz", lambda data: gzip.compress(data, 1, mtime=0)),
    (".bz2", bz2.compress),
    (".xz", lambda data: lzma.compress(data, preset=0)),
)


# Formats


def _plain(random: Random) -> bytes:
    return _encoded(random, text(random))


def _markdown(random: Random) -> bytes:
    pieces = []
    for _ in range(random.randint(0, 12)):
        mark = random.choice(
            ("", "# ", "- ", "> ", "1. ", "    ", "```\n", "|a|b|\n|-|-|\n|", "[", "![", "**", "<", "~~")
        )
        pieces.append(
            mark * random.choice((1, 1, 3)) + text(random, 4) + random.choice(("\n", "\n\n", "](b)", "```\n"))
        )
    return _encoded(random, "".join(pieces))


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
    return _encoded(random, _mutated(random, page) if random.random() < 0.2 else page)


def _jsonl(random: Random) -> bytes:
    if random.random() < 0.3:
        value = _value(random, 3) if random.random() < 0.5 else [_entry(random) for _ in range(random.randint(0, 4))]
        return json.dumps(value, indent=random.choice((None, 1)), ensure_ascii=random.random() < 0.5).encode(
            "utf-8", "replace"
        )
    return _json_lines(random, random.randint(1, 4))


def _json_lines(random: Random, count: int) -> bytes:
    lines = [json.dumps(_entry(random), ensure_ascii=random.random() < 0.5) for _ in range(count)]
    return "\n".join(_mutated(random, line) if random.random() < 0.05 else line for line in lines).encode(
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


def _lines(random: Random, count: int) -> bytes:
    return _encoded(random, "\n".join(" ".join(text(random, 4).splitlines()) or "A line." for _ in range(count)))


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
    return _zipped(random, parts)


def _eml(random: Random) -> bytes:
    pieces = ["From: Ana <a@example.org>", "Date: Tue, 12 Mar 2024 09:15:00 +0100", f"Subject: {text(random, 1)}"]
    if random.random() < 0.5:
        kind = random.choice(
            ("multipart/mixed", "multipart/alternative", "multipart/digest", "message/rfc822", "text/html")
        )
        pieces.append(
            f'Content-Type: {kind}; boundary="b"; charset={random.choice(("utf-8", "klingon", "utf-16", "utf-7"))}'
        )
    if random.random() < 0.3:
        pieces.append(
            f"Content-Transfer-Encoding: {random.choice(('base64', 'quoted-printable', 'x-uuencode', '8bit'))}"
        )
    pieces.append("")
    for _ in range(random.randint(0, 20)):
        above = random.choice(
            ("", "> ", ">> ", "> > ", "--b\n", "--b\nContent-Type: text/html\n\n", "--b--\n", "-- \n", "Best regards\n",
             "On 11/03/2024 18:02, Tom <t@example.org> wrote:\n", "From: Tom\nSent: 3 May 2024 10:00\nSubject: a\n\n",
             "\nFrom x\nFrom: Tom\nSubject: b\n\n")
        )  # fmt: skip
        pieces.append(above + text(random, 4))
    given = "\n".join(pieces)
    return _encoded(random, _mutated(random, given) if random.random() < 0.5 else given)


def _mbox(random: Random) -> bytes:
    return b"\n".join(b"From x\n" + _eml(random) + b"\n" for _ in range(random.randint(1, 4)))


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
    return _zipped(random, {name: content.encode("utf-8", "replace") for name, content in parts.items()})


def _zipped(random: Random, parts: dict[str, bytes]) -> bytes:
    changed = dict(parts)
    if random.random() < 0.3:
        name = random.choice(list(changed))
        changed[name] = random.choice((_flip(random, changed[name]), b"", b"\0" * 1000, changed[name] * 2))
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
    contents = [_pdf_page(random) for _ in range(random.randint(1, 3))]
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"", b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    kids = []
    for content in contents:
        packed, says = (zlib.compress(content), b"/Filter/FlateDecode") if random.random() < 0.6 else (content, b"")
        if random.random() < 0.1:
            packed = _flip(random, packed)
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
        objects[at] = _flip(random, objects[at])
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


_FORMATS: tuple[tuple[str, str, Callable[[Random], bytes]], ...] = (
    ("plain", ".txt", _plain), ("markdown", ".md", _markdown), ("html", ".html", _html), ("pdf", ".pdf", _pdf),
    ("docx", ".docx", _docx), ("jsonl", ".jsonl", _jsonl),
    ("eml", ".eml", _eml), ("mbox", ".mbox", _mbox), ("pptx", ".pptx", _pptx),
)  # fmt: skip


# Data sets


def _rows_jsonl(random: Random) -> tuple[str, bytes]:
    return random.choice(("rows.jsonl", "rows.json")), _jsonl(random)


def _rows_csv(random: Random) -> tuple[str, bytes]:
    written = io.StringIO()
    table = csv.writer(written, quoting=random.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL)))
    table.writerow(random.choice((("text", "summary"), ("document", "summary"), ("a", "b"), ("text", "text"))))
    for _ in range(random.randint(0, 5)):
        table.writerow([text(random, 5) for _ in range(random.choice((2, 2, 2, 1, 3)))])
    given = written.getvalue()
    return "rows.csv", _encoded(random, _mutated(random, given) if random.random() < 0.3 else given)


def _rows_parquet(random: Random) -> tuple[str, bytes]:
    import pyarrow
    import pyarrow.parquet

    count = random.randint(0, 5)
    columns = {
        name: [text(random, 5).encode("utf-8", "replace").decode() for _ in range(count)]
        for name in ("text", "summary")
    }
    if random.random() < 0.2:
        columns["summary"] = [[each] for each in columns["summary"]]  # type: ignore[misc]
    table = pyarrow.table(columns, schema=None)
    written = io.BytesIO()
    pyarrow.parquet.write_table(table, written, compression=random.choice(("snappy", "none", "gzip", "zstd")))
    return "rows.parquet", written.getvalue()
