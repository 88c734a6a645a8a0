"""Documents and files that readers and splitters took too long over, or failed on, under hard ceilings.

`scaling.py` measures how the time grows; here a ceiling of ten times what is expected is enough. What needs to be long
comes in two sizes, of which the tests run the small one and `make campaign NAME=large` the large one.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import zipfile
from collections.abc import Callable
from pathlib import Path

from sandbox import Ran
from scaling import pdf
from table import Case

SUMMARIZE = ["summarize", "given", "--words", "30"]
EACH = ["summarize", "--each", "--words", "30", "good.txt", "given", "also_good.txt"]
NOTICE = "The ferry left the harbour at noon. It carried a piano. A storm broke its mast. Nobody was hurt.\n"
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_P = "<w:p><w:r><w:t>The ferry left the harbour at noon.</w:t></w:r></w:p>"


def _writes(make: Callable[[], bytes], name: str = "given") -> Callable[[Path], None]:
    def build(folder: Path) -> None:
        (folder / name).write_bytes(make())

    return build


def _text(given: str) -> Callable[[Path], None]:
    return _writes(given.encode)


def _sizes(name: str, make: Callable[[int], bytes], small: int, large: int, seconds: float) -> list[Case]:
    """A document in two sizes: `name` has a place for the number, and `seconds` is the ceiling of the large one."""
    return [
        Case(
            name.format(f"{size:,}"),
            SUMMARIZE,
            "ok",
            _writes(lambda size=size: make(size)),  # type: ignore[misc]
            seconds=seconds if size == large else 2.0,
            campaign=size == large,
        )
        for size in (small, large)
    ]


def _docx(body: str = _P, declared: str = "", styles: bytes = b"", picture: bytes = b"") -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", f"{declared}<w:document {_W}><w:body>{body}</w:body></w:document>")
        if styles:
            archive.writestr("word/styles.xml", styles)
        archive.writestr("word/media/a.png", picture)
    return packed.getvalue()


def _lying_docx() -> bytes:
    """Its styles say that they are small, and unpack to 20 MB."""
    size = 20_000_000
    return _docx(styles=b" " * size).replace(size.to_bytes(4, "little"), (100).to_bytes(4, "little"))


def _entities() -> bytes:
    """Entities of entities: a text of 10¹² letters, if they were replaced."""
    nested = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 12))
    declared = f'<!DOCTYPE a [<!ENTITY e0 "aaaaaaaaaa">{nested}]>'
    return _docx("<w:p><w:r><w:t>&e11;</w:t></w:r></w:p>" + _P, declared)


def _broken_parquet() -> bytes:
    import pyarrow
    import pyarrow.parquet

    packed = io.BytesIO()
    pyarrow.parquet.write_table(
        pyarrow.table({"text": ["A ferry left."], "summary": ["A ferry."]}), packed, compression="none"
    )
    return packed.getvalue().replace(b"ferry", b"f\xc3rry")


def _batch(folder: Path) -> None:
    (folder / "good.txt").write_text(NOTICE)
    (folder / "also_good.txt").write_text(NOTICE)
    (folder / "given").write_bytes(b"%PDF-1.4\njunk")


def _two_summaries(folder: Path, ran: Ran) -> None:
    assert ran.stdout.count("==> ") == 2
    assert "1 of 3 documents has no result" in ran.stderr.splitlines()[-1]


def _tail(folder: Path, ran: Ran) -> None:
    assert "tail" in ran.stdout


def _pair(folder: Path) -> None:
    (folder / "given").write_text(NOTICE)
    with gzip.open(folder / "line.gz", "wb", 1) as file:
        for _ in range(80):
            file.write(b"a" * (1 << 20))


CASES = [
    *_sizes("{} quotation marks after a sentence", lambda size: b"He said." + b'"' * size, 8_000, 60_000, 10),
    *_sizes("{} brackets after a sentence", lambda size: b"He said." + b")" * size + b"x", 8_000, 60_000, 10),
    *_sizes("{} times !?", lambda size: b"!?" * size, 8_000, 100_000, 20),
    *_sizes("{} times .(", lambda size: b".(" * size, 8_000, 100_000, 20),
    Case(
        "a tag of 40,000 attributes",
        SUMMARIZE,
        "ok",
        _text("<p " + " ".join(f"a{i}=1" for i in range(40_000)) + f">{NOTICE}</p>"),
    ),
    Case(
        "a tag of 40,000 attributes parted by slashes",
        SUMMARIZE,
        "ok",
        _text("<p " + "/".join(f"a{i}" for i in range(40_000)) + f">{NOTICE}</p>"),
    ),
    *_sizes(
        "{} asides with text behind them",
        lambda size: b"<html>" + b"<aside>x</aside>Tail of it. " * size,
        1_000,
        10_000,
        20,
    ),
    Case(
        "a control character behind an aside",
        SUMMARIZE,
        "ok",
        _text("<html><aside>x</aside>\1tail of it"),
        check=_tail,
    ),
    Case(
        "a control character behind an aside, by its number",
        SUMMARIZE,
        "ok",
        _text("<html><aside>x</aside>&#1;tail of it"),
        check=_tail,
    ),
    Case(
        "100,000 blanks in a declaration of XML",
        ["summarize", "given.html"],
        "refused",
        _writes(lambda: b"<?xml " + b" " * 100_000 + b"<html>", "given.html"),
        says="cannot be read as HTML",
    ),
    *_sizes("{} sentences of one word", lambda size: b"Word. " * size, 2_000, 20_000, 20),
    Case("a file of a batch that cannot be read", EACH, "refused", _batch, says="damaged PDF", check=_two_summaries),
    *_sizes("{} MB of zeros among a DOCX's pictures", lambda size: _docx(picture=bytes(size * 10**6)), 10, 100, 10),
    Case(
        "a DOCX's styles of 40 MB",
        SUMMARIZE,
        "refused",
        _writes(lambda: _docx(styles=b" " * 40_000_000)),
        says="500 times",
    ),
    Case("a DOCX whose sizes are wrong", SUMMARIZE, "refused", _writes(_lying_docx), says="damaged"),
    *_sizes("{} empty paragraphs of a DOCX", lambda size: _docx("<w:p/>" * size + _P), 20_000, 200_000, 10),
    Case(
        "a DOCX of 9,000,000 empty paragraphs",
        SUMMARIZE,
        "refused",
        _writes(lambda: _docx("<w:p/>" * 9_000_000)),
        campaign=True,
    ),
    Case(
        "a DOCX nested 100,000 deep",
        SUMMARIZE,
        "refused",
        _writes(lambda: _docx("<w:p>" * 100_000 + "</w:p>" * 100_000)),
        says="damaged",
    ),
    Case("a DOCX with entities of entities", SUMMARIZE, "refused", _writes(_entities), says="damaged"),
    *_sizes(
        "a page of {} placed words",
        lambda size: pdf("".join(f"1 0 0 1 {i % 500} {i % 700} Tm (word{i}.) Tj " for i in range(size))),
        500,
        5_000,
        10,
    ),
    Case(
        "a PDF that draws too much",
        SUMMARIZE,
        "ok",
        _writes(lambda: pdf("(The ferry left at noon.) Tj", "q Q " * (5 << 20), "(Nobody was hurt.) Tj")),
        says="left out",
        seconds=5,
    ),
    *(
        Case(
            f"10 MB of {what} in a compressed file",
            SUMMARIZE,
            outcome,
            _writes(lambda pack=pack, fill=fill: pack(fill * 10_000_000)),  # type: ignore[misc]
        )
        for what, fill, pack, outcome in (
            ("blanks", b" ", gzip.compress, "refused"),
            ("zeros", b"\0", bz2.compress, "refused"),
        )
    ),
    *_sizes("{} letters in a compressed file", lambda size: lzma.compress(b"a" * size, preset=0), 100_000, 10**7, 60),
    Case(
        "a data set without a line end",
        ["evaluate", "lead", "--data", "/dev/zero", "--words", "10"],
        "refused",
        says="more than 67,108,864 characters",
        seconds=5,
    ),
    Case(
        "summaries without a line end",
        ["score", "-H", "/dev/zero", "-R", "/dev/zero"],
        "refused",
        says="more than 67,108,864 characters",
        seconds=5,
    ),
    Case(
        "references of one endless compressed line",
        ["score", "-H", "given", "-R", "line.gz"],
        "refused",
        _pair,
        says="more than 67,108,864 characters",
        seconds=5,
        campaign=True,
    ),
    Case(
        "a table's cell that never ends",
        ["evaluate", "lead", "--kind", "csv", "--data", "rows.csv", "--words", "10"],
        "refused",
        _writes(lambda: b'text,summary\n"' + b"a\n" * 1000, "rows.csv"),
        says="cannot be read as a table",
    ),
    Case(
        "a Parquet file of bytes that are no UTF-8",
        ["evaluate", "lead", "--kind", "parquet", "--data", "rows.parquet", "--words", "10"],
        "refused",
        _writes(_broken_parquet, "rows.parquet"),
        says="rows.parquet, row 1: this row cannot be read",
    ),
    Case(
        "JSON nested 100,000 deep",
        ["summarize", "given.jsonl"],
        "refused",
        _writes(lambda: b"[" * 100_000, "given.jsonl"),
    ),
    *(
        Case(
            f"a summary of half of {size:,} sentences",
            ["summarize", "given", "--share", "1/2"],
            "ok",
            _text(" ".join(f"Ferry {i} carried {i * i} letters to the island of {i % 97}." for i in range(size))),
            seconds=size / 150,
            campaign=size > 1000,
        )
        for size in (300, 3000)
    ),
    *(
        Case(
            f"{count} documents of one JSON file",
            ["summarize", "given.jsonl", "--each", "--words", "10"],
            "ok",
            _writes(lambda count=count: (json.dumps({"text": NOTICE}) + "\n").encode() * count, "given.jsonl"),
            seconds=20,
            campaign=count > 4,  # then several processes share them
        )
        for count in (3, 8)
    ),
    Case(
        "4,000 documents as one input",
        ["summarize", "given.jsonl", "--words", "10"],
        "ok",
        _writes(
            lambda: json.dumps({"documents": [f"{NOTICE} It was day {i}." for i in range(4000)]}).encode(),
            "given.jsonl",
        ),
        seconds=60,
        campaign=True,
    ),
]
