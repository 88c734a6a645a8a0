"""Figures of a study as the papers' tables have them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from nutgraf.errors import InputError
from nutgraf.judging.records import Judgement
from nutgraf.judging.study import Study

PREFERENCES = ("win", "lose", "tie", "kappa")
MEASURES = ("accuracy", "seconds")


def figures_of(study: Study, judgements: Sequence[Judgement]) -> Mapping[tuple[str, str], float]:
    """Return the figures of a study by the names of their rows and columns.

    Of preferences, rows are aspects and columns win, lose, tie (shares) and kappa; of fact checking, rows are
    "D1 accuracy" and "D1 seconds" for each data set, and columns methods.

    Args:
        study: A study of preferences between two systems, or of fact checking.
        judgements: Its judgements; those that are superseded do not count.

    Raises:
        InputError: If the study has none, or compares more than two systems by preference.
    """
    counted = [one for one in judgements if not one.superseded]
    if not counted:
        raise InputError("The study has no judgements yet; `nutgraf judge collect` stores them.")
    checks = study.kind == "fact_checking"
    if not checks and len(study.systems) != 2:
        raise InputError(f"The study compares {', '.join(study.systems)}; such a table compares two systems.")
    rows = study.protocol.tables(study.items, study.systems, counted)[0].rows
    found = (
        {(f"{row['data set']} {name}", row["method"]): row[name] for row in rows for name in MEASURES}
        if checks
        else {(row["aspect"], name): row[name] for row in rows for name in PREFERENCES}
    )
    return {key: float(value) for key, value in found.items() if value is not None and not math.isnan(value)}
