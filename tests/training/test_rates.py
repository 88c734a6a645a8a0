"""Schedules with numbers done by hand."""

import pytest

pytest.importorskip("torch")

from nutgraf.errors import PresetError
from nutgraf.training.schedules import schedules


def test_noam_rises_in_a_line_then_falls_with_the_root():
    rate = schedules.make("noam", 64, factor=2.0, warmup_steps=100)
    # 2 · 64^-0.5 = 0.25, times 1 · 100^-1.5 = 0.001 at step 1, times 100^-0.5 = 0.1 at the top, times 0.05 at step 400.
    assert [rate(step) for step in (1, 50, 100, 400)] == pytest.approx([0.00025, 0.0125, 0.025, 0.0125])


def test_inverse_square_root_says_its_top():
    rate = schedules.make("inverse_square_root", 64, learning_rate=0.3, warmup_steps=10)
    assert [rate(step) for step in (1, 5, 10, 40, 1000)] == pytest.approx([0.03, 0.15, 0.3, 0.15, 0.03])


def test_linear_falls_to_its_end_and_stays_there():
    rate = schedules.make("linear", 64, learning_rate=0.8, warmup_steps=4, end_step=12, end_factor=0.25)
    assert [rate(step) for step in (1, 4, 8, 12, 13)] == pytest.approx([0.2, 0.8, 0.5, 0.2, 0.2])


def test_constant_may_warm_up():
    assert [schedules.make("constant", 64, learning_rate=0.7)(step) for step in (1, 2, 99)] == [0.7, 0.7, 0.7]
    assert schedules.make("constant", 64, learning_rate=0.7, warmup_steps=7)(1) == pytest.approx(0.1)


def test_a_plateau_lowers_the_rate_from_the_next_step_on():
    """Two validations without a gain halve it: those after 20 and 30, then those after 40 and 50. 5 after 60 is a gain,
    and 70 alone changes nothing. Rates of earlier steps stay what they were."""
    rate = schedules.make("reduce_on_plateau", 64, learning_rate=0.8, factor=0.5, bad_validations=2)
    assert [rate(step) for step in (1, 99)] == [0.8, 0.8]
    losses = {10: 7.0, 20: 7.0, 30: 8.0, 40: 7.5, 50: 9.0, 60: 5.0, 70: 6.0}
    for count in range(len(losses) + 1):
        rate.follow(dict([*losses.items()][:count]))
        assert [rate(step) for step in (1, 10, 20, 30)] == [0.8] * 4
    assert [rate(step) for step in (31, 50, 51, 71, 999)] == pytest.approx([0.4, 0.4, 0.2, 0.2, 0.2])


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("noam", {"warmup_steps": 0}),
        ("linear", {"warmup_steps": 9, "end_step": 9}),
        ("constant", {"learning_rate": 0.0}),
        ("reduce_on_plateau", {"factor": 1.0}),
    ],
)
def test_what_cannot_be_a_schedule_is_refused(kind, options):
    with pytest.raises(PresetError, match=f"schedules.{kind}"):
        schedules.make(kind, 64, **options)
