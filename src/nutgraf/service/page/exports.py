"""Files that a person takes away: what the page shows as Markdown, DOCX, HTML (the report) or JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from nutgraf.collation.records import Agreement
from nutgraf.errors import UnknownName
from nutgraf.report.lists import lists_in_markdown
from nutgraf.report.page import render, render_view
from nutgraf.report.sources import names_of
from nutgraf.report.view import View
from nutgraf.report.whys import places_in_words
from nutgraf.service.page.views import view_shown
from nutgraf.text.formats import as_markdown
from nutgraf.text.summary import Summary
from nutgraf.text.tokenize import flatten

RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur", "yi"})
"""Languages that are written from right to left."""

_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Export:
    """A kind of file, and what makes its content of what was made or found; see `views.view_shown`."""

    title: str
    suffix: str
    media_type: str
    write: Callable[[Any, Any], bytes]


def find_export(name: str) -> Export:
    """Return the kind of file of this name. Raises UnknownName if there is none."""
    if name not in EXPORTS:
        raise UnknownName("format", name, EXPORTS)
    return EXPORTS[name]


def _markdown(made: Any, beside: Any) -> bytes:
    view = view_shown(made, beside)
    notices = "".join(f"\n> {flatten(notice)}\n" for notice in view.summary.notices)
    if isinstance(made, Summary):
        written = as_markdown(made, places_in_words(made), _title(made))
    else:
        written = lists_in_markdown(view) if isinstance(made, Agreement) else view.referenced
    return f"{written}\n{notices}".encode("utf-8", "replace")


def _html(made: Any, beside: Any) -> bytes:
    if isinstance(made, Summary):
        return render(made, beside.attention(made), beside.signals(made)).encode()
    return render_view(view_shown(made, beside)).encode()


def _json(made: Any, beside: Any) -> bytes:
    if isinstance(made, Summary):
        written = made.dumps(beside.signals(made))
    else:
        written = json.dumps(made.to_json(), ensure_ascii=False, indent=2)
    return f"{written}\n".encode("utf-8", "replace")


@dataclass(frozen=True)
class _Paragraph:
    """A heading, or sentences with what stands before each, and remarks behind the last one."""

    sentences: Sequence[tuple[str, str]] = ()
    heading: str = ""
    level: int = 2
    style: str | None = None
    remarks: str = ""


def _paragraphs(made: Any, view: View) -> Iterator[_Paragraph]:
    for listing in view.lists:
        yield _Paragraph(heading=listing.title)
        for entry in listing.entries:
            if entry.title:
                yield _Paragraph(remarks=entry.title)
            for one in entry.quotes:
                lead = " ".join(filter(None, [one.line.links[0].time, f"{one.lead}:" if one.lead else ""]))
                text = one.line.sentence.text
                yield _Paragraph([(f"{lead} " if lead else "", text)], style="List Bullet", remarks=one.remarks)
        if not listing.entries:
            yield _Paragraph(remarks=listing.none)
    for row in view.rows:
        if row.title:
            yield _Paragraph(heading=row.title, level=min(row.level + 1, 9))
        yield _Paragraph([(line.label, line.sentence.text) for line in row.lines])
    if not view.lists and not view.rows:
        for spoken in view.summary.lines:
            yield _Paragraph([(label, sentence.text) for label, sentence in spoken])


def _docx(made: Any, beside: Any) -> bytes:
    from docx import Document as Docx

    file, view = Docx(), view_shown(made, beside)
    summary = view.summary
    backwards = summary.document.language in RIGHT_TO_LEFT
    title = _held(f"{view.kicker} {_title(summary)}")
    file.core_properties.title = title[:255]
    file.core_properties.author = ""
    file.add_heading(title, 1)
    number = 0
    for one in _paragraphs(made, view):
        if one.heading:
            _turn(file.add_heading(_held(one.heading), one.level), backwards)
            continue
        paragraph = file.add_paragraph(style=one.style)
        for label, text in one.sentences:
            number += 1
            if label:
                _add(paragraph, label, backwards).bold = True
            _add(paragraph, text, backwards)
            _add(paragraph, f"[{number}]", backwards).font.superscript = True
            _add(paragraph, " ", backwards)
        if one.remarks:
            _add(paragraph, one.remarks, backwards).italic = True
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
