"""The Transformer's decoder (Vaswani et al. 2017, Sec. 3.1), which may be told how many tokens remain.

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

from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor

from nutgraf.model.decoder import DecoderContext
from nutgraf.model.decoder._cache import KeyValueCache
from nutgraf.model.decoder._stack import StackConfig, TransformerLayer, TransformerStack
from nutgraf.model.layers import sinusoids_at
from nutgraf.model.records import EncoderOutput
from nutgraf.presets.ranges import NonNegativeInt


@dataclass(frozen=True)
class Config(StackConfig):
    """A transformer decoder."""

    length_encoding: Literal["none", "difference"] = "none"
    """Encoding of the desired length: sinusoids of the number of tokens that remain ("difference"); or the network is
    not told a length."""

    length_noise: NonNegativeInt = 4
    """Most tokens by which a told length is off in training, either way, drawn uniformly for each target; 0: none."""


EXAMPLES = (
    Config(num_layers=2, ffn_dim=13, copy_attention="mean"),
    Config(num_layers=2, ffn_dim=13, copy_attention="summed"),
    Config(num_layers=2, ffn_dim=13, norm="post", activation="gelu"),
    Config(num_layers=2, ffn_dim=13, length_encoding="difference", length_noise=0),
)


class Transformer(TransformerStack):
    """Layers of self-attention, cross-attention and feed-forward."""

    def __init__(self, config: Config, context: DecoderContext) -> None:
        super().__init__(config, context, (TransformerLayer(config, context.size) for _ in range(config.num_layers)))
        self.needs_length, self.length_noise = config.length_encoding == "difference", config.length_noise

    def first_input(
        self,
        embedded: Float[Tensor, "batch steps d_model"],
        encoder_output: EncoderOutput,
        state: KeyValueCache | None = None,
    ) -> Float[Tensor, "batch steps d_model"]:
        """Return the embedded words, with the encoding of the length where the network is told one."""
        if not self.needs_length:
            return embedded
        length = encoder_output.told_length
        if state is not None:
            positions = torch.full_like(length[:1], state.position)
        else:
            length = self._perturbed(length) if self.training else length
            positions = torch.arange(embedded.shape[1], device=embedded.device)
        return embedded + length_differences(length, positions, embedded.shape[2]).to(embedded)

    def _perturbed(self, length: Int[Tensor, " batch"]) -> Int[Tensor, " batch"]:
        return length + torch.randint_like(length, -self.length_noise, self.length_noise + 1)


def length_differences(
    length: Int[Tensor, " batch"], positions: Int[Tensor, " steps"], width: int
) -> Float[Tensor, "batch steps width"]:
    """Return LDPE(pos, len) of each step; beyond the length it is that of its end."""
    return sinusoids_at((length[:, None] - positions).clamp_min(0), width)
