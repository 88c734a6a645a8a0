"""Tests and intervals of a mean difference between two systems, where judges and documents are both samples.

Judges differ from each other and so do documents, so that judgements of one judge, or about one document, are not
independent. The variance of the mean is estimated with clusters in both directions (Cameron, Gelbach and Miller 2011,
Eq. 2.11): that between judges plus that between documents minus that of single judgements, which both contain. What is
taken off is their noise alone, as in an analysis of variance; with all of their variance, ten judges would give a tenth
too little. Fewer than ten judges cannot say how judges in general differ. Then the test is an exact one that changes
the signs of whole documents, and it speaks about these judges only.

Where all documents say the same, nothing varies, and the interval is exact: if a share q of all documents said
something else, n documents without one of these would be drawn with probability (1 − q)ⁿ. The q for which that is 2.5 %
is the bound of Clopper and Pearson (1934), and such documents can say the opposite at most. Where one side wins
everything, the interval has zero in it just where the exact test finds no difference.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import special

Array = npt.NDArray[np.float64]

FEW_JUDGES = 10
"""With fewer judges, tests and intervals speak about these judges only."""

FLOOR = 0.5
"""Least variance of a mean, as a share of that which single judgements cause."""

NEGLIGIBLE = 1e-12
"""Variance of a mean that only rounding can cause."""

Method = Literal["two-way clusters", "exact permutation of documents"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A mean difference with its interval and its test.

    Attributes:
        p: Probability of a mean as far from zero, if there were no difference.
        method: Source of the interval and of p.
    """

    mean: float
    low: float
    high: float
    p: float
    method: Method

    def row(self, title: str) -> dict[str, Any]:
        """Return the mean, under this title, its interval and its p as values of a table's columns."""
        return {title: self.mean, "95 %": (self.low, self.high), "p": self.p}


@dataclass(frozen=True, slots=True)
class Variance:
    """Variance of a mean, and the degrees of freedom of its estimate."""

    value: float
    freedom: float

    def margin(self, level: float) -> float:
        """Return half of the width of an interval."""
        return math.sqrt(self.value) * float(special.stdtrit(self.freedom, (1 + level) / 2))

    def p(self, mean: float) -> float:
        """Return the two-sided p of a mean, by Student's t."""
        return 2 * float(special.stdtr(self.freedom, -abs(mean) / math.sqrt(self.value)))


def as_matrix(cells: Iterable[tuple[str, str, float]]) -> Array:
    """Return the values of judges, items and values as [judges × items], NaN where there is none."""
    given = {(judge, item): value for judge, item, value in cells}
    judges, items = (sorted({key[axis] for key in given}) for axis in (0, 1))
    return np.array([[given.get((judge, item), np.nan) for item in items] for judge in judges]).reshape(
        len(judges), len(items)
    )


def compare(differences: npt.ArrayLike, level: float = 0.95, largest: float = 1) -> Comparison:
    """Return the mean difference of two systems with its interval and test; NaN everywhere if there is no judgement.

    Args:
        differences: First system minus second, NaN where a judge did not judge an item: [judges × items].
        level: Share of intervals that should contain the true mean.
        largest: Largest difference that a judge can see; no interval reaches beyond it.

    Raises:
        ValueError: If a difference is larger.
    """
    table = np.asarray(differences, dtype=np.float64)
    present = ~np.isnan(table)
    if (np.abs(table) > largest).any():
        raise ValueError(f"A difference is larger than {largest:g}.")
    if not present.any():
        return Comparison(np.nan, np.nan, np.nan, np.nan, "exact permutation of documents")
    judges, items = present.any(axis=1).sum(), present.any(axis=0).sum()
    values = np.where(present, table, 0.0)
    count = int(present.sum())
    mean = float(values.sum()) / count
    residuals = np.where(present, table - mean, 0.0)
    by_judge = cluster_variance(residuals.sum(axis=1), int(judges), count)
    by_item = cluster_variance(residuals.sum(axis=0), int(items), count)
    method: Method = "exact permutation of documents" if judges < FEW_JUDGES else "two-way clusters"
    if judges < FEW_JUDGES:
        variance = Variance(by_item, max(int(items) - 1, 1))
    else:
        variance = two_way_variance(
            by_judge, by_item, noise_variance(residuals, present), int(judges), int(items), count
        )
    known = variance.value > NEGLIGIBLE and items > 1
    if known:
        low, high = mean - variance.margin(level), mean + variance.margin(level)
    else:
        low, high = unanimous(mean, int(items if judges < FEW_JUDGES else min(judges, items)), level, largest)
    exact = judges < FEW_JUDGES or not known
    p = sign_flip_p(values.sum(axis=0)) if exact else variance.p(mean)
    return Comparison(mean, max(low, -largest), min(high, largest), p, method)


