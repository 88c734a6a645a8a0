"""A pool keeps the order of its tasks, and one task's failure is nobody else's."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest

from nutgraf import errors
from nutgraf.errors import BudgetError, InputError, NutgrafError, TaskError, UnknownName
from nutgraf.runtime import workers
from nutgraf.runtime.hardware import available_cores, total_memory
from nutgraf.runtime.workers import Worker, Workers


def a_number(given: int) -> int:
    return given


def a_failure() -> int:
    raise InputError("There is no table.")


def work(state: int, what: str, amount: float = 0.0) -> tuple[str, int]:
    if what == "sleep":
        time.sleep(amount)
    if what == "crash":
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "allocate":
        bytearray(int(amount))
    if what == "refuse":
        raise UnknownName("table", "x", ["a", "b"])
    if what == "divide":
        return what, 1 // 0
    return what, state


def threads(state: int) -> str | None:
    return os.environ.get("OMP_NUM_THREADS")


def test_results_come_in_the_order_of_the_tasks() -> None:
    tasks = [("sleep", 0.3), ("a",), ("sleep", 0.1), *[("b",)] * 9]
    with Workers(a_number, (7,), processes=2) as workers:
        assert list(workers.map(work, tasks)) == [("sleep", 7), ("a", 7), ("sleep", 7), *[("b", 7)] * 9]


def test_what_goes_wrong_stands_in_the_place_of_the_result() -> None:
    tasks = [("a",), ("crash",), ("sleep", 60), ("allocate", 4e9), ("refuse",), ("divide",), ("b",)]
    with Workers(a_number, (7,), processes=2, seconds=2, memory=2 << 30) as workers:
        first, crashed, late, large, refused, unforeseen, last = workers.map(work, tasks)
    assert (first, last) == (("a", 7), ("b", 7))
    assert isinstance(crashed, TaskError)
    assert "signal 9" in str(crashed)
    assert isinstance(late, TaskError)
    assert str(late) == "it took longer than 2 seconds and was stopped"
    assert isinstance(large, TaskError)
    assert "more memory" in str(large)
    assert isinstance(refused, UnknownName)
    assert str(refused) == "No table 'x'. There are a, b."
    assert isinstance(unforeseen, TaskError)
    assert str(unforeseen) == (
        "this is a mistake of nutgraf's, not of yours (ZeroDivisionError: integer division or modulo by zero)"
    )
    assert "1 // 0" in unforeseen.details


@pytest.mark.parametrize("processes", [1, 2])
def test_a_state_that_cannot_be_made_fails_each_task(processes: int) -> None:
    with Workers(a_failure, processes=processes) as workers:
        assert [str(one) for one in workers.map(work, [("a",)] * 3)] == ["There is no table."] * 3


def test_few_tasks_need_no_other_process() -> None:
    with Workers(os.getpid, processes=2, inline=2) as workers:
        assert {state for _, state in workers.map(work, [("a",), ("b",)])} == {os.getpid()}


def test_processes_have_one_thread_each_and_this_environment_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    with Workers(a_number, (0,), processes=2) as workers:
        assert set(workers.map(threads, [()] * 3)) == {"1"}
    assert "OMP_NUM_THREADS" not in os.environ


def test_leaving_early_ends_the_pool() -> None:
    began = time.monotonic()
    with suppress(KeyboardInterrupt), Workers(a_number, (0,), processes=2) as workers:
        assert next(workers.map(work, [("a",), *[("sleep", 100.0)] * 9])) == ("a", 0)
        raise KeyboardInterrupt
    assert time.monotonic() - began < 60


def test_workers_end_when_their_parent_is_killed() -> None:
    script = (
        "import os, test_workers as t; from nutgraf.runtime.workers import Workers\n"
        "workers = Workers(t.a_number, (0,), processes=2)\n"
        "results = workers.map(t.pid, [()] * 9)\n"
        "print(next(results), flush=True); os.kill(os.getpid(), 9)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    ran = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=60)
    child = int(ran.stdout)
    deadline = time.monotonic() + 30
    while _lives(child) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not _lives(child)


def pid(state: int) -> int:
    return os.getpid()


def test_modules_in_the_working_directory_are_not_imported(tmp_path: Path) -> None:
    (tmp_path / "pickle.py").write_text("raise SystemExit\n", encoding="utf-8")
    script = (
        "import test_workers as t; from nutgraf.runtime.workers import Workers\n"
        "with Workers(t.a_number, (7,), processes=2) as workers:\n"
        "    print(list(workers.map(t.work, [('a',)] * 3)))\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])}
    command = [sys.executable, "-P", "-c", script]
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
    assert ran.stdout == "[('a', 7), ('a', 7), ('a', 7)]\n", ran.stderr


@pytest.fixture
def worker() -> Iterator[Worker]:
    one = Worker(a_number, (7,), seconds=60)
    yield one
    one.stop()


def kill_after(worker: Worker, seconds: float) -> None:
    """Kill the next process of a worker so long after it came to be."""

    def kill() -> None:
        while not (found := multiprocessing.active_children()):
            time.sleep(0.001)
        time.sleep(seconds)
        with suppress(ProcessLookupError):  # the test may be over by then
            os.kill(found[0].pid or 0, signal.SIGKILL)

    Thread(target=kill).start()


@pytest.mark.parametrize("seconds", [0.0, 0.02, 0.05, 0.1, 0.2])
def test_a_process_that_is_killed_as_it_begins_is_replaced(worker: Worker, seconds: float) -> None:
    kill_after(worker, seconds)
    assert worker.run(work, "a") == ("a", 7)


def test_a_process_that_was_stopped_between_its_tasks_is_replaced(worker: Worker) -> None:
    first = worker.run(pid)
    os.kill(first, signal.SIGSTOP)
    assert worker.run(pid, seconds=2.0) != first


def test_a_process_that_is_killed_between_its_tasks_is_replaced(worker: Worker) -> None:
    first = worker.run(pid)
    os.kill(first, signal.SIGKILL)
    assert worker.run(pid) != first


def late(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def test_the_time_of_a_task_begins_when_the_state_is_made() -> None:
    slow = Worker(late, (1.2,), seconds=1)
    try:
        assert slow.run(work, "a") == ("a", 1.2)
    finally:
        slow.stop()


def half(state: int) -> None:
    """End as a process does that is killed while it sends a result."""
    line = workers._Here.line
    assert line is not None
    os.write(line.fileno(), (1 << 20).to_bytes(4, "big") + b"half")
    os.kill(os.getpid(), signal.SIGKILL)


def leave_a_child(state: int, file: str) -> None:
    """End while a process lives that holds the line, too."""
    if child := os.fork():
        Path(file).write_text(str(child), encoding="ascii")
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(60)
    os._exit(0)


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot fork")
def test_the_end_of_a_process_is_seen_whatever_it_leaves(worker: Worker, tmp_path: Path) -> None:
    file = tmp_path / "child"
    for ended in (worker.run(half), worker.run(leave_a_child, str(file))):
        assert isinstance(ended, TaskError)
        assert (str(ended), ended.cause) == (
            "its process was terminated (signal 9), perhaps for lack of memory",
            "ended",
        )
    os.kill(int(file.read_text(encoding="ascii")), signal.SIGKILL)
    assert worker.run(work, "a") == ("a", 7)


class Unreadable:
    """A task that a process cannot read."""

    def __reduce__(self) -> tuple[type[int], tuple[str]]:
        return int, ("x",)


def test_what_a_process_cannot_read_or_send_concerns_one_task_only(worker: Worker) -> None:
    unread, unsent, good = worker.run(work, Unreadable()), worker.run(lambdas), worker.run(work, "a")
    assert "invalid literal for int" in str(unread)
    assert str(unsent).startswith("its result could not be returned (")
    assert good == ("a", 7)


def lambdas(state: int) -> object:
    return lambda: None


def tell(state: int) -> int:
    for number in (2, 3):
        workers.note("seen", number)
    return state


def test_notes_of_a_task_come_before_its_result(worker: Worker) -> None:
    heard = list[tuple[str, int]]()
    assert worker.run(tell, heard=lambda *said: heard.append(said)) == 7
    assert heard == [("seen", 2), ("seen", 3)]


def test_where_no_process_can_be_started_it_is_said() -> None:
    script = (
        "import resource, test_workers as t; from nutgraf.runtime.workers import Workers\n"
        "from nutgraf.errors import TaskError\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (10, 10))\n"
        "try:\n"
        "    with Workers(t.a_number, (7,), processes=2) as workers:\n"
        "        print(list(workers.map(t.work, [('a',)] * 3)))\n"
        "except TaskError as error:\n"
        "    print(error)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])}
    ran = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=60)
    assert ran.stdout.startswith("Worker processes cannot be started"), ran.stderr


def test_a_worker_with_little_memory_begins_and_says_what_is_missing(capfd: pytest.CaptureFixture[str]) -> None:
    worker = Worker(a_number, (7,), memory=1 << 20)
    result = worker.run(work, "allocate", 1e8)
    worker.stop()
    assert isinstance(result, TaskError)
    assert result.cause == "memory"
    assert "Traceback" not in capfd.readouterr().err


def _lives(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize(
    "error",
    [
        UnknownName("table", "x", ["b", "a"], "`nutgraf tables`"),
        BudgetError("Nothing fits.", 7),
        BudgetError("Nothing fits."),
        TaskError("it broke", "Traceback …"),
        *(kind("A sentence.") for kind in NutgrafError.__subclasses__() if kind is not UnknownName),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_travel_between_processes(error: NutgrafError) -> None:
    there = pickle.loads(pickle.dumps(error))
    assert (type(there), str(there), vars(there)) == (type(error), str(error), vars(error))


def test_the_machine_has_cores_and_memory() -> None:
    assert 1 <= available_cores() <= (os.cpu_count() or 1)
    assert (total_memory() or 1 << 30) >= 1 << 28
    assert errors.__doc__ is not None
    assert all(kind.__name__ in errors.__doc__ for kind in NutgrafError.__subclasses__())
