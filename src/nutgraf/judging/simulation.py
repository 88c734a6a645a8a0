"""Simulated judges with known preferences, to plan studies and to test statistics.

A judge's preference for the first of two summaries is normally distributed around a mean, with a part of its own for
each document, one for each judge, and noise of variance one (Thurstone 1927, case V, with random effects). Above a
threshold the first summary wins, below its negative it loses, and between them there is a tie. The mean and the
threshold are those that give the shares of wins and losses that were asked for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy import special
from scipy.optimize import brentq

Scores = npt.NDArray[np.int64]

NODES = 40
"""Points at which an expectation over documents is taken."""

WIDEST = 20.0
"""Largest standard deviation of documents that is tried; with it nearly all judges agree."""


@dataclass(frozen=True)
class Raters:
    """A population of judges and documents.

    Attributes:
        win: Share of judgements that prefer the first system.
        lose: Share of judgements that prefer the second.
        item_sd: Standard deviation of documents: how much more some speak for the first system than others.
        judge_sd: Standard deviation of judges: how much more some lean towards it than others.
    """

    win: float
    lose: float
    item_sd: float = 1.0
    judge_sd: float = 0.2

    def __post_init__(self) -> None:
        if not (0 < self.win < 1 and 0 < self.lose < 1 and self.win + self.lose <= 1):
            raise ValueError(
                f"The shares of wins and losses lie above 0 and add up to 1 at most, not {self.win} and {self.lose}."
            )

    @cached_property
    def _scale(self) -> float:
        return math.sqrt(1 + self.item_sd**2 + self.judge_sd**2)

    @property
    def mean(self) -> float:
        """Mean preference for the first system."""
        return self._scale * float(special.ndtri(self.win) - special.ndtri(self.lose)) / 2

    @property
    def threshold(self) -> float:
        """Preference above which there is no tie."""
        return max(-self._scale * float(special.ndtri(self.win) + special.ndtri(self.lose)) / 2, 0.0)

    @property
    def kappa(self) -> float:
        """Fleiss' kappa that these judges would have over many documents."""
        nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
        weights = weights / weights.sum()
        spread = math.sqrt(1 + self.judge_sd**2)
        centre = self.mean + self.item_sd * nodes
        win = special.ndtr((centre - self.threshold) / spread)
        lose = special.ndtr((-centre - self.threshold) / spread)
        agreement = float(weights @ (win**2 + lose**2 + (1 - win - lose) ** 2))
        chance = self.win**2 + self.lose**2 + (1 - self.win - self.lose) ** 2
        return (agreement - chance) / (1 - chance)

    def draw(self, judges: int, items: int, generator: np.random.Generator) -> Scores:
        """Return a study: 1 for a win, −1 for a loss, 0 for a tie: [judges × items]."""
        preference = (
            self.mean
            + self.item_sd * generator.standard_normal(items)
            + self.judge_sd * generator.standard_normal((judges, 1))
            + generator.standard_normal((judges, items))
        )
        return (preference > self.threshold).astype(np.int64) - (preference < -self.threshold).astype(np.int64)


def with_kappa(win: float, lose: float, kappa: float, judge_sd: float = 0.2) -> Raters:
    """Return the judges who agree as much as `kappa` says; documents are as different as that takes.

    Raises:
        ValueError: If no such judges can agree that much, or the shares are none.
    """

    def excess(item_sd: float) -> float:
        return Raters(win, lose, item_sd, judge_sd).kappa - kappa

    if kappa < 0 or excess(WIDEST) < 0:
        raise ValueError(f"kappa must be from 0 to {Raters(win, lose, WIDEST, judge_sd).kappa:.2f}, not {kappa:g}.")
    if excess(0.0) >= 0:
        return Raters(win, lose, 0.0, judge_sd)
    return Raters(win, lose, float(brentq(excess, 0.0, WIDEST, xtol=1e-4)), judge_sd)
