"""Transformer layers, as the encoders that are made of them share them.

norm = "pre" normalizes before each sub-layer and once at the end, as OpenNMT-py does and so the CopyTransformer of
Gehrmann et al. 2018 and of Fabbri et al. 2019; "post" normalizes after each, as in the Transformer's paper.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import torch
from jaxtyping import Float
from torch import Tensor, nn

from nutgraf.errors import PresetError
from nutgraf.model.attention import Attention, AttentionContext, attentions
from nutgraf.model.encoder import Encoder
from nutgraf.model.layers import FeedForward, LayersConfig, Residual, Size, final_norm
from nutgraf.model.records import Batch, EncoderOutput
from nutgraf.presets.family import Choice


@dataclass(frozen=True)
class StackConfig(LayersConfig):
    """Options of every encoder of transformer layers."""

    attention: Choice[Attention] = field(default_factory=lambda: attentions.choose("dot_product"))
    """The section `[model.encoder.attention]`."""


class SelfAttentionLayer(nn.Module):
    """A layer of self-attention alone."""

    def __init__(self, config: StackConfig, size: Size, number: int) -> None:
        super().__init__()
        context = AttentionContext(size, number, config.num_layers)
        self.self_attention = attentions.build(config.attention, context)
        self.self_attention_residual = Residual(size, config.norm)

    def forward(
        self, states: Float[Tensor, "batch source d_model"], batch: Batch
    ) -> Float[Tensor, "batch source d_model"]:
        """Return the states of this layer from those of the layer below."""
        return self.self_attention_residual(
            states, lambda normed: self.self_attention(normed, batch.padding, batch.phrases)
        )


class TransformerLayer(SelfAttentionLayer):
    """A layer of self-attention and feed-forward."""

    def __init__(self, config: StackConfig, size: Size, number: int) -> None:
        super().__init__(config, size, number)
        self.feed_forward = FeedForward(size, config.ffn_dim, config.activation)
        self.feed_forward_residual = Residual(size, config.norm)

    def forward(
        self, states: Float[Tensor, "batch source d_model"], batch: Batch
    ) -> Float[Tensor, "batch source d_model"]:
        """Return the states of this layer from those of the layer below."""
        return self.feed_forward_residual(super().forward(states, batch), self.feed_forward)


class TransformerStack(Encoder):
    """Transformer layers and the final normalization."""

    def __init__(self, config: StackConfig, size: Size, layers: Iterable[SelfAttentionLayer]) -> None:
        super().__init__(config, size)
        self.hidden_size = size.d_model
        self.layers = nn.ModuleList(layers)
        self.norm = final_norm(size, config.norm)

    @property
    def provides_graph(self) -> bool:
        """True if the last layer's attention provides it."""
        return self._layers()[-1].self_attention.provides_graph

    @property
    def heeds_phrases(self) -> bool:
        """True if the layers' attention does."""
        return self._layers()[-1].self_attention.heeds_phrases

    def first_input(
        self, embedded: Float[Tensor, "batch source d_model"], batch: Batch
    ) -> Float[Tensor, "batch source d_model"]:
        """Return the input of the first layer."""
        return embedded

    def forward(
        self, embedded: Float[Tensor, "batch source d_model"], batch: Batch, needs_graph: bool = False
    ) -> EncoderOutput:
        """Return the states of the last layer."""
        states = self.first_input(embedded, batch)
        for layer in self._layers():
            below, states = states, layer(states, batch)
        graph = None
        if needs_graph:
            given = layer.self_attention_residual.sublayer_input(below)
            graph = layer.self_attention.graph(given, batch.padding, batch.phrases)
        return replace(EncoderOutput.of(batch, self.norm(states)), graph=graph)

    def weights(
        self, embedded: Float[Tensor, "batch source d_model"], batch: Batch
    ) -> list[Float[Tensor, "batch heads source source"]]:
        """Return every layer's self-attention by the plain formula."""
        found, states = [], self.first_input(embedded, batch)
        for layer in self._layers():
            given = layer.self_attention_residual.sublayer_input(states)
            found.append(layer.self_attention.weights(given, batch.padding, batch.phrases))
            states = layer(states, batch)
        return found

    def first_layers(self, count: int) -> list[nn.Module]:
        """Return the first layers; with the last one comes the norm behind it."""
        layers = self._layers()
        if count > len(layers):
            raise PresetError(f"The encoder has {len(layers)} layers, so {count} cannot be frozen.")
        return [*layers[:count], *([self.norm] if count == len(layers) else [])]

    def split_forward(
        self, embedded: Float[Tensor, "batch source d_model"], batch: Batch, frozen: int
    ) -> Float[Tensor, "batch source d_model"]:
        """Return the states of the last layer, without gradients of the first ones."""
        with torch.no_grad():
            states = self.first_input(embedded, batch)
            for layer in self._layers()[:frozen]:
                states = layer(states, batch)
        for layer in self._layers()[frozen:]:
            states = layer(states, batch)
        return self.norm(states)

    def _layers(self) -> list[SelfAttentionLayer]:
        return [layer for layer in self.layers if isinstance(layer, SelfAttentionLayer)]
