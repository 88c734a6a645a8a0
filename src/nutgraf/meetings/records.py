"""Minutes: decisions, actions and open questions of a meeting, each with the place where it was said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nutgraf.text.document import Document
from nutgraf.text.summary import Origin
from nutgraf.text.tokenize import flatten
from nutgraf.version import __version__

SCHEMA = "nutgraf.minutes/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """Something that was said in a meeting.

    Attributes:
        text: The words as they were said.
        sentences: Indices of its sentences in the document, in order.
        origins: Places of these sentences.
        speaker: Who said it; None in minutes, and where it is not known.
        time: When it was said, as the document has it: seconds from the start, or a date and time of ISO 8601; None if
            the document has no times.
    """

    text: str
    sentences: tuple[int, ...]
    origins: tuple[Origin, ...]
    speaker: str | None = None
    time: float | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(Item):
    """What the group settled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Action(Item):
    """What somebody is to do.

    Attributes:
        who: Name of the one who does it, as the document has it; "all" for everybody, "" if it is not known.
        what: What is to be done, in the words of the document.
        by: When it is due, as it was said; "" if nobody said.
    """

    who: str
    what: str
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Item):
    """What nobody answered: a question, or a statement that something is not known."""


HEADINGS = "Decisions", "Actions", "Open questions"

NONE = "none found"
"""What stands in the place of an empty list."""


@dataclass(frozen=True)
class Minutes:
    """Decisions, actions and open questions of a meeting, each in the order of the text; `str(minutes)` lists them.

    Attributes:
        decisions: What was settled.
        actions: What somebody is to do.
        questions: What stayed open.
        document: The whole input; several documents are its parts.
        notices: Sentences for the user about what was odd.
    """

    decisions: tuple[Decision, ...]
    actions: tuple[Action, ...]
    questions: tuple[Question, ...]
    document: Document
    notices: tuple[str, ...] = ()

    @property
    def items(self) -> tuple[Item, ...]:
        """All that was found: decisions, actions, questions."""
        return (*self.decisions, *self.actions, *self.questions)

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self.items)

    def __bool__(self) -> bool:
        """Return True if anything was found."""
        return bool(self.items)

    def __str__(self) -> str:
        blocks = []
        for heading, items in self.lists():
            lines = [f"- {_line(item)}" for item in items]
            blocks.append("\n".join([f"{heading}:", *lines]) if lines else f"{heading}: {NONE}")
        return "\n\n".join(blocks)

    def __repr__(self) -> str:
        """Show the numbers of items, and of the input, which may be confidential, only its size."""
        counts = f"decisions={len(self.decisions)}, actions={len(self.actions)}, questions={len(self.questions)}"
        return f"Minutes({counts}, document={self.document!r})"

    def lists(self) -> Iterator[tuple[str, tuple[Item, ...]]]:
        """Yield the heading of each list with its items."""
        yield from zip(HEADINGS, (self.decisions, self.actions, self.questions), strict=True)

    def place(self, origin: Origin) -> str:
        """Return a place in the sources in words: the document's name, the page, and the characters."""
        page = "" if origin.page is None else f", page {origin.page}"
        return f"{flatten(self.document.parts[origin.source].name) or 'text'}{page}, {origin.start}–{origin.end}"

    def to_json(self) -> dict[str, Any]:
        """Return everything but the input's text as JSON values, in the schema `nutgraf.minutes/1`."""
        return {
            "schema": SCHEMA,
            "version": __version__,
            "sources": [{"name": part.name, "characters": part.end - part.start} for part in self.document.parts],
            "language": self.document.language,
            "decisions": [_to_json(one) for one in self.decisions],
            "actions": [
                {"who": one.who, "what": one.what, "by": one.by or None, **_to_json(one)} for one in self.actions
            ],
            "questions": [_to_json(one) for one in self.questions],
            "notices": list(self.notices),
        }

    def dumps(self) -> str:
        """Return the minutes as JSON text; see `to_json`."""
        return json.dumps(self.to_json(), ensure_ascii=False, indent=2)


def clock(time: float | str | None) -> str:
    """Return a time in short: "12:31" or "1:02:03" for seconds; "" if there is none."""
    if time is None or isinstance(time, str):
        return time or ""
    minutes, seconds = divmod(int(time), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def about(item: Item) -> tuple[str, str, str]:
    """Return who is named before an item, its text, and a remark behind it: when it is due, who said it, and when."""
    said_by = item.speaker or ""
    if isinstance(item, Action):
        due = f"by: {item.by}" if item.by else ""
        teller = said_by if said_by != item.who else ""
        return item.who, item.what, ", ".join(filter(None, [due, teller and f"said by {teller}", clock(item.time)]))
    return "", item.text, ", ".join(filter(None, [said_by, clock(item.time)]))


def _line(item: Item) -> str:
    who, text, remark = about(item)
    return f"{f'{who}: ' if who else ''}{text}{f' ({remark})' if remark else ''}"


def _to_json(item: Item) -> dict[str, Any]:
    origins = [
        {"source": one.source, "start": one.start, "end": one.end, **({} if one.page is None else {"page": one.page})}
        for one in item.origins
    ]
    return {
        "text": item.text,
        "speaker": item.speaker,
        "time": item.time,
        "sentences": list(item.sentences),
        "origins": origins,
    }
