"""The store on a real PostgreSQL server, which `initdb` makes in a temporary folder."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")
pytest.importorskip("psycopg")

from nutgraf.judging.protocols import protocols
from nutgraf.judging.records import Item, Judgement
from nutgraf.judging.store import Store
from nutgraf.judging.study import make_study


def program(name: str) -> str | None:
    """A program of the server, on the path or where Debian has it."""
    debian = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(debian[-1]) if debian else None)


def owner() -> str | None:
    """A server refuses to be run by root; then somebody else runs it."""
    return "nobody" if os.name == "posix" and os.geteuid() == 0 else None


pytestmark = pytest.mark.skipif(
    program("initdb") is None or program("postgres") is None, reason="no PostgreSQL server is installed (initdb)"
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        if owner():
            shutil.chown(folder, owner())
        data = Path(folder, "data")
        initdb, pg_ctl = program("initdb"), program("pg_ctl")
        assert initdb is not None
        assert pg_ctl is not None
        probe.close()
        made = subprocess.run(
            [initdb, "-D", str(data), "-U", "judge", "-A", "trust", "--no-sync", "-E", "UTF8"],
            user=owner(), cwd=folder, capture_output=True, text=True,
        )  # fmt: skip
        assert made.returncode == 0, made.stderr
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
        begin = [pg_ctl, "-D", str(data), "-w", "-l", str(data / "log"), "-o", options, "start"]
        subprocess.run(begin, user=owner(), cwd=folder, check=True, stdout=subprocess.DEVNULL)
        try:
            yield f"postgresql://judge@127.0.0.1:{port}/postgres"
        finally:
            subprocess.run([pg_ctl, "-D", str(data), "-m", "immediate", "stop"], user=owner(), cwd=folder, check=False)


def test_judges_of_a_team_store_at_the_same_time(address: str) -> None:
    items = [Item(f"story-{number}", {"a": ("x",), "b": ("y",)}) for number in range(20)]
    study = make_study(protocols.choose("pairwise", aspects=["overall"]), items, 4, 0)
    given = [Judgement(task, {"overall": "A"}, "2025-01-01T00:00:00.000000+00:00", 3.5) for task in study.tasks]
    with Store(address) as store:
        assert store.judgements(study) == []

    def add(part: int) -> int:
        with Store(address) as store:
            return store.add(study, given[part * 20 : part * 20 + 40])

    with ThreadPoolExecutor(3) as pool:
        assert sum(pool.map(add, range(3))) == len(given), "overlapping parts are stored once"
    with Store(address) as store:
        found = store.judgements(study)
        assert store.add(study, given) == 0
    assert sorted(found, key=lambda one: one.task.key) == sorted(given, key=lambda one: one.task.key)


def test_a_file_that_breaks_off_leaves_nothing(address: str) -> None:
    items = [Item(f"note-{number}", {"a": ("x",), "b": ("y",)}) for number in range(3)]
    study = make_study(protocols.choose("pairwise", aspects=["overall"]), items, 1, 0)

    def broken() -> Iterator[Judgement]:
        yield Judgement(study.tasks[0], {"overall": "A"}, "2025", 1.0)
        raise RuntimeError("power cut")

    with Store(address) as store:
        with pytest.raises(RuntimeError, match="power cut"):
            store.add(study, broken())
        assert store.judgements(study) == []
