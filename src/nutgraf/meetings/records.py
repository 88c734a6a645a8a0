"""Minutes: decisions, actions and open questions of a meeting, each with the place where it was said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nutgraf.text.document import Document
from nutgraf.text.formats import in_markdown
from nutgraf.text.summary import Origin, origin_to_json
from nutgraf.text.times import Time
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
    """

    text: str
    sentences: tuple[int, ...]
    origins: tuple[Origin, ...]
    speaker: str | None = None

    @property
    def time(self) -> Time | None:
        """Time at which it was said: seconds from the beginning, or a date and time by ISO 8601; None if unknown."""
        return self.origins[0].time


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(Item):
    """Something that the group settled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Action(Item):
    """Something that somebody is to do.

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
    """Something that nobody answered: a question, or a statement that something is not known."""


HEADINGS = "Decisions", "Actions", "Open questions"

NONE = "none found"
"""Words in the place of an empty list."""


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
            lines = [f"- {self.line_of(item)}" for item in items]
            blocks.append("\n".join([f"{heading}:", *lines]) if lines else f"{heading}: {NONE}")
        return "\n\n".join(blocks)

    def __repr__(self) -> str:
        """Show the numbers of items, and of the input, which may be confidential, only its size."""
        counts = f"decisions={len(self.decisions)}, actions={len(self.actions)}, questions={len(self.questions)}"
        return f"Minutes({counts}, document={self.document!r})"

    def lists(self) -> Iterator[tuple[str, tuple[Item, ...]]]:
        """Yield the heading of each list with its items."""
        yield from zip(HEADINGS, (self.decisions, self.actions, self.questions), strict=True)

    def line_of(self, item: Item) -> str:
        """Return an item on one line: who does it and its text, and in brackets by when, who said it, and when."""
        who, text, remarks = self.parts_of(item)
        return f"{f'{who}: ' if who else ''}{text}{f' ({remarks})' if remarks else ''}"

    def parts_of(self, item: Item) -> tuple[str, str, str]:
        """Return who does what an item says, "" for nobody; its text; and what else is known of it."""
        action = isinstance(item, Action)
        who, text = (item.who, item.what) if isinstance(item, Action) else ("", item.text)
        due = f"due: {item.by}" if isinstance(item, Action) and item.by else ""
        teller = item.speaker if item.speaker and item.speaker != who else ""
        said = f"said by {teller}" if action and teller else teller
        return who, text, ", ".join(filter(None, [due, said, self._clock(item)]))

    def _clock(self, item: Item) -> str:
        return self.document.time_in_words(item.time)

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


def _to_json(item: Item) -> dict[str, Any]:
    return {
        "text": item.text,
        "speaker": item.speaker,
        "time": item.time,
        "sentences": list(item.sentences),
        "origins": [origin_to_json(one) for one in item.origins],
    }


def as_markdown(minutes: Minutes) -> str:
    """Return minutes as Markdown: three lists, the actions with boxes to tick, and footnotes that name the sources."""
    name = flatten(minutes.document.name) or "the text"
    blocks, notes = [f"# Minutes of {in_markdown(name)}"], list[str]()
    for heading, items in minutes.lists():
        lines = []
        for item in items:
            who, text, remarks = minutes.parts_of(item)
            notes.append(
                f"[^{len(notes) + 1}]: {'; '.join(in_markdown(minutes.place(origin)) for origin in item.origins)}"
            )
            box = "[ ] " if isinstance(item, Action) else ""
            named, known = f"**{in_markdown(who)}:** " if who else "", f" ({in_markdown(remarks)})" if remarks else ""
            lines.append(f"- {box}{named}{in_markdown(text)}{known}[^{len(notes)}]")
        blocks.append(f"## {heading}\n\n" + ("\n".join(lines) or f"{NONE.capitalize()}."))
    return "\n\n".join([*blocks, "\n".join(notes)]).rstrip()
