"""A table from beginning to end: what is missing is prepared, trained and evaluated, and put beside what was published.

    OUT/prepared/   corpora as networks read them        OUT/evaluated/  summaries with their scores
    OUT/trained/    networks, one folder each            OUT/presets/    systems that need a preset of their own

Every step goes on where it was stopped, and what is finished is not made again, for whichever table it was made.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nutgraf.errors import InputError, requires
from nutgraf.evaluation.metrics import choose
from nutgraf.evaluation.outputs import Output, read_outputs
from nutgraf.evaluation.plan import Plan, Progress
from nutgraf.evaluation.scores import Column, columns_of
from nutgraf.evaluation.significance import Bootstrap, Interval
from nutgraf.evaluation.table import Cell, make_table
from nutgraf.evaluation.tuning import as_toml
from nutgraf.metrics import Metric
from nutgraf.preparation.prepare import Progress as Preparing
from nutgraf.preparation.prepare import prepare
from nutgraf.presets import assignments
from nutgraf.reproduction.counting import Counted, Counts, count
from nutgraf.reproduction.plan import (
    SMALL_TEST_LIMIT,
    Job,
    Request,
    Training,
    Trial,
    beginnings_of,
    check_corpora,
    jobs_of,
    trainings_of,
    trial_of,
)
from nutgraf.reproduction.report import Report, Result, results_of
from nutgraf.runtime.files import make_folder, write_text
from nutgraf.systems import load
from nutgraf.text.summary import Budget

if TYPE_CHECKING:
    from nutgraf.training.events import Listener

ALL_PARTS = 'rouge.parts=["F", "P", "R"]'
"""F1, precision and recall are always computed, so that tables of any of them share their evaluations."""

INTERVALS = f"Ours: mean [95 % interval], {Bootstrap().signature}; differences: {Bootstrap().test_signature}"
"""How intervals and differences are made."""

_VARIANT = re.compile(r"\|variant:([^|]+)")


@dataclass(frozen=True)
class Watching:
    """Functions that are told what is going on.

    Attributes:
        evaluating: Gets the examples and their number and yields them one by one.
    """

    say: Callable[[str], None] = lambda line: None
    preparing: Preparing | None = None
    training: Iterable[Listener] = ()
    evaluating: Progress | None = None
    counting: Counted | None = None


class Stopped(Exception):
    """The user has stopped a training, which was saved."""


def reproduce(request: Request, watching: Watching | None = None, command: str = "") -> Report:
    """Make everything that a table needs, and return it beside the published one.

    Args:
        request: The table, the data, and the scale.
        watching: Functions that are told what is going on.
        command: Command to write on the cards of trained models.

    Raises:
        NutgrafError: For all that a user can mend.
        Stopped: If the user stops a training; the same call goes on with it.
    """
    watching = watching or Watching()
    check_corpora(request)
    if request.table.kind == "statistics":
        return _counted(request, watching)
    jobs = jobs_of(request)
    for training in trainings_of([*jobs.values()]):
        if not training.finished:
            watching.say(f"Training {training.name}.")
            _train(training, watching, command)
    tuned = [line for job in jobs.values() if job.tuned for line in _tune(request, job, watching)]
    metrics = choose(",".join(request.table.metrics), [ALL_PARTS] if "rouge" in request.table.metrics else [])
    columns = columns_of(metrics)
    found = _evaluate_all(request, [*jobs.values()], metrics, watching)
    variants = {corpus: match[1] for corpus, data in found.data.items() if (match := _VARIANT.search(data))}
    cells = _compare(request, found.outputs, columns)
    reasons = {trial: job.reason for trial, job in jobs.items()}
    return Report(
        table=request.table,
        results=tuple(results_of(request, columns, cells, reasons, variants)),
        scale=request.scale,
        data=found.data,
        signatures={column.name: column.signature for column in columns},
        notes=tuple(dict.fromkeys([*tuned, *found.notices, INTERVALS])),
        beginnings=beginnings_of(request, jobs),
    )


def _train(training: Training, watching: Watching, command: str) -> None:
    """Prepare the corpus of a network and train it, from where either was stopped. Raises Stopped."""
    with requires("neural", "Networks need"):
        from nutgraf.training.run import train
    prepare(
        training.recipe.preset,
        training.corpus,
        training.prepared,
        limit=training.limit,
        tokenizer=training.tokenizer,
        progress=watching.preparing,
    )
    make_folder(training.folder.parent)
    preset = training.recipe.read()
    outcome = train(
        preset, training.prepared, training.folder, resume=True, listeners=watching.training, command=command
    )
    if not outcome.finished:
        raise Stopped(training.name)


def _tune(request: Request, job: Job, watching: Watching) -> list[str]:
    """Tune the network of a job on validation examples, unless that was done, and return what was found."""
    with requires("neural", "Networks need"):
        from nutgraf.evaluation.tuned_options import tune_options, tuning_of
    assert job.training is not None
    folder = job.training.folder
    if tuning_of(folder) is None:
        records = request.validation_of(job.trial.corpus)
        if not records:
            return [f"{job.trial.system} was not tuned: {request.corpus(job.trial.corpus)} has no validation data."]
        watching.say(f"Tuning {job.training.name} on {len(records)} validation examples.")
        tune_options(load(folder), records)
    return [f"{job.trial.system} on {job.trial.corpus}: {tuning_of(folder)}"]


@dataclass(frozen=True)
class _Found:
    """Summaries with their scores by trial, signatures of the examples by corpus, and cautions."""

    outputs: Mapping[Trial, list[Output]]
    data: Mapping[str, str]
    notices: Sequence[str]


def _evaluate_all(request: Request, jobs: Sequence[Job], metrics: Sequence[Metric], watching: Watching) -> _Found:
    """Summarize and score every trial that can be made; a system writes at all of its lengths in one pass."""
    outputs: dict[Trial, list[Output]] = {}
    data: dict[str, str] = {}
    notices: list[str] = []
    together: dict[Trial, list[Job]] = {}
    for job in jobs:
        if job.recipe is not None:
            together.setdefault(replace(job.trial, budget=Budget()), []).append(job)
    for several in together.values():
        job, budgets = several[0], [one.trial.budget for one in several]
        plan = _plan(request, job, metrics, budgets)
        folder = request.out / "evaluated" / _evaluation_name(request, job, metrics)
        watching.say(f"Evaluating {folder.name}.")
        table = plan.run(str(folder), progress=watching.evaluating)
        for one in several:
            kept = read_outputs(folder, (plan.labels[0], one.trial.budget))
            outputs[one.trial] = [kept[index] for index in range(table.examples)]
        data[job.trial.corpus] = f"{table.examples} examples of {table.data}"
        notices += table.notices
    return _Found(outputs, data, notices)


def _plan(request: Request, job: Job, metrics: Sequence[Metric], budgets: Sequence[Budget]) -> Plan:
    """Return the evaluation of a system: on one file where the corpus has one for the split, else on the corpus."""
    place, part = request.part_of(job.trial.corpus)
    alone = len(part.files) == 1 and part.keys is None
    limit = SMALL_TEST_LIMIT if request.test_limit is None and request.scale == "small" else request.test_limit
    return Plan(
        systems=[_system(request, job)],
        data=str(part.files[0] if alone else place),
        kind=request.kind or job.trial.corpus,
        part=None if alone else request.part,
        metrics=metrics,
        budgets=budgets,
        limit=limit,
    )


def _system(request: Request, job: Job) -> str:
    """Return the name of a system for an evaluation: a model folder, a preset, or the file of one that was changed."""
    assert job.recipe is not None
    if job.training is not None:
        return str(job.training.folder)
    recipe = job.recipe
    changes = dict(assignments([*recipe.overrides, *recipe.folders]))
    if not changes:
        return recipe.preset.name
    path = request.out / "presets" / f"{recipe.system}-{recipe.digest}.toml"
    make_folder(path.parent)
    write_text(path, as_toml({"extends": recipe.preset.name, **changes}))
    return str(path)


def _evaluation_name(request: Request, job: Job, metrics: Sequence[Metric]) -> str:
    """Return the name of an evaluation's folder, which says the system and a digest of all that decides the scores."""
    assert job.recipe is not None
    place, _ = request.part_of(job.trial.corpus)
    parts = (
        job.training.name if job.training is not None else job.recipe.digest,
        str(place.resolve()),
        request.part,
        *(metric.signature for metric in metrics),
    )
    return f"{job.recipe.system}-{hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:8]}"


