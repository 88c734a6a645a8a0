"""A bias of low rank on attention's scores, softmax(QKᵀ·scale + RCᵀ + M) V, in two exact ways.

`as_mask` adds it to the mask: the cheapest way on a processor, and for few rows everywhere. `widened` puts it into the
product, as further dimensions of queries and keys, for kernels that take no mask and where a mask would be large:

    q' = [q, r]        k' = [k, c / scale]        v' = [v, 0]        so that  q'k'ᵀ·scale = qkᵀ·scale + rcᵀ
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn import functional as F

MULTIPLE = 8
"""Fused kernels want widths that are multiples of it."""


class LowRankBias(NamedTuple):
    """The bias RCᵀ; dimensions of size 1 are broadcast."""

    rows: Float[Tensor, "batch heads steps rank"]
    """R: the part of each query."""

    columns: Float[Tensor, "batch 1 source rank"]
    """C: the part of each key."""

    def to(self, device: torch.device) -> LowRankBias:
        """Return the bias on a device."""
        return LowRankBias(self.rows.to(device), self.columns.to(device))

    @property
    def cells(self) -> int:
        """Number of cells that its mask has."""
        return math.prod(torch.broadcast_shapes(self.rows.shape[:2], self.columns.shape[:2])) * (
            self.rows.shape[2] * self.columns.shape[2]
        )


def as_mask(
    bias: LowRankBias, mask: Bool[Tensor, "#b #h #q n"] | Float[Tensor, "#b #h #q n"] | None, precision: torch.dtype
) -> Float[Tensor, "batch heads steps source"]:
    """Return the bias and a mask as one mask that is added to the scores.

    Args:
        bias: The bias.
        mask: True where a row sees a column, or numbers that are added; None: every row sees everything.
        precision: Type of the result.
    """
    dense = (bias.rows @ bias.columns.mT).to(precision)
    if mask is None:
        return dense
    return torch.where(mask, dense, -math.inf) if mask.dtype == torch.bool else mask + dense


def widened(
    query: Float[Tensor, "batch heads steps head_dim"],
    key: Float[Tensor, "batch groups source head_dim"],
    value: Float[Tensor, "batch groups source value_dim"],
    bias: LowRankBias,
    scale: float,
) -> tuple[Float[Tensor, "batch heads steps w"], Float[Tensor, "batch groups source w"], Tensor]:
    """Return q', k' and v'; the first columns of what attention makes of them are the result.

    Args:
        query: Q.
        key: K; groups of heads may share a key.
        value: V.
        bias: The bias.
        scale: Factor of QKᵀ, which has to be the factor of q'k'ᵀ too.
    """
    rank = bias.rows.shape[-1]
    filled = -rank % MULTIPLE
    rows = F.pad(bias.rows, (0, filled)).to(query.dtype).expand(*query.shape[:3], -1)
    columns = F.pad(bias.columns / scale, (0, filled)).to(key.dtype).expand(*key.shape[:3], -1)
    q, k = torch.cat([query, rows], -1), torch.cat([key, columns], -1)
    return q, k, F.pad(value, (0, max(0, q.shape[-1] - value.shape[-1])))
