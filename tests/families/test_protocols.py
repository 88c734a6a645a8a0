"""The contract of protocols of human evaluation, over every file of the folder."""

from __future__ import annotations

import csv
import json
from typing import Any

import pytest
from members import every_example

pytest.importorskip("statsmodels")
pytest.importorskip("krippendorff")
pytest.importorskip("choix")

import numpy as np

from nutgraf.judging.protocols import EvaluationProtocol, protocols
from nutgraf.judging.records import Fact, Item, Judgement
from nutgraf.judging.sheets import render_page, render_table
from nutgraf.judging.study import Study, make_study
from nutgraf.presets import Choice

SYSTEMS = ("zebra_one", "zebra_two", "zebra_three", "zebra_four")
JUDGES = 19
ITEMS = [
    Item(
        f"story-{number}",
        {system: (f"Summary {place} of {number}.",) for place, system in enumerate(SYSTEMS)},
        f"Source {number}.",
        ("first", "second")[number % 2],
        (Fact(f"Did {number} happen?", "yes"), Fact(f"Was {number} blue?", "no")),
    )
    for number in range(6)
]

each = every_example(protocols)


def study_of(choice: Choice[EvaluationProtocol], seed: int = 3) -> Study:
    return make_study(choice, ITEMS, JUDGES, seed)


def judged(study: Study) -> list[Judgement]:
    generator = np.random.default_rng(1)
    by_id = {item.id: item for item in ITEMS}
    quality = dict(zip(study.systems, np.linspace(1, -1, len(study.systems)).tolist(), strict=True))
    return [
        Judgement(task, study.protocol.rehearse(by_id[task.item], task.order, quality, generator), "2025", 7.0)
        for task in study.tasks
    ]


@each
def test_the_seed_alone_decides_who_judges_what(choice: Choice[EvaluationProtocol]) -> None:
    assert study_of(choice) == study_of(choice)
    assert study_of(choice).name == study_of(choice).name
    assert study_of(choice, seed=4).tasks != study_of(choice).tasks


@each
def test_nobody_gets_a_task_twice(choice: Choice[EvaluationProtocol]) -> None:
    tasks = study_of(choice).tasks
    assert len({task.key for task in tasks}) == len(tasks)
    shown = [(task.judge, task.item, frozenset(task.order)) for task in tasks]
    assert len(set(shown)) == len(shown)


@each
def test_no_sheet_names_a_system(choice: Choice[EvaluationProtocol]) -> None:
    study = study_of(choice)
    by_id = {item.id: item for item in ITEMS}
    for judge in study.judges[:3]:
        tasks = [task for task in study.tasks if task.judge == judge]
        for sheet in (render_page(study, by_id, judge, tasks), render_table(study, by_id, judge, tasks)):
            assert "Summary" in sheet
            assert [name for name in (*study.systems, "zebra") if name in sheet] == []


@each
def test_simulated_judges_give_answers_that_there_are(choice: Choice[EvaluationProtocol]) -> None:
    study = study_of(choice)
    for one in judged(study):
        questions = {
            question.name: question.values
            for question in study.protocol.questions(study.items[one.task.item], one.task.order)
        }
        assert set(one.answers) == set(questions)
        assert all(value in questions[name] for name, value in one.answers.items())
        assert not study.protocol.distinct or len(set(one.answers.values())) == len(one.answers)


@each
def test_revealed_answers_name_what_was_shown(choice: Choice[EvaluationProtocol]) -> None:
    study = study_of(choice)
    for one in judged(study)[:20]:
        found = json.dumps(study.protocol.reveal(one.task.order, one.answers))
        assert not any(system in found for system in set(study.systems) - set(one.task.order))


@each
def test_tables_find_the_better_system_and_are_json(choice: Choice[EvaluationProtocol]) -> None:
    study = study_of(choice)
    tables = study.protocol.tables(study.items, study.systems, judged(study))
    assert tables
    for table in tables:
        content: Any = json.loads(json.dumps(table.to_json(), allow_nan=False))
        assert content["rows"]
        assert all(name in str(table) for name in content["rows"][0])
    assert study.protocol.tables(study.items, study.systems, judged(study)[:1])


@each
def test_a_table_has_a_row_for_each_task(choice: Choice[EvaluationProtocol]) -> None:
    study = study_of(choice)
    tasks = study.tasks[:4]
    rows = list(csv.DictReader(render_table(study, {item.id: item for item in ITEMS}, "judge-01", tasks).splitlines()))
    assert [row["task"] for row in rows] == [task.key for task in tasks]
    assert {row["study"] for row in rows} == {study.name}
