"""How time grows with long strings, for every reader and splitter.

Some strings are awkward, others ordinary: what people write, and much of it. Each is given at a length n at which one
run takes 0.2 s of processor time, at 2n and at 4n, by turns; the least time of five runs counts. Work in proportion to
the length takes twice as long for twice the length; a factor of 3 or more is a violation, if it stays one after ten
further runs: what else a machine does only adds to the least time, and passes. Every string is measured in a process
of its own, which is killed if it takes far too long.
"""

from __future__ import annotations

import argparse
import io
import itertools
import json
import multiprocessing
import os
import random
import re
import resource
import sys
import textwrap
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from epubs import book_of

BEGIN = 0.2
"""Seconds of processor time from which growth is measured."""

BOUND = 3.0
"""Growth over a doubling from which time is no longer said to be in proportion to the length."""

RUNS, ATTEMPTS = 5, 3
LONGEST = 8_000_000
"""Characters up to which a string is made longer; what takes less than `BEGIN` even then is quick."""

CEILING = 200
"""Seconds of processor time of one string's process."""


@dataclass(frozen=True)
class Growth:
    """What was measured of one string.

    Attributes:
        subject: The reader or splitter.
        name: The string.
        length: n, in characters or bytes.
        seconds: Processor time at n, 2n and 4n; empty for what is quick at any length.
        error: What went wrong, "" for nothing.
    """

    subject: str
    name: str
    length: int
    seconds: tuple[float, ...] = ()
    error: str = ""

    @property
    def factor(self) -> float:
        """The larger of the two growths over a doubling."""
        if len(self.seconds) < 3:
            return 0.0
        return max(self.seconds[1] / self.seconds[0], self.seconds[2] / self.seconds[1])

    @property
    def violates(self) -> bool:
        """Whether time grows faster than the length."""
        return bool(self.error) or self.factor >= BOUND


Make = Callable[[int], str]


def _sentence(number: int) -> str:
    """A sentence, of which no other number has a copy."""
    return _SENTENCES[number % len(_SENTENCES)].format(_word(number).title(), number)


_SENTENCES = (
    "The ferry of {0} left at noon and carried {1} letters to the island.",
    "According to {0}, who keeps the lock, the water had risen by {1} inches since the morning.",
    "Nobody in {0} was hurt, but the bridge will stay closed for {1} days.",
    "It cost less than {0} had feared: the council paid {1} euros, and the rest came from the county.",
    "“We had hoped for more,” said Mayor {0}, “and got {1} barrels of salt.”",
)


def _sentences(number: int, count: int = 5) -> str:
    return " ".join(_sentence(count * number + each) for each in range(count))


def _wrapped(number: int) -> str:
    return "\n".join(textwrap.wrap(_sentences(number), 72))


def _lines(number: int) -> Sequence[str]:
    """A sentence on lines as short as those of captions."""
    return textwrap.wrap(_sentence(number), 37)


def _clock(seconds: int, fraction: str = ".000") -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{fraction}"


PEOPLE = ("Ada Kim", "Bo Lindqvist", "Cleo Marsh")


