"""Strengths of systems by Bradley and Terry (1952), with a bootstrap over judges and documents.

The model says that system a is preferred to system b with probability 1 / (1 + exp(θ_b − θ_a)); the θ are fitted by
choix and sum to zero. A tie is half a win for either side, and every pair that was compared gets half a win more on
each side, so that a system that never lost has a finite strength.

Intervals come from three bootstraps: of judges, of items and of single judgements. Their variances are combined as in
`comparison`. Drawing judges and items at once, as is often done, would count the noise of single judgements three
times, and its intervals would be too wide.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special
from scipy.sparse.csgraph import connected_components

from nutgraf.errors import requires
from nutgraf.judging.comparison import FEW_JUDGES, NEGLIGIBLE, Variance, noise_variance, two_way_variance

Array = npt.NDArray[np.float64]

HALF = 0.5

MAX_ITERATIONS = 10_000
"""Steps of choix, whose own limit of 100 is too few where a pair was judged much more often than others."""

NEWTON = 6
"""Steps of Newton's method, which begins near and doubles the correct digits with each of them."""


@dataclass(frozen=True, slots=True)
class Strength:
    """Strength of a system, in log odds against the mean system, with its interval."""

    value: float
    low: float
    high: float


def strengths(wins: npt.ArrayLike, resamples: int = 1000, level: float = 0.95, seed: int = 0) -> list[Strength]:
    """Return the strength of each system.

    Args:
        wins: Number of wins of the first system of a pair over the second, half a win for a tie: [judges × items ×
            systems × systems].
        resamples: Number of resamples of each bootstrap.
        level: Share of intervals that should contain the true strength.
        seed: Seed of the bootstraps.

    Returns:
        The strengths; NaN where systems were never compared, not even through others. Their intervals are NaN where
        one side won everything, so that without the half wins it would be infinitely stronger, or nothing varies.
    """
    table = np.asarray(wins, dtype=np.float64)
    clusters = [
        one[one.any(axis=(1, 2))] for one in (table.sum(axis=1), table.sum(axis=0), table.reshape(-1, *table.shape[2:]))
    ]
    half = np.where(((table + table.swapaxes(2, 3)) > 0).any(axis=(0, 1)), HALF, 0.0)
    if connected_components(half > 0)[0] > 1:
        return [Strength(np.nan, np.nan, np.nan) for _ in half]
    values = fit(table.sum(axis=(0, 1)) + half)
    generator = np.random.default_rng(seed)
    spreads = np.array([_spread(one, values, half, resamples, generator) for one in clusters])
    spreads[2] *= _noise_shares(table)
    counts = [len(one) for one in clusters]
    finite = connected_components(table.sum(axis=(0, 1)) > 0, connection="strong")[0] == 1
    variances = [_variance(column, counts) for column in spreads.T.tolist()]
    margins = [one.margin(level) if finite and one.value > NEGLIGIBLE else math.nan for one in variances]
    return [
        Strength(value, value - margin, value + margin) for value, margin in zip(values.tolist(), margins, strict=True)
    ]


def fit(wins: Array) -> Array:
    """Return fitted strengths that sum to zero: [systems] from [systems × systems]."""
    with requires("judge", "Strengths by Bradley and Terry needs"):
        import choix
    return np.asarray(choix.ilsr_pairwise_dense(wins, max_iter=MAX_ITERATIONS))


def refit(wins: Array, begin: Array) -> Array:
    """Return fitted strengths of many tables of wins at once, by Newton's method; those of two systems have a formula.

    It begins with strengths that are near.
    """
    if wins.shape[1] == 2:
        half = (np.log(wins[:, 0, 1]) - np.log(wins[:, 1, 0])) / 2
        return np.stack([half, -half], axis=1)
    values = np.broadcast_to(begin, wins.shape[:2])
    compared = wins + wins.swapaxes(1, 2)
    systems = wins.shape[1]
    for _ in range(NEWTON):
        chance = special.expit(values[:, :, None] - values[:, None, :])
        gradient = (wins - compared * chance).sum(axis=2)
        weights = compared * chance * (1 - chance)
        curvature = np.eye(systems) * weights.sum(axis=2)[:, None] - weights
        # Strengths are defined up to a constant; what is added makes their sum stay zero.
        values = values + np.linalg.solve(curvature + 1 / systems, gradient[..., None])[..., 0]
    return values


def _spread(clusters: Array, begin: Array, half: Array, resamples: int, generator: np.random.Generator) -> Array:
    """Variance of each system's strength when clusters are drawn with replacement."""
    count = len(clusters)
    if count < 2:
        return np.zeros(clusters.shape[1])
    different, times = np.unique(clusters, axis=0, return_counts=True)
    draws = generator.multinomial(count, times / count, size=resamples).astype(np.float64)
    resampled = (draws @ different.reshape(len(different), -1)).reshape(resamples, *clusters.shape[1:])
    # A drawn mean varies by (n − 1)/n of what a mean of n clusters does.
    return refit(resampled + half, begin).var(axis=0, ddof=1) * count / (count - 1)


def _noise_shares(table: Array) -> Array:
    """Share of the variance of single judgements that is neither judges' nor documents', by each system's net wins."""
    present = np.asarray(table.any(axis=(2, 3)))
    net = np.where(present[..., None], table.sum(axis=3) - table.sum(axis=2), 0.0)
    net = np.where(present[..., None], net - net.sum(axis=(0, 1)) / present.sum(), 0.0)
    total = (net**2).sum(axis=(0, 1)) / present.sum() ** 2
    noise = np.array([noise_variance(net[..., system], present) for system in range(net.shape[2])])
    return np.divide(noise, total, out=np.zeros_like(total), where=total > 0)


def _variance(variances: list[float], counts: list[int]) -> Variance:
    """Variance of a strength: of two-way clusters, or by items alone where there are few judges."""
    if counts[0] < FEW_JUDGES:
        return Variance(variances[1], max(counts[1] - 1, 1)) if counts[1] > 1 else Variance(math.nan, 1)
    return two_way_variance(variances[0], variances[1], variances[2], *counts)
