"""A linear mixed model of differences: what few judges say about judges in general.

    difference = μ + judge + document + noise           judge, document and noise are normal with variances of their own

Fewer than ten clusters are too few for two-way clusters, and the exact test speaks about these judges alone. A model
that says what kind of differences there are needs fewer. Its variances are those of restricted maximum likelihood
(REML, Patterson and Thompson 1971). Where every judge judged every document they have a closed form, an analysis of
variance; elsewhere the likelihood is maximized from several starts, and the gradient of the result is checked.

The variance of the estimate of μ is a sum of mean squares with different degrees of freedom. It is tested by Student's
t whose quantiles are averaged with these mean squares as weights (Cochran 1964, "Approximate significance levels of the
Behrens–Fisher test"). Satterthwaite's degrees of freedom find too much with three judges: the mean square of judges has
two degrees of freedom, and where it happens to be small, the degrees of freedom happen to be many. Where a variance is
estimated as zero, its mean square is pooled with that of noise.

`MixedLM` of statsmodels, which fits such models too, is not used: it missed the maximum in many simulated studies where
judges do not lean. `BinomialBayesMixedGLM`, another model of statsmodels with two crossed effects, leaves out ties or
counts them as something else, and its posterior by variational Bayes is known to be too narrow.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special
from scipy.optimize import brentq, minimize

from nutgraf.judging.comparison import FEW_JUDGES, NEGLIGIBLE, Array
from nutgraf.judging.tables import SIGNED, TEXT, P, Table

NOTE = (
    f"Fewer than {FEW_JUDGES} judges: a linear mixed model (REML), in which judges and documents are samples of "
    "others, tells what is known about judges in general; ties count as no difference."
)
TOO_FEW = "An estimate for judges in general needs at least two judges and two documents."
ALIKE = "Where judges never contradict each other, nothing can be estimated."
APART = (
    "Too few documents were judged by several judges to tell differences between judges, between documents and chance "
    "apart."
)
NOT_FITTED = "The search for the most likely variances did not converge, so there is no estimate."
SPREAD = "{:.2f}"

Mask = npt.NDArray[np.bool_]

STARTS = tuple(itertools.product((0.0, 0.5), repeat=2))
"""Shares of variance that the search begins with, of judges and of documents."""

MAX_SHARE = 1 - 1e-8
"""Largest share of variance, against noise, that is tried for judges and for documents."""

MAX_SLOPE = 1e-3
"""Largest slope of the deviance, over a share of variance, that a maximum of the likelihood may have."""

TINY = 1e-9
"""Relative difference that only rounding causes."""

MIN_POOLED = 3
"""Judges or documents from which on a variance of zero is pooled; two hide a large variance too often."""

MIN_P = 1e-100
"""Smallest p that is told; quantiles of Student's t are not to be had for much smaller ones."""