def _speaker(number: int) -> str:
    """Who speaks: people do not take turns in a fixed order, as the keys of a form do."""
    return PEOPLE[7 * number // 5 % 3]


def _parts(make: Callable[[int], str], gap: str = "\n\n") -> Make:
    """A text of so many parts."""
    return lambda n: gap.join(make(number) for number in range(n))


ORDINARY: dict[str, Make] = {
    "paragraphs of prose": _parts(_sentences),
    "prose in lines": _parts(_wrapped),
    "prose without paragraphs": _parts(_sentence, " "),
    "a sentence a line": _parts(_sentence, "\n"),
    "list": _parts(lambda number: f"- {_sentence(number)}", "\n"),
    "transcript": _parts(lambda number: f"{_speaker(number)}: {_sentences(number, 2)}"),
    "transcript in lines": _parts(lambda number: f"{_speaker(number)}: {_sentence(number)}", "\n"),
    "interview": _parts(lambda number: f"{'QA'[number % 2]}. {_sentences(number, 2)}"),
    "names above": _parts(lambda number: f"{_speaker(number)}\n{_sentences(number, 2)}"),
    "chat": _parts(lambda number: f"[{_clock(9 * number, '')}] {_speaker(number)}: {_sentence(number)}", "\n"),
    "export of a meeting": _parts(lambda number: f"{_speaker(number)}  {_clock(9 * number, '')}\n{_sentence(number)}"),
    "mail": lambda n: "We go on Monday.\n\n" + "\n".join(f"> {line}" for i in range(n) for line in [*_lines(i), ""]),
    "chapters": _parts(lambda number: f"CHAPTER {number + 1}\n\n{_wrapped(number)}"),
}
"""What people write, of so many sentences or paragraphs."""

TEXT: dict[str, Make] = {
    'He said."""': lambda n: "He said." + '"' * n,
    ".)))x": lambda n: "He said." + ")" * n + "x",
    "!?!?": lambda n: "!?" * n,
    "! ? ": lambda n: "! ? " * n,
    ".(.(": lambda n: ".(" * n,
    '."."': lambda n: '."' * n,
    ". . .": lambda n: ". " * n,
    "a.a.": lambda n: "a." * n,
    "Mr. Mr.": lambda n: "Mr. " * n,
    "1,1,": lambda n: "1," * n,
    "aaaa": lambda n: "a" * n,
    "space": lambda n: "a." + " " * n + "b",
    "line ends": lambda n: "a\n" * n,
    "paragraphs": lambda n: "a\n\n" * n,
    "one-word sentences": lambda n: "Word. " * n,
    "accents": lambda n: "a" + "\u0301" * n,
    "control": lambda n: "a\1" * n,
    "Chinese": lambda n: "\u4e2d\u3002" * n,
    "apostrophes": lambda n: "a'" * n,
    "prose": lambda n: _prose(n),
    **ORDINARY,
}
HTML: dict[str, Make] = {
    "attributes": lambda n: "<p " + " ".join(f"a{i}=1" for i in range(n)) + ">x",
    "attributes by slashes": lambda n: "<p " + "/".join(f"a{i}" for i in range(n)) + ">x",
    "attributes with <": lambda n: "<p " + "".join(f'a{i}="<"' for i in range(n)) + ">x",
    "open quote": lambda n: "<p " + 'a=" ' * n,
    "nested": lambda n: "<div>x" * n,
    "asides": lambda n: "<aside>x</aside>tail" * n,
    "menus": lambda n: "<div class=menu>x</div> y " * n,
    "nested menus": lambda n: "<div class=menu>x " * n,
    "articles": lambda n: "<article>x</article>" * n,
    "nested articles": lambda n: "<article>x " * n,
    "notes": lambda n: "<sup>[1]</sup>x" * n,
    "cells": lambda n: "<table>" + "<tr><td>x</td></tr>" * n + "</table>",
    "links": lambda n: "<p><a>x</a></p>" * n,
    "<": lambda n: "x" + "<" * n,
    "comments": lambda n: "<p>x" + "<!--" * n,
    "declaration": lambda n: "<?xml " + " " * n + "<html><p>x",
    "class names": lambda n: '<p class="' + "x-" * n + '">y</p>',
    "references": lambda n: "<p>" + "&amp;" * n,
    "page": lambda n: f"<html><body><nav>Menu</nav>{_paragraphs(n)}<footer>End</footer></body></html>",
    "article": lambda n: f"<html><body><div class=menu>Menu</div><article>{_paragraphs(n)}</article></body></html>",
    "sections": _parts(lambda number: f"<div><h2>Part {number}</h2><p>{_sentences(number)}</p></div>", "\n"),
    "table of prose": lambda n: f"<table>{_parts(_table_row, '')(n)}</table>",
    "list of prose": lambda n: f"<ul>{_parts(lambda number: f'<li>{_sentence(number)}')(n)}</ul>",
    "line breaks": _parts(_sentence, "<br>"),
    "thread": _parts(lambda number: f"<div class=post><b>{_speaker(number)}</b><p>{_sentences(number)}</div>"),
    "notes of prose": _parts(lambda number: f"<p>{_sentence(number)}<sup>[{number}]</sup></p>"),
}


def _paragraphs(count: int) -> str:
    return "\n".join(f"<p>{_sentences(number)} <a href=/{number}>{_word(number)}</a></p>" for number in range(count))


def _table_row(number: int) -> str:
    return f"<tr><td>{number}</td><td>{_sentence(number)}</td></tr>"


MARKDOWN: dict[str, Make] = {
    "quotes": lambda n: "> " * n,
    "lists": lambda n: "\n".join("  " * i + "- x" for i in range(int(n**0.5))),
    "stars": lambda n: "a**b" * n,
    "emphasis": lambda n: "**a *b " * n,
    "mixed emphasis": lambda n: "*a_" * n,
    "backticks": lambda n: " ".join("`" * i for i in range(int((2 * n) ** 0.5))),
    "brackets": lambda n: "[" * n + "a" + "]" * n,
    "links": lambda n: "[a](b" * n,
    "pictures": lambda n: "![" * n,
    "definitions": lambda n: "".join(f"[a{i}]: b\n" for i in range(n)),
    "table": lambda n: "|a|b|\n|-|-|\n" + "|x|y|\n" * n,
    "wide table": lambda n: "|" + "a|" * n + "\n|" + "-|" * n + "\n|x|\n",
    "HTML": lambda n: "<a " * n,
    "headings": lambda n: "# x\n" * n,
    "front matter": lambda n: "---\n" + "a\n" * n,
    "paragraphs": _parts(lambda number: f"**{_word(number)}** {_wrapped(number)} See [it](http://a.example/{number})."),
    "sections": _parts(lambda number: f"## Part {number}\n\n{_sentences(number)}"),
    "list of prose": _parts(lambda number: f"* {_sentence(number)}\n  1. {_sentence(number + 7)}", "\n"),
    "loose list": _parts(lambda number: f"{number + 1}. {_sentence(number)}\n\n   {_sentence(number + 7)}"),
    "table of prose": lambda n: "|a|b|\n|-|-|\n" + _parts(lambda number: f"|{number}|{_sentence(number)}|", "\n")(n),
    "quotation": _parts(lambda number: f"> {_sentence(number)}\n>", "\n"),
    "code": _parts(lambda number: f"{_sentence(number)}\n\n```\nrun({number})\n```"),
    "notes": lambda n: (
        _parts(lambda number: f"{_sentence(number)}[^{number}]")(n)
        + "\n\n"
        + _parts(lambda number: f"[^{number}]: {_sentence(number)}")(n)
    ),
    "links by name": lambda n: (
        _parts(lambda number: f"See [{_word(number)}][{number}].")(n)
        + "\n\n"
        + _parts(lambda number: f"[{number}]: http://a.example/{number}", "\n")(n)
    ),
}
JSONL: dict[str, Make] = {
    "lines": lambda n: '{"text": "A b."}\n' * n,
    "list": lambda n: "[" + ",".join(['{"text": "A b."}'] * n) + "]",
    "texts": lambda n: json.dumps(["A b."] * n),
    "keys": lambda n: "{" + ",".join(f'"k{i}":1' for i in range(n)) + ',"text":"A b."}',
    "sections": lambda n: json.dumps({"sections": [{"name": "h", "text": "A b."}] * n}),
    "documents": lambda n: json.dumps({"documents": ["A b."] * n}),
    "escapes": lambda n: '{"text":"' + "\\u0041 " * n + '"}',
    "empty": lambda n: '{"text": "A b."}\n' + '{"text": ""}\n' * n,
    "blank lines": lambda n: "\n" * n + '{"text": "A b."}',
    "space": lambda n: "{" + " " * n + '"text":"A b."}',
    "records": _parts(lambda number: json.dumps({"id": number, "text": _sentences(number)}), "\n"),
    "a long text": lambda n: json.dumps({"text": ORDINARY["paragraphs of prose"](n)}),
    "paper": lambda n: json.dumps({"sections": [{"name": _word(i), "text": _sentences(i)} for i in range(n)]}),
    "cluster": lambda n: json.dumps({"documents": [_sentences(i) for i in range(n)]}),
    "turns": lambda n: json.dumps({"turns": [{"speaker": _speaker(i), "text": _sentence(i)} for i in range(n)]}),
    "turns of one": lambda n: json.dumps({"turns": [{"speaker": "Ada", "text": _sentence(i)} for i in range(n)]}),
}

CAPTIONS: dict[str, Callable[[int], Iterator[Sequence[str]]]] = {
    "one speaker": lambda n: (_lines(i) for i in range(n)),
    "speakers": lambda n: (
        [f"{_speaker(i).upper()}: {lines[0]}", *lines[1:]] for i in range(n) if (lines := _lines(i))
    ),
    "dashes": lambda n: ([f"- {_sentence(2 * i)}", f"- {_sentence(2 * i + 1)}"] for i in range(n)),
    "voices": lambda n: ([f"<v {_speaker(i)}>{line}" for line in _lines(i)] for i in range(n)),
    "no marks": lambda n: ([line.lower().rstrip(".,”") for line in _lines(i)] for i in range(n)),
    "capitals": lambda n: ([line.upper() for line in _lines(i)] for i in range(n)),
    "rolling": lambda n: itertools.pairwise(line for i in range(n) for line in _lines(i)),
    "sounds": lambda n: (lines for i in range(n) for lines in (_lines(i), ["[applause]"])),
}  # fmt: skip
"""Lines of cues."""


def _captioned(head: str, name: str, comma: str) -> Make:
    """Captions, a cue in three seconds."""

    def made(n: int) -> str:
        cues = enumerate(CAPTIONS[name](n))
        times = ((_clock(3 * i, f"{comma}000"), _clock(3 * i + 2, f"{comma}900"), lines) for i, lines in cues)
        return head + "\n\n".join(
            "\n".join([str(number), f"{begin} --> {end}", *lines])
            for number, (begin, end, lines) in enumerate(times, 1)
        )

    return made


WEBVTT: dict[str, Make] = {name: _captioned("WEBVTT\n\n", name, ".") for name in CAPTIONS}
SUBRIP: dict[str, Make] = {name: _captioned("", name, ",") for name in CAPTIONS}
EPUB: dict[str, Make] = {
    "chapters": _parts(lambda number: f"<h1>{_word(number)}</h1><p>{_sentences(number)}</p>", "\f"),
    "one chapter": lambda n: f"<h1>Tale</h1>{_paragraphs(n)}",
    "dialogue": _parts(lambda number: f"<p>“{_sentence(number)}”</p><p>“No,” said {_word(number).title()}.</p>", ""),
}
"""Chapters, between form feeds."""

CHECKED: dict[str, Make] = {
    **{
        one.strip() or "blank": lambda n, one=one: one * n  # type: ignore[misc]
        for one in (
            "Aa-", "Aa.", "Aa'", "aa-", "1-", "1.", "1/", "a@", "#a", "said ", "Aa said ", "not ", "no ", "two ",
            "nobody ", "(", "“", "'a ", "% ", "$1 ", "1 of ", "half ", "from 1 ", "3 May ", "Mayor ", "Mayor Aa ",
            "Aa, the ",
            "than ", "but ", "Aa's ", "=a", "x, ", "A.", "1 ", "1:00 ", "Aa and ", "AaBb", "http://a.", "U.S.", "| a ",
            "**a", "~~a", "[^1] ", "Aa sued ", "1 km ", "1-a ", "a-1 ", "two thirds of ", "million ",
            "vote 1-1 ", "1st ", "rose from 1 ", "fell to 1 ", "not Aa, ",
        )
    },
    "numbers": lambda n: " ".join(str(7 * i + 3) for i in range(n)),
    "units": lambda n: " ".join(f"{i} km" for i in range(n)),
    "sentences with numbers": lambda n: " ".join(f"There were {7 * i + 3} men on road {i}." for i in range(n)),
    "names": lambda n: " ".join(f"{_word(i).title()} met {_word(i + 1).title()}." for i in range(n)),
    "lists of names": lambda n: ", ".join(_word(i).title() for i in range(n)),
    "opposites": lambda n: " ".join(f"Sales rose in {_word(i)} and fell in {_word(i + 1)}." for i in range(n)),
    "quotations": lambda n: " ".join(f"“We left {_word(i)},” said {_word(i).title()}." for i in range(n)),
}  # fmt: skip
"""What rules of `nutgraf check` look for, again and again."""

_SENT = "From: Ana <a@example.org>\nDate: Tue, 12 Mar 2024 09:15:00 +0100\nSubject: Lease\n"
_ABOVE = "On Mon, 11 Mar 2024 at 18:02, Tom Reyes <t@example.org> wrote:\n"
EML: dict[str, Make] = {
    "prose": lambda n: f"{_SENT}\n" + "".join(f"{_sentence(i)}\n" for i in range(n)),
    "recipients": lambda n: (
        f"{_SENT}To: " + ",\n ".join(f"{_word(i)} <{i}@example.org>" for i in range(n)) + "\n\nA b."
    ),
    "senders": lambda n: "From: " + ", ".join(f"{_word(i)} <{i}@example.org>" for i in range(n)) + "\nDate: x\n\nA b.",
    "headers": lambda n: _SENT + "".join(f"X-{i}: a\n" for i in range(n)) + "\nA b.",
    "quotations": lambda n: f"{_SENT}\n" + "".join(f"{_ABOVE}> {_sentence(i)}\n{_word(i)}.\n" for i in range(n)),
    "marks": lambda n: f"{_SENT}\n" + ">" * n + " A b.",
    "depths": lambda n: f"{_SENT}\n" + "".join(f"{'>' * (i % 30)} {_sentence(i)}\n" for i in range(n)),
    "lines above quotations": lambda n: f"{_SENT}\n" + _ABOVE * n,
    "headers of others": lambda n: (
        f"{_SENT}\n" + "".join(f"From: {_word(i)}\nSubject: a\n\nA b.\n\n" for i in range(n))
    ),
    "keys": lambda n: f"{_SENT}\n" + "To: a\n" * n,
    "closings": lambda n: f"{_SENT}\n" + "A b.\n\nBest regards\n\n" * n,
    "parts": lambda n: f'{_SENT}Content-Type: multipart/mixed; boundary="b"\n\n' + "--b\n\nA b.\n" * n,
    "HTML quotations": lambda n: f"{_SENT}Content-Type: text/html\n\n" + "<blockquote>A b.</blockquote>" * n,
}
"""Mails; bodies of one line, many lines, many messages."""

MBOX: dict[str, Make] = {
    "threads": lambda n: "".join(f"From x\n{_SENT}Message-ID: <{i}>\n\n{_sentence(i)}\n\n" for i in range(n)),
    "one thread": lambda n: "".join(
        f"From x\n{_SENT}Message-ID: <{i}>\nIn-Reply-To: <{i - 1}>\n\n{_sentence(i)}\n{_ABOVE}> {_sentence(i - 1)}\n\n"
        for i in range(1, n + 1)
    ),
    "empty mails": lambda n: "From x\nSubject: a\n\n\n" * n + f"From x\n{_SENT}\nA b.\n",
}

CHATS: dict[str, Make] = {
    "messages": lambda n: json.dumps([_message(i, _sentence(i)) for i in range(n)]),
    "people": lambda n: json.dumps([_message(i, f"<@U{i + 1}> left.", f"U{i}") for i in range(n)]),
    "a long message": lambda n: json.dumps([_message(0, "A b. " * n)]),
    "backwards": lambda n: json.dumps([_message(n - i, _sentence(i)) for i in range(n)]),
}
"""Exports of Slack."""


def _message(number: int, text: str, user: str = "U1") -> dict[str, str]:
    return {"type": "message", "ts": f"{1_710_000_000 + number}.0", "user": user, "username": user, "text": text}


PPTX: dict[str, Make] = {
    "slides": lambda n: "\f".join(_shape(_sentence(i)) for i in range(n)),
    "shapes": lambda n: "".join(_shape(_sentence(i)) for i in range(n)),
    "points": lambda n: _shape(*(_word(i) for i in range(n))),
    "empty shapes": lambda n: "<p:sp/>" * n + _shape("A b."),
}


def _shape(*points: str) -> str:
    paragraphs = "".join(f"<a:p><a:r><a:t>{point}</a:t></a:r></a:p>" for point in points)
    return f"<p:sp><p:nvSpPr><p:nvPr><p:ph/></p:nvPr></p:nvSpPr><p:txBody>{paragraphs}</p:txBody></p:sp>"


def _deck(slides: str) -> bytes:
    """A presentation of these slides, parted by form feeds."""
    office = "http://schemas.openxmlformats.org"
    names = f'xmlns:p="{office}/presentationml/2006/main" xmlns:a="{office}/drawingml/2006/main"'
    trees = slides.split("\f")
    listed = "".join(f'<p:sldId r:id="r{number}"/>' for number in range(len(trees)))
    related = "".join(f'<R Id="r{n}" Type="x/slide" Target="slides/slide{n}.xml"/>' for n in range(len(trees)))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        head = f'<p:presentation {names} xmlns:r="{office}/officeDocument/2006/relationships">'
        archive.writestr("ppt/presentation.xml", f"{head}{listed}</p:presentation>")
        archive.writestr("ppt/_rels/presentation.xml.rels", f"<Rs>{related}</Rs>")
        for number, tree in enumerate(trees):
            slide = f"<p:sld {names}><p:cSld><p:spTree>{tree}</p:spTree></p:cSld></p:sld>"
            archive.writestr(f"ppt/slides/slide{number}.xml", slide)
    return packed.getvalue()


_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_P = "<w:p><w:r><w:t>A b.</w:t></w:r></w:p>"
DOCX: dict[str, Make] = {
    "paragraphs": lambda n: _P * n,
    "empty paragraphs": lambda n: "<w:p/>" * n + _P,
    "runs": lambda n: "<w:p>" + "<w:r><w:t>a </w:t></w:r>" * n + "</w:p>",
    "rows": lambda n: "<w:tbl>" + f"<w:tr><w:tc>{_P}</w:tc></w:tr>" * n + "</w:tbl>",
    "cells": lambda n: "<w:tbl><w:tr>" + f"<w:tc>{_P}</w:tc>" * n + "</w:tr></w:tbl>",
    "tabs": lambda n: "<w:p><w:r><w:t>x</w:t>" + "<w:tab/>" * n + "</w:r></w:p>",
    "text boxes": lambda n: f"<w:p><w:r><w:t>A.</w:t></w:r><w:txbxContent>{_P}</w:txbxContent></w:p>" * n,
    "insertions": lambda n: "<w:p>" + "<w:ins><w:r><w:t>A. </w:t></w:r></w:ins>" * n + "</w:p>",
    "attributes": lambda n: "<w:p " + " ".join(f'a{i}="1"' for i in range(n)) + "/>" + _P,
    "namespaces": lambda n: "<w:p " + " ".join(f'xmlns:a{i}="u{i}"' for i in range(n)) + "/>" + _P,
    "controls": lambda n: f"<w:sdt>{_P}</w:sdt>" * n,
    "prose": _parts(lambda number: f"<w:p><w:r><w:t>{_sentences(number)}</w:t></w:r></w:p>", ""),
    "chapters": _parts(
        lambda number: (
            f'<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>{_word(number)}</w:t></w:r></w:p>'
            f"<w:p>{''.join(f'<w:r><w:t>{_sentence(each)} </w:t></w:r>' for each in range(number, number + 5))}</w:p>"
        ),
        "",
    ),
    "table of prose": lambda n: (
        "<w:tbl>"
        + _parts(
            lambda number: (
                f"<w:tr><w:tc>{_P}</w:tc><w:tc><w:p><w:r><w:t>{_sentence(number)}</w:t></w:r></w:p></w:tc></w:tr>"
            ),
            "",
        )(n)
        + "</w:tbl>"
    ),
    "footnotes": _parts(
        lambda number: (
            f'<w:p><w:r><w:t>{_sentence(number)}</w:t></w:r><w:r><w:footnoteReference w:id="{number}"/></w:r></w:p>'
        ),
        "",
    ),
}
PDF: dict[str, Make] = {
    "lines": lambda n: "".join(f"(The ferry left at noon and carried letter {i}.) Tj T* " for i in range(n)),
    "placed words": lambda n: "".join(f"1 0 0 1 {50 + 60 * (i % 8)} {780 - i // 8} Tm (w{i}.) Tj " for i in range(n)),
    "single letters": lambda n: "(a) Tj " * n,
    "kerned": lambda n: "[" + "(wo)-10(rd )-300" * n + "]TJ",
    "one string": lambda n: "(" + "Word goes. " * n + ") Tj",
    "blocks": lambda n: "ET BT /F 10 Tf (Word.) Tj " * n,
    "states": lambda n: "q " * n + "(Word.) Tj " + "Q " * n,
    "matrices": lambda n: "1 0 0 1 1 1 cm (Word.) Tj " * n,
    "fonts": lambda n: "/F 10 Tf (Word.) Tj " * n,
    "parentheses": lambda n: "(" * n + "a" + ")" * n + " Tj",
    "pictures": lambda n: "BI /W 1 /H 1 ID x EI " * n + "(Word.) Tj",
    "pages": _parts(lambda number: f"(The ferry of May) Tj T* {_drawn(number)} ({number + 1}) Tj", "\f"),
    "long pages": lambda n: "\f".join(" ".join(map(_drawn, range(page, n, 9))) for page in range(9)),
}
"""What is drawn on pages, between form feeds."""


def _drawn(number: int) -> str:
    """A sentence as it is drawn on a page, in letters that its font has."""
    marks = {ord(mark): '"' for mark in "“”"}
    return " ".join(f"({line.translate(marks)}) Tj T*" for line in [*_lines(number), ""])


def _prose(words: int) -> str:
    draw = random.Random(1)
    known = ["".join(draw.choices("abcdefghij", k=draw.randint(2, 9))) for _ in range(3000)]
    return " ".join(draw.choice(known) + (". A" if draw.random() < 0.07 else "") for _ in range(words))


def _word(number: int) -> str:
    """A word of its own for each number."""
    letters = "abcdefghij"
    return "w" + "".join(letters[int(digit)] for digit in str(number))


def _docx(body: str) -> bytes:
    """A document; the text of a footnote is that of its number."""
    notes = "".join(
        f'<w:footnote w:id="{number}"><w:p><w:r><w:t>{_sentence(int(number))}</w:t></w:r></w:p></w:footnote>'
        for number in re.findall(r'footnoteReference w:id="(\d+)"', body)
    )
    parts = {
        "document": f"<w:body>{body}</w:body>",
        "footnotes": notes,
        "styles": '<w:style w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>',
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, content in parts.items():
            archive.writestr(f"word/{name}.xml", f"<w:{name} {_W}>{content}</w:{name}>")
    return packed.getvalue()


def pdf(*contents: str) -> bytes:
    """A PDF of these contents, one a page."""
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"", b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    kids = []
    for content in contents:
        drawn = f"BT /F 10 Tf 14 TL 50 780 Td {content} ET".encode()
        objects.append(b"<</Length %d>>stream\n%s\nendstream" % (len(drawn), drawn))
        kids.append(len(objects) + 1)
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents %d 0 R/Resources<</Font<</F 3 0 R>>>>>>"
            % len(objects)
        )
    objects[1] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), b" ".join(b"%d 0 R" % kid for kid in kids))
    written, offsets = bytearray(b"%PDF-1.4\n"), []
    for number, each in enumerate(objects, 1):
        offsets.append(len(written))
        written += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = len(written)
    written += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    written += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    written += b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, table)
    return bytes(written)


