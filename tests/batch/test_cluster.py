"""The same results from a Ray cluster, which is one node that is started here; skipped where Ray is not installed."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from test_lanes import a_number, work

from nutgraf.batch.named import sources_of
from nutgraf.batch.run import run
from nutgraf.batch.settings import Settings
from nutgraf.errors import InputError, MissingPackage, TaskError
from nutgraf.runtime.lanes import Lanes

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def cluster() -> Iterator[Callable[..., Lanes]]:
    pytest.importorskip("ray")
    from nutgraf.batch.cluster import connected

    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE), *filter(None, sys.path)])
    try:
        with connected("local") as pool:
            yield pool
    except InputError as error:
        pytest.skip(str(error))  # Ray gives a node 30 seconds to start, which a busy machine may not have
    finally:
        os.environ["PYTHONPATH"] = before or ""


def test_a_batch_and_a_failure_on_a_cluster(cluster: Callable[..., Lanes], tmp_path: Path) -> None:
    with cluster(a_number, (7,), processes=2, seconds=2, memory=4 << 30) as lanes:
        late, first, crashed, last = lanes.map(work, [("sleep", 60), ("a",), ("crash",), ("b",)])
    assert (first, last) == (("a", 7), ("b", 7))
    assert isinstance(late, TaskError)
    assert str(late) == "it took longer than 2 seconds and was stopped"
    assert isinstance(crashed, TaskError)
    assert crashed.cause == "ended"

    from nutgraf.batch.cluster import RemoteSource

    data = tmp_path / "data.jsonl"
    rows = [{"id": f"d{number}", "text": f"The ferry left pier {number}. It rained."} for number in range(5)]
    data.write_text("\n".join(map(json.dumps, rows)) + "\n")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("The pond froze. Nobody came.")
    addresses = [data.as_uri(), (tmp_path / "notes").as_uri()]
    settings = Settings(system="lead")
    made = run(sources_of(addresses, remote=RemoteSource), tmp_path / "ray", settings, workers=2, pool=cluster)
    run(sources_of([str(data)]), tmp_path / "here", settings, workers=1)
    found, wanted = ((tmp_path / name / "summaries" / "000000.jsonl").read_text() for name in ("ray", "here"))
    assert made.documents == 6
    assert found.startswith(wanted)
    assert json.loads(found.splitlines()[-1])["summary"] == "The pond froze. Nobody came."


def test_an_actor_works_where_its_driver_does(
    cluster: Callable[..., Lanes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with cluster(os.getcwd, processes=1) as lanes:
        assert list(lanes.map(work, [("a",)])) == [("a", str(tmp_path))]


def test_where_there_is_no_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    from nutgraf.batch.cluster import connected

    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "ray", None)  # type: ignore[arg-type]
        with pytest.raises(MissingPackage, match=r"pip install 'nutgraf\[batch\]'"), connected("auto"):
            pass


def test_an_address_without_a_cluster(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ray = pytest.importorskip("ray")
    from nutgraf.batch.cluster import connected

    def refuse(*address: Any, **options: Any) -> None:
        raise ConnectionError("Could not find any running Ray instance. Please specify the one to connect to.")

    monkeypatch.setattr(ray, "init", refuse)
    with (
        pytest.raises(InputError, match="'auto'"),
        connected("auto"),
    ):
        pass
