"""Recurrent layers that pause at padding: further columns of the input mark it, and their weights hold the state.

Packed sequences have the same effect, but are several times slower to train.
"""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

CLOSED, MARKS = 1e4, 8
"""Input that closes a gate entirely, and columns that give it: several, since products of odd widths are slow."""


def mark(
    given: Float[Tensor, "batch source inputs"], key_padding_mask: Bool[Tensor, "batch source"]
) -> Float[Tensor, "batch source marked"]:
    """Return the input, 0 at padding, and the columns that mark it."""
    marks = key_padding_mask[..., None].expand(-1, -1, MARKS).to(given.dtype)
    return torch.cat([given.masked_fill(key_padding_mask[..., None], 0), marks], -1)


def pausing_weights(layer: nn.RNNBase, opened: int, closed: int | None = None) -> list[Tensor]:
    """Return the weights of a layer for a marked input."""
    size = layer.hidden_size

    def with_marks(weight: Tensor) -> Tensor:
        pause = weight.new_zeros(len(weight), MARKS)
        pause[opened * size : (opened + 1) * size] = CLOSED
        if closed is not None:
            pause[closed * size : (closed + 1) * size] = -CLOSED
        return torch.cat([weight, pause], 1)

    return [with_marks(one) if name.startswith("weight_ih") else one for name, one in layer.named_parameters()]


def side_by_side(ends: Float[Tensor, "directions batch one"]) -> Float[Tensor, "batch hidden"]:
    """Put the directions side by side."""
    return torch.cat(ends.unbind(0), -1)
