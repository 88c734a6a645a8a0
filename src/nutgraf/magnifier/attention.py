"""Attention over sentences from kernels. Sarkhel et al. 2020 (MLS), Sec. 2.2, Eq. 1–3.

The values of each head are normalized over the sentences (C_i), weighted and summed: A* = Σ_i w_i·C_i, clipped at zero.
Since Σ w_i = 1, the sum is 1 unless something is clipped; the paper's factor 1/m cancels. The paper says only that C_i
is "normalized"; a softmax is the alternative.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from nutgraf.magnifier.kernels import Values

Normalization = Literal["sum", "softmax"]
"""Normalization of a head's values: divide by the sum, or softmax."""


@dataclass(frozen=True)
class SentenceAttention:
    """Attention over sentences.

    Attributes:
        weights: One non-negative weight per sentence; they sum to 1.
        shares: w_i·C_i of each kernel, one value per sentence; their clipped sum gives the weights.
    """

    weights: Values
    shares: Mapping[str, Values]


def normalize(values: Values) -> Values:
    """Scale to a sum of 1; uniform if all values are zero."""
    total = values.sum()
    if total > 0:
        return np.asarray(values / total)
    return np.full(len(values), 1.0 / max(1, len(values)))


def softmax(values: Values) -> Values:
    """Softmax of the values."""
    return normalize(np.exp(values - values.max(initial=0.0)))


def combine(
    values: Mapping[str, Values],
    weights: Mapping[str, float],
    boosts: Values | None = None,
    normalization: Normalization = "sum",
) -> SentenceAttention:
    """Compute A* of Eq. 3.

    Args:
        values: c_i of every sentence, by kernel.
        weights: w_i, by kernel.
        boosts: One factor per sentence, by which highlights multiply its attention.
        normalization: Normalization of each head's values.
    """
    bring = softmax if normalization == "softmax" else normalize
    shares = {name: weights[name] * bring(value) for name, value in values.items()}
    combined = np.maximum(np.sum(list(shares.values()), axis=0), 0.0)
    if not combined.any():
        combined = np.ones_like(combined)
    return SentenceAttention(normalize(combined if boosts is None else combined * boosts), shares)