def unanimous(mean: float, clusters: int, level: float, largest: float) -> tuple[float, float]:
    """Return the exact interval of a mean, which is `largest` at most, when all independent clusters have it."""
    others = 1 - ((1 - level) / 2) ** (1 / clusters)
    return mean - others * (mean + largest), mean + others * (largest - mean)


def cluster_variance(sums: Array, clusters: int, count: int) -> float:
    """Return the variance of a mean over `count` judgements, by the sums of residuals in independent clusters."""
    return float(sums @ sums) / count**2 * clusters / max(clusters - 1, 1)


def noise_variance(residuals: Array, present: npt.NDArray[np.bool_]) -> float:
    """Return the variance of a mean that single judgements cause, beyond differences between judges and between items.

    The residuals are values minus their mean, 0 where there is none: [judges × items].
    """
    of_judges, of_items = present.sum(axis=1, keepdims=True), present.sum(axis=0, keepdims=True)
    means = residuals.sum(axis=1, keepdims=True) / np.maximum(of_judges, 1)
    means = means + residuals.sum(axis=0, keepdims=True) / np.maximum(of_items, 1)
    count = int(present.sum())
    freedom = count - int((of_judges > 0).sum()) - int((of_items > 0).sum()) + 1
    left = np.where(present, residuals - means, 0.0)
    return float((left**2).sum()) / max(freedom, 1) / count


def two_way_variance(by_judge: float, by_item: float, noise: float, judges: int, items: int, cells: int) -> Variance:
    """Combine variances by judges and by items, which both contain that of single judgements, into one.

    Where judges and items hardly differ, chance can make the difference very small; half of the noise is the least that
    it is let be. The degrees of freedom are Satterthwaite's, and not fewer than those of the fewer clusters.
    """
    value = max(by_judge + by_item - noise, FLOOR * noise)
    parts = ((by_judge, judges - 1), (by_item, items - 1), (noise, cells - judges - items + 1))
    uncertainty = sum(part**2 / max(freedom, 1) for part, freedom in parts)
    least = max(min(judges, items) - 1, 1)
    return Variance(value, max(value**2 / uncertainty, least) if uncertainty else least)


def sign_flip_p(sums: npt.ArrayLike) -> float:
    """Return the exact two-sided p of a total whose parts might as well have had the other sign.

    Without a difference between systems, each item's sum is as likely as its negative. The distribution of the total
    over all 2ⁿ signs is built up item by item. Raises ValueError if the sums of items are no whole numbers.
    """
    given = np.asarray(sums, dtype=np.float64)
    whole = np.abs(np.rint(given)).astype(int)
    if not np.allclose(np.abs(given), whole):
        raise ValueError("The sums of items must be whole numbers.")
    chances = np.ones(1)
    for size in whole[whole > 0].tolist():
        longer = np.zeros(len(chances) + 2 * size)
        longer[: len(chances)] += chances / 2
        longer[2 * size :] += chances / 2
        chances = longer
    totals = np.arange(len(chances)) - len(chances) // 2
    return float(min(chances[np.abs(totals) >= abs(np.rint(given).sum())].sum(), 1.0))
