"""Grades for each summary on each aspect, from worst to best (Likert 1932)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from nutgraf.judging.agreement import krippendorff_alpha
from nutgraf.judging.comparison import as_matrix, compare
from nutgraf.judging.mixed_model import table_in_general
from nutgraf.judging.protocols import Assignment, EvaluationProtocol
from nutgraf.judging.protocols._aspects import check_aspects, orders_for, perceived, prompt
from nutgraf.judging.protocols._preference import BOTH, ONLY_THESE
from nutgraf.judging.records import LETTERS, Item, Judgement, Question
from nutgraf.judging.tables import SCORE, SIGNED, TEXT, P, Table
from nutgraf.presets.ranges import NonNegativeInt, Range


@dataclass(frozen=True)
class Config:
    """Grades on several aspects."""

    aspects: tuple[str, ...] = ("informativeness", "fluency", "coherence", "consistency")
    """Aspects that judges grade."""

    points: Annotated[int, Range(ge=2, le=11)] = 5
    """Number of grades; the highest is the best."""

    judges_per_item: NonNegativeInt = 0
    """Number of judges for each document; 0 means all of them."""

    def __post_init__(self) -> None:
        check_aspects(self.aspects)


EXAMPLES = (Config(), Config(aspects=("overall",), points=7))


class Likert(EvaluationProtocol):
    """Shows all summaries of a document without names, in balanced order, and asks for a grade of each."""

    config: Config
    instructions: ClassVar[str] = (
        "You see a document and summaries of it. Give each summary a grade for each question, and use the whole range."
    )

    def shown(self, systems: int) -> int:
        """Return how many systems a screen shows; see `EvaluationProtocol`."""
        return systems

    def assign(
        self, items: Sequence[Item], systems: Sequence[str], judges: int, generator: np.random.Generator
    ) -> list[Assignment]:
        """Return a task for each document and judge."""
        return orders_for(items, systems, judges, self.config.judges_per_item, generator)

    def questions(self, item: Item, order: Sequence[str]) -> tuple[Question, ...]:
        """Return a question for each aspect and summary."""
        last = self.config.points
        words = {1: "1 (worst)", last: f"{last} (best)"}
        choices = tuple((str(grade), words.get(grade, str(grade))) for grade in range(1, last + 1))
        return tuple(
            Question(f"{aspect} {letter}", f"Summary {letter}. {prompt(aspect)}", choices)
            for aspect in self.config.aspects
            for letter in LETTERS[: len(order)]
        )

    def reveal(self, order: Sequence[str], answers: Mapping[str, str]) -> dict[str, Any]:
        """Return the grades of the systems for each aspect."""
        found: dict[str, dict[str, int]] = {}
        for name, value in answers.items():
            aspect, _, letter = name.rpartition(" ")
            found.setdefault(aspect, {})[order[LETTERS.index(letter)]] = int(value)
        return found

    def tables(self, items: Mapping[str, Item], systems: Sequence[str], judgements: Sequence[Judgement]) -> list[Table]:
        """Return mean grades, and differences from the first system."""
        grades = [
            (one.task.judge, one.task.item, aspect, system, grade)
            for one in judgements
            for aspect, given in self.reveal(one.task.order, one.answers).items()
            for system, grade in given.items()
        ]
        aspects, largest = self.config.aspects, self.config.points - 1
        return [_means(grades, aspects, systems), *_differences(grades, aspects, systems, largest)]

    def rehearse(
        self, item: Item, order: Sequence[str], quality: Mapping[str, float], generator: np.random.Generator
    ) -> dict[str, str]:
        """Grade the middle for a quality of zero."""
        middle = (1 + self.config.points) / 2
        return {
            f"{aspect} {letter}": str(int(np.clip(np.rint(middle + value), 1, self.config.points)))
            for aspect in self.config.aspects
            for letter, value in zip(LETTERS, perceived(order, quality, generator), strict=False)
        }


Grade = tuple[str, str, str, str, int]
"""Judge, document, aspect, system and grade."""


def _means(grades: Sequence[Grade], aspects: Sequence[str], systems: Sequence[str]) -> Table:
    rows = []
    for aspect in aspects:
        by_unit = as_matrix(
            (judge, f"{item}\0{system}", grade) for judge, item, one, system, grade in grades if one == aspect
        )
        alpha = krippendorff_alpha(by_unit, "ordinal") if by_unit.size else np.nan
        for system in systems:
            given = [grade for _, _, one, name, grade in grades if (one, name) == (aspect, system)]
            mean = float(np.mean(given)) if given else np.nan
            rows.append({"aspect": aspect, "system": system, "mean": mean, "alpha": alpha, "grades": len(given)})
    columns = {"aspect": TEXT, "system": TEXT, "mean": SCORE, "alpha": SCORE, "grades": TEXT}
    return Table("Mean grades", columns, rows, ("alpha is Krippendorff's, for ordinal grades, over all systems.",))


def _differences(
    grades: Sequence[Grade], aspects: Sequence[str], systems: Sequence[str], largest: int
) -> Iterator[Table]:
    rows, methods, differences = [], set(), {}
    for aspect in aspects:
        by_system = {
            system: {
                (judge, item): grade for judge, item, one, name, grade in grades if (one, name) == (aspect, system)
            }
            for system in systems
        }
        first = by_system[systems[0]]
        for system in systems[1:]:
            shared = [key for key in by_system[system] if key in first]
            matrix = as_matrix((*key, float(first[key] - by_system[system][key])) for key in shared)
            differences[f"{aspect}, {system}"] = matrix
            found = compare(matrix, largest=largest)
            methods.add(found.method)
            rows.append({"aspect": aspect, "against": system, **found.row("difference")})
    columns = {"aspect": TEXT, "against": TEXT, "difference": SIGNED, "95 %": SIGNED, "p": P}
    note = BOTH if methods == {"two-way clusters"} else ONLY_THESE
    title = f"{systems[0]} minus the others"
    yield Table(title, columns, rows, (note,))
    if general := table_in_general(title, differences, largest):
        yield general
