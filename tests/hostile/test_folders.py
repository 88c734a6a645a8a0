"""The first cases of the campaign of damaged folders; `make campaign NAME=folders` runs more of them."""

from __future__ import annotations

from concurrent.futures import Future
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from folders import build, violation
from options import lines
from sandbox import Ran

needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")


@needs_torch
def test_damaged_folders_are_refused_in_a_sentence(damaged: list[Future[tuple[object, ...]]]) -> None:
    assert [case for one in damaged if (case := one.result())[-1]] == []


@needs_torch
def test_a_case_is_made_by_its_number_and_the_seed(damaged: Any, networks: Path, tmp_path: Path) -> None:
    damaged[0].result()  # until then, there is nothing to damage
    made = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        made.append(build(3, 7, networks, tmp_path / name))
    assert made[0] == made[1]


@pytest.mark.parametrize(
    ("status", "stderr", "expected"),
    [
        (0, "", ""),
        (2, "nutgraf: There is no file.\n", ""),
        (2, "", "refused without a word"),
        (1, "nutgraf: This is a mistake of nutgraf's.\n", "status 1"),
        (-9, "", "crashed"),
        (2, "Traceback (most recent call last):\n", "crashed"),
        (0, "RuntimeWarning: x\n", "a line that is not ours"),
    ],
)
def test_what_violates(status: int, stderr: str, expected: str) -> None:
    found = violation(Ran(status, "", stderr, 1.0, 1.0, 1, timed_out=False))
    assert found.startswith(expected)
    assert bool(found) == bool(expected)


def test_the_options_campaign_tries_every_command_and_option() -> None:
    every = [line.argv for line in lines()]
    assert len(every) > 1600
    assert ["summarize", "given.txt", "--words=nan"] in every
    assert {argv[0] for argv in every if argv} >= {"summarize", "train", "convert", "info", "tune"}
