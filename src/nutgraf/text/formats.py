"""Forms in which a summary is printed: a paragraph, bullets, a headline, or Markdown with its sources."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Literal, get_args

from nutgraf.errors import InputError, check_type
from nutgraf.text.summary import Budget, Origin, Summary
from nutgraf.text.tokenize import flatten, joined, without_bullet

Format = Literal["paragraph", "bullets", "headline", "markdown"]

FORMATS: tuple[Format, ...] = get_args(Format)

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


def formatted(summary: Summary, form: Format = "paragraph") -> str:
    """Return a summary as text.

    Args:
        summary: The summary.
        form: "paragraph"; "bullets", a line for each sentence; "headline", the sentence that is rated highest, on one
            line and without the last full stop; or "markdown", a list of sentences with footnotes that name their
            sources. A length limits the sentences and their speakers, without the marks of lists and the footnotes.

    Raises:
        InputError: If there is no such format.
    """
    check_type(summary, Summary, "A Summary is needed")
    form = check_format(form)
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
        speaker = f"**{_escaped(label.strip())}** " if label else ""
        mark = f"[^{number}]" if sentence.origins else ""
        sentences.append(f"- {speaker}{_escaped(without_bullet(sentence.text))}{mark}")
        places = "; ".join(dict.fromkeys(_escaped((place or summary.place)(origin)) for origin in sentence.origins))
        notes += [f"[^{number}]: {places}"] if places else []
    title = flatten(title or summary.document.name) or "the text"
    return "\n".join([f"# Summary of {_escaped(title)}", "", *sentences, "", *notes]).rstrip()


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    escaped = _SPECIAL.sub(r"\\\1", text)
    marked = _LIST_MARK.match(escaped)
    return escaped if marked is None else f"{escaped[: marked.end()]}\\{escaped[marked.end() :]}"


def in_markdown(text: str) -> str:
    """Return text that Markdown shows as it is, on one line."""
    return _escaped(flatten(text))
