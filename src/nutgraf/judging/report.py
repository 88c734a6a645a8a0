"""Reports of studies, and their judgements one by one."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nutgraf.evaluation.forms import FORMS, comma_separated
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

    def shown(self, form: str) -> str:
        """Return the report in a form of `evaluation.forms`; notes and signature stand below the last table."""
        if form == "json":
            return json.dumps(self.to_json(), ensure_ascii=False, indent=2)
        if form == "csv":
            return self._as_csv()
        *others, last = self.tables
        leaves = [*(table.to_leaf() for table in others), last.to_leaf((*self.notes, self.signature))]
        return "\n\n".join(map(FORMS[form], leaves))

    def __str__(self) -> str:
        return self.shown("text")

    def _as_csv(self) -> str:
        """A line for each row of each table, unrounded; an interval takes two columns."""
        rows = [{"table": table.title, **_flat(row)} for table in self.tables for row in table.to_json()["rows"]]
        names = list(dict.fromkeys(name for row in rows for name in row))
        return comma_separated([names, *([row.get(name) for name in names] for row in rows)]).rstrip("\n")


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row whose intervals are two values."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        ends = {f"{name} low": value[0], f"{name} high": value[1]} if isinstance(value, list) else {name: value}
        flat |= ends
    return flat


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
    model = ",mixed-model" if judges > 1 else ""
    test = f"exact-permutation-of-documents{model}" if judges < FEW_JUDGES else "two-way-clusters"
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
    rows, answered = [], study.answered(counted)
    for judge in study.judges:
        own = [task.key for task in study.tasks if task.judge == judge]
        rows.append(
            {
                "judge": judge,
                "done": len(answered.intersection(own)),
                "of": len(own),
                "median seconds": median_seconds([one for one in counted if one.task.judge == judge]),
            }
        )
    return Table("Judges", {"judge": TEXT, "done": TEXT, "of": TEXT, "median seconds": SECONDS}, rows)


def _notes(study: Study, judgements: Sequence[Judgement], counted: Sequence[Judgement]) -> Iterator[str]:
    simulated = sum(one.simulated for one in counted)
    if simulated:
        yield f"REHEARSAL: {simulated} of {len(counted)} judgements are simulated; no person gave them."
    if len(study.answered(counted)) < len(study.tasks):
        yield study.progress(counted)
    judges, items = (len({getattr(one.task, name) for one in counted}) for name in ("judge", "item"))
    if judges == 1:
        yield "Only one judge: agreement, and what is known about judges in general, need two judges or more."
    elif 0 < judges < ROUGH_JUDGES and study.kind != "fact_checking":
        yield f"Only {judges} judges: how judges in general differ is hardly known; take what is said of them as rough."
    if 0 < items < FEW_ITEMS and study.kind != "fact_checking":
        documents = "1 document" if items == 1 else f"{items} documents"
        yield f"Only {documents}: only large differences can be found, and how documents differ is hardly known."
    current = {one.task.key: one.answers for one in counted}
    corrected = {one.task.key for one in judgements if one.superseded and one.answers != current[one.task.key]}
    if corrected:
        tasks = "1 task was" if len(corrected) == 1 else f"{len(corrected)} tasks were"
        yield f"{tasks} answered more than once; the latest answer counts."


def median_seconds(judgements: Sequence[Judgement]) -> float:
    """Return the median time of a judgement; NaN if none is known."""
    known = [one.seconds for one in judgements if one.seconds is not None]
    return statistics.median(known) if known else float("nan")
