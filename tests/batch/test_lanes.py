"""Lanes: results as soon as they are there, and the death of a process in one lane is nobody else's."""

from __future__ import annotations

import os
import signal
import time
from collections import deque
from pathlib import Path
from typing import Any

from lanes_here import Here

from nutgraf.errors import TaskError
from nutgraf.runtime.lanes import Lanes
from nutgraf.runtime.workers import local_lanes


def a_number(given: int) -> int:
    return given


def work(state: int, what: str, amount: float = 0.0) -> tuple[str, int]:
    if what == "sleep":
        time.sleep(amount)
    if what == "crash":
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "allocate":
        bytearray(int(amount))
    return what, state


def process(state: int) -> int:
    return os.getpid()


def once(state: int, marker: str) -> str:
    """Kill this process, but only the first time."""
    if not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def test_a_failure_stands_in_the_place_of_a_result_and_its_lane_goes_on(tmp_path: Path) -> None:
    tasks = deque[Any](enumerate([("sleep", 60), ("a",), ("crash",), ("b",), ("allocate", 4e9), ("c",)]))
    again = deque[Any]()
    found: dict[int, Any] = {}
    with local_lanes(a_number, (7,), processes=2, seconds=2, memory=2 << 30) as lanes:
        for key, result in lanes.unordered(work, lambda: (tasks or again).popleft() if tasks or again else None):
            if isinstance(result, TaskError) and key not in found:
                again.append((key, ("again",)))  # what is drawn after the last result is done as well
            found[key] = result if key not in found else (result, found[key].cause)
        marker = str(tmp_path / "marker")
        [killed] = lanes.map(once, [(marker,)])
        [made] = lanes.map(once, [(marker,)])
    assert found == {
        0: (("again", 7), "time"),
        1: ("a", 7),
        2: (("again", 7), "ended"),
        3: ("b", 7),
        4: (("again", 7), "memory"),
        5: ("c", 7),
    }
    assert (killed.cause, made) == ("ended", "done")


def test_one_process_has_its_limits_too() -> None:
    with local_lanes(os.getpid, processes=1) as lanes:
        assert [state for _, state in lanes.map(work, [("a",)])] != [os.getpid()]


def test_a_map_keeps_the_order_and_draws_no_more_than_it_needs() -> None:
    drawn = []

    def tasks() -> Any:
        for number in range(100):
            drawn.append(number)
            yield (str(number),)

    lanes = Lanes([Here(a_number, (1,)), Here(a_number, (1,))])
    found = lanes.map(work, tasks())
    assert next(found) == ("0", 1)
    assert len(drawn) < 20
    assert [what for what, _ in found] == [str(number) for number in range(1, 100)]


def test_lanes_of_one_machine_can_be_reduced() -> None:
    lanes = local_lanes(a_number, (1,), processes=4)
    lanes.reduce(None)
    assert lanes.processes == 4
    try:
        [begun] = lanes.map(process, [()])
        lanes.reduce(1)
        assert lanes.processes == 1
        assert list(lanes.map(process, [()] * 3)) == [begun] * 3
    finally:
        lanes.stop()
    elsewhere = Lanes([Here(a_number, (1,)), Here(a_number, (1,))])
    elsewhere.reduce(1)
    assert elsewhere.processes == 2
