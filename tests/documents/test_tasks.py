"""The documents of the controlled experiment: what belongs in a summary follows from what the task says."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="module")
def tasks() -> Any:
    file = Path(__file__).parents[2] / "benchmarks" / "_tasks.py"
    spec = spec_from_file_location("_tasks", file)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules.setdefault("_tasks", module_from_spec(spec))
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("task", ["marks", "centre", "noise"])
def test_wanted_facts_stand_in_the_document_and_tell_of_marked_things(tasks: Any, task: str) -> None:
    for one in tasks.examples(task, 20, seed=0):
        assert one.wanted == [sentence for sentence in one.sentences if sentence in one.wanted]
        assert [sum(name in fact for name in one.marked) for fact in one.wanted] == [1] * len(one.marked)


def test_the_centre_is_what_most_sentences_refer_to(tasks: Any) -> None:
    for one in tasks.examples("centre", 20, seed=0):
        (centre,) = one.marked
        referred = {name: sum(f"the {name}." in sentence for sentence in one.sentences) for name in one.unmarked}
        assert sum(f"the {centre}." in sentence for sentence in one.sentences) == 3
        assert max(referred.values()) <= 2


def test_an_enumeration_names_each_thing_once(tasks: Any) -> None:
    (one,) = tasks.examples("enumeration", 1, seed=0)
    assert len(set(one.wanted)) == len(one.wanted) == 10
    assert all(sum(name in sentence for sentence in one.sentences) == 1 for name in one.marked)


def test_a_seed_gives_the_same_documents_and_another_one_others(tasks: Any) -> None:
    assert tasks.examples("marks", 2, seed=3) == tasks.examples("marks", 2, seed=3) != tasks.examples("marks", 2, 4)
