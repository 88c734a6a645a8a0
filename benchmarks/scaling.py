"""How the time of methods, commands and readers grows with the length of a text: the table of docs/performance.md.

    python benchmarks/scaling.py [--words 10000 100000 1000000] [--only lead html …] [--limit 300] [--write]

The text is made up (`long_text.py`). Each figure is from a process of its own with one thread, which has read a short
text before: seconds of CPU, from the text to 200 words or the verdicts, or from the file to its sentences; up to
20,000 words the median of three. --write puts the table into `docs/performance.md`, which says what limits a method.
"""

from __future__ import annotations

import argparse
import html
import io
import math
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "performance.md"
BEGIN, END = "<!-- table: python benchmarks/scaling.py --write -->", "<!-- end of the table -->"
SYSTEMS = (
    "adaptive lead random systematic luhn sum_basic tfidf centroid salience edmundson graph_sample reduction lsa "
    "mls_plus weighted_coverage pacsum hipo_rank text_rank lex_rank kl_sum concepts submodular"
).split()
READERS = ("txt", "md", "html", "docx", "pdf")
REPEATED = 20_000
"""Words up to which the median of three runs is taken."""

SHORT = "The ferry left the harbour at noon. It came back at dusk, and nobody was on it."
LINES_OF_A_PAGE = 40


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--only", nargs="+", default=[*SYSTEMS, "check", *READERS])
    parser.add_argument("--limit", type=int, default=300, help="seconds after which a process is stopped")
    parser.add_argument("--write", action="store_true", help="put the table into docs/performance.md")
    parser.add_argument("--worker", nargs=2, metavar=("NAME", "WORDS"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        print(measured(options.worker[0], int(options.worker[1])))
        return
    rows = []
    for name in options.only:
        rows.append(row(name, [seconds(name, words, options.limit) for words in options.words], options.words))
        print(rows[-1], flush=True)
    if options.write:
        write([head(options.words), *rows])


def seconds(name: str, words: int, limit: int) -> float | None:
    """Seconds of CPU, the median of several processes; None for one that was stopped."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    command = [sys.executable, __file__, "--worker", name, str(words)]
    found = []
    for _ in range(3 if words <= REPEATED else 1):
        environment = {**os.environ, **threads, "PYTHONPATH": str(ROOT / "src")}
        try:
            done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True, timeout=limit)
        except subprocess.TimeoutExpired:
            return None
        found.append(float(done.stdout))
    return statistics.median(found)


def head(sizes: list[int]) -> str:
    return "\n".join(
        [
            f"| | {' | '.join(f'{size:,} words' for size in sizes)} | a doubling |",
            f"|---|{'---:|' * (len(sizes) + 1)}",
        ]
    )


def row(name: str, found: list[float | None], sizes: list[int]) -> str:
    """A row of the table; the last cell is the mean factor of a doubling between the two largest sizes."""
    shown = ["more than the limit" if one is None else f"{one:.2f} s" for one in found]
    last, before = found[-1], found[-2] if len(found) > 1 else None
    grows = "" if not last or not before else f"{(last / before) ** (1 / math.log2(sizes[-1] / sizes[-2])):.2f} ×"
    return f"| `{name}` | {' | '.join(shown)} | {grows} |"


def write(lines: list[str]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    before, after = text.partition(BEGIN)[0], text.partition(END)[2]
    machine = f"Measured on {os.cpu_count()} cores ({processor()}), Python {platform.python_version()}."
    PAGE.write_text(f"{before}{BEGIN}\n{machine}\n\n" + "\n".join(lines) + f"\n{END}{after}", encoding="utf-8")


def processor() -> str:
    try:
        known = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in known if line.startswith("model name")), platform.machine())


def measured(name: str, words: int) -> float:
    """Seconds of CPU that one of SYSTEMS, "check" or one of READERS takes for a text of so many words."""
    import long_text

    text = long_text.text(words)
    work = reading(name, text) if name in READERS else checking(text) if name == "check" else summarizing(name, text)
    start = time.process_time()
    work()
    return time.process_time() - start


def summarizing(system: str, text: str) -> Callable[[], object]:
    import nutgraf

    summarize = nutgraf.load(system)
    summarize(SHORT, words=10)
    return lambda: str(summarize(text, words=200))


def checking(text: str) -> Callable[[], object]:
    """Check a summary of twelve sentences, the first ones of paragraphs from everywhere, against the text."""
    import nutgraf

    nutgraf.check(SHORT, SHORT)
    paragraphs = text.strip().split("\n\n")
    chosen = paragraphs[:: max(1, len(paragraphs) // 12)][:12]
    summary = " ".join(paragraph.partition(". ")[0].rstrip(".") + "." for paragraph in chosen)
    return lambda: nutgraf.check(summary, text)


def reading(kind: str, text: str) -> Callable[[], object]:
    import nutgraf

    folder = Path(tempfile.mkdtemp())
    short, long = folder / f"short.{kind}", folder / f"long.{kind}"
    short.write_bytes(as_file(kind, SHORT))
    long.write_bytes(as_file(kind, text))
    nutgraf.read(short)
    return lambda: nutgraf.read(long)


def as_file(kind: str, text: str) -> bytes:
    """The text as a file of some format, a heading before every thirtieth paragraph where the format has headings."""
    paragraphs = text.strip().split("\n\n")
    if kind == "pdf":
        return as_pdf(paragraphs)
    if kind == "docx":
        return as_docx(paragraphs)
    if kind == "html":
        body = "".join(
            ("" if number % 30 else f"<h2>Chapter {number // 30}</h2>") + f"<p>{html.escape(paragraph)}</p>\n"
            for number, paragraph in enumerate(paragraphs)
        )
        return f"<html><head><title>A text</title></head><body><article>{body}</article></body></html>".encode()
    if kind == "md":
        return "\n\n".join(
            ("" if number % 30 else f"## Chapter {number // 30}\n\n") + paragraph
            for number, paragraph in enumerate(paragraphs)
        ).encode()
    return text.encode()


def as_docx(paragraphs: list[str]) -> bytes:
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = "".join(f"<w:p><w:r><w:t>{html.escape(paragraph)}</w:t></w:r></w:p>" for paragraph in paragraphs)
    types = (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/word/document.xml" ContentType='
        '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
    )
    relations = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
        'Target="word/document.xml"/></Relationships>'
    )
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", types)
        archive.writestr("_rels/.rels", relations)
        archive.writestr("word/document.xml", f'<w:document xmlns:w="{space}"><w:body>{body}</w:body></w:document>')
    return made.getvalue()


def as_pdf(paragraphs: list[str]) -> bytes:
    """Pages of forty lines in Helvetica."""
    lines = [line for paragraph in paragraphs for line in (*textwrap.wrap(paragraph, 90), "")]
    pages = [lines[start : start + LINES_OF_A_PAGE] for start in range(0, len(lines), LINES_OF_A_PAGE)]
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, page in enumerate(pages):
        shown = "".join(f"({line.translate({40: None, 41: None, 92: None})}) Tj T*\n" for line in page)
        stream = f"BT /F1 10 Tf 50 780 Td 14 TL\n{shown}ET".encode()
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n".encode() + stream + b"\nendstream")
    made, places = io.BytesIO(), []
    made.write(b"%PDF-1.4\n")
    for number, content in enumerate(objects, 1):
        places.append(made.tell())
        made.write(f"{number} 0 obj\n".encode() + content + b"\nendobj\n")
    table = made.tell()
    made.write(f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode())
    made.write("".join(f"{place:010d} 00000 n \n" for place in places).encode())
    made.write(f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n".encode())
    return made.getvalue()


if __name__ == "__main__":
    main()
