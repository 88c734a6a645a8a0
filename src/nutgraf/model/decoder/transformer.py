"""The Transformer's decoder (Vaswani et al. 2017, Sec. 3.1), which may be told how many tokens remain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nutgraf.model.decoder import DecoderContext
from nutgraf.model.decoder._length_encoding import LengthEncoding
from nutgraf.model.decoder._stack import StackConfig, TransformerLayer, TransformerStack
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
        self.needs_length = config.length_encoding == "difference"
        self.length_encoding = LengthEncoding(config.length_noise) if self.needs_length else None
