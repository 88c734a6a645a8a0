"""Shades of values."""

import numpy as np
import pytest

from nutgraf.report.heat import shades


@pytest.mark.parametrize(
    ("values", "top", "expected"),
    [
        ([0.0, 0.25, 1.0], 1.0, [0.0, 0.5, 1.0]),
        ([1.0, 4.0], 16.0, [0.25, 0.5]),
        ([-1.0, 9.0], 4.0, [0.0, 1.0]),
        ([0.0, 3.0], 0.0, [0.0, 0.0]),
    ],
    ids=["the root of a share", "of the greatest", "never beyond black or white", "nothing is dark where nothing is"],
)
def test_shades(values, top, expected):
    assert shades(np.array(values), top).tolist() == expected


def test_each_map_has_a_greatest_value_of_its_own():
    assert shades(np.array([[1.0, 4.0], [0.0, 0.0]]), np.array([[4.0], [0.0]])).tolist() == [[0.5, 1.0], [0.0, 0.0]]
