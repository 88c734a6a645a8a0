"""Records of what several texts say: statements that they share, what only one says, and numbers that differ.

Offsets are characters in the text of the source that is named by its index.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Literal

from nutgraf.errors import InputError, check_type
from nutgraf.text.passage import Passage
from nutgraf.text.summary import Summary
from nutgraf.text.tokenize import flatten

SCHEMA = "nutgraf.agreement/1"

Kind = Literal["count", "measure", "age", "time of day", "share", "score", "year", "order", "date", "weekday"]
"""What a number is; a score is a vote or a result such as "5 to 4"."""


@dataclass(frozen=True, slots=True)
class Statement:
    """Sentences of several sources that say the same, or nearly so.

    Attributes:
        passages: The sentences, in the order of the sources.
    """

    passages: tuple[Passage, ...]

    @property
    def sources(self) -> tuple[int, ...]:
        """Indices of the sources that say it."""
        return tuple(dict.fromkeys(one.source for one in self.passages))


@dataclass(frozen=True, slots=True)
class Value:
    """A number, a time or a date as a source writes it.

    Attributes:
        source: Index of the source.
        start: First character in that source's text.
        end: Character after the last one.
        text: The characters on one line.
        passage: The sentence in which it stands.
    """

    source: int
    start: int
    end: int
    text: str
    passage: Passage


@dataclass(frozen=True, slots=True)
class Difference:
    """Numbers of several sources that are about the same thing and differ.

    Attributes:
        kind: What they are.
        values: The numbers, one of each source that gives one, in the order of the sources; some may agree.
        score: What speaks for it that they are about the same thing, the more the better.
    """

    kind: Kind
    values: tuple[Value, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Mark:
    """A sentence of a summary as the sources see it.

    Attributes:
        said_by: Indices of the sources that say it; the only one, if no other does; () if that is not clear.
        differences: Differences in the numbers of its origins.
    """

    said_by: tuple[int, ...] = ()
    differences: tuple[Difference, ...] = ()


@dataclass(frozen=True)
class Agreement:
    """Statements that several sources share, what only one of them says, and where their numbers and dates differ.

    Attributes:
        names: Names of the sources.
        statements: What several sources say, that which most of them say first.
        single: Sentences that have no likeness in another source, in order.
        differences: Numbers and dates that differ about the same thing, the surest first.
        notices: What was not looked for, and what was odd about the sources.
    """

    names: tuple[str, ...]
    statements: tuple[Statement, ...]
    single: tuple[Passage, ...]
    differences: tuple[Difference, ...]
    notices: tuple[str, ...] = field(default=(), compare=False)

    @property
    def all_say(self) -> tuple[Statement, ...]:
        """Statements of all sources."""
        return tuple(one for one in self.statements if len(one.sources) == len(self.names))

    def name(self, source: int) -> str:
        """Return the name of a source, or its number where it has none."""
        return flatten(self.names[source]) or f"document {source + 1}"

    def said(self, difference: Difference) -> str:
        """Return the numbers of a difference with their sources: "A: 14, B: 17"."""
        return ", ".join(f"{self.name(one.source)}: {one.text}" for one in difference.values)

    def marked(self, mark: Mark) -> tuple[str, ...]:
        """Return a mark in words: "said by 3 of 4", "only in B", "may differ: A: 14, B: 17"."""
        told = [f"may differ: {self.said(one)}" for one in mark.differences]
        if len(mark.said_by) > 1:
            told.insert(0, f"said by {len(mark.said_by)} of {len(self.names)}")
        elif mark.said_by:
            told.insert(0, f"only in {self.name(mark.said_by[0])}")
        return tuple(told)

    @cached_property
    def _places(self) -> Mapping[int, Sequence[tuple[Passage, Statement | None]]]:
        """The sentences of each source that have a mark, in order."""
        found: dict[int, list[tuple[Passage, Statement | None]]] = {source: [] for source in range(len(self.names))}
        for statement in self.statements:
            for one in statement.passages:
                found[one.source].append((one, statement))
        for one in self.single:
            found[one.source].append((one, None))
        for places in found.values():
            places.sort(key=lambda place: place[0].start)
        return found

    def marks_of(self, summary: Summary) -> tuple[Mark, ...]:
        """Return what the sources say to each sentence of a summary of them.

        Raises:
            InputError: If the summary was made of other documents.
        """
        check_type(summary, Summary, "marks_of takes a Summary")
        if tuple(part.name for part in summary.document.parts) != self.names:
            raise InputError("This summary was made of other documents than those that were compared.")
        return tuple(
            self._mark([(origin.source, origin.start, origin.end) for origin in sentence.origins])
            for sentence in summary.sentences
        )

    def _mark(self, origins: Sequence[tuple[int, int, int]]) -> Mark:
        said = [place for origin in origins for place in self._within(*origin)]
        sources = {source for passage, one in said for source in (one.sources if one else (passage.source,))}
        told = [
            one
            for one in self.differences
            if any(
                value.source == source and start <= value.start < end
                for value in one.values
                for source, start, end in origins
            )
        ]
        return Mark(tuple(sorted(sources)), tuple(told))

    def _within(self, source: int, start: int, end: int) -> Iterator[tuple[Passage, Statement | None]]:
        for passage, statement in self._places[source]:
            if passage.start < end and start < passage.end:
                yield passage, statement

    def to_json(self, summary: Summary | None = None) -> dict[str, Any]:
        """Return the record as what JSON can hold, in the schema `nutgraf.agreement/1`.

        Args:
            summary: A summary of the same sources, whose marks are to be included, one a sentence.
        """
        marks = {} if summary is None else {"marks": [self._mark_to_json(one) for one in self.marks_of(summary)]}
        return {
            "schema": SCHEMA,
            "sources": list(self.names),
            "statements": [{"sources": list(one.sources), "passages": _all(one.passages)} for one in self.statements],
            "single": _all(self.single),
            "differences": [asdict(one) for one in self.differences],
            **marks,
            "notices": list(self.notices),
        }

    def _mark_to_json(self, mark: Mark) -> dict[str, Any]:
        """Return a mark as JSON values; differences are named by their place in the list."""
        return {
            "said_by": list(mark.said_by),
            "differences": [self.differences.index(one) for one in mark.differences],
            "text": list(self.marked(mark)),
        }


def _all(passages: Sequence[Passage]) -> list[dict[str, Any]]:
    return [asdict(one) for one in passages]
