"""The best and the worst of several summaries (best-worst scaling; Louviere and Woodworth 1990)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from nutgraf.errors import InputError
from nutgraf.judging.comparison import as_matrix, compare
from nutgraf.judging.mixed_model import table_in_general
from nutgraf.judging.protocols import Assignment, EvaluationProtocol
from nutgraf.judging.protocols._aspects import orders_for, perceived, prompt
from nutgraf.judging.protocols._preference import BOTH, ONLY_THESE
from nutgraf.judging.records import LETTERS, Item, Judgement, Question
from nutgraf.judging.tables import SHARE, SIGNED, TEXT, P, Table
from nutgraf.presets.ranges import NonNegativeInt, Range

BEST, WORST = "best", "worst"
LARGEST = 2
"""Difference between the best and the worst."""


@dataclass(frozen=True)
class Config:
    """The best and the worst of several summaries."""

    aspect: str = "overall"
    """Aspect that judges are asked about."""

    at_once: Annotated[int, Range(ge=3, le=len(LETTERS))] = 4
    """Number of summaries on a screen; where there are more systems, screens take turns."""

    judges_per_item: NonNegativeInt = 0
    """Number of judges for each document; 0 means all of them."""


EXAMPLES = (Config(), Config(at_once=3))


class BestWorst(EvaluationProtocol):
    """Shows several summaries without names, in balanced order; judges name the best and the worst."""

    config: Config
    distinct: ClassVar[bool] = True
    instructions: ClassVar[str] = (
        "You see a document and summaries of it. Name the best and the worst of them, even if you hesitate."
    )

    def check(self, items: Sequence[Item], systems: Sequence[str]) -> None:
        """Raise InputError if there are fewer than three systems."""
        super().check(items, systems)
        if len(systems) < 3:
            raise InputError(
                f"Best and worst take three systems or more, not {len(systems)}; --kind pairwise takes two."
            )

    def shown(self, systems: int) -> int:
        """Return how many systems a screen shows; see `EvaluationProtocol`."""
        return min(self.config.at_once, systems)

    def assign(
        self, items: Sequence[Item], systems: Sequence[str], judges: int, generator: np.random.Generator
    ) -> list[Assignment]:
        """Return a task for each document and judge; the sets of systems that are shown together take turns."""
        sets = list(itertools.combinations(systems, self.shown(len(systems))))
        generator.shuffle(sets)
        tasks = []
        for turn, shown in enumerate(sets):
            tasks += orders_for(items[turn :: len(sets)], shown, judges, self.config.judges_per_item, generator)
        return tasks

    def questions(self, item: Item, order: Sequence[str]) -> tuple[Question, ...]:
        """Return the questions for the best and for the worst summary."""
        choices = tuple((letter, letter) for letter in LETTERS[: len(order)])
        about = prompt(self.config.aspect)
        return tuple(Question(end, f"Which summary is {end}? {about}", choices) for end in (BEST, WORST))

    def reveal(self, order: Sequence[str], answers: Mapping[str, str]) -> dict[str, Any]:
        """Return the best and the worst system."""
        return {name: order[LETTERS.index(value)] for name, value in answers.items()}

    def tables(self, items: Mapping[str, Item], systems: Sequence[str], judgements: Sequence[Judgement]) -> list[Table]:
        """Return how often each system was best and worst, and differences from the first system."""
        scores = {system: list(_scores(judgements, system)) for system in systems}
        rows, few, differences = [], False, {}
        for system in systems:
            values = [score for _, _, score in scores[system]]
            row: dict[str, Any] = {"system": system, "shown": len(values)}
            if values:
                row |= {BEST: values.count(1) / len(values), WORST: values.count(-1) / len(values)}
                row["best − worst"] = float(np.mean(values))
            if system != systems[0]:
                first = {(judge, item): score for judge, item, score in scores[systems[0]]}
                differences[system] = as_matrix(
                    (judge, item, float(first[judge, item] - score))
                    for judge, item, score in scores[system]
                    if (judge, item) in first
                )
                found = compare(differences[system], largest=LARGEST)
                few = few or found.method != "two-way clusters"
                row |= found.row("first minus this")
            rows.append(row)
        columns = {
            "system": TEXT, "shown": TEXT, BEST: SHARE, WORST: SHARE, "best − worst": SIGNED,
            "first minus this": SIGNED, "95 %": SIGNED, "p": P,
        }  # fmt: skip
        general = table_in_general(f"Best and worst, {systems[0]} minus the others", differences, LARGEST)
        return [Table("Best and worst", columns, rows, (ONLY_THESE if few else BOTH,)), *([general] if general else [])]

    def rehearse(
        self, item: Item, order: Sequence[str], quality: Mapping[str, float], generator: np.random.Generator
    ) -> dict[str, str]:
        """Name the summaries that seem best and worst."""
        values = perceived(order, quality, generator)
        return {BEST: LETTERS[int(values.argmax())], WORST: LETTERS[int(values.argmin())]}


def _scores(judgements: Sequence[Judgement], system: str) -> list[tuple[str, str, int]]:
    """Judge, document and 1, −1 or 0 where a system was shown and found best, worst or neither."""
    found = []
    for one in judgements:
        if system in one.task.order:
            letter = LETTERS[one.task.order.index(system)]
            score = (one.answers.get(BEST) == letter) - (one.answers.get(WORST) == letter)
            found.append((one.task.judge, one.task.item, int(score)))
    return found
