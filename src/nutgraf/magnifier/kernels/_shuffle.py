"""Shuffled kernels, for the ablation of MLS (Sarkhel et al. 2020, Sec. 3.1.2): the same values in random positions."""

from __future__ import annotations

from typing import Any

import numpy as np


def shuffled(kernel: Any, seed: int | None) -> Any:
    """Shuffle the rows and columns of a kernel, dense or sparse; return it unchanged if `seed` is None."""
    if seed is None:
        return kernel
    generator = np.random.default_rng(seed)
    rows, columns = (generator.permutation(size) for size in kernel.shape)
    return kernel[rows][:, columns]
