"""Records of a study: documents with their summaries, tasks, screens and judgements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Names that judges see in the place of systems."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A question about a document that a summary should answer: its text, and "yes" or "no"."""

    question: str
    answer: Literal["yes", "no"]


@dataclass(frozen=True, slots=True)
class Item:
    """A document with the summaries that systems made of it.

    Attributes:
        summaries: Summaries by system; several of one system are of growing length.
        source: Text of the document; "" if nobody gave it.
    """

    id: str
    summaries: Mapping[str, tuple[str, ...]]
    source: str = ""
    dataset: str = ""
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """One screen of one judge.

    Attributes:
        key: Name of the task in sheets and answers; it tells nothing about systems.
        order: Systems in the order in which their summaries are shown.
    """

    key: str
    judge: str
    item: str
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question on a screen.

    Attributes:
        name: Key of its answer.
        prompt: Text that judges read.
        choices: Values of its possible answers, each with the text that judges read.
    """

    name: str
    prompt: str
    choices: tuple[tuple[str, str], ...]

    @property
    def values(self) -> tuple[str, ...]:
        """Values of the possible answers."""
        return tuple(value for value, _ in self.choices)


@dataclass(frozen=True, slots=True)
class Screen:
    """Content of a task's screen, without the names of systems.

    Attributes:
        source: Text of the document; "" if it is not shown.
        texts: Summaries in the order shown, each with its longer versions behind it.
        distinct: True if no two questions may have the same answer.
    """

    source: str
    texts: tuple[tuple[str, ...], ...]
    questions: tuple[Question, ...]
    distinct: bool = False


@dataclass(frozen=True, slots=True)
class Judgement:
    """Answers of a judge to the questions of a task.

    Attributes:
        answers: Values by the names of questions, as the judge gave them.
        at: Time at which they were given, as ISO 8601 in UTC.
        seconds: Time that the judge took; None if it is unknown.
        simulated: True if no person gave them.
        versions: Versions of what made the sheet and of what read the answers.
        superseded: True if the judge has given other answers since.
    """

    task: Task
    answers: Mapping[str, str]
    at: str
    seconds: float | None = None
    simulated: bool = False
    versions: Mapping[str, str] = field(default_factory=dict)
    superseded: bool = False
