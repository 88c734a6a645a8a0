"""Shades of values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def shades(values: NDArray[Any], top: NDArray[Any] | float) -> NDArray[Any]:
    """Return shades from 0 to 1: the root of each value's share in the greatest, so that small ones are seen, too."""
    known = np.greater(top, 0)
    shares = np.where(known, values / np.where(known, top, 1.0), 0.0)
    return np.sqrt(np.clip(shares, 0.0, 1.0))
