"""Fact checking with summaries of growing length (the Multi-Level Summarizer's user study).

A judge answers yes/no questions about a document from its summary alone. Who answers that more information is required
is shown the next longer summary of the same method, up to the longest. Methods on data sets are assigned to judges by
an incomplete block design: nobody reads two summaries of one document, or more than two methods. Measures are the share
of correct answers and the time. The study had three documents and three judges for each method on each of two data
sets, and 22 judges in all; two of its methods are no summarizers, but an empty text and the whole document.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nutgraf.errors import InputError
from nutgraf.judging.design import assign_settings
from nutgraf.judging.protocols import Assignment, EvaluationProtocol
from nutgraf.judging.protocols._aspects import perceived
from nutgraf.judging.records import Item, Judgement, Question, Screen
from nutgraf.judging.tables import SCORE, SECONDS, TEXT, Table
from nutgraf.presets.ranges import PositiveInt

MORE = "more"
"""The answer that asks for the next longer summary."""

LENGTH = "length"
"""Key of the number of summaries that were shown."""

NO_CONTENT, FULL_CONTENT = "no content", "full content"
NOTHING = "(There is no text.)"


@dataclass(frozen=True)
class Config:
    """Fact checking with summaries of growing length."""

    judges_per_setting: PositiveInt = 3
    """Number of judges for each method on each data set."""

    methods_per_judge: PositiveInt = 2
    """Largest number of methods whose summaries a judge reads."""

    no_content: bool = True
    """Whether an empty text takes part as a method."""

    full_content: bool = True
    """Whether the whole document takes part as a method."""


EXAMPLES = (Config(), Config(judges_per_setting=1, no_content=False, full_content=False))


class FactChecking(EvaluationProtocol):
    """Asks yes/no questions about a document whose summary grows when a judge needs more."""

    config: Config
    needs_page: ClassVar[bool] = True
    instructions: ClassVar[str] = (
        "Answer the questions from the text that you see, not from what you know. If the text does not tell, say that "
        "more information is required; you may then be shown a longer text."
    )

    def check(self, items: Sequence[Item], systems: Sequence[str]) -> None:
        """Raise InputError if a document has no questions, or systems have different numbers of lengths."""
        without = [item.id for item in items if not item.facts]
        if without:
            raise InputError(f"The document {without[0]!r} has no question; --questions names a file of them.")
        if self.config.full_content and not all(item.source for item in items):
            raise InputError("The whole document takes part; give --sources, or --set full_content=false.")

    def systems(self, systems: Sequence[str]) -> tuple[str, ...]:
        """Return the systems, and the empty text and the whole document where they take part."""
        more = [
            name
            for name, there in ((NO_CONTENT, self.config.no_content), (FULL_CONTENT, self.config.full_content))
            if there
        ]
        return (*systems, *more)

    def shown(self, systems: int) -> int:
        """Return how many systems a screen shows; see `EvaluationProtocol`."""
        return 1

    def assign(
        self, items: Sequence[Item], systems: Sequence[str], judges: int, generator: np.random.Generator
    ) -> list[Assignment]:
        """Return a task for each document, method and judge of the block design."""
        datasets = sorted({item.dataset for item in items})
        config = self.config
        try:
            design = assign_settings(
                len(systems), len(datasets), judges, config.judges_per_setting, config.methods_per_judge, generator
            )
        except ValueError as error:
            raise InputError(f"{error} Name more with --judges, or lower judges_per_setting with --set.") from None
        return [
            (judge, item.id, (systems[method],))
            for judge, read in enumerate(design)
            for dataset, method in zip(datasets, read, strict=True)
            if method is not None
            for item in items
            if item.dataset == dataset
        ]

    def questions(self, item: Item, order: Sequence[str]) -> tuple[Question, ...]:
        """Return the questions about the document."""
        choices = (("yes", "Yes"), ("no", "No"), (MORE, "More information required"))
        return tuple(Question(str(number), fact.question, choices) for number, fact in enumerate(item.facts, start=1))

    def screen(self, item: Item, order: Sequence[str]) -> Screen:
        """Return the content of a screen; the document is not shown beside its summary."""
        [method] = order
        fixed = {NO_CONTENT: (NOTHING,), FULL_CONTENT: (item.source,)}
        texts = item.summaries.get(method) or fixed[method]
        return Screen("", (texts,), self.questions(item, order))

    def reveal(self, order: Sequence[str], answers: Mapping[str, str]) -> dict[str, Any]:
        """Return the answers as they are: there is no system in them."""
        return dict(answers)

    def tables(self, items: Mapping[str, Item], systems: Sequence[str], judgements: Sequence[Judgement]) -> list[Table]:
        """Return accuracy, time and lengths for each data set and method."""
        rows = []
        for dataset in sorted({item.dataset for item in items.values()}):
            for system in systems:
                given = [
                    one for one in judgements if items[one.task.item].dataset == dataset and one.task.order == (system,)
                ]
                if given:
                    rows.append({"data set": dataset or "–", "method": system, **_measures(items, given)})
        columns = {
            "data set": TEXT, "method": TEXT, "accuracy": SCORE, "correct": TEXT, "answers": TEXT,
            "seconds": SECONDS, "length": SECONDS, "judges": TEXT,
        }  # fmt: skip
        notes = (
            "An answer that asked for more to the end is not correct. Seconds and length, which is the number of "
            "summaries read, are means over documents.",
        )
        return [Table("Accuracy and time", columns, rows, notes)] if rows else []

    def rehearse(
        self, item: Item, order: Sequence[str], quality: Mapping[str, float], generator: np.random.Generator
    ) -> dict[str, str]:
        """Find the answer in a good summary, and ask for more in a bad one."""
        answers = {}
        for number, fact in enumerate(item.facts, start=1):
            [value] = perceived(order, quality, generator)
            wrong = "no" if fact.answer == "yes" else "yes"
            found = fact.answer if value > 0 else wrong if value > -1 else MORE
            answers[str(number)] = MORE if order[0] == NO_CONTENT else found
        return answers


def _measures(items: Mapping[str, Item], given: Sequence[Judgement]) -> dict[str, Any]:
    """Accuracy, mean time and mean length of some judgements."""
    correct = [
        one.answers.get(str(number)) == fact.answer
        for one in given
        for number, fact in enumerate(items[one.task.item].facts, start=1)
    ]
    seconds = [one.seconds for one in given if one.seconds is not None]
    lengths = [int(one.answers[LENGTH]) for one in given if LENGTH in one.answers]
    return {
        "accuracy": sum(correct) / len(correct),
        "correct": sum(correct),
        "answers": len(correct),
        "seconds": float(np.mean(seconds)) if seconds else None,
        "length": float(np.mean(lengths)) if lengths else None,
        "judges": len({one.task.judge for one in given}),
    }
