"""The first cases of the campaign of damaged folders; `make folders` runs more of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
sys.path.insert(0, str(Path(__file__).parent))

from folders import NEURAL, build, make_sources, violation
from options import lines
from sandbox import GIB, PRELOADED, Ran, Sandbox

COUNT = 3


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return make_sources(tmp_path_factory.mktemp("sources"))


def test_damaged_folders_are_refused_in_a_sentence(sources: Any, tmp_path: Path) -> None:
    wrong = []
    with Sandbox([*PRELOADED, *NEURAL]) as sandbox:
        for number in range(COUNT):
            folder = tmp_path / str(number)
            folder.mkdir()
            what, argv = build(number, 1, sources, folder)
            ran = sandbox.run(argv, folder, seconds=60, memory=8 * GIB)
            if violation(ran):
                wrong.append((number, what, argv, violation(ran)))
    assert wrong == []


def test_a_case_is_made_by_its_number_and_the_seed(sources: Any, tmp_path: Path) -> None:
    made = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        made.append(build(3, 7, sources, tmp_path / name))
    assert made[0] == made[1]


@pytest.mark.parametrize(
    ("status", "stderr", "said"),
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
def test_what_violates(status: int, stderr: str, said: str) -> None:
    found = violation(Ran(status, "", stderr, 1.0, 1.0, 1, timed_out=False))
    assert found.startswith(said)
    assert bool(found) == bool(said)


def test_the_options_campaign_tries_every_command_and_option() -> None:
    every = [line.argv for line in lines()]
    assert len(every) > 1600
    assert ["summarize", "given.txt", "--words=nan"] in every
    assert {argv[0] for argv in every if argv} >= {"summarize", "train", "convert", "info", "tune"}
