"""How time grows: work in proportion to the length passes, also on a busy machine; other work does not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from scaling import Growth, growth_of, work_on


class Clock:
    """Processor time that goes on as work says, and sometimes by itself."""

    def __init__(self, power: int, disturbed: set[int]) -> None:
        self.now, self.power = 0.0, power
        self._runs: Iterator[bool] = (number in disturbed for number in range(1000))

    def work(self, length: int) -> None:
        """Take `length` to a power, or ten times as long."""
        self.now += length**self.power * (10 if next(self._runs) else 1)


@pytest.mark.parametrize(
    ("power", "disturbed", "factor"),
    [
        (1, set(), 2),
        (1, {2, 5, 8}, 2),  # some runs at 4n
        (1, {*range(2, 15, 3)}, 2),  # the first five of them, all that count at first
        (2, set(), 4),
        (2, {*range(20)}, 4),
    ],
)
def test_only_what_stays_is_a_violation(
    power: int, disturbed: set[int], factor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(power, disturbed)
    monkeypatch.setattr("time.process_time", lambda: clock.now)
    growth = growth_of(clock.work, [1, 2, 4], Growth("work", "string", 1))
    assert growth.seconds == tuple(length**power for length in (1, 2, 4))
    assert growth.factor == factor
    assert growth.violates == (power == 2)


@pytest.mark.parametrize(("subject", "name"), [("webvtt", "one speaker"), ("plain", "transcript in lines")])
def test_what_people_write_is_read_in_time_in_proportion_to_its_length(subject: str, name: str) -> None:
    make, work = work_on(subject, name)
    work(make(10))
    growth = growth_of(work, [make(size) for size in (300, 600, 1200)], Growth(subject, name, 300))
    assert not growth.violates, growth
