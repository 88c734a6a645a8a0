"""Every hostile case ends as its row says: with a result or with a sentence, in time, and never with a traceback."""

from __future__ import annotations

import importlib
from concurrent.futures import Future
from importlib.util import find_spec
from pathlib import Path

import pytest
from table import NEURAL, PATIENCE, Case, Outcome

MODULES = sorted(path.stem for path in Path(__file__).parent.glob("*_cases.py"))
CASES = [(module, case) for module in MODULES for case in importlib.import_module(module).CASES]
STATUS = {"ok": 0, "refused": 2}


def rows() -> list[object]:
    """The table, those of the campaign marked."""
    needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")
    return [
        pytest.param(
            module,
            case,
            id=f"{module}: {case.name}",
            marks=[*[pytest.mark.campaign] * case.campaign, *[needs_torch] * (module == NEURAL)],
        )
        for module, case in CASES
    ]


@pytest.mark.parametrize(("module", "case"), rows())
def test_a_hostile_case_ends_as_expected(module: str, case: Case, outcomes: dict[str, Future[Outcome]]) -> None:
    outcome = outcomes[case.name].result()
    ran = outcome.ran
    assert not ran.timed_out, f"killed after {PATIENCE * case.seconds} s"
    assert not ran.crashed, ran.stderr
    assert ran.processor <= case.seconds
    assert ran.status == STATUS[case.outcome], ran.stderr
    assert case.says in ran.stderr
    if case.outcome == "refused":
        assert ran.stderr.strip(), "a refusal says why"
    for line in ran.stderr.splitlines():
        assert line.startswith("nutgraf: ") or "Usage:" in ran.stderr, line
    case.check(outcome.folder, ran)


def test_names_are_unique() -> None:
    names = [case.name for _, case in CASES]
    assert len(names) == len(set(names))
