"""Protocols of human evaluation; each file implements one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from nutgraf.errors import InputError
from nutgraf.judging.records import Item, Judgement, Question, Screen
from nutgraf.judging.tables import Table
from nutgraf.presets.family import Family, Member

Assignment = tuple[int, str, tuple[str, ...]]
"""A judge, by number, the id of a document, and the systems in the order shown."""


class EvaluationProtocol(Member, ABC):
    """Lays out who judges what, asks the questions, and makes tables of the answers."""

    instructions: ClassVar[str]
    """Sentences that a judge reads above every screen."""

    needs_page: ClassVar[bool] = False
    """True if what is shown depends on the answers, so that a printed sheet is not enough."""

    distinct: ClassVar[bool] = False
    """True if no two questions of a screen may have the same answer."""

    def check(self, items: Sequence[Item], systems: Sequence[str]) -> None:
        """Raise InputError if documents or systems do not fit the protocol; two systems with one summary each do."""
        if len(systems) < 2:
            raise InputError(
                f"Two systems or more are compared, not {len(systems)}: name another file, as in theirs=theirs.txt."
            )
        longer = [name for item in items for name, texts in item.summaries.items() if len(texts) != 1]
        if longer:
            raise InputError(
                f"{longer[0]} has several summaries of a document, which only --kind fact_checking shows; give each "
                "file another name."
            )

    def systems(self, systems: Sequence[str]) -> tuple[str, ...]:
        """Return the systems that are judged, given those that were named; by default these."""
        return tuple(systems)

    def shown(self, systems: int) -> int | None:
        """Return how many of so many systems a screen shows; None, the default, is any number of them."""
        return None

    @abstractmethod
    def assign(
        self, items: Sequence[Item], systems: Sequence[str], judges: int, generator: np.random.Generator
    ) -> list[Assignment]:
        """Return all tasks.

        Args:
            items: Documents.
            systems: Systems that are judged.
            judges: Number of judges.
            generator: Source of all draws.

        Raises:
            InputError: If there are too few judges.
        """

    @abstractmethod
    def questions(self, item: Item, order: Sequence[str]) -> tuple[Question, ...]:
        """Return the questions about a document whose summaries are shown in an order; `item` may lack its texts."""

    def screen(self, item: Item, order: Sequence[str]) -> Screen:
        """Return the content of a screen."""
        texts = tuple(item.summaries[name] for name in order)
        return Screen(item.source, texts, self.questions(item, order), self.distinct)

    @abstractmethod
    def reveal(self, order: Sequence[str], answers: Mapping[str, str]) -> dict[str, Any]:
        """Return answers with the names of systems in them."""

    @abstractmethod
    def tables(self, items: Mapping[str, Item], systems: Sequence[str], judgements: Sequence[Judgement]) -> list[Table]:
        """Return the tables of a report.

        Args:
            items: Documents by id; their texts may be missing.
            systems: Systems that were judged.
            judgements: Those that count.
        """

    @abstractmethod
    def rehearse(
        self, item: Item, order: Sequence[str], quality: Mapping[str, float], generator: np.random.Generator
    ) -> dict[str, str]:
        """Return the answers of a simulated judge.

        Args:
            item: The document.
            order: Systems in the order shown.
            quality: Quality of each system's summary, as this judge sees it before noise of variance one half.
            generator: Source of the noise.
        """


protocols: Family[EvaluationProtocol] = Family(__name__, EvaluationProtocol, noun="kind of judging")
