"""The convolutional decoder (Gehring et al. 2017, Sec. 3.2–3.5), with a desired length (Liu, Luo and Zhu 2018).

    h⁰ = (W e + b) · ℓ/100                                   ℓ: the desired length, at every word
    c  = GLU(W · window(hˡ⁻¹) + b)                           the window ends with the word itself
    q  = (W c + b + e) · √½                                  queries of the cross-attention, in every layer
    a  = softmax over the m words of the source of q · z     z, v: the encoder's states and values
    hˡ = ((W (Σ a v) · √m + b + c) · √½ + hˡ⁻¹) · √½         each W and b its own

A mean of m independent vectors has an m-th of their variance, hence √m (Sec. 3.4). The desired length is not enforced:
the network learns from targets whose length it was told.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from nutgraf.errors import PresetError
from nutgraf.model.convolution import HALF, GatedConvolution, WeightNormLinear, product_precision
from nutgraf.model.decoder import Decoder, DecoderContext, DecoderState
from nutgraf.model.layers import Size
from nutgraf.model.ops.attention import attend, reweighted, softmax_weights
from nutgraf.model.ops.dropout import Dropout
from nutgraf.model.records import DecoderOutput, EncoderOutput
from nutgraf.presets.ranges import PositiveFloat, PositiveInt


@dataclass(frozen=True)
class Config:
    """A convolutional decoder."""

    num_layers: PositiveInt = 8
    """Number of convolutional layers, each with cross-attention."""

    channels: PositiveInt = 512
    """Width of the layers."""

    kernel_size: PositiveInt = 3
    """Words a convolution sees: the last ones, up to the word itself."""

    output_dim: PositiveInt = 256
    """Width of the states that words are generated from."""

    length_unit: PositiveFloat | None = None
    """Words in one unit of the desired length; unset: the network is not told a length."""

    copy_attention: Literal["last", "mean"] = "last"
    """Cross-attention that words are copied with: that of the last layer, or the mean of all."""


@dataclass(frozen=True)
class KeysAndValues:
    """Keys and values of the source, which all layers share."""

    keys: Float[Tensor, "batch 1 source d_model"]
    guided: Float[Tensor, "batch 1 source d_model"]
    """Keys of the last layer."""

    values: Float[Tensor, "batch 1 source d_model"]
    padding: Bool[Tensor, "batch source"] | None
    root: Float[Tensor, "batch 1 1"]
    """Square root of the number of words."""

    @classmethod
    def of(cls, encoder_output: EncoderOutput) -> KeysAndValues:
        """Return the keys and values in the precision of matrix products."""
        states, values, added = encoder_output.encoder_hidden_states, encoder_output.values, encoder_output.guided_keys
        keys = product_precision(states)[:, None]
        guided = keys if added is None else product_precision(states + added)[:, None]
        root = (~encoder_output.key_padding_mask).sum(1).to(states.dtype).sqrt()[:, None, None]
        return cls(
            keys, guided, keys if values is None else product_precision(values)[:, None], encoder_output.padding, root
        )


class Windows(DecoderState):
    """Words that each layer's next window begins with, for every hypothesis: all of a window but its last vector."""

    of_documents = ("cross",)
    of_hypotheses = ("before",)

    def __init__(self, cross: KeysAndValues, before: list[Float[Tensor, "batch beams before channels"]]) -> None:
        self.cross, self.before = cross, before

    def complete(self, layer: int, states: Float[Tensor, "batch beams channels"]) -> Tensor:
        """Return the windows that end with the new words; the next ones begin a word later."""
        window = torch.cat([self.before[layer], states[:, :, None]], 2)
        self.before[layer] = window[:, :, 1:]
        return window


EXAMPLES = (
    Config(num_layers=2, channels=13, output_dim=17),
    Config(num_layers=2, channels=13, output_dim=17, kernel_size=2, copy_attention="mean", length_unit=5.0),
)