def _encode(given: str) -> bytes:
    return given.encode()


FORMATS: dict[str, tuple[dict[str, Make], Callable[[str], bytes]]] = {
    "plain": (TEXT, _encode),
    "markdown": (MARKDOWN, _encode),
    "html": (HTML, _encode),
    "jsonl": (JSONL, _encode),
    "docx": (DOCX, _docx),
    "pdf": (PDF, lambda drawn: pdf(*drawn.split("\f"))),
    "epub": (EPUB, lambda chapters: book_of(chapters.split("\f"))),
    "eml": (EML, _encode),
    "mbox": (MBOX, _encode),
    "chats": (CHATS, _encode),
    "pptx": (PPTX, _deck),
    "webvtt": (WEBVTT, _encode),
    "subrip": (SUBRIP, _encode),
}


def _read(kind: str) -> Callable[[bytes], Any]:
    from nutgraf.errors import InputError
    from nutgraf.readers import readers

    def work(data: bytes) -> None:
        with suppress(InputError):  # a refusal is an outcome like any other
            readers.make(kind).read(data, "given", "en")

    return work


def _known_sentences(given: str) -> None:
    from nutgraf.prose.dependence import leanings
    from nutgraf.text.document import Document

    document = Document.of(given, language="en")
    assert len(leanings(document)) == len(document.terms) == len(document.lengths)


