"""The few largest of very many numbers, several times as fast as `topk` over all of them."""

from __future__ import annotations

import torch
from jaxtyping import Float, Int
from torch import Tensor

BLOCK = 256


def largest(
    values: Float[Tensor, "batch beams many"], ahead: Float[Tensor, "batch beams"], several: int
) -> tuple[Float[Tensor, "batch several"], Int[Tensor, "batch several"], Int[Tensor, "batch several"]]:
    """Return the `several` largest of values + ahead among all beams of a document, their beams and places.

    They lie in the `several` blocks whose maxima are largest: if one lay elsewhere, each of these blocks would have a
    larger one.
    """
    batch, beams, many = values.shape
    whole = many // BLOCK
    if beams * whole <= several:
        found = (values + ahead[..., None]).flatten(1).topk(min(several, beams * many))
        return found.values, found.indices // many, found.indices % many
    highest = values[..., : whole * BLOCK].view(batch, beams, whole, BLOCK).amax(-1) + ahead[..., None]
    chosen = highest.flatten(1).topk(several).indices
    beam = chosen // whole
    places = (beam * many + chosen % whole * BLOCK)[..., None] + torch.arange(BLOCK, device=values.device)
    members = values.flatten(1).gather(1, places.flatten(1)).view(places.shape) + ahead.gather(1, beam)[..., None]
    rest = torch.arange(beams * many, device=values.device).view(beams, many)[:, whole * BLOCK :]
    others = values[..., whole * BLOCK :] + ahead[..., None]
    found = torch.cat([members.flatten(1), others.flatten(1)], 1).topk(several)
    places = torch.cat([places.flatten(1), rest.flatten().expand(batch, -1)], 1).gather(1, found.indices)
    return found.values, places // many, places % many
