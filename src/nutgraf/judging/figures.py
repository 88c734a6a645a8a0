"""Figures of a study as the papers' tables have them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from nutgraf.errors import InputError
from nutgraf.judging.records import Judgement
from nutgraf.judging.study import Study

PREFERENCES = ("win", "lose", "tie", "kappa")
MEASURES = ("accuracy", "seconds")


def figures_of(
    study: Study, judgements: Sequence[Judgement], pair: Sequence[str] = ()
) -> Mapping[tuple[str, str], float]:
    """Return the figures of a study by the names of their rows and columns.

    Of preferences, rows are aspects and columns win, lose, tie (shares) and kappa; of fact checking, rows are
    "D1 accuracy" and "D1 seconds" for each data set, and columns methods.

    Args:
        study: A study of preferences, or of fact checking.
        judgements: Its judgements; those that are superseded do not count.
        pair: The two systems of which preferences are, where the study has more; a win is one of the first.

    Raises:
        InputError: If the study has no judgements of the pair, or preferences between more than two systems.
    """
    checks, systems = study.kind == "fact_checking", tuple(pair) or study.systems
    if not checks and len(systems) != 2:
        raise InputError(f"The study compares {', '.join(systems)}; such a table compares two systems.")
    counted = [one for one in judgements if not one.superseded and set(one.task.order) >= set(pair)]
    if not counted:
        between = f" between {' and '.join(pair)}" if pair else ""
        raise InputError(f"The study has no judgements{between} yet; `nutgraf judge collect` stores them.")
    rows = study.protocol.tables(study.items, systems, counted)[0].rows
    found = (
        {(f"{row['data set']} {name}", row["method"]): row[name] for row in rows for name in MEASURES}
        if checks
        else {(row["aspect"], name): row[name] for row in rows for name in PREFERENCES}
    )
    return {key: float(value) for key, value in found.items() if value is not None and not math.isnan(value)}
