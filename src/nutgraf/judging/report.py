"""Reports of studies, and their judgements one by one."""

from __future__ import annotations

import json
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from nutgraf.judging.comparison import FEW_JUDGES
from nutgraf.judging.protocols.fact_checking import LENGTH
from nutgraf.judging.records import Judgement
from nutgraf.judging.study import Study
from nutgraf.judging.tables import SECONDS, TEXT, Table
from nutgraf.version import __version__

ROUGH_JUDGES = 4
"""With fewer judges, the mixed model finds too much where judges lean much (`benchmarks/judging.py`)."""

FEW_ITEMS = 20
"""With fewer documents, a report warns."""


@dataclass(frozen=True, slots=True)
class Report:
    """Tables of a study.

    Attributes:
        tables: The tables.
        notes: Sentences on what they rest on.
        signature: Everything needed to make them again.
    """

    tables: tuple[Table, ...]
    notes: tuple[str, ...]
    signature: str

    def to_json(self) -> dict[str, Any]:
        """Return all values, unrounded."""
        tables = [table.to_json() for table in self.tables]
        return {"signature": self.signature, "notes": list(self.notes), "tables": tables}

    def __str__(self) -> str:
        return "\n\n".join([*map(str, self.tables), "\n".join([*self.notes, self.signature])])


def report(study: Study, judgements: Sequence[Judgement]) -> Report:
    """Return the report of a study.

    Args:
        study: The study.
        judgements: Its judgements; those that are superseded do not count.
    """
    counted = [one for one in judgements if not one.superseded]
    tables = study.protocol.tables(study.items, study.systems, counted) if counted else []
    judges = len({one.task.judge for one in counted})
    items = len({one.task.item for one in counted})
    test = "exact-permutation-of-documents,mixed-model" if judges < FEW_JUDGES else "two-way-clusters"
    signature = "|".join(
        [
            "judging", f"kind:{study.kind}", f"judges:{judges}", f"documents:{items}", f"judgements:{len(counted)}",
            *([] if study.kind == "fact_checking" else [f"test:{test}"]), f"study:{study.name}", f"v{__version__}",
        ]
    )  # fmt: skip
    return Report((*tables, _times(study, counted)), tuple(_notes(study, judgements, counted)), signature)


def export(study: Study, judgements: Sequence[Judgement]) -> Iterator[str]:
    """Yield a JSON line for each judgement, also for those that were superseded."""
    for one in judgements:
        task = one.task
        item = study.items[task.item]
        plain = {name: value for name, value in one.answers.items() if name != LENGTH}
        yield json.dumps(
            {
                "judge": task.judge,
                "item": task.item,
                "dataset": item.dataset,
                "task": task.key,
                "kind": study.kind,
                "order": list(task.order),
                "answers": study.protocol.reveal(task.order, plain),
                **({LENGTH: int(one.answers[LENGTH])} if LENGTH in one.answers else {}),
                "seconds": one.seconds,
                "at": one.at,
                "superseded": one.superseded,
                "simulated": one.simulated,
                "versions": {**one.versions, "study": study.name},
            },
            ensure_ascii=False,
        )


def _times(study: Study, counted: Sequence[Judgement]) -> Table:
    """Progress and time of each judge."""
    rows = []
    for judge in study.judges:
        own = median_seconds([one for one in counted if one.task.judge == judge])
        rows.append(
            {
                "judge": judge,
                "done": sum(one.task.judge == judge for one in counted),
                "of": sum(task.judge == judge for task in study.tasks),
                "median seconds": own,
            }
        )
    return Table("Judges", {"judge": TEXT, "done": TEXT, "of": TEXT, "median seconds": SECONDS}, rows)


def _notes(study: Study, judgements: Sequence[Judgement], counted: Sequence[Judgement]) -> Iterator[str]:
    simulated = sum(one.simulated for one in counted)
    if simulated:
        yield f"REHEARSAL: {simulated} of {len(counted)} judgements are simulated; no person gave them."
    if len(counted) < len(study.tasks):
        yield f"{len(counted)} of {len(study.tasks)} tasks are answered."
    judges, items = (len({getattr(one.task, name) for one in counted}) for name in ("judge", "item"))
    if 0 < judges < ROUGH_JUDGES and study.kind != "fact_checking":
        yield f"Only {judges} judges: how judges in general differ is hardly known; take what is said of them as rough."
    if 0 < items < FEW_ITEMS and study.kind != "fact_checking":
        yield f"Only {items} documents: only large differences can be found, and how documents differ is hardly known."
    corrected = Counter(one.task.key for one in judgements if one.superseded)
    if corrected:
        yield f"{len(corrected)} tasks were answered more than once; the latest answer counts."


def median_seconds(judgements: Sequence[Judgement]) -> float:
    """Return the median time of a judgement; NaN if none is known."""
    known = [one.seconds for one in judgements if one.seconds is not None]
    return statistics.median(known) if known else float("nan")
