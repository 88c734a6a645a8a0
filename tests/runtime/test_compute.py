"""The number of threads is the one with which work was quickest; "auto" precision is what the hardware has."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from nutgraf.runtime import compute  # noqa: E402
from nutgraf.runtime.compute import SPAN, TRIALS, ThreadTuner, training_precision  # noqa: E402


class Machine:
    """A clock that work moves on, by how many threads it has."""

    def __init__(self, seconds: dict[int, float]) -> None:
        self.seconds, self.now, self.threads = seconds, 0.0, 0
        self.used: list[int] = []

    def tuner(self, threads: int | None = None) -> ThreadTuner:
        return ThreadTuner(threads, clock=lambda: self.now, use=self.use)

    def use(self, threads: int) -> None:
        self.threads = threads

    def work(self, tuner: ThreadTuner, amount: float = 1.0) -> None:
        with tuner.measure(amount):
            self.now += amount * self.seconds[self.threads]
            self.used.append(self.threads)


@pytest.fixture
def four_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setattr(compute, "available_cores", lambda: 6)


@pytest.mark.usefixtures("four_cores")
class TestChoice:
    def test_each_number_is_tried_and_the_quickest_kept(self) -> None:
        machine = Machine({1: 0.3, 2: 0.2, 4: 0.1, 6: 0.5})
        tuner = machine.tuner()
        for _ in range(4 * TRIALS + 3):
            machine.work(tuner)
        assert machine.used == [1, 2, 4, 6] * TRIALS + [4, 4, 4]
        assert str(tuner) == "4 threads"

    def test_time_is_compared_by_the_size_of_the_work(self) -> None:
        machine = Machine({1: 0.1, 2: 0.2, 4: 0.3, 6: 0.4})
        tuner = machine.tuner()
        for amount in (9.0, 1.0, 1.0, 1.0) * TRIALS:
            machine.work(tuner, amount)
        assert tuner.threads == 1

    def test_a_choice_is_compared_anew_when_the_machine_has_changed(self) -> None:
        machine = Machine({1: 0.02, 2: 0.01, 4: 0.01, 6: 0.005})
        tuner = machine.tuner()
        while machine.now < SPAN / 2:
            machine.work(tuner)
        assert tuner.threads == 6
        machine.seconds = {1: 0.02, 2: 0.03, 4: 0.05, 6: 0.2}
        while machine.now < 3 * SPAN:
            machine.work(tuner)
        assert tuner.threads == 1

    def test_work_that_becomes_slow_ends_a_choice_early(self) -> None:
        machine = Machine({1: 2.0, 2: 1.5, 4: 1.2, 6: 1.0})
        tuner = machine.tuner()
        for _ in range(4 * TRIALS):
            machine.work(tuner)
        chosen = machine.now
        machine.seconds = {1: 2.0, 2: 3.0, 4: 5.0, 6: 9.0}
        while tuner.threads == 6:
            machine.work(tuner)
        assert tuner.threads == 1
        found = machine.now - chosen
        assert found < 10 * chosen, "long before the twenty times for which it would have held"

    def test_finding_out_costs_a_twentieth_at_most(self) -> None:
        machine = Machine({1: 1.0, 2: 1.0, 4: 1.0, 6: 1.0})
        tuner = machine.tuner()
        for _ in range(2000):
            machine.work(tuner)
        assert sum(one != tuner.threads for one in machine.used) <= 2000 / 20

    def test_a_number_that_was_given_stays(self) -> None:
        machine = Machine({3: 0.1})
        tuner = machine.tuner(3)
        machine.work(tuner)
        assert (machine.used, tuner.automatic) == ([3], False)


def test_the_environment_decides_where_it_says_something(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    tuner = Machine({}).tuner()
    assert (tuner.threads, tuner.automatic) == (2, False)


def test_auto_is_bf16_where_there_are_instructions_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    cpu = torch.device("cpu")
    assert training_precision("fp32", cpu) == "fp32"
    monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: False)
    for supported, expected in ((True, "bf16"), (False, "fp32")):
        monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda supported=supported: supported)
        assert training_precision("auto", cpu) == expected
