"""The Transformer's encoder (Vaswani et al. 2017, Sec. 3.1), its attention a slot."""

from __future__ import annotations

from dataclasses import dataclass

from nutgraf.model.encoder._stack import Layer, Stack, StackConfig
from nutgraf.model.layers import Size


@dataclass(frozen=True)
class Config(StackConfig):
    """A transformer encoder."""


class Transformer(Stack):
    """Self-attention and feed-forward by turns."""

    def __init__(self, config: Config, size: Size) -> None:
        super().__init__(config, size, (Layer(config, size, number) for number in range(config.num_layers)))
