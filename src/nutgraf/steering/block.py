"""Bind the words of a phrase together: KPAT's highlighting matrix in the self-attention of a pretrained network.

    A = softmax(QKᵀ/√d + strength · H)
    H_ij = the maximum (or sum) of the weights of the spans that cover both i and j; 0 if there are none

Liu et al., *Key Phrase Aware Transformer for Abstractive Summarization*, Sec. 5.2 (their weighted form). H has
a low rank, so that it needs no matrix. With the sum, S being spans and a_s the vector that is 1 within span s,

    H = Σ_s weight_s · a_s a_sᵀ                  rank: the number of spans

With the maximum, positions that the same spans cover are one unit u, and H = Σ_uv M_uv · a_u a_vᵀ, where M_uv is the
maximum over the spans that u and v share. Where no spans overlap, both are the same, and units are spans.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal

import torch
from jaxtyping import Float
from torch import Tensor

from nutgraf.model.ops.low_rank_bias import LowRankBias
from nutgraf.steering import Form, Place, ShareOf, Where
from nutgraf.steering.marks import Marks, Span, Window, stretch

Overlap = Literal["max", "sum"]


@dataclass(frozen=True)
class Config(Where):
    """A bias on pairs of words within a phrase."""

    strength: float = 1.0
    """Factor of the highlighting matrix."""

    overlap: Overlap = "max"
    """Value where phrases overlap: the maximum of their weights (KPAT) or the sum (Highlight-Transformer)."""


EXAMPLES = (Config(), Config(strength=3.0, overlap="sum", highlighted_layers=(0,)))


class Block(Form):
    """A bias on pairs of words within a phrase; rows of cross-attention are no words of the input."""

    config: Config

    places: ClassVar[tuple[Place, ...]] = ("encoder", "prompt")

    def bias(self, marks: Marks, window: Window, share_of: ShareOf) -> LowRankBias | None:
        """Return the highlighting matrix as a product of two; None where no row is in a phrase."""
        if window.first_row >= marks.length:
            return None
        covers, values = factors(marks.spans, marks.length, self.config.overlap)
        rows = stretch(covers, window.first_row, window.rows) @ (self.config.strength * values)
        return LowRankBias(rows[:, None], stretch(covers, window.first_key, window.keys)[:, None])


@lru_cache(maxsize=8)
def factors(
    spans: Sequence[Sequence[Span]], length: int, overlap: Overlap
) -> tuple[Float[Tensor, "batch source rank"], Float[Tensor, "batch rank rank"]]:
    """Return C and M with H = C M Cᵀ: which units cover a position, and the value of each pair of units."""
    sides = [_units(row, length, overlap) for row in spans]
    rank = max(len(units) for units, _ in sides)
    covers, values = torch.zeros(len(spans), length, rank), torch.zeros(len(spans), rank, rank)
    for example, (units, pairs) in enumerate(sides):
        for unit, positions in enumerate(units):
            covers[example, list(positions), unit] = 1
        if units:
            values[example, : len(units), : len(units)] = torch.tensor(pairs)
    return covers, values


def _units(spans: Sequence[Span], length: int, overlap: Overlap) -> tuple[list[Sequence[int]], list[list[float]]]:
    """Return spans as units with their weights, or else group positions by the spans that cover them."""
    if overlap == "sum":
        weights = torch.tensor([span.weight for span in spans]).diag().tolist()
        return [range(span.start, span.end) for span in spans], weights
    units: dict[frozenset[Span], list[int]] = {}
    for position in range(length):
        covering = frozenset(span for span in spans if span.start <= position < span.end)
        if covering:
            units.setdefault(covering, []).append(position)
    values = [[max((span.weight for span in one & other), default=0.0) for other in units] for one in units]
    return list(units.values()), values
