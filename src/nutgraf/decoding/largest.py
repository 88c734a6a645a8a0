"""The few largest of very many numbers, several times as fast as looking through all of them."""

from __future__ import annotations

import torch
from jaxtyping import Float, Int
from torch import Tensor

BLOCK = 256


def largest(
    values: Float[Tensor, "batch beams many"], several: int
) -> tuple[Float[Tensor, "batch beams several"], Int[Tensor, "batch beams several"]]:
    """The largest and where they are, as `topk` gives them; all of them, if there are fewer.

    The `several` largest lie in the `several` blocks whose largest are largest: if one lay elsewhere, each of these
    blocks would have a larger one.
    """
    whole = values.shape[-1] // BLOCK
    if whole <= several:
        found = values.topk(min(several, values.shape[-1]))
        return found.values, found.indices
    blocks = values[..., : whole * BLOCK].view(*values.shape[:-1], whole, BLOCK)
    rest = values[..., whole * BLOCK :]
    chosen = blocks.amax(-1).topk(several).indices
    members = blocks.gather(-2, chosen[..., None].expand(-1, -1, -1, BLOCK)).flatten(-2)
    first = (chosen[..., None] * BLOCK + torch.arange(BLOCK, device=values.device)).flatten(-2)
    last = torch.arange(whole * BLOCK, values.shape[-1], device=values.device).expand_as(rest)
    found = torch.cat([members, rest], -1).topk(several)
    return found.values, torch.cat([first, last], -1).gather(-1, found.indices)
