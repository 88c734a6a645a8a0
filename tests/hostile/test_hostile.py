"""Every hostile case ends as its row says: with a result or with a sentence, in time, and never with a traceback."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))  # the modules beside this one, which are commands of their own too

from folders import NEURAL  # noqa: E402
from sandbox import PRELOADED, Sandbox  # noqa: E402
from table import Case  # noqa: E402

MODULES = sorted(path.stem for path in HERE.glob("*_cases.py"))
CASES = [(module, case) for module in MODULES for case in importlib.import_module(module).CASES]
STATUS = {"ok": 0, "refused": 2}


@pytest.fixture(scope="module")
def sandboxes() -> Iterator[dict[bool, Sandbox]]:
    """One for cases with networks, and one for the others: a process that has imported torch takes long to fork."""
    with Sandbox([*PRELOADED, *NEURAL]) as heavy, Sandbox(PRELOADED) as light:
        yield {True: heavy, False: light}


@pytest.mark.parametrize(
    ("module", "case"), [pytest.param(module, case, id=f"{module}: {case.name}") for module, case in CASES]
)
def test_a_hostile_case_ends_as_expected(
    module: str, case: Case, sandboxes: dict[bool, Sandbox], tmp_path: Path
) -> None:
    sandbox = sandboxes[module == "folder_cases"]
    case.build(tmp_path)
    ran = sandbox.run(case.argv, tmp_path, seconds=case.seconds, memory=case.memory, env=case.env)
    assert not ran.timed_out, f"killed after {case.seconds} s"
    assert not ran.crashed, ran.stderr
    assert ran.status == STATUS[case.outcome], ran.stderr
    assert case.says in ran.stderr
    if case.outcome == "refused":
        assert ran.stderr.strip(), "a refusal says why"
    for line in ran.stderr.splitlines():
        assert line.startswith("nutgraf: ") or "Usage:" in ran.stderr, line
    case.check(tmp_path, ran)


def test_names_are_unique() -> None:
    names = [(module, case.name) for module, case in CASES]
    assert len(names) == len(set(names))
