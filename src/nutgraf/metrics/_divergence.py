"""Divergence of two distributions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def smooth(weights: npt.ArrayLike, smoothing: float) -> Array:
    """Add `smoothing` to `weights` [… × outcomes] and normalize."""
    raised = np.asarray(weights, dtype=np.float64) + smoothing
    return raised / raised.sum(axis=-1, keepdims=True)


def kl(first: npt.ArrayLike, second: npt.ArrayLike, smoothing: float) -> float:
    """KL(first‖second) in nats, both smoothed; the mean over rows if there are several."""
    p, q = smooth(first, smoothing), smooth(second, smoothing)
    return float((p * np.log(p / q)).sum(axis=-1).mean())
