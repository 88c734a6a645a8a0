"""The Transformer's decoder (Vaswani et al. 2017, Sec. 3.1)."""

from __future__ import annotations

from dataclasses import dataclass

from nutgraf.model.decoder import DecoderContext
from nutgraf.model.decoder._stack import StackConfig, TransformerLayer, TransformerStack


@dataclass(frozen=True)
class Config(StackConfig):
    """A transformer decoder."""


EXAMPLES = (
    Config(num_layers=2, ffn_dim=13, copy_attention="mean"),
    Config(num_layers=2, ffn_dim=13, copy_attention="summed"),
    Config(num_layers=2, ffn_dim=13, norm="post", activation="gelu"),
)


class Transformer(TransformerStack):
    """Layers of self-attention, cross-attention and feed-forward."""

    def __init__(self, config: Config, context: DecoderContext) -> None:
        super().__init__(config, context, (TransformerLayer(config, context.size) for _ in range(config.num_layers)))
