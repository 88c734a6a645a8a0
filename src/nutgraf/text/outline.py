"""Outline: a summary of a document by its parts, as a tree in which each has its own sentences."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, groupby, repeat
from typing import TYPE_CHECKING, Any

from nutgraf.text.summary import Origin, Summary, SummarySentence, origin_to_json, sentence_to_json
from nutgraf.text.tokenize import count_words, joined

if TYPE_CHECKING:
    from nutgraf.text.divisions import By

SCHEMA = "nutgraf.outline/1"

INDENT = "  "


@dataclass(frozen=True)
class Part:
    """A part of a document, such as a chapter, and what stands in its summary.

    Attributes:
        title: Its title; "" for what stands before the first heading.
        level: Level, 1 for the outermost.
        place: Where it begins, with its heading, and where its own text ends, before that of the parts in it.
        words: Number of words of its own text, which its sentences come from.
        sentences: Its sentences; () for a part without text of its own, or without prose.
        parts: The parts in it.
        joined: Titles of parts that are too small or too deep to have sentences of their own; their text belongs to
            this one.
        notices: Sentences for the user about what was odd.
    """

    title: str
    level: int
    place: Origin
    words: int
    sentences: tuple[SummarySentence, ...] = ()
    parts: tuple[Part, ...] = ()
    joined: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Its sentences as one paragraph, or a line for each speaker; one who is its title is not named again."""
        lines: list[list[str]] = []
        for label, sentence in self.labelled:
            if label or not lines:
                lines.append([])
            lines[-1].append(label + sentence.text)
        return "\n".join(map(joined, lines))

    @property
    def labelled(self) -> Iterator[tuple[str, SummarySentence]]:
        """Its sentences, each with the name and a colon where a speaker begins who is not the title, else ""."""
        for speaker, said in groupby(self.sentences, key=lambda sentence: sentence.speaker):
            label = f"{speaker}: " if speaker and speaker != self.title else ""
            yield from zip(chain([label], repeat("")), said, strict=False)

    def __iter__(self) -> Iterator[Part]:
        """Iterate over this part and all parts in it, in the order of the text."""
        waiting = [self]
        while waiting:
            part = waiting.pop()
            yield part
            waiting.extend(reversed(part.parts))

    def to_json(self) -> dict[str, Any]:
        """Return the part as JSON values, without the parts in it."""
        return {
            "title": self.title,
            "level": self.level,
            "place": origin_to_json(self.place),
            "words": self.words,
            "text": self.text,
            "sentences": [sentence_to_json(sentence) for sentence in self.sentences],
            "joined": list(self.joined),
            "notices": list(self.notices),
        }


@dataclass(frozen=True)
class Outline:
    """A summary of a document by its parts; `str(outline)` is a tree in text.

    Attributes:
        title: Title of the document; "" if it has none.
        by: What its parts are, such as sections.
        parts: The outermost parts, in the order of the text; () for a document that is not divided, whose summary is an
            ordinary one.
        summary: All sentences in one summary, with their origins in the whole document, the length asked for, the
            signature and the notices.
    """

    title: str
    by: By
    parts: tuple[Part, ...]
    summary: Summary

    def __iter__(self) -> Iterator[Part]:
        """Iterate over all parts, each before those in it."""
        for part in self.parts:
            yield from part

    def __len__(self) -> int:
        """Return the number of parts."""
        return sum(1 for _ in self)

    @property
    def words(self) -> int:
        """Number of words of the sentences; titles do not count."""
        language = self.summary.document.language
        return sum(count_words(part.text, language) for part in self) if self.parts else self.summary.words

    @property
    def notices(self) -> tuple[str, ...]:
        """Sentences for the user about what was odd."""
        return self.summary.notices

    @property
    def text(self) -> str:
        """The tree: each title on a line, its sentences below it, deeper levels indented.

        Before the name of a message stands its time, where that is known. Messages and speakers without a sentence are
        left out; a notice tells how many there are.
        """
        if not self.parts:
            return self.summary.text
        spoken = self.by in ("speaker", "message")
        shown = [part for part in self if part.sentences or part.parts or not spoken]
        return "\n\n".join("\n".join(_lines(part, self._when(part))) for part in shown)

    def _when(self, part: Part) -> str:
        """Time of a message, in words; "" if it is not known."""
        document = self.summary.document
        return document.time_in_words(document.time_of(part.place.start)) if self.by == "message" else ""

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        """Name the size of the outline; the text may be confidential."""
        return f"Outline(by={self.by!r}, parts={len(self)}, sentences={len(self.summary)})"

    def to_json(self) -> dict[str, Any]:
        """Return everything but the input's text as JSON values, in the schema `nutgraf.outline/1`.

        Its keys are those of a summary; in place of `sentences` it has `parts`, each with its own.
        """
        summary = self.summary.to_json()
        same = {key: value for key, value in summary.items() if key not in ("schema", "text", "words", "sentences")}
        parts = nested([part.to_json() for part in self])
        rest = {} if self.parts else {"sentences": summary["sentences"]}
        own = {"by": self.by, "title": self.title, "text": self.text, "words": self.words, "parts": parts}
        return {"schema": SCHEMA, **own, **rest, **same}

    def dumps(self) -> str:
        """Return the outline as JSON text; see `to_json`."""
        return json.dumps(self.to_json(), ensure_ascii=False, indent=2)


Made = Summary | Outline
"""What a system makes of a request."""


def nested(parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Nest records with a `level`, in order, below one another as their `parts`."""
    roots: list[dict[str, Any]] = []
    path: list[dict[str, Any]] = []
    for part in parts:
        part["parts"] = []
        while path and path[-1]["level"] >= part["level"]:
            path.pop()
        (path[-1]["parts"] if path else roots).append(part)
        path.append(part)
    return roots


def _lines(part: Part, when: str) -> Iterator[str]:
    indent = INDENT * (part.level - 1)
    if part.title:
        yield indent + " ".join(filter(None, (when, part.title)))
    if part.sentences:
        yield textwrap.indent(part.text, indent + (INDENT if part.title else ""))
