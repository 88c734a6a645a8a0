"""Layers of self-attention, one above the other, as the encoders that are made of them share them.

"pre" norms before each sub-layer and once at the end, as OpenNMT-py does and so the CopyTransformer of Gehrmann et al.
2018 and of Fabbri et al. 2019; "post" norms after each, as in the Transformer's paper.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from jaxtyping import Bool, Float
from torch import Tensor, nn

from nutgraf.model.attention import attentions
from nutgraf.model.encoder import Encoder
from nutgraf.model.layers import Activation, FeedForward, Norm, Residual, Size, final_norm
from nutgraf.model.records import Encoded, Phrases


@dataclass(frozen=True)
class StackConfig:
    """Options of every encoder of transformer layers."""

    num_layers: int = 4
    """Layers."""

    ffn_dim: int = 2048
    """Inner width of the feed-forward sub-layer."""

    norm: Norm = "pre"
    """Layer normalization before each sub-layer and at the end ("pre"), or after each ("post")."""

    activation: Activation = "relu"
    """Activation function of the feed-forward sub-layer."""

    attention: dict[str, Any] = field(default_factory=lambda: {"kind": "dot_product"})
    """The section `[model.encoder.attention]`."""

    def __post_init__(self) -> None:
        if self.num_layers < 1 or self.ffn_dim < 1:
            raise ValueError("num_layers and ffn_dim are at least 1")


class Attending(nn.Module):
    """A layer of one self-attention."""

    def __init__(self, config: StackConfig, size: Size, number: int) -> None:
        super().__init__()
        self.attention = attentions.from_section(config.attention, size, number, config.num_layers)
        self.around_attention = Residual(size, config.norm)

    def attended(self, states: Float[Tensor, "batch source width"]) -> Float[Tensor, "batch source width"]:
        """What the attention of this layer is given of the layer's states."""
        given: Tensor = self.around_attention.norm(states) if self.around_attention.first else states
        return given

    def forward(
        self, states: Float[Tensor, "batch source width"], mask: Bool[Tensor, "batch source"] | None, phrases: Phrases
    ) -> Float[Tensor, "batch source width"]:
        """States of this layer from those below."""
        seen: Tensor = self.around_attention(states, lambda normed: self.attention(normed, mask, phrases))
        return seen


class Layer(Attending):
    """One self-attention, one feed-forward."""

    def __init__(self, config: StackConfig, size: Size, number: int) -> None:
        super().__init__(config, size, number)
        self.feed_forward = FeedForward(size, config.ffn_dim, config.activation)
        self.around_feed_forward = Residual(size, config.norm)

    def forward(
        self, states: Float[Tensor, "batch source width"], mask: Bool[Tensor, "batch source"] | None, phrases: Phrases
    ) -> Float[Tensor, "batch source width"]:
        """States of this layer from those below."""
        changed: Tensor = self.around_feed_forward(super().forward(states, mask, phrases), self.feed_forward)
        return changed


class Stack(Encoder):
    """Layers, and what ends them."""

    def __init__(self, config: StackConfig, size: Size, layers: Iterable[Attending]) -> None:
        super().__init__()
        self.width = size.d_model
        self.layers = nn.ModuleList(layers)
        self.norm = final_norm(size, config.norm)

    @property
    def has_graph(self) -> bool:
        """As its attention has."""
        return self._layers()[-1].attention.has_graph

    def begin(
        self, embedded: Float[Tensor, "batch source width"], mask: Bool[Tensor, "batch source"] | None
    ) -> Float[Tensor, "batch source width"]:
        """What the first layer is given of the embedded words."""
        return embedded

    def forward(
        self,
        embedded: Float[Tensor, "batch source width"],
        mask: Bool[Tensor, "batch source"] | None,
        phrases: Phrases,
        graph: bool = False,
    ) -> Encoded:
        """The states of the last layer."""
        states = self.begin(embedded, mask)
        for layer in self._layers():
            below, states = states, layer(states, mask, phrases)
        last = self._layers()[-1]
        seen = last.attention.graph(last.attended(below), mask, phrases) if graph else None
        return Encoded(self.norm(states), graph=seen)

    def weights(
        self,
        embedded: Float[Tensor, "batch source width"],
        mask: Bool[Tensor, "batch source"] | None,
        phrases: Phrases,
    ) -> list[Float[Tensor, "batch heads source source"]]:
        """Every layer's self-attention by the plain formula."""
        found, states = [], self.begin(embedded, mask)
        for layer in self._layers():
            found.append(layer.attention.weights(layer.attended(states), mask, phrases))
            states = layer(states, mask, phrases)
        return found

    def _layers(self) -> list[Attending]:
        return [layer for layer in self.layers if isinstance(layer, Attending)]
