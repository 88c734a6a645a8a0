"""What speaks against the figures of an evaluation, by cards as a training writes them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from nutgraf.evaluation.cautions import of_few, of_training
from nutgraf.evaluation.metrics import choose
from nutgraf.evaluation.plan import Plan
from nutgraf.model_folder import read_card, write_card
from nutgraf.runtime.files import digest_of

A, B, C = ("a" * 64, "b" * 64, "c" * 64)

NAMED = {"data": {"dataset": "jsonl", "files": {"train": {"train.jsonl": A}, "test": {"test.jsonl": B}}}}
"""Card of a network that was trained on a corpus with a file for each split."""

SPLIT = {"data": {"dataset": "csv", "files": {part: {"all.csv": C} for part in ("train", "validation", "test")}}}
"""Card of a network whose corpus was one file, which was split."""


@pytest.mark.parametrize(("examples", "expected"), [(1, "only 1 example:"), (29, "only 29 examples:"), (30, "")])
def test_below_thirty_examples_are_few(examples: int, expected: str) -> None:
    caution = " ".join(of_few(examples))
    assert expected in caution
    assert bool(caution) == bool(expected)


def test_a_file_that_was_trained_on_is_named_with_the_one_that_was_not() -> None:
    [caution] = of_training("kpat", NAMED, {"copy.jsonl": A}, None)
    assert caution == (
        "kpat was trained on examples of copy.jsonl, so its figures here say little; it has not seen test.jsonl."
    )
    assert [*of_training("kpat", NAMED, {"test.jsonl": B}, None)] == []
    assert [*of_training("kpat", NAMED, {"test.jsonl": B}, "test")] == []
    assert [*of_training("lead", {}, {"train.jsonl": A}, None)] == []


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (None, "was trained on and has weights that were chosen by examples of all.csv"),
        ("train", "was trained on examples of all.csv"),
        ("validation", "has weights that were chosen by examples of all.csv"),
        ("test", ""),
    ],
)
def test_of_a_file_that_was_split_the_test_part_is_unseen(part: str | None, expected: str) -> None:
    caution = " ".join(of_training("kpat", SPLIT, {"all.csv": C}, part))
    assert expected in caution
    assert bool(caution) == bool(expected)
    assert not caution or caution.endswith("--kind csv --part test takes those of them that it has not seen.")


def test_an_evaluation_says_it_before_its_work_and_keeps_it(trained: Path, tmp_path: Path) -> None:
    data = tmp_path / "gates.jsonl"
    data.write_text(json.dumps({"text": "The gate is shut. It is cold.", "summary": "The gate is shut."}) + "\n")
    model = shutil.copytree(trained, tmp_path / "model")
    card = read_card(model)
    write_card(model, {**card, "data": {"files": {"train": {"old_name.jsonl": digest_of(data)}}}})
    notices: list[str] = []
    table = Plan([str(model), "lead"], str(data), choose("rouge")).run(caution=notices.extend)
    assert notices == [
        "There is only 1 example: intervals are wide, and differences say little. Take 30 or more.",
        "model was trained on examples of gates.jsonl, so its figures here say little; its card names no test data; "
        "take another file.",
    ]
    assert list(table.notices) == table.to_json()["notices"] == notices
