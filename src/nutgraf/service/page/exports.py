"""Files that a person takes away: the summary as Markdown, DOCX, HTML (the report) or JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from nutgraf.errors import UnknownName
from nutgraf.report.page import render
from nutgraf.report.sources import names_of
from nutgraf.report.whys import places_in_words
from nutgraf.systems import System
from nutgraf.text.formats import as_markdown
from nutgraf.text.summary import Summary
from nutgraf.text.tokenize import flatten

RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur", "yi"})
"""Languages that are written from right to left."""

_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Export:
    """A kind of file, and what makes its content of a summary and its system."""

    title: str
    suffix: str
    media_type: str
    write: Callable[[Summary, System], bytes]


def find_export(name: str) -> Export:
    """Return the kind of file of this name. Raises UnknownName if there is none."""
    if name not in EXPORTS:
        raise UnknownName("format", name, EXPORTS)
    return EXPORTS[name]


def _markdown(summary: Summary, _: System) -> bytes:
    notices = "".join(f"\n> {flatten(notice)}\n" for notice in summary.notices)
    written = as_markdown(summary, places_in_words(summary), _title(summary))
    return f"{written}\n{notices}".encode("utf-8", "replace")


def _html(summary: Summary, system: System) -> bytes:
    return render(summary, system.attention(summary), system.signals(summary)).encode()


def _json(summary: Summary, system: System) -> bytes:
    return f"{summary.dumps(system.signals(summary))}\n".encode("utf-8", "replace")


def _docx(summary: Summary, _: System) -> bytes:
    from docx import Document as Docx

    file = Docx()
    backwards = summary.document.language in RIGHT_TO_LEFT
    title = _title(summary)
    file.core_properties.title = _held(f"Summary of {title}")[:255]
    file.core_properties.author = ""
    file.add_heading(_held(f"Summary of {title}"), 1)
    number = 0
    for line in summary.lines:
        paragraph = file.add_paragraph()
        for label, sentence in line:
            number += 1
            if label:
                _add(paragraph, label, backwards).bold = True
            _add(paragraph, sentence.text, backwards)
            _add(paragraph, f"[{number}]", backwards).font.superscript = True
            _add(paragraph, " ", backwards)
        _turn(paragraph, backwards)
    file.add_heading("Sources", 2)
    place = places_in_words(summary)
    for number, sentence in enumerate(summary.sentences, 1):
        if sentence.origins:
            found = "; ".join(dict.fromkeys(map(place, sentence.origins)))
            file.add_paragraph(_held(f"[{number}] {found}"))
    for notice in summary.notices:
        file.add_paragraph(_held(notice)).runs[0].italic = True
    written = BytesIO()
    file.save(written)
    return written.getvalue()


def _title(summary: Summary) -> str:
    return ", ".join(names_of(summary.document))


def _add(paragraph: Any, text: str, backwards: bool) -> Any:
    run = paragraph.add_run(_held(text))
    run.font.rtl = backwards or None
    return run


def _turn(paragraph: Any, backwards: bool) -> None:
    """Let a paragraph begin at the right."""
    if backwards:
        properties = paragraph._p.get_or_add_pPr()
        properties.append(properties.makeelement(f"{{{properties.nsmap['w']}}}bidi"))


def _held(text: str) -> str:
    """A text without the characters that XML cannot hold."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)


EXPORTS: Mapping[str, Export] = {
    "markdown": Export("Markdown", "md", "text/markdown; charset=utf-8", _markdown),
    "docx": Export("Word", "docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", _docx),
    "html": Export("HTML", "html", "text/html; charset=utf-8", _html),
    "json": Export("JSON", "json", "application/json", _json),
}
"""Kinds of files by name."""
