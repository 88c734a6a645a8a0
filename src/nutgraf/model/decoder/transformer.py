"""The Transformer's decoder (Vaswani et al. 2017, Sec. 3.1)."""

from __future__ import annotations

from dataclasses import dataclass

from nutgraf.model.decoder import DecoderContext
from nutgraf.model.decoder._stack import StackConfig, TransformerLayer, TransformerStack


@dataclass(frozen=True)
class Config(StackConfig):
    """A transformer decoder."""


class Transformer(TransformerStack):
    """Layers of self-attention, cross-attention and feed-forward."""

    def __init__(self, config: Config, context: DecoderContext) -> None:
        super().__init__(config, context, (TransformerLayer(config, context.size) for _ in range(config.num_layers)))
