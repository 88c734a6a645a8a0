"""What the tests here share: work takes its turn in the background, and tests wait for their piece of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))  # the modules beside this one, which are commands of their own too

from commands import Commands  # noqa: E402
from folders import build, violation  # noqa: E402
from injections import payloads  # noqa: E402
from sandbox import GIB, Ran, Sandbox  # noqa: E402
from table import NEURAL, Case, Outcome, ended  # noqa: E402

BEGUN = ("networks", "plain", "killed", "pages", "neural", "damaged")
"""Fixtures that hand over work, in the order in which it begins."""

DAMAGED = (0, 2, 3)
"""Cases of the campaign of damaged folders."""

KILLED = {"resume": ("kill",), "prepare": ("kill", "torn", "full", "two")}
"""Subjects of the campaign of kills, and how they are interrupted."""

OF_NETWORKS = range(0, len(payloads()), 130)
"""Payloads that are put into trained models."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests that wait for their work behind those that do theirs."""
    places = [place for place, item in enumerate(items) if HERE in item.path.parents]
    own = sorted((items[place] for place in places), key=lambda item: not set(BEGUN).isdisjoint(_asked(item)))
    for place, item in zip(places, own, strict=True):
        items[place] = item


def _asked(item: pytest.Item) -> list[str]:
    return item.fixturenames if isinstance(item, pytest.Function) else []


@pytest.fixture(scope="package")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Commands]:
    """Runs commands."""
    running = Commands(tmp_path_factory.mktemp("commands"))
    yield running
    running.close()


@pytest.fixture(scope="package", autouse=True)
def begun(request: pytest.FixtureRequest) -> None:
    """Hands over the work of all tests that were selected."""
    asked = {name for item in request.session.items for name in _asked(item)}
    for name in BEGUN:
        if name in asked:
            request.getfixturevalue(name)


@pytest.fixture(scope="package")
def networks(commands: Commands) -> Path:
    """The folder of a trained model, a prepared corpus and foreign weights, there when work with networks begins."""
    return commands.begin_networks()


@pytest.fixture(scope="package")
def outcomes(plain: dict[str, Future[Outcome]], neural: dict[str, Future[Outcome]]) -> dict[str, Future[Outcome]]:
    """The selected cases by name."""
    return plain | neural


@pytest.fixture(scope="package")
def plain(
    request: pytest.FixtureRequest, commands: Commands, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Future[Outcome]]:
    """Those that need no torch."""
    chosen = [case for module, case in _selected(request) if module != NEURAL]
    return {case.name: _begin(case, commands, tmp_path_factory.mktemp("case")) for case in chosen}


@pytest.fixture(scope="package")
def neural(
    request: pytest.FixtureRequest, commands: Commands, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Future[Outcome]]:
    """Those that do."""
    chosen = [case for module, case in _selected(request) if module == NEURAL]
    if chosen:
        request.getfixturevalue("networks")
    return {case.name: _begin(case, commands, tmp_path_factory.mktemp("case"), networks=True) for case in chosen}


def _selected(request: pytest.FixtureRequest) -> list[tuple[str, Case]]:
    """Module and case of the table's rows that are run."""
    rows = [item.callspec.params for item in request.session.items if "outcomes" in _asked(item)]
    return [(row["module"], row["case"]) for row in rows]


def _begin(case: Case, commands: Commands, folder: Path, *, networks: bool = False) -> Future[Outcome]:
    return commands.submit(lambda sandbox: ended(sandbox, case, folder), networks=networks)


@pytest.fixture(scope="package")
def killed(commands: Commands, networks: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Future[Ran]]:
    """A campaign for each subject, which tries every mode once."""

    def tried(sandbox: Sandbox, subject: str) -> Ran:
        argv = ["--every", "1000", "--seed", "1", "--subjects", subject, "--modes", *KILLED[subject]]
        argv = [*argv, "--jobs", "1", "--job", "0"]
        folder = tmp_path_factory.mktemp("killed")
        return sandbox.run(argv, folder, seconds=300, memory=-1, program="kill:main")

    if not commands.can_kill:
        return []
    return [
        commands.submit(lambda sandbox, subject=subject: tried(sandbox, subject), networks=True) for subject in KILLED
    ]


@pytest.fixture(scope="package")
def damaged(
    commands: Commands, networks: Path, tmp_path_factory: pytest.TempPathFactory
) -> list[Future[tuple[object, ...]]]:
    """The first cases: number, damage, command line, and what is wrong."""

    def read(sandbox: Sandbox, number: int) -> tuple[object, ...]:
        folder = tmp_path_factory.mktemp("damaged")
        what, argv = build(number, 1, networks, folder)
        return number, what, argv, violation(sandbox.run(argv, folder, seconds=60, memory=8 * GIB))

    return [commands.submit(lambda sandbox, number=number: read(sandbox, number), networks=True) for number in DAMAGED]


@pytest.fixture(scope="package")
def pages(commands: Commands, networks: Path, tmp_path_factory: pytest.TempPathFactory) -> Future[dict[str, Path]]:
    """Reports of what networks wrote: "harmless", and one for the number of each payload that was put into one."""

    def drawn(sandbox: Sandbox) -> dict[str, Path]:
        folder = tmp_path_factory.mktemp("pages")
        argv = [str(networks / "trained"), *map(str, OF_NETWORKS)]
        ran = sandbox.run(argv, folder, program="injections:write_pages_of_network")
        assert ran.status == 0, ran.stderr
        return {path.stem: path for path in folder.glob("*.html")}

    return commands.submit(drawn, networks=True)
