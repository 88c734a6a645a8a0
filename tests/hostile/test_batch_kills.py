"""A small campaign of kills against `nutgraf batch`; `make campaign NAME=batch-kills` runs the large one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from batch_kills import campaign


@pytest.mark.skipif(sys.platform != "linux", reason="the children of a process are read from /proc")
def test_every_document_has_one_result_whatever_was_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # However busy the machine is, no limit of time is met: tests/batch/test_lanes.py is about that limit.
    found = campaign(tmp_path, documents=200, kills=4, workers=[2], seed=3, shard_size=50, seconds=600, bad=["hungry"])
    assert found.wrong == []
    assert found.driver_kills + found.worker_kills == 4
