"""The Transformer's encoder (Vaswani et al. 2017, Sec. 3.1), its attention a slot."""

from __future__ import annotations

from nutgraf.model.encoder._stack import StackConfig as Config
from nutgraf.model.encoder._stack import TransformerLayer, TransformerStack
from nutgraf.model.layers import Size

EXAMPLES = (
    Config(num_layers=3, ffn_dim=5),
    Config(num_layers=3, ffn_dim=5, norm="post", activation="gelu"),
)


class Transformer(TransformerStack):
    """Layers of self-attention and feed-forward."""

    def __init__(self, config: Config, size: Size) -> None:
        layers = (TransformerLayer(config, size, number) for number in range(config.num_layers))
        super().__init__(config, size, layers)