def _summary(given: str) -> None:
    from nutgraf.errors import NutgrafError
    from nutgraf.systems import load
    from nutgraf.text.document import Document

    with suppress(NutgrafError):
        load("mls_plus")(Document.of(given, language="en"), words=100)


SHORT = "Mayor Ada Kim said on 3 May that half of the 40 men left, not 5, but two of them slept."
"""A sentence with something for every rule."""


def _checked(summary: str, sources: str) -> None:
    from nutgraf.errors import NutgrafError
    from nutgraf.faithfulness.check import check
    from nutgraf.text.document import Document

    with suppress(NutgrafError):
        check(Document.of(summary, language="en"), Document.of(sources, language="en"))


CHECKS: dict[str, Callable[[str], None]] = {
    "check: summary": lambda given: _checked(given, SHORT),
    "check: sources": lambda given: _checked(SHORT, given),
    "check: both": lambda given: _checked(f"{given} Aa left.", f"{given} Aa bb left 3."),
}


def subjects() -> Iterator[tuple[str, str]]:
    """Every reader and splitter, with every string for it."""
    for kind, (strings, _) in FORMATS.items():
        yield from ((kind, name) for name in strings)
    for splitter in ("sentences en", "sentences de", "tokens", "sentence features", "mls_plus"):
        yield from ((splitter, name) for name in TEXT)
    for check in CHECKS:
        yield from ((check, name) for name in CHECKED)


