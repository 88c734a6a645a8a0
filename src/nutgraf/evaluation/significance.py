"""Bootstrap intervals of a mean, and the paired bootstrap test (Efron and Tibshirani 1993).

Examples are drawn with replacement. All columns of one table see the same draws, so that what two systems have in
common stays in common. A value that is not there (NaN) leaves its example out of that column's means only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nutgraf.presets.ranges import PositiveInt, ProperShare

Array = npt.NDArray[np.float64]

_CELLS = 2_000_000
"""Draws held at once: 16 MB."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with its bootstrap interval.

    Attributes:
        examples: Number of examples with a value; without any, the other three are NaN.
    """

    mean: float
    low: float
    high: float
    examples: int


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean difference of paired values.

    Attributes:
        p: Probability of a difference as large by chance alone, in either direction.
    """

    interval: Interval
    p: float


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """Bootstrap intervals and tests.

    Attributes:
        resamples: Number of resamples for an interval.
        level: Share of the resamples' means inside an interval.
        test_resamples: Number of resamples for a test.
        seed: Seed of the draws.
    """

    resamples: PositiveInt = 1_000
    level: ProperShare = 0.95
    test_resamples: PositiveInt = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        if min(self.resamples, self.test_resamples) < 1 or not 0 < self.level < 1:
            raise ValueError("resamples and test_resamples are at least 1, and level lies between 0 and 1")

    @property
    def signature(self) -> str:
        """Signature of the intervals."""
        return f"interval:percentile|level:{self.level:g}|resamples:{self.resamples}|seed:{self.seed}"

    @property
    def test_signature(self) -> str:
        """Signature of the tests."""
        return f"test:paired-bootstrap|two-sided|resamples:{self.test_resamples}|seed:{self.seed}"

    def intervals(self, values: npt.ArrayLike) -> list[Interval]:
        """The percentile interval of each column's mean: [examples × columns]."""
        return [interval for interval, _ in self._resampled(_as_table(values), self.resamples)]

    def _resampled(self, table: Array, resamples: int) -> Iterator[tuple[Interval, Array]]:
        """Interval of each column, and the means of its resamples."""
        means = self._means(table, resamples)
        for column, resampled in zip(table.T, means.T, strict=True):
            present, drawn = column[~np.isnan(column)], resampled[~np.isnan(resampled)]
            yield self._interval(present, drawn), drawn

    def _interval(self, present: Array, drawn: Array) -> Interval:
        """Return the mean of a column's values with its interval."""
        if not present.size or not drawn.size:
            return Interval(np.nan, np.nan, np.nan, 0)
        low, high = np.quantile(drawn, [(1 - self.level) / 2, (1 + self.level) / 2])
        return Interval(float(present.mean()), float(low), float(high), present.size)

    def tests(self, first: npt.ArrayLike, second: npt.ArrayLike) -> list[Difference]:
        """The mean of first − second over examples that have both, and its p, for each column: [examples × columns].

        p is the share of resamples in which the mean difference, moved to have no difference on average, is at least as
        large as the one seen; the one seen counts as a resample too, so that p is never 0.
        """
        differences = _as_table(first) - _as_table(second)
        found = []
        for interval, drawn in self._resampled(differences, self.test_resamples):
            # Sums in another order differ in the last bits: without the margin equal values would give any p.
            extreme = int((np.abs(drawn - interval.mean) >= abs(interval.mean) - 1e-12).sum())
            found.append(Difference(interval, (extreme + 1) / (drawn.size + 1) if interval.examples else np.nan))
        return found

    def _means(self, table: Array, resamples: int) -> Array:
        """Means of the columns in each resample: [resamples × columns]; NaN where no example with a value was drawn."""
        present = ~np.isnan(table)
        filled = np.where(present, table, 0.0)
        parts = [np.empty((0, table.shape[1]))]
        for counts in self._draws(len(table), resamples):
            sizes = counts @ present
            with np.errstate(invalid="ignore"):
                parts.append((counts @ filled) / sizes)
        return np.concatenate(parts)

    def _draws(self, examples: int, resamples: int) -> Iterator[Array]:
        """Yield the number of times each example is drawn, in blocks of resamples: [block × examples]."""
        if not examples:
            return
        generator = np.random.default_rng(self.seed)
        block = max(1, _CELLS // examples)
        for start in range(0, resamples, block):
            rows = min(block, resamples - start)
            drawn = generator.integers(examples, size=(rows, examples)) + examples * np.arange(rows)[:, None]
            yield np.bincount(drawn.ravel(), minlength=rows * examples).reshape(rows, examples).astype(np.float64)


def _as_table(values: npt.ArrayLike) -> Array:
    """[examples × columns] of floats."""
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2:
        raise ValueError(f"values are [examples × columns], not of shape {table.shape}")
    return table
