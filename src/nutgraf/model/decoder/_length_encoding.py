"""An encoding that tells a decoder how many tokens remain to be written.

Takase and Okazaki, *Positional Encoding to Control Output Sequence Length* (NAACL 2019): the length-difference
positional encoding at position pos of a summary of len tokens is, for each pair of dimensions i,

    LDPE(pos, len, 2i)     = sin((len − pos) / 10000^(2i/d))
    LDPE(pos, len, 2i + 1) = cos((len − pos) / 10000^(2i/d))

It is added to the words and their positions ("LDPE+PE"). The step that is given BOS has position 0, so that len − pos
tokens remain to be written, none where the end token is due; we let it stay 0 afterwards. Nothing is learned for it. In
training the length is that of the target, give or take a few tokens that are drawn at random (Oka et al. 2020,
*Incorporating Noisy Length Constraints into Transformer with Length-aware Positional Encodings*), so that a network
need not break off where its length is used up.
"""

from __future__ import annotations

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from nutgraf.model.layers import sinusoids_at


class LengthEncoding(nn.Module):
    """Adds the length-difference positional encoding to embedded words."""

    def __init__(self, noise: int) -> None:
        """Make an encoding; in training, a length is off by at most `noise` tokens, either way."""
        super().__init__()
        self.noise = noise

    def forward(
        self,
        embedded: Float[Tensor, "batch steps d_model"],
        length: Int[Tensor, " batch"],
        position: int | None = None,
    ) -> Float[Tensor, "batch steps d_model"]:
        """Return the embedded words with the encoding of the number of tokens that each summary is to have.

        In search, where a step is a hypothesis, all stand at `position`.
        """
        if position is not None:
            positions = torch.full_like(length[:1], position)
        else:
            length = self.perturbed(length) if self.training else length
            positions = torch.arange(embedded.shape[1], device=embedded.device)
        return embedded + length_differences(length, positions, embedded.shape[2]).to(embedded)

    def perturbed(self, length: Int[Tensor, " batch"]) -> Int[Tensor, " batch"]:
        """Return lengths that are off by at most `noise` tokens, drawn uniformly."""
        return length + torch.randint_like(length, -self.noise, self.noise + 1)


def length_differences(
    length: Int[Tensor, " batch"], positions: Int[Tensor, " steps"], width: int
) -> Float[Tensor, "batch steps width"]:
    """Return LDPE(pos, len) of each step; beyond the length it is that of its end."""
    return sinusoids_at((length[:, None] - positions).clamp_min(0), width)
