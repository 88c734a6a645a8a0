"""Preference between two summaries, asked for each aspect; shared by the pairwise protocols."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from nutgraf.judging.agreement import category_counts, fleiss_kappa, krippendorff_alpha
from nutgraf.judging.bradley_terry import HALF, strengths
from nutgraf.judging.comparison import FEW_JUDGES, Array, as_matrix, compare
from nutgraf.judging.mixed_model import table_in_general
from nutgraf.judging.protocols import Assignment, EvaluationProtocol
from nutgraf.judging.protocols._aspects import check_aspects, orders_for, perceived, prompt
from nutgraf.judging.records import LETTERS, Item, Judgement, Question
from nutgraf.judging.tables import SCORE, SHARE, SIGNED, TEXT, P, Table
from nutgraf.presets.ranges import NonNegativeInt

TIE = "tie"
LABELS = ("win", "lose", TIE)
MARGIN = 0.5
"""Difference of perceived quality below which a simulated judge sees none."""

ONLY_THESE = (
    f"Fewer than {FEW_JUDGES} judges: p is that of an exact permutation test over documents, and it and the intervals "
    "speak about these judges, not about others."
)
NO_AGREEMENT = "Agreement (kappa, alpha) needs two judges or more of the same document."
STRENGTHS = (
    "Bradley–Terry, in log odds against the mean system; a tie is half a win, and both systems of a pair get half a "
    "win more, so that one that never lost has a finite strength."
)
NO_INTERVAL = (
    "A strength has no interval where one side won everything or nothing varies; that of win − lose tells what is "
    "known."
)
BOTH = "Intervals and p take judges and documents as samples of others (two-way clusters)."

Score = tuple[str, str, int]
"""Judge, document, and 1, −1 or 0 for a win, a loss or a tie of the first system of a pair."""


@dataclass(frozen=True)
class PreferenceConfig:
    """Preference between two summaries."""

    aspects: tuple[str, ...] = ("overall",)
    """Aspects that judges are asked about."""

    pairs: Literal["first", "all"] = "first"
    """Pairs of systems that are compared: the first system with each other one, or all with all."""

    judges_per_item: NonNegativeInt = 0
    """Number of judges for each document; 0 means all of them."""

    def __post_init__(self) -> None:
        check_aspects(self.aspects)


class Preference(EvaluationProtocol):
    """Shows two summaries without names, in balanced order; judges say which is better, or that neither is."""

    config: PreferenceConfig
    instructions: ClassVar[str] = (
        "You see a document and two summaries of it. For each question, say which summary is better, or that there "
        "is no difference. Judge each question for itself."
    )

    def shown(self, systems: int) -> int:
        """Return how many systems a screen shows; see `EvaluationProtocol`."""
        return 2

    def assign(
        self, items: Sequence[Item], systems: Sequence[str], judges: int, generator: np.random.Generator
    ) -> list[Assignment]:
        """Return a task for each document, pair of systems and judge."""
        per_item = self.config.judges_per_item
        pairs = pairs_of(systems, self.config.pairs)
        return [task for pair in pairs for task in orders_for(items, pair, judges, per_item, generator)]

    def questions(self, item: Item, order: Sequence[str]) -> tuple[Question, ...]:
        """Return a question for each aspect."""
        first, second = LETTERS[0], LETTERS[1]
        choices = ((first, f"{first} is better"), (TIE, "No difference"), (second, f"{second} is better"))
        return tuple(Question(aspect, prompt(aspect), choices) for aspect in self.config.aspects)

    def reveal(self, order: Sequence[str], answers: Mapping[str, str]) -> dict[str, Any]:
        """Return the preferred system for each aspect, or "tie"."""
        return {name: TIE if value == TIE else order[LETTERS.index(value)] for name, value in answers.items()}

    def tables(self, items: Mapping[str, Item], systems: Sequence[str], judgements: Sequence[Judgement]) -> list[Table]:
        """Return wins, losses and ties of each pair, and the strengths of systems."""
        pairs = [
            pair for pair in pairs_of(systems, "all") if any(set(one.task.order) == set(pair) for one in judgements)
        ]
        tables = [table for pair in pairs for table in self._preferences(pair, judgements)]
        return [*tables, self._strengths(systems, judgements)] if tables else []

    def rehearse(
        self, item: Item, order: Sequence[str], quality: Mapping[str, float], generator: np.random.Generator
    ) -> dict[str, str]:
        """Prefer the summary that seems better by more than half a standard deviation."""
        answers = {}
        for aspect in self.config.aspects:
            first, second = perceived(order, quality, generator)
            better = LETTERS[0] if first > second else LETTERS[1]
            answers[aspect] = TIE if abs(first - second) < MARGIN else better
        return answers

    def _preferences(self, pair: tuple[str, str], judgements: Sequence[Judgement]) -> Iterator[Table]:
        rows, differences = [], {}
        notes = [BOTH if len({one.task.judge for one in judgements}) >= FEW_JUDGES else ONLY_THESE]
        for aspect in self.config.aspects:
            scores = list(scores_of(judgements, pair, aspect))
            differences[aspect] = matrix_of(scores)
            row, note = preference_row(scores)
            rows.append({"aspect": aspect, **row})
            notes += [note if note == NO_AGREEMENT else f"{aspect}: {note}"] if note else []
        columns = {
            "aspect": TEXT, **dict.fromkeys(LABELS, SHARE), "kappa": SCORE, "alpha": SCORE, "win − lose": SIGNED,
            "95 %": SIGNED, "p": P, "judgements": TEXT,
        }  # fmt: skip
        title = f"{pair[0]} against {pair[1]}"
        yield Table(title, columns, rows, tuple(dict.fromkeys(notes)))
        if general := table_in_general(title, differences):
            yield general

    def _strengths(self, systems: Sequence[str], judgements: Sequence[Judgement]) -> Table:
        rows: list[dict[str, Any]] = []
        for aspect in self.config.aspects:
            found = strengths(wins_of(judgements, systems, aspect))
            rows += [
                {"aspect": aspect, "system": system, "strength": one.value, "95 %": (one.low, one.high)}
                for system, one in zip(systems, found, strict=True)
            ]
        open_ended = any(math.isnan(row["95 %"][0]) and not math.isnan(row["strength"]) for row in rows)
        columns = {"aspect": TEXT, "system": TEXT, "strength": SIGNED, "95 %": SIGNED}
        return Table("Strength of the systems", columns, rows, (STRENGTHS, NO_INTERVAL) if open_ended else (STRENGTHS,))


def pairs_of(systems: Sequence[str], which: Literal["first", "all"]) -> list[tuple[str, str]]:
    """Return pairs of systems, each in the order in which they were named."""
    if which == "all":
        return list(itertools.combinations(systems, 2))
    return [(systems[0], other) for other in systems[1:]]


def scores_of(judgements: Sequence[Judgement], pair: tuple[str, str], aspect: str) -> Iterator[Score]:
    """Yield the scores of the first system of a pair."""
    for one in judgements:
        order, answer = one.task.order, one.answers.get(aspect)
        if set(order) == set(pair) and answer is not None:
            won = answer != TIE and order[LETTERS.index(answer)] == pair[0]
            yield one.task.judge, one.task.item, 0 if answer == TIE else 1 if won else -1


def preference_row(scores: Sequence[Score]) -> tuple[dict[str, Any], str]:
    """Return the shares of wins, losses and ties with agreement and test, and a note on what was left out."""
    count = len(scores)
    values = [value for _, _, value in scores]
    matrix = matrix_of(scores)
    kappa, note = kappa_of(scores)
    shares = {
        label: values.count(value) / count if count else np.nan for label, value in zip(LABELS, (1, -1, 0), strict=True)
    }
    return {
        **shares,
        "kappa": kappa,
        "alpha": krippendorff_alpha(matrix, "nominal") if count else np.nan,
        **compare(matrix).row("win − lose"),
        "judgements": count,
    }, note


def matrix_of(scores: Sequence[Score]) -> Array:
    """Return scores as [judges × items], NaN where there is none."""
    return as_matrix((judge, item, float(value)) for judge, item, value in scores)


def kappa_of(scores: Sequence[Score]) -> tuple[float, str]:
    """Return Fleiss' kappa over the documents with the most judges, and a note if others were left out."""
    by_item: dict[str, list[str]] = defaultdict(list)
    for _, item, value in scores:
        by_item[item].append(str(value))
    most = max(map(len, by_item.values()), default=0)
    if most < 2:
        return float("nan"), NO_AGREEMENT
    whole = [labels for labels in by_item.values() if len(labels) == most]
    kappa = fleiss_kappa(category_counts(whole, ("1", "-1", "0")))
    note = "" if len(whole) == len(by_item) else f"kappa is over the {len(whole)} documents that {most} judges judged."
    if len({label for labels in whole for label in labels}) == 1:
        note = "all judges gave one and the same answer, so kappa is undefined; it is shown as 1."
    return kappa, note


def wins_of(
    judgements: Sequence[Judgement], systems: Sequence[str], aspect: str
) -> np.ndarray[tuple[int, int, int, int], np.dtype[np.float64]]:
    """Return the number of wins of each system over each other, a tie as half: [judges × items × systems × systems]."""
    judges, items = (sorted({getattr(one.task, name) for one in judgements}) for name in ("judge", "item"))
    wins = np.zeros((len(judges), len(items), len(systems), len(systems)))
    for one in judgements:
        if aspect in one.answers:
            first, second = (systems.index(name) for name in one.task.order)
            judge, item = judges.index(one.task.judge), items.index(one.task.item)
            share = {TIE: HALF, LETTERS[0]: 1.0}.get(one.answers[aspect], 0.0)
            wins[judge, item, first, second] += share
            wins[judge, item, second, first] += 1 - share
    return wins