class Convolutional(Decoder):
    """Gated convolutions, each with attention to the source."""

    def __init__(self, config: Config, context: DecoderContext) -> None:
        super().__init__(config, context)
        size, given = context.size, context.encoder_hidden_size
        if given != size.d_model:
            raise PresetError(
                f"A convolutional decoder reads states as wide as words, {size.d_model}; the encoder's have {given}."
            )
        if context.coverage is not None:
            raise PresetError("A convolutional decoder keeps no coverage; leave [model.coverage] out.")
        self.config, self.needs_length = config, config.length_unit is not None
        self.hidden_size, self.guided_keys_dim = config.output_dim, size.d_model
        self.copy_features_dim = 2 * size.d_model + config.output_dim
        self.in_proj = WeightNormLinear(size.d_model, config.channels, kept=1 - size.dropout)
        self.layers = nn.ModuleList(ConvolutionalLayer(config, size) for _ in range(config.num_layers))
        self.out_proj = WeightNormLinear(config.channels, config.output_dim)
        self.dropout = Dropout(size.dropout)

    def forward(
        self, embedded: Float[Tensor, "batch steps d_model"], encoder_output: EncoderOutput, needs_attention: bool
    ) -> DecoderOutput:
        """Return the states of all steps at once."""

        def convolve(number: int, layer: ConvolutionalLayer, states: Tensor) -> Tensor:
            return layer.convolution(states, self.config.kernel_size - 1)

        return self._decode(embedded, encoder_output, KeysAndValues.of(encoder_output), convolve, needs_attention)

    def start(self, encoder_output: EncoderOutput, beam_size: int) -> Windows:
        """Return windows of zeros, which stand before the first word."""
        states = encoder_output.encoder_hidden_states
        shape = len(states), beam_size, self.config.kernel_size - 1, self.config.channels
        return Windows(KeysAndValues.of(encoder_output), [states.new_zeros(shape) for _ in self.layers])

    def step(
        self,
        embedded: Float[Tensor, "batch beams d_model"],
        encoder_output: EncoderOutput,
        state: DecoderState,
        needs_attention: bool,
    ) -> DecoderOutput:
        """Return the states after the next word of every hypothesis."""
        assert isinstance(state, Windows)

        def convolve(number: int, layer: ConvolutionalLayer, states: Tensor) -> Tensor:
            return layer.convolution.next(state.complete(number, states))

        return self._decode(embedded, encoder_output, state.cross, convolve, needs_attention)

    def _decode(
        self,
        embedded: Float[Tensor, "batch steps d_model"],
        encoder_output: EncoderOutput,
        cross: KeysAndValues,
        convolve: Callable[[int, ConvolutionalLayer, Tensor], Tensor],
        needs_attention: bool,
    ) -> DecoderOutput:
        """Apply the layers; `convolve` makes the windows of one and applies its convolution."""
        states = self.in_proj(embedded).to(embedded.dtype)
        if self.config.length_unit is not None:
            states = states * (encoder_output.told_length / self.config.length_unit)[:, None, None]
        found: list[Tensor] = []
        for number, layer in enumerate(self.layers):
            assert isinstance(layer, ConvolutionalLayer)
            keys = cross.guided if layer is self.layers[-1] else cross.keys
            convolved = convolve(number, layer, states)
            query = layer.query(convolved, embedded)
            copied = needs_attention and (self.config.copy_attention == "mean" or layer is self.layers[-1])
            bias = encoder_output.source_bias
            weights = softmax_weights(query, keys, cross.padding) if copied or bias is not None else None
            if weights is not None and bias is not None:
                weights = reweighted(weights, bias[:, None])
                context = (weights.to(cross.values.dtype) @ cross.values).squeeze(1)
            else:
                context = attend(query, keys, cross.values, cross.padding).squeeze(1)
            if weights is not None and copied:
                found.append(weights.squeeze(1))
            states = (layer.leave(convolved, context * cross.root) + states) * HALF
        attention = torch.stack(found).mean(0) if needs_attention else None
        return DecoderOutput(self.dropout(self.out_proj(states)), embedded, context, attention)


class ConvolutionalLayer(nn.Module):
    """A gated convolution, and cross-attention of one head."""

    def __init__(self, config: Config, size: Size) -> None:
        super().__init__()
        self.convolution = GatedConvolution(config.channels, config.kernel_size, size.dropout)
        self.query_proj = WeightNormLinear(config.channels, size.d_model)
        self.context_proj = WeightNormLinear(size.d_model, config.channels)

    def query(
        self, convolved: Float[Tensor, "batch steps channels"], embedded: Float[Tensor, "batch steps d_model"]
    ) -> Float[Tensor, "batch 1 steps d_model"]:
        """Return the queries times √d_model, by which attention will divide the scores."""
        query = (self.query_proj(convolved) + embedded) * (HALF * math.sqrt(embedded.shape[-1]))
        return product_precision(query)[:, None]

    def leave(
        self, convolved: Float[Tensor, "batch steps channels"], context: Float[Tensor, "batch steps d_model"]
    ) -> Float[Tensor, "batch steps channels"]:
        """Return the sum of convolution and context."""
        return (self.context_proj(context) + convolved) * HALF
