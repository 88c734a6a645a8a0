"""Maximum coverage of concepts (Gillick and Favre, *A Scalable Global Model for Summarization*, 2009).

Concepts are bigrams of stems within a sentence, but for those of two stop words. A concept weighs the number of
documents it occurs in (Sec. 4), and a summary is worth the sum of the weights of the concepts in it, each counted once.
The better of a greedy selection and the best single sentence is taken, or, with `solver = "exact"`, the optimum of the
integer linear program of Sec. 3.

The model is one of several documents. In a single one a concept weighs the number of sentences it occurs in, and more
if it occurs early, as nothing else tells the main points of one document from its details: 1 + `position_weight` times
as much in the first sentence, once in the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from nutgraf.extractive import PartialSummary, Ranking, Ratings, SentenceSelector, bonus_of, boosted, parts_of
from nutgraf.extractive._coverage import Coverage, bigrams, distinct, incidence
from nutgraf.extractive.greedy import extend, maximize
from nutgraf.presets.ranges import NonNegativeFloat, PositiveFloat, PositiveInt
from nutgraf.text.document import Document
from nutgraf.text.vectors import Array, Rows

MAX_CELLS = 200_000
"""Number of concepts, counted in each sentence, up to which the program is solved exactly."""


@dataclass(frozen=True)
class Config:
    """Maximum coverage of concepts."""

    solver: Literal["greedy", "exact"] = "greedy"
    """Search: "greedy", or "exact" by integer linear programming."""

    time_limit: PositiveFloat = 10.0
    """Maximum number of seconds of the exact search; what it has found by then counts."""

    min_frequency: PositiveInt = 2
    """Number of documents (of sentences, in a single one) that a concept occurs in at least, if any does."""

    cost_exponent: NonNegativeFloat = 1.0
    """Gains are divided by length to this power in the greedy search; without effect on a length in sentences."""

    position_weight: NonNegativeFloat = 1.0
    """Additional weight of what stands at the beginning of a single document."""


class Concepts(SentenceSelector):
    """Selects the sentences that cover the weightiest concepts."""

    config: Config

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank by the weight of the concepts of each sentence."""
        return Ranking.by(boosted(Coverage(*self._concepts(document)).singles(), boosts))

    def pick(self, document: Document, summary: PartialSummary, boosts: Ratings | None = None) -> Ranking:
        """Maximize the weight of the concepts covered; what is left of the length is filled greedily."""
        holds, weights = self._concepts(document)
        singles = Coverage(holds, weights).singles()
        bonus = bonus_of(singles, boosts)
        worth = singles if bonus is None else singles + bonus
        if self.config.solver == "exact" and holds.nnz <= MAX_CELLS:
            self._solve(summary, holds, weights, worth, bonus)
            objective = Coverage(holds, weights)
            for index in summary.selected:
                objective.add(index)
            extend(summary, objective, singles, self.config.cost_exponent, bonus)
        else:
            maximize(summary, lambda: Coverage(holds, weights), cost_exponent=self.config.cost_exponent, bonus=bonus)
            if self.config.solver == "exact":
                summary.notices.append(
                    f"The sentences have {holds.nnz:,} concepts, too many for the exact search; they were covered "
                    "greedily."
                )
        return Ranking.by(boosted(singles, boosts))

    def _solve(self, summary: PartialSummary, holds: Rows, weights: Array, worth: Array, bonus: Array | None) -> None:
        """Add the optimal selection, or the best one that is found in time."""
        found, optimal = _optimum(summary, holds, weights, bonus, self.config.time_limit)
        greedy = summary.empty_copy()
        value = maximize(greedy, lambda: Coverage(holds, weights), cost_exponent=self.config.cost_exponent, bonus=bonus)
        chosen = found if _value(found, holds, weights, bonus) > value else greedy.selected
        for index in sorted(chosen, key=lambda index: (-worth[index], index)):
            summary.add(index)
        if not optimal:
            summary.notices.append(
                f"The exact search ended after {self.config.time_limit:g} seconds without having proved that there is "
                "no better selection; extractive.time_limit=60 gives it more time."
            )

    def _concepts(self, document: Document) -> tuple[Rows, Array]:
        """Which concepts each sentence contains [sentences × concepts], and their weights."""
        sentence_of, concept_of = bigrams(document)
        concepts, first, labels = np.unique(concept_of, return_index=True, return_inverse=True)
        several = len(document.parts) > 1
        places = parts_of(document)[sentence_of] if several else sentence_of
        frequencies = distinct(labels, places, len(concepts))
        weights, count = frequencies.astype(np.float64), len(document.sentences)
        if not several:
            earliness = 1 - sentence_of[first] / max(1, count - 1)
            weights *= 1 + self.config.position_weight * earliness
        kept = frequencies >= self.config.min_frequency
        if kept.any():
            held = kept[labels]
            sentence_of, labels, weights = sentence_of[held], (np.cumsum(kept) - 1)[labels[held]], weights[kept]
        return incidence(sentence_of, labels, (count, len(weights))), weights


def _value(selected: Sequence[int], holds: Rows, weights: Array, bonus: Array | None) -> float:
    """Weight of the concepts in a selection, and its bonus."""
    covered = np.unique(holds.scipy[list(selected)].indices)
    return float(weights[covered].sum() + (0.0 if bonus is None else bonus[list(selected)].sum()))


def _selectable(summary: PartialSummary) -> Array:
    """Return 1 for each sentence that may be selected by itself or with another one, else 0."""
    found = np.zeros(len(summary.lengths))
    for index in np.flatnonzero(summary.candidates()).tolist():
        found[list(summary.together(index))] = 1.0
    return found


def _optimum(
    summary: PartialSummary, holds: Rows, weights: Array, bonus: Array | None, seconds: float
) -> tuple[list[int], bool]:
    """Solve the integer linear program of Gillick and Favre 2009, Sec. 3.

    Its variables are sentences, 0 or 1, and concepts, which are covered at most once and only by a selected sentence. A
    sentence is selected only with those that it requires.
    """
    from scipy import sparse
    from scipy.optimize import Bounds, LinearConstraint, milp

    sentences, concepts = holds.shape
    limits = summary.limits
    costs = np.ones(sentences) if limits.sentences is not None else summary.lengths
    room = limits.sentences or limits.length or limits.natural_words
    cost_row = sparse.csr_matrix(np.concatenate([costs, np.zeros(concepts)]))
    covering = sparse.hstack([-holds.scipy.T, sparse.identity(concepts)], format="csr")
    gains = np.zeros(sentences) if bonus is None else bonus
    constraints = [LinearConstraint(cost_row, -np.inf, room), LinearConstraint(covering, -np.inf, 0)]
    if summary.closures and (pairs := summary.closures.pairs()):
        rows = np.arange(len(pairs))
        dependents, required = np.array(pairs).T
        shape = (len(pairs), sentences + concepts)
        closing = sparse.csr_matrix((np.ones(len(pairs)), (rows, dependents)), shape=shape)
        closing -= sparse.csr_matrix((np.ones(len(pairs)), (rows, required)), shape=shape)
        constraints.append(LinearConstraint(closing, -np.inf, 0))
    result = milp(
        -np.concatenate([gains, weights]),
        integrality=np.concatenate([np.ones(sentences), np.zeros(concepts)]),
        bounds=Bounds(0, np.concatenate([_selectable(summary), np.ones(concepts)])),
        constraints=constraints,
        options={"time_limit": seconds},
    )
    found = [] if result.x is None else np.flatnonzero(result.x[:sentences] > 0.5).tolist()
    return found, result.status == 0
