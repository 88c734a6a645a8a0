"""Distributions over terms and how far apart they are: what the topic and the keyword kernel share."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from nutgraf.magnifier.kernels import Values

Flags = npt.NDArray[np.bool_]

SMOOTHING = 1e-3

Reading = Literal["similarity", "distance"]
"""How a divergence d becomes a head's value. The paper finds weights w₁, w₂ > 0 by search, which would reward
what is far from the topics if d were taken as it is; so we take 1/(1 + d). "distance" is the paper to the letter."""


def smooth(frequencies: Values) -> Values:
    """Rows of counts or shares as distributions without zeros: ε is added to every entry."""
    totals = frequencies.sum(axis=1, keepdims=True)
    shares = frequencies / np.where(totals > 0, totals, 1.0) + SMOOTHING
    result: Values = shares / shares.sum(axis=1, keepdims=True)
    return result


def mean_divergence(left: Values, right: Values) -> Values:
    """The symmetric Kullback–Leibler divergence KL(P‖Q) + KL(Q‖P) of each row P of `left`, averaged over the rows Q of
    `right`; in nats.

    Σ (P − Q)(log P − log Q) is written out, so that the work is matrix products: P·log P + Q·log Q − P·log Q − Q·log P.
    """
    log_left, log_right = np.log(left), np.log(right)
    own = (left * log_left).sum(axis=1)[:, None] + (right * log_right).sum(axis=1)[None, :]
    divergences = own - left @ log_right.T - log_left @ right.T
    result: Values = np.maximum(divergences, 0.0).mean(axis=1)
    return result


def to_values(divergences: Values, present: Flags, reading: Reading) -> Values:
    """Divergences as the values of a head.

    present: whether a sentence has any of the terms. One that has none is smoothed to a uniform distribution, which is
    nearer to most kernels than a sentence with a single term is; as a similarity it gets nothing.
    """
    return divergences if reading == "distance" else present / (1.0 + divergences)