def work_on(subject: str, name: str) -> tuple[Callable[[int], Any], Callable[[Any], Any]]:
    """What makes the string of a size, and what is measured on it."""
    from nutgraf.text import tokenize

    if subject in FORMATS:
        strings, pack = FORMATS[subject]
        return lambda n: pack(strings[name](n)), _read(subject)
    if subject in CHECKS:
        return CHECKED[name], CHECKS[subject]
    works: dict[str, Callable[[str], Any]] = {
        "sentences en": lambda given: tokenize.sentence_spans(given, "en"),
        "sentences de": lambda given: tokenize.sentence_spans(given, "de"),
        "tokens": tokenize.token_spans,
        "sentence features": _known_sentences,
        "mls_plus": _summary,
    }
    return TEXT[name], works[subject]


def _seconds(work: Callable[[Any], Any], given: Any) -> float:
    begun = time.process_time()
    work(given)
    return time.process_time() - begun


def measure(subject: str, name: str) -> Growth:
    """Measure one string in this process."""
    make, work = work_on(subject, name)
    work(make(10))
    size = 1000
    while True:
        size *= 2
        given = make(size)
        if _seconds(work, given) >= BEGIN:
            return growth_of(work, [make(size * times) for times in (1, 2, 4)], Growth(subject, name, len(given)))
        if len(given) > LONGEST:
            return Growth(subject, name, len(given))


