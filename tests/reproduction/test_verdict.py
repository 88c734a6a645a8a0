"""Verdicts worked by hand."""

from __future__ import annotations

import pytest

from nutgraf.evaluation.significance import Difference, Interval
from nutgraf.reproduction.verdict import give

UP = Difference(Interval(0.011, 0.004, 0.018, 50), 0.002)
"""Ours: +1.10 [+0.40, +1.80] points."""

DOWN = Difference(Interval(-0.011, -0.018, -0.004, 50), 0.002)
OPEN = Difference(Interval(0.002, -0.003, 0.007, 50), 0.4)
TOUCHING = Difference(Interval(0.002, 0.0, 0.004, 50), 0.06)


@pytest.mark.parametrize(
    ("published", "ours", "verdict"),
    [
        (1.73, UP, "holds"),
        (-1.00, DOWN, "holds"),
        (1.73, DOWN, "does not hold"),
        (-1.00, UP, "does not hold"),
        (1.73, OPEN, "cannot be told: our interval holds zero"),
        (1.73, TOUCHING, "cannot be told: our interval holds zero"),
        (0.0, UP, "cannot be told: the published figures are equal"),
    ],
)
def test_a_verdict_follows_the_sign(published: float, ours: Difference, verdict: str) -> None:
    assert str(give(published, ours)) == verdict


def test_what_does_not_compare_has_no_verdict_however_clear_ours_is() -> None:
    found = give(1.73, UP, ["the digits are reused", "ours are on squality"])
    assert (found.word, found.why) == ("cannot be told", "the digits are reused; ours are on squality")


def test_without_a_common_example_nothing_can_be_told() -> None:
    nothing = Difference(Interval(float("nan"), float("nan"), float("nan"), 0), float("nan"))
    assert str(give(1.0, nothing)) == "cannot be told: no example has a value of both"
