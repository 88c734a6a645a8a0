"""Every hostile case ends as its row says: with a result or with a sentence, in time, and never with a traceback."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))  # the modules beside this one, which are commands of their own too

from folders import NEURAL  # noqa: E402
from sandbox import PRELOADED, Ran, Sandbox  # noqa: E402
from table import Case  # noqa: E402

MODULES = sorted(path.stem for path in HERE.glob("*_cases.py"))
CASES = [(module, case) for module in MODULES for case in importlib.import_module(module).CASES]
STATUS = {"ok": 0, "refused": 2}


@dataclass(frozen=True)
class Outcome:
    """What came of a case in its folder."""

    folder: Path
    ran: Ran


class Runner:
    """Runs cases, two at a time: those with networks in one sandbox, since a process with torch takes long to fork."""

    def __init__(self) -> None:
        self._heavy = Sandbox([*PRELOADED, *NEURAL])
        self._light = [Sandbox(PRELOADED), Sandbox(PRELOADED)]
        self._alone = Lock()
        self._pool = ThreadPoolExecutor(2)

    def submit(self, module: str, case: Case, folder: Path) -> Future[Outcome]:
        return self._pool.submit(self._run, module, case, folder)

    def _run(self, module: str, case: Case, folder: Path) -> Outcome:
        case.build(folder)
        with self._sandbox(module) as sandbox:
            ran = sandbox.run(case.argv, folder, seconds=case.seconds, memory=case.memory, env=case.env)
        return Outcome(folder, ran)

    @contextmanager
    def _sandbox(self, module: str) -> Iterator[Sandbox]:
        if module == "folder_cases":
            with self._alone:
                yield self._heavy
            return
        light = self._light.pop()
        yield light
        self._light.append(light)

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)
        for sandbox in (self._heavy, *self._light):
            sandbox.close()


@pytest.fixture(scope="module")
def outcomes(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Future[Outcome]]]:
    """The selected cases by name."""
    runner = Runner()
    here = [item for item in request.session.items if item.getparent(pytest.Module) is request.node]
    chosen = [item.callspec.params for item in here if hasattr(item, "callspec")]
    chosen.sort(key=lambda one: one["module"] == "folder_cases")  # their sandbox takes longest to begin
    yield {
        one["case"].name: runner.submit(one["module"], one["case"], tmp_path_factory.mktemp("case")) for one in chosen
    }
    runner.close()


@pytest.mark.parametrize(
    ("module", "case"), [pytest.param(module, case, id=f"{module}: {case.name}") for module, case in CASES]
)
def test_a_hostile_case_ends_as_expected(module: str, case: Case, outcomes: dict[str, Future[Outcome]]) -> None:
    outcome = outcomes[case.name].result()
    ran = outcome.ran
    assert not ran.timed_out, f"killed after {case.seconds} s"
    assert not ran.crashed, ran.stderr
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