def _compare(
    request: Request, outputs: Mapping[Trial, list[Output]], columns: Sequence[Column]
) -> dict[Trial, dict[str, Cell]]:
    """Return our figures of every trial, with their paired differences from the baseline of its group.

    A group are the trials that have one baseline: those of a table, or of a corpus and a length.
    """
    groups: dict[Trial | None, dict[Trial, None]] = {}
    for figure in request.table.figures():
        trial, baseline = trial_of(request.table, figure), request.table.baseline_of(figure)
        if trial in outputs:
            base = trial if baseline is None else trial_of(request.table, baseline)
            assert trial is not None
            groups.setdefault(base, {})[trial] = None
    cells: dict[Trial, dict[str, Cell]] = {}
    for base, members in groups.items():
        there = base in members
        order = [*([base] if there and base is not None else []), *(one for one in members if one != base)]
        kept = {(str(place), Budget()): outputs[trial] for place, trial in enumerate(order)}
        for trial, row in zip(order, make_table(kept, columns, Bootstrap()).rows, strict=True):
            named = zip(columns, row.cells, strict=True)
            cells[trial] = {column.name: cell if there else Cell(cell.interval) for column, cell in named}
    return cells


def _counted(request: Request, watching: Watching) -> Report:
    """Return a table of statistics beside ours, which are counted."""
    counts: dict[str, Mapping[str, Counts]] = {}
    reasons: dict[str, str] = {}
    for corpus in request.table.corpora:
        try:
            place = request.corpus(corpus)
        except InputError as error:
            reasons[corpus] = str(error)
            continue
        watching.say(f"Counting {place}.")
        counts[corpus] = count(request.kind or corpus, place, request.limit, watching.counting)
    results = []
    for figure in request.table.figures():
        corpus, split = request.table.corpus_of(figure), figure.find("split")
        if corpus in reasons:
            results.append(Result(figure, reason=reasons[corpus]))
            continue
        splits = counts[corpus]
        if split is not None and split not in splits:
            results.append(Result(figure, reason=f"{request.corpus(corpus)} has no {split} data."))
            continue
        chosen = Counts.together(splits.values()) if split is None else splits[split]
        value = chosen.statistic(figure.find("statistic"), figure.find("section"))
        results.append(Result(figure, Interval(value, math.nan, math.nan, len(chosen.source_words))))
    notes = ["Ours are counted in what nutgraf reads of the corpus; words are what blanks separate."]
    if request.limit is not None:
        notes.append(f"Ours are of the first {request.limit:,} examples of each split (--limit).")
    return Report(request.table, tuple(results), scale="", notes=tuple(notes))
