"""The Transformer's decoder (Vaswani et al. 2017, Sec. 3.1)."""

from __future__ import annotations

from dataclasses import dataclass

from nutgraf.model import coverage
from nutgraf.model.decoder._stack import Layer, Stack, StackConfig
from nutgraf.model.layers import Size


@dataclass(frozen=True)
class Config(StackConfig):
    """A transformer decoder."""


class Transformer(Stack):
    """Attention to what was written, attention to the source, feed-forward, by turns."""

    def __init__(self, config: Config, size: Size, source: int, covering: coverage.Config | None) -> None:
        super().__init__(config, size, source, covering, (Layer(config, size) for _ in range(config.num_layers)))
