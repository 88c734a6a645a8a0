"""Inputs of the fuzzing campaign: command lines with files of every format, damaged at every level.

`make(seed, index)` builds the same input for the same numbers. A file begins as text made of ordinary sentences and of
pieces that are known to be awkward (`fuzz_text.py`). It is written in a format (`fuzz_formats.py`, `fuzz_messages.py`),
and changed in its text, inside its container (a part of a DOCX, a value of JSON, the content of a PDF's stream, what is
compressed), or in its bytes.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

import fuzz_formats
import fuzz_messages
from fuzz_formats import json_lines, jsonl
from fuzz_text import encoded, flip, mutated, text

FORMATS = (*fuzz_formats.FORMATS, *fuzz_messages.FORMATS)
QUESTIONS = (
    "When did the ferry leave?", "Who will call the carrier?", "How many letters did it carry?", "Why?", "中?",
    "Was kostet das Haus?", "x" * 500, "(?", "Where is Ferris Street?", "Who is the king of Norway?",
)  # fmt: skip


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
    commands = (_summarize, _outline, _minutes, _changes, _phrases, _score, _evaluate)
    return random.choices(commands, (45, 18, 10, 8, 7, 8, 4))[0](random)


def _summarize(random: Random) -> Input:
    files, kinds = {}, []
    each = random.random() < 0.5
    for number in range(random.randint(10, 30) if each else 1 if random.random() < 0.85 else random.randint(2, 4)):
        kind, name, data = document(random)
        files[f"{number}{name}"] = data
        kinds.append(kind)
    system = random.choices(
        ("adaptive", "mls_plus", "lead", "salience", "text_rank", "lex_rank", "tfidf", "random", "graph_sample"),
        (30, 20, 10, 10, 10, 5, 5, 5, 5),
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
    if len(files) > 1 and not each and random.random() < 0.7:
        argv += ["--agreement"]
    if random.random() < 0.25:
        argv += ["--query", random.choice(QUESTIONS)]
    return Input("many" if each else "+".join(sorted(set(kinds))), argv, files, words, each)


def _outline(random: Random) -> Input:
    files, _ = _documents(random)
    by = random.choice(("section", "speaker", "message", "document", "page"))
    argv, words = ["summarize", *files, "--by", by], None
    match random.randrange(4):
        case 0:
            words = random.choice((1, 7, 60, 500, 100_000))
            argv += ["--words", str(words)]
        case 1:
            argv += random.choice((["--sentences", "2"], ["--share", "1/4"], ["--characters", "300"]))
    if random.random() < 0.3:
        argv += ["--depth", str(random.choice((1, 2, 100)))]
    if random.random() < 0.2:
        argv += ["--query", random.choice(QUESTIONS)]
    if random.random() < 0.1:
        argv += ["--report", "page.html"]
    shown = random.choice((["--json"], ["--format", "markdown"], ["--explain"], []))
    return Input(f"by {by}", argv + shown, files, words)


def _minutes(random: Random) -> Input:
    files, kinds = _documents(random)
    argv = ["summarize", *files, "--minutes", *random.choice((["--json"], ["--format", "markdown"], []))]
    return Input(f"minutes {kinds}", argv, files)


def _changes(random: Random) -> Input:
    """Two versions of a document, or two documents that have nothing to do with each other."""
    kind, name, data = document(random)
    other = flip(random, data) if random.random() < 0.7 else document(random)[2]
    argv = ["changes", f"old-{name}", f"new-{name}", *random.choice((["--json"], ["--format", "markdown"], []))]
    return Input(f"changes {kind}", argv, {f"old-{name}": data, f"new-{name}": other})


def _documents(random: Random) -> tuple[dict[str, bytes], str]:
    """One file, seldom more, and what they are."""
    found = [document(random) for _ in range(1 if random.random() < 0.8 else random.randint(2, 4))]
    return {f"{n}{name}": data for n, (_, name, data) in enumerate(found)}, "+".join(
        sorted({kind for kind, *_ in found})
    )


def _phrases(random: Random) -> Input:
    kind, name, data = document(random)
    extractor = random.choice(
        ("position_rank", "topic_rank", "text_rank", "rake", "tfidf", "yake", "multipartite_rank")
    )
    argv = ["phrases", name, "--extractor", extractor, "--top", str(random.choice((1, 10, 1000)))]
    return Input(f"phrases {kind}", argv + ["--json"] * (random.random() < 0.5), {name: data})


def _score(random: Random) -> Input:
    count = random.randint(1, 4)
    suffix, write = random.choice(((".txt", _lines), (".jsonl", json_lines)))
    files = {}
    for name in ("hypotheses", "references"):
        data = write(random, count)
        name, data = _packed(random, name + suffix, data)
        files[name] = flip(random, data) if random.random() < 0.3 else data
    ours, theirs = files
    metrics = random.choices(("rouge", "meteor", "rouge,repetition", "novelty"), (70, 10, 10, 10))[0]
    argv = ["score", "-H", ours, "-R", theirs, "--metrics", metrics, "--resamples", "10"]
    return Input("score", argv + ["--json"] * (random.random() < 0.5), files)


def _evaluate(random: Random) -> Input:
    name, data = random.choice((_rows_csv, _rows_jsonl, _rows_parquet))(random)
    if random.random() < 0.4:
        data = flip(random, data)
    if not name.endswith((".parquet", ".arrow")):
        name, data = _packed(random, name, data)
    kind = next(suffix for suffix in ("csv", "parquet", "json") if suffix in name)
    argv = ["evaluate", "lead", "--data", name, "--kind", "jsonl" if kind == "json" else kind]
    return Input(f"rows {kind}", [*argv, "--words", "10"], {name: data})


def document(random: Random) -> tuple[str, str, bytes]:
    """Kind, name and bytes."""
    kind, suffix, write = random.choice(FORMATS)
    data = write(random)
    name = "given" + (suffix if random.random() < 0.9 else random.choice(("", ".txt", ".pdf", ".html", ".docx")))
    if random.random() < 0.1:
        name, data = _packed(random, name, data, always=True)
        kind += " packed"
    if random.random() < 0.25:
        data = flip(random, data)
    return kind, name, data


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


def _lines(random: Random, count: int) -> bytes:
    return encoded(random, "\n".join(" ".join(text(random, 4).splitlines()) or "A line." for _ in range(count)))


# Data sets


def _rows_jsonl(random: Random) -> tuple[str, bytes]:
    return random.choice(("rows.jsonl", "rows.json")), jsonl(random)


def _rows_csv(random: Random) -> tuple[str, bytes]:
    written = io.StringIO()
    table = csv.writer(written, quoting=random.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL)))
    table.writerow(random.choice((("text", "summary"), ("document", "summary"), ("a", "b"), ("text", "text"))))
    for _ in range(random.randint(0, 5)):
        table.writerow([text(random, 5) for _ in range(random.choice((2, 2, 2, 1, 3)))])
    given = written.getvalue()
    return "rows.csv", encoded(random, mutated(random, given) if random.random() < 0.3 else given)


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
