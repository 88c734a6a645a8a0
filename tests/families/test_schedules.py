"""The contract of the schedules, over every file in the folder."""

import pytest
from members import members

pytest.importorskip("torch")

from nutgraf.training.schedules import schedules


@pytest.mark.parametrize("kind", members(schedules))
def test_a_schedule_is_a_function_of_the_step(kind):
    rate = schedules.make(kind, 48)
    rates = [rate(step) for step in range(1, 20_000, 61)]
    assert all(0 < one < 0.1 for one in rates)
    assert rates == [rate(step) for step in range(1, 20_000, 61)]