def growth_of(work: Callable[[Any], Any], given: Sequence[Any], growth: Growth) -> Growth:
    """Measure work on inputs of which each is twice as long as the one before.

    Args:
        work: What is measured.
        given: Three inputs.
        growth: The record to fill in.
    """
    least = [float("inf")] * len(given)
    for _ in range(ATTEMPTS):
        for _ in range(RUNS):
            least = [min(before, _seconds(work, one)) for before, one in zip(least, given, strict=True)]
        growth = replace(growth, seconds=tuple(least))
        if not growth.violates:
            break
    return growth


def _alone(subject: str, name: str) -> Growth:
    """Measure one string in a process that may not take for ever."""
    context = multiprocessing.get_context("spawn")
    answers, sender = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(sender, subject, name))
    process.start()
    sender.close()
    try:
        return Growth(**answers.recv())
    except EOFError:
        return Growth(subject, name, 0, error=f"more than {CEILING} s, or a crash")
    finally:
        process.join()


def _child(sender: Any, subject: str, name: str) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CEILING, CEILING))
    sender.send(asdict(measure(subject, name)))


def main() -> int:
    """Measure all strings, or those of one subject."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--subject", help="only this reader or splitter")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    options.add_argument("--report", type=Path, help="write the table here")
    given = options.parse_args()
    chosen = [pair for pair in subjects() if given.subject in (None, pair[0])]
    table = []
    with ThreadPoolExecutor(given.jobs) as pool:
        for growth in pool.map(lambda pair: _alone(*pair), chosen):
            table.append(growth)
            times = "  ".join(f"{each:7.3f}" for each in growth.seconds) or f"below {BEGIN} s"
            says = growth.error or (f"x {growth.factor:.2f}" if growth.seconds else "")
            mark = "  VIOLATION" if growth.violates else ""
            print(f"{growth.subject:18} {growth.name:22} {growth.length:>9,}  {times:27} {says}{mark}", flush=True)
    found = sum(growth.violates for growth in table)
    print(f"{len(table)} strings, {found} violations", file=sys.stderr)
    if given.report:
        given.report.parent.mkdir(parents=True, exist_ok=True)
        given.report.write_text(
            json.dumps([{**asdict(each), "factor": each.factor} for each in table], indent=1) + "\n"
        )
    return int(found > 0)


if __name__ == "__main__":
    raise SystemExit(main())
