"""The contract of the schedules, over every file in the folder."""

import math

import pytest
from members import every_example

pytest.importorskip("torch")

from nutgraf.training.schedules import schedules


@every_example(schedules)
def test_a_schedule_is_a_function_of_the_step(choice):
    rate = schedules.build(choice, 48)
    rates = [rate(step) for step in range(1, 20_000, 61)]
    assert all(math.isfinite(one) and one >= 0 for one in rates)
    assert any(rates)
    assert rates == [rate(step) for step in range(1, 20_000, 61)]
