"""Numbers of documents and judges that a study needs, found by simulating it with the test that the report makes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nutgraf.judging.comparison import FEW_JUDGES, compare
from nutgraf.judging.simulation import Raters
from nutgraf.judging.tables import SHARE, TEXT, Table
from nutgraf.version import __version__

FEWEST, MOST = 5, 2560
"""Numbers of documents that are tried; the second is the first, doubled nine times."""


@dataclass(frozen=True, slots=True)
class Need:
    """Size of a study.

    Attributes:
        judges: Number of judges, each of whom judges all documents.
        items: Number of documents; None if none that was tried is enough.
        power: Share of simulated studies of this size that found the difference.
    """

    judges: int
    items: int | None
    power: float


def power(raters: Raters, judges: int, items: int, studies: int = 400, seed: int = 0, alpha: float = 0.05) -> float:
    """Return the share of simulated studies, in which all judges judge all items, where the test finds a difference."""
    generator = np.random.default_rng([seed, judges, items])
    found = sum(compare(raters.draw(judges, items, generator)).p < alpha for _ in range(studies))
    return found / studies


def need(raters: Raters, judges: int, wanted: float = 0.8, studies: int = 400, seed: int = 0) -> Need:
    """Return the fewest documents with which a study has the power that is wanted.

    The number is doubled until it is enough, and then halved in: exact up to the noise of the simulation.
    """
    low, high = 0, FEWEST
    reached = power(raters, judges, high, studies, seed)
    while reached < wanted:
        if high >= MOST:
            return Need(judges, None, reached)
        low, high = high, 2 * high
        reached = power(raters, judges, high, studies, seed)
    while high - low > max(1, high // 20):
        middle = (low + high) // 2
        found = power(raters, judges, middle, studies, seed)
        if found < wanted:
            low = middle
        else:
            high, reached = middle, found
    return Need(judges, high, reached)


def table_of_needs(raters: Raters, needs: Sequence[Need], wanted: float, studies: int, seed: int) -> Table:
    """Return sizes of studies as a table."""
    rows = [
        {
            "judges": one.judges,
            "documents": one.items,
            "judgements": None if one.items is None else one.judges * one.items,
            "power": one.power,
            "speaks about": "these judges" if one.judges < FEW_JUDGES else "judges in general",
        }
        for one in needs
    ]
    notes = [
        f"Every judge judges every document. Wins {raters.win:.1%}, losses {raters.lose:.1%}; "
        f"kappa {raters.kappa:.2f}; judges lean by {raters.judge_sd:g}."
    ]
    if any(one.items is None for one in needs):
        notes.append(f"Where there is no number, {MOST:,} documents are not enough: such judges differ too much.")
    notes.append(f"plan|studies:{studies}|power:{wanted:g}|p<0.05|seed:{seed}|v{__version__}")
    columns = {"judges": TEXT, "documents": TEXT, "judgements": TEXT, "power": SHARE, "speaks about": TEXT}
    return Table("Size of a study", columns, rows, tuple(notes))
