"""Raise or dim what is marked, for everyone who looks there: a bias on each marked key.

    A = softmax(QKᵀ/√d + b)        b_j = strength · weight_j,  0 where nothing is marked

Adding b_j before the softmax multiplies the odds of key j by e^b_j, so a strength of ln 2 doubles them, and a negative
one dims. The constant bias on a user's instruction is InstABoost's (Guardieiro et al. 2025, *Instruction Following by
Boosting Attention*), there as a factor after the softmax, which is the same once rows are normalized again. PASTA
(Zhang et al. 2024, *Tell Your Model Where to Attend*) multiplies what is *not* marked by 0.01, in chosen heads, which
is a strength of ln 100 here.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from nutgraf.model.ops.low_rank_bias import LowRankBias
from nutgraf.steering import Form, ShareOf, Where
from nutgraf.steering.marks import Marks, Window, stretch


@dataclass(frozen=True)
class Config(Where):
    """A bias on the marked keys."""

    strength: float = 1.0
    """Natural logarithm of the factor of the odds of a key with weight 1; below 0 marked words are dimmed."""


EXAMPLES = (Config(), Config(strength=-2.0, highlighted_heads=(1,)))


class Column(Form):
    """A bias on the marked keys."""

    config: Config

    def bias(self, marks: Marks, window: Window, share_of: ShareOf) -> LowRankBias:
        """Return the same bias for all rows."""
        weights = stretch(marks.weights, window.first_key, window.keys)
        return LowRankBias(torch.ones(1, 1, 1, 1), self.config.strength * weights[:, None, :, None])
