"""Distributions over terms and their divergence, shared by the topic and the keyword kernel."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from nutgraf.magnifier.kernels import Values

Flags = npt.NDArray[np.bool_]

SMOOTHING = 1e-3
"""Constant added to every entry of a distribution."""

ScoreKind = Literal["similarity", "distance"]
"""Score of a sentence with divergence d: the "similarity" 1/(1 + d), or the "distance" d itself.

The paper finds weights w₁, w₂ > 0 by search, which would reward distance from the topics if the score were d;
"distance" follows the paper to the letter.
"""

Divergence = Literal["sum", "mean", "jensen_shannon"]
"""Symmetric divergence of P and Q: KL(P‖Q) + KL(Q‖P), half of it, or half of KL(P‖M) + KL(Q‖M) with M between P and Q.
The paper says only "symmetric"."""


def smooth(frequencies: Values) -> Values:
    """Turn rows of counts or shares into distributions without zeros."""
    totals = frequencies.sum(axis=1, keepdims=True)
    shares = frequencies / np.where(totals > 0, totals, 1.0) + SMOOTHING
    return shares / shares.sum(axis=1, keepdims=True)


def mean_divergence(left: Values, right: Values, divergence: Divergence = "sum") -> Values:
    """Divergence of each row P of `left` from the rows Q of `right`, averaged over Q; in nats."""
    if divergence == "jensen_shannon":
        return np.array([_jensen_shannon(left, row) for row in right]).mean(axis=0)
    return _symmetric(left, right) * (0.5 if divergence == "mean" else 1.0)


def _jensen_shannon(left: Values, row: Values) -> Values:
    between = np.log((left + row) / 2)
    own = (left * (np.log(left) - between)).sum(axis=1)
    return (own + (row * (np.log(row) - between)).sum(axis=1)) / 2


def _symmetric(left: Values, right: Values) -> Values:
    """KL(P‖Q) + KL(Q‖P), averaged over the rows Q.

    Σ (P − Q)(log P − log Q) is expanded into matrix products: P·log P + Q·log Q − P·log Q − Q·log P.
    """
    log_left, log_right = np.log(left), np.log(right)
    own = (left * log_left).sum(axis=1)[:, None] + (right * log_right).sum(axis=1)[None, :]
    divergences = own - left @ log_right.T - log_left @ right.T
    return np.maximum(divergences, 0.0).mean(axis=1)


def to_values(divergences: Values, present: Flags, score: ScoreKind) -> Values:
    """Convert divergences to the values of a head."""
    return divergences if score == "distance" else present / (1.0 + divergences)
