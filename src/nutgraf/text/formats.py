"""Forms in which a summary is printed: a paragraph, bullets, a headline, or Markdown with its sources."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Literal, get_args

from nutgraf.errors import InputError, check_type
from nutgraf.text.outline import Outline, Part
from nutgraf.text.summary import Budget, Origin, Summary, SummarySentence
from nutgraf.text.tokenize import flatten, joined, without_bullet

Format = Literal["paragraph", "bullets", "headline", "markdown"]

FORMATS: tuple[Format, ...] = get_args(Format)

DEEPEST_HEADING = 6
"""Deepest level of a heading in Markdown."""

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~&@$]|:(?=//)|(?<=www)\.)")
_LIST_MARK = re.compile(r"^(\d+(?=[.)]\s)|(?=[-+]\s))")


def check_format(name: str) -> Format:
    """Return the format of this name. Raises InputError if there is none."""
    found = next((one for one in FORMATS if one == name), None)
    if found is None:
        raise InputError(f"No format {name!r}; there are {', '.join(FORMATS)}.")
    return found


def budget_in(form: Format, budget: Budget) -> Budget:
    """Return the length of a summary in a format: without another length, a headline has one sentence.

    Raises:
        InputError: If a headline of several sentences is asked for.
    """
    if form != "headline":
        return budget
    if budget.sentences not in (None, 1):
        raise InputError(
            f"--format headline prints one sentence; leave out --sentences {budget.sentences}, or --format headline."
        )
    return Budget(sentences=1) if budget == Budget() else budget


def formatted(summary: Summary | Outline, form: Format = "paragraph") -> str:
    """Return a summary or an outline as text.

    Args:
        summary: The summary, or an outline, whose titles are lines of their own; as "markdown" they are headings.
        form: "paragraph"; "bullets", a line for each sentence; "headline", the sentence that is rated highest, on one
            line and without the last full stop; or "markdown", a list of sentences with footnotes that name their
            sources. A length limits the sentences and their speakers, without the marks of lists and the footnotes.

    Raises:
        InputError: If there is no such format.
    """
    check_type(summary, (Summary, Outline), "A Summary or an Outline is needed")
    form = check_format(form)
    if isinstance(summary, Outline):
        if summary.parts and form != "headline":
            return _outlined(summary, form)
        summary = summary.summary
    if form == "bullets":
        listed = (label + without_bullet(sentence.text) for line in summary.lines for label, sentence in line)
        return "\n".join(f"- {item}" for item in listed)
    if form == "headline":
        line = without_bullet(" ".join(headline(summary).text.splitlines()))
        return line.removesuffix(".") if not line.endswith("..") else line
    return as_markdown(summary) if form == "markdown" else summary.text


def headline(summary: Summary) -> Summary:
    """Return a summary with nothing but its sentence that is rated highest, the first one of equals."""
    best = sorted(summary.sentences, key=lambda sentence: -sentence.rating)[:1]
    return replace(summary, sentences=tuple(best))


def referenced(summary: Summary, place: Callable[[Origin], str] | None = None) -> str:
    """Return a summary as text, with numbers behind its sentences and their places in the sources below.

    Args:
        summary: The summary.
        place: Says a place in words; `Summary.place` if it is None.

    Raises:
        InputError: If it is no Summary.
    """
    check_type(summary, Summary, "A Summary is needed")
    numbers = itertools.count(1)
    lines = [joined(f"{label}{one.text} [{next(numbers)}]" for label, one in line) for line in summary.lines]
    notes = [
        f"[{number}] {'; '.join(dict.fromkeys(map(place or summary.place, sentence.origins)))}"
        for number, sentence in enumerate(summary.sentences, 1)
        if sentence.origins
    ]
    return "\n".join([*lines, "", *notes]).rstrip()


def as_markdown(summary: Summary, place: Callable[[Origin], str] | None = None, title: str = "") -> str:
    """Return a summary as Markdown: a heading, a list of its sentences, and footnotes that name their sources.

    Args:
        summary: The summary.
        place: Says a place in words; `Summary.place` if it is None.
        title: Title of what is summarized; the name of its document if it is "".
    """
    sentences, notes = [], []
    for number, (label, sentence) in enumerate((one for line in summary.lines for one in line), 1):
        sentences.append(f"- {_noted(label, sentence, number)}")
        notes += _note(sentence, number, place or summary.place)
    title = flatten(title or summary.document.name) or "the text"
    return "\n".join([f"# Summary of {escaped(title)}", "", *sentences, "", *notes]).rstrip()


def _noted(label: str, sentence: SummarySentence, number: int) -> str:
    """A sentence in Markdown, with its speaker before it and the number of its footnote behind it."""
    speaker = f"**{in_markdown(label)}** " if label else ""
    return f"{speaker}{escaped(without_bullet(sentence.text))}{f'[^{number}]' if sentence.origins else ''}"


def _note(sentence: SummarySentence, number: int, place: Callable[[Origin], str]) -> list[str]:
    """The footnote of a sentence, if it has origins."""
    places = "; ".join(dict.fromkeys(escaped(place(origin)) for origin in sentence.origins))
    return [f"[^{number}]: {places}"] if places else []


def _outlined(outline: Outline, form: Format) -> str:
    """An outline as text, as nested bullets, or in Markdown."""
    if form == "paragraph":
        return outline.text
    if form == "bullets":
        return "\n".join(line for part in outline for line in _bullets(part))
    title = flatten(outline.title or outline.summary.document.name) or "the text"
    lines, notes = [f"# Summary of {escaped(title)}"], []
    numbers = itertools.count(1)
    for part in outline:
        lines += ["", f"{'#' * min(DEEPEST_HEADING, part.level + 1)} {in_markdown(part.title)}"] if part.title else []
        said = []
        for label, sentence in part.labelled:
            number = next(numbers)
            said.append(_noted(label, sentence, number))
            notes += _note(sentence, number, outline.summary.place)
        lines += ["", joined(said)] if said else []
    return "\n".join([*lines, "", *notes]).rstrip()


def _bullets(part: Part) -> Iterator[str]:
    indent = "  " * (part.level - 1)
    if part.title:
        yield f"{indent}- {part.title}"
        indent += "  "
    for label, sentence in part.labelled:
        yield f"{indent}- {label}{without_bullet(sentence.text)}"


def escaped(text: str) -> str:
    """Return text that Markdown shows as it is."""
    shown = _SPECIAL.sub(r"\\\1", text)
    marked = _LIST_MARK.match(shown)
    return shown if marked is None else f"{shown[: marked.end()]}\\{shown[marked.end() :]}"


def in_markdown(text: str) -> str:
    """Return text that Markdown shows as it is, on one line."""
    return escaped(flatten(text))