@dataclass(frozen=True, slots=True)
class MixedModel:
    """A mean difference among judges and documents in general.

    Attributes:
        mean: Estimate of μ; NaN where it cannot be estimated.
        p: Probability of a mean as far from zero, if μ were 0.
        unknown: Why nothing can be estimated; empty where it can.
    """

    mean: float
    low: float
    high: float
    p: float
    judge_sd: float
    item_sd: float
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted model.

    Attributes:
        shares: How much of each of these three variances the variance of the estimate of μ has.
    """

    mean: float
    judges: float
    items: float
    noise: float
    shares: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Part:
    """A mean square, as a part of the variance of a mean, and its degrees of freedom."""

    variance: float
    freedom: int


def mixed_model(differences: npt.ArrayLike, level: float = 0.95, largest: float = math.inf) -> MixedModel:
    """Fit the model to the differences of two systems, which are as `comparison.compare` takes them.

    It is NaN everywhere, with the reason, if there are fewer than two judges or items, judges never contradict each
    other, or the variances cannot be told apart or found.
    """
    table = np.asarray(differences, dtype=np.float64)
    present = ~np.isnan(table)
    table = table[present.any(axis=1)][:, present.any(axis=0)]
    if min(table.shape) < 2:
        return _unknown(TOO_FEW)
    present = ~np.isnan(table)
    count = int(present.sum())
    squares, freedom = _noise(table, present)
    if freedom < 1:
        return _unknown(APART)
    if squares / freedom / count < NEGLIGIBLE:
        return _unknown(ALIKE)
    fitted = fit_reml(table)
    if fitted is None:
        return _unknown(NOT_FITTED)
    parts = _parts(fitted, table.shape, count, freedom)
    mean, margin = fitted.mean, _margin(parts, 1 - level)
    low, high = max(mean - margin, -largest), min(mean + margin, largest)
    return MixedModel(mean, low, high, _p(parts, abs(mean)), math.sqrt(fitted.judges), math.sqrt(fitted.items))


def fit_reml(table: Array) -> Fit | None:
    """Return the model by restricted maximum likelihood; None where no maximum is found.

    The table has noise, and no empty rows and columns.
    """
    present = ~np.isnan(table)
    return _complete(table) if present.all() else _incomplete(table, present)


def _unknown(why: str) -> MixedModel:
    return MixedModel(math.nan, math.nan, math.nan, math.nan, math.nan, math.nan, why)


def _noise(table: Array, present: Mask) -> tuple[float, int]:
    """Return the sum of squares that no effects of judges and items explain, and its degrees of freedom."""
    counts, values = present.astype(np.float64), np.where(present, table, 0.0)
    shares = counts / counts.sum(axis=0)
    # Effects of items are taken out: what is left to solve is as large as there are judges.
    laplacian = np.diag(counts.sum(axis=1)) - shares @ counts.T
    effects, _, rank, _ = np.linalg.lstsq(laplacian, (values - shares * values.sum(axis=0)).sum(axis=1), TINY)
    residuals = values - counts * effects[:, None]
    residuals = residuals - shares * residuals.sum(axis=0)
    return float((residuals**2).sum()), int(present.sum()) - table.shape[1] - int(rank)


def _complete(table: Array) -> Fit:
    """Return the fit where every judge judged every item.

    The mean squares of judges, of items and of noise are independent, and the first two are not expected to be smaller
    than the last. Where they are, the likelihood is largest with them pooled, the smallest first.
    """
    judges, items = table.shape
    mean = float(table.mean())
    of_judges, of_items = (
        size * float(((table.mean(axis=axis) - mean) ** 2).sum()) / (count - 1)
        for size, axis, count in ((items, 1, judges), (judges, 0, items))
    )
    total, freedom = _noise(table, np.ones_like(table, dtype=bool))
    for square, own in sorted([(of_judges, judges - 1), (of_items, items - 1)]):
        if square < total / freedom * (1 + TINY):
            total, freedom = total + square * own, freedom + own
    noise = total / freedom
    more_of_judges, more_of_items = (
        square - noise if square > noise * (1 + TINY) else 0.0 for square in (of_judges, of_items)
    )
    return Fit(mean, more_of_judges / items, more_of_items / judges, noise, (1 / judges, 1 / items, 1 / table.size))


def _incomplete(table: Array, present: Mask) -> Fit | None:
    """Return the fit where some judges did not judge some items; None where no maximum of the likelihood is found."""
    likelihood = Likelihood(table, present)
    bounds, options = [(0.0, MAX_SHARE)] * 2, {"ftol": 1e-14, "gtol": 1e-8}
    results = [
        minimize(likelihood.deviance, start, method="L-BFGS-B", jac=True, bounds=bounds, options=options)
        for start in STARTS
    ]
    best = min(results, key=lambda result: float(result.fun))
    converged = np.where(best.x > 0, np.abs(best.jac) < MAX_SLOPE, best.jac > -MAX_SLOPE)
    return likelihood.fit(best.x) if converged.all() and best.x.max() < MAX_SHARE else None


@dataclass(frozen=True, slots=True)
class Solution:
    """The inverse of the covariance of differences, divided by the variance of noise, times two tables.

    Attributes:
        ones: The inverse times ones: [judges × items].
        values: The inverse times differences: [judges × items].
        log_determinant: Logarithm of the determinant of the covariance.
        trace_judges: Sum of the inverse over all pairs of differences by one judge.
        trace_items: Sum of the inverse over all pairs of differences about one item.
    """

    ones: Array
    values: Array
    log_determinant: float
    trace_judges: float
    trace_items: float


class Likelihood:
    """Restricted likelihood of the model, as a function of two shares.

    The share of judges is their variance divided by its sum with that of noise, and so is that of items; with given
    shares, μ and the variance of noise have formulas. The covariance of differences, divided by the variance of noise,
    is inverted in two steps (Woodbury 1950): items one by one, then a matrix as large as there are judges.
    """

    def __init__(self, table: Array, present: Mask):
        self._center = float(table[present].mean())
        self._present = present.astype(np.float64)
        self._values = np.where(present, table - self._center, 0.0)
        self._freedom = int(present.sum()) - 1

    def deviance(self, shares: Array) -> tuple[float, Array]:
        """Return −2 times the logarithm of the likelihood, up to a constant, and its gradient."""
        solution = self._solve(shares)
        precision = float(solution.ones.sum())
        residuals, noise = self._residuals(solution)
        value = self._freedom * math.log(noise) + solution.log_determinant + math.log(precision)
        gradient = [
            trace
            - float((residuals.sum(axis=axis) ** 2).sum()) / noise
            - float((solution.ones.sum(axis=axis) ** 2).sum()) / precision
            for axis, trace in ((1, solution.trace_judges), (0, solution.trace_items))
        ]
        return value, np.array(gradient) / (1 - shares) ** 2

    def fit(self, shares: Array) -> Fit:
        """Return the model that has these shares."""
        solution = self._solve(shares)
        _, noise = self._residuals(solution)
        weights = solution.ones / solution.ones.sum()
        judges, items = (noise * shares / (1 - shares)).tolist()
        parts = [float((sums**2).sum()) for sums in (weights.sum(axis=1), weights.sum(axis=0), weights)]
        mean = self._center + float((weights * self._values).sum())
        return Fit(mean, judges, items, noise, (parts[0], parts[1], parts[2]))

    def _residuals(self, solution: Solution) -> tuple[Array, float]:
        """Return the inverse of the covariance times values minus μ, and the variance of noise."""
        mean = float(solution.values.sum()) / float(solution.ones.sum())
        residuals = solution.values - mean * solution.ones
        return residuals, float((self._values * residuals).sum()) / self._freedom

    def _solve(self, shares: Array) -> Solution:
        of_judges, of_items = (shares / (1 - shares)).tolist()
        present = self._present
        by_item = 1 / (1 + of_items * present.sum(axis=0))

        def without_judges(table: Array) -> Array:
            return table - of_items * present * (by_item * table.sum(axis=0))

        judges = len(present)
        crossed = np.diag(present.sum(axis=1)) - of_items * (present * by_item) @ present.T
        left = np.eye(judges) + of_judges * crossed
        tables = [without_judges(table) for table in (present, self._values)]
        right = [np.stack([table.sum(axis=1) for table in tables], axis=1), crossed, (present * by_item**2) @ present.T]
        effects, of_crossed, of_squares = np.split(np.linalg.solve(left, np.hstack(right)), [2, 2 + judges], axis=1)
        ones, values = (
            table - of_judges * without_judges(present * effect[:, None])
            for table, effect in zip(tables, effects.T, strict=True)
        )
        return Solution(
            ones,
            values,
            float(np.linalg.slogdet(left)[1] - np.log(by_item).sum()),
            float(np.trace(of_crossed)),
            float((present * by_item).sum() - of_judges * np.trace(of_squares)),
        )


def _parts(fit: Fit, shape: tuple[int, int], count: int, freedom: int) -> list[Part]:
    """Return the mean squares, noise once, that add up to the variance of the estimate of μ; `freedom` is of noise."""
    noise = fit.noise * fit.shares[2]
    pairs = zip((fit.judges, fit.items), fit.shares[:2], shape, strict=True)
    varying = [
        Part(variance * share + noise, size - 1) for variance, share, size in pairs if variance > 0 or size < MIN_POOLED
    ]
    if len(varying) < 2:
        freedom = count - 1 - sum(part.freedom for part in varying)
    return [*varying, Part((1 - len(varying)) * noise, freedom)]


def _margin(parts: list[Part], alpha: float) -> float:
    """Return half of the width of an interval that misses μ with probability `alpha`."""
    margin = sum(part.variance * float(special.stdtrit(part.freedom, alpha / 2)) for part in parts)
    return -margin / math.sqrt(sum(part.variance for part in parts))


def _p(parts: list[Part], distance: float) -> float:
    """Return the probability with which the interval just reaches as far as this."""
    if distance >= _margin(parts, MIN_P):
        return MIN_P
    return math.exp(brentq(lambda log_p: _margin(parts, math.exp(log_p)) - distance, math.log(MIN_P), 0.0))


def table_in_general(title: str, differences: Mapping[str, Array], largest: float = 1) -> Table | None:
    """Return the model of each comparison as a table; None where there are ten judges or more, or only one."""
    counts = [int((~np.isnan(one)).any(axis=1).sum()) for one in differences.values()]
    if not 1 < max(counts, default=0) < FEW_JUDGES:
        return None
    models = {name: mixed_model(one, largest=largest) for name, one in differences.items()}
    rows = [
        {
            "of": name,
            "difference": model.mean,
            "95 %": (model.low, model.high),
            "p": model.p,
            "judges vary": model.judge_sd,
            "documents vary": model.item_sd,
        }
        for name, model in models.items()
    ]
    columns = {
        "of": TEXT, "difference": SIGNED, "95 %": SIGNED, "p": P, "judges vary": SPREAD, "documents vary": SPREAD,
    }  # fmt: skip
    reasons = [f"{name}: {model.unknown}" for name, model in models.items() if model.unknown]
    return Table(f"{title}, among judges in general", columns, rows, (NOTE, *reasons))
