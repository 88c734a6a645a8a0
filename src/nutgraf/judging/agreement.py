"""Agreement between judges: Fleiss' kappa (Fleiss 1971) by statsmodels, Krippendorff's alpha by krippendorff."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from nutgraf.errors import requires

Level = Literal["nominal", "ordinal"]


def category_counts(labels: Sequence[Sequence[str]], categories: Sequence[str]) -> npt.NDArray[np.int64]:
    """Return how many judges chose each category, [items × categories], of the labels that each item was given."""
    rows = [[given.count(category) for category in categories] for given in labels]
    return np.array(rows, dtype=np.int64).reshape(len(rows), len(categories))


def fleiss_kappa(counts: npt.ArrayLike) -> float:
    """Return Fleiss' kappa of items that were all judged equally often.

    κ = (P̄ − P̄ₑ) / (1 − P̄ₑ). Where every judge chose one and the same category everywhere, P̄ₑ is 1 and the quotient
    is undefined; kappa is 1 then, since nobody disagreed. The counts are those of `category_counts`.

    Raises:
        ValueError: If items were judged by different numbers of judges, or by fewer than two.
    """
    table = np.asarray(counts, dtype=np.float64)
    judges = table.sum(axis=1)
    if not len(table) or (judges != judges[0]).any() or judges[0] < 2:
        raise ValueError("Fleiss' kappa needs items that were all judged by the same number of judges, two or more.")
    if (table > 0).any(axis=0).sum() == 1:
        return 1.0
    with requires("judge", "Fleiss' kappa needs"):
        from statsmodels.stats.inter_rater import fleiss_kappa as kappa
    return float(kappa(table, method="fleiss"))


def krippendorff_alpha(values: npt.ArrayLike, level: Level) -> float:
    """Return Krippendorff's alpha; 1 where only one label was given, NaN where no item has two labels.

    The values are numbers that stand for labels, NaN where a judge gave none: [judges × items].
    """
    table = np.asarray(values, dtype=np.float64)
    pairable = (~np.isnan(table)).sum(axis=0) >= 2
    given = table[:, pairable]
    labels = np.unique(given[~np.isnan(given)])
    if len(labels) < 2:
        return 1.0 if len(labels) else float("nan")
    with requires("judge", "Krippendorff's alpha needs"):
        import krippendorff
    return float(krippendorff.alpha(reliability_data=given, level_of_measurement=level))
