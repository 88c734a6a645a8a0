"""A linear mixed model of differences: what few judges say about judges in general.

    difference = μ + judge + document + noise           judge, document and noise are normal with variances of their own

Fewer than ten clusters are too few for two-way clusters, and the exact test speaks about these judges alone. A model
that says what kind of differences there are needs fewer. It is fitted by restricted maximum likelihood (statsmodels'
`MixedLM`), and μ is tested by Student's t with Satterthwaite's degrees of freedom, since the normal distribution that
`MixedLM` itself takes finds too much with few judges. Where every judge judges every document and both differ, the
variance of μ is that of an analysis of variance, and of `comparison.two_way_variance`.

`BinomialBayesMixedGLM`, the other model of statsmodels with two crossed effects, was not chosen: it leaves out ties or
counts them as something else, its effect is in log odds and not in the shares that the tables show, and its posterior
by variational Bayes is known to be too narrow.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nutgraf.errors import requires
from nutgraf.judging.comparison import FEW_JUDGES, NEGLIGIBLE, Array, Variance, noise_variance, two_way_variance
from nutgraf.judging.tables import SIGNED, TEXT, P, Table

NOTE = (
    f"Fewer than {FEW_JUDGES} judges: a linear mixed model (REML), in which judges and documents are samples of "
    "others, tells what is known about judges in general; ties count as no difference."
)
ALIKE = "Where judges never contradict each other, nothing can be estimated."
SPREAD = "{:.2f}"


@dataclass(frozen=True, slots=True)
class MixedModel:
    """A mean difference among judges and documents in general.

    Attributes:
        mean: Estimate of μ; NaN where it cannot be estimated.
        low: Lower end of its interval.
        high: Upper end.
        p: Probability of a mean as far from zero, if μ were 0.
        judge_sd: Standard deviation of judges.
        item_sd: Standard deviation of documents.
    """

    mean: float
    low: float
    high: float
    p: float
    judge_sd: float
    item_sd: float


UNKNOWN = MixedModel(*[math.nan] * 6)


def mixed_model(differences: npt.ArrayLike, level: float = 0.95, largest: float = math.inf) -> MixedModel:
    """Fit the model to the differences of two systems.

    Args:
        differences: First system minus second, NaN where a judge did not judge an item: [judges × items].
        level: Share of intervals that should contain the true mean.
        largest: Largest difference that a judge can see; no interval reaches beyond it.

    Returns:
        The fitted model; NaN everywhere if there are fewer than two judges or items, or judges never
        contradict each other.
    """
    table = np.asarray(differences, dtype=np.float64)
    present = ~np.isnan(table)
    judge, item = np.nonzero(present)
    values = table[judge, item]
    judges, items = len(set(judge.tolist())), len(set(item.tolist()))
    residuals = np.where(present, table - values.mean(), 0.0) if len(values) else table
    if min(judges, items) < 2 or noise_variance(residuals, present) < NEGLIGIBLE:
        return UNKNOWN
    mean, error, of_judges, of_items, noise = _fit(values, judge, item)
    count = len(values)
    parts = (of_judges / judges + noise / count, of_items / items + noise / count, noise / count)
    variance = Variance(error**2, two_way_variance(*parts, judges, items, count).freedom)
    margin = variance.margin(level)
    spreads = math.sqrt(of_judges), math.sqrt(of_items)
    low, high = max(mean - margin, -largest), min(mean + margin, largest)
    return MixedModel(mean, low, high, variance.p(mean), *spreads)


def _fit(values: Array, judge: npt.NDArray[np.intp], item: npt.NDArray[np.intp]) -> tuple[float, ...]:
    """Return μ, its standard error, and the variances of judges, of items and of noise."""
    with requires("judge", "A mixed model needs"):
        from statsmodels.regression.mixed_linear_model import MixedLM, VCSpec
    designs = [(numbers[:, None] == np.unique(numbers)).astype(np.float64) for numbers in (judge, item)]
    names = [[f"{at}" for at in range(design.shape[1])] for design in designs]
    effects = VCSpec(["judge", "item"], [[one] for one in names], [[one] for one in designs])
    model = MixedLM(values, np.ones((len(values), 1)), groups=np.zeros(len(values)), exog_vc=effects)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a variance of zero, which is an answer, is warned about
        found = model.fit(reml=True)
        mean, error = float(found.fe_params[0]), float(found.bse_fe[0])
    of_judges, of_items = np.maximum(found.vcomp, 0.0).tolist()
    return mean, error, of_judges, of_items, float(found.scale)


def table_in_general(title: str, differences: Mapping[str, Array], largest: float = 1) -> Table | None:
    """Return the model of each comparison as a table; None where ten judges or more make it needless, or there is one.

    Args:
        title: Heading of the comparisons.
        differences: For each comparison, differences as `mixed_model` takes them.
        largest: Largest difference that a judge can see.
    """
    counts = [int((~np.isnan(one)).any(axis=1).sum()) for one in differences.values()]
    if not 1 < max(counts, default=0) < FEW_JUDGES:
        return None
    rows: list[dict[str, Any]] = []
    for name, one in differences.items():
        found = mixed_model(one, largest=largest)
        rows.append(
            {
                "of": name,
                "difference": found.mean,
                "95 %": (found.low, found.high),
                "p": found.p,
                "judges vary": found.judge_sd,
                "documents vary": found.item_sd,
            }
        )
    columns = {
        "of": TEXT, "difference": SIGNED, "95 %": SIGNED, "p": P, "judges vary": SPREAD, "documents vary": SPREAD,
    }  # fmt: skip
    notes = (NOTE, ALIKE) if any(math.isnan(row["difference"]) for row in rows) else (NOTE,)
    return Table(f"{title}, among judges in general", columns, rows, notes)
