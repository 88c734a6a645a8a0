"""Transformer layers over sentences (Liu and Lapata 2019, *Text Summarization with Pretrained Encoders*, Sec. 3.2).

    h⁰ = states + sinusoidal positions        h̃ = h + MHA(LN(h))        h′ = h̃ + FFN(LN(h̃))

The first layer's self-attention is given h⁰ as it is, as in the authors' code. The layers' width may be divided into
other heads than that of the encoder below, and their norms add 1e-6 to a variance whatever those below add.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from jaxtyping import Float
from torch import Tensor, nn

from nutgraf.errors import PresetError
from nutgraf.model.encoder._stack import StackConfig, TransformerLayer, TransformerStack
from nutgraf.model.layers import LAYER_NORM_EPS, Activation, Size, sinusoids
from nutgraf.model.records import Batch
from nutgraf.presets.ranges import PositiveInt


@dataclass(frozen=True)
class Config(StackConfig):
    """Transformer layers over sentences."""

    num_layers: PositiveInt = 2
    """Number of layers."""

    num_heads: PositiveInt | None = None
    """Heads of the self-attention, by which the width can be divided; absent: as many as the network has."""

    activation: Activation = "gelu"
    """Activation function of the feed-forward sub-layer."""

    norm: Literal["pre"] = "pre"
    """The layers over sentences normalize before each sub-layer."""


EXAMPLES = (Config(num_layers=2, ffn_dim=5), Config(num_layers=1, ffn_dim=5, activation="relu"))


class InterSentence(TransformerStack):
    """Layers of self-attention and feed-forward; what is embedded are sentences, to which positions are added."""

    def __init__(self, config: Config, size: Size) -> None:
        heads = config.num_heads or size.num_heads
        if size.d_model % heads:
            raise PresetError(
                f"The states of sentences have {size.d_model} numbers, which should be a multiple of num_heads = "
                f"{heads}."
            )
        inner = replace(size, num_heads=heads, layer_norm_eps=LAYER_NORM_EPS)
        made = [TransformerLayer(config, inner, number) for number in range(config.num_layers)]
        made[0].self_attention_residual.norm = nn.Identity()
        super().__init__(config, inner, made)

    def first_input(
        self, embedded: Float[Tensor, "batch source d_model"], batch: Batch
    ) -> Float[Tensor, "batch source d_model"]:
        """Return the sentences with their positions."""
        return embedded + sinusoids(embedded.shape[1], embedded.shape[2]).to(embedded)
