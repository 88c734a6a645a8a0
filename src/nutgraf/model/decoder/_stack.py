"""Transformer layers, as the decoders that are made of them share them; norm = "pre" and "post" as in the encoder.

Words are copied with the last layer's cross-attention: that of its first head, as in OpenNMT-py (Gehrmann et al. 2018
speak of one head chosen at random, and before training all are alike), the mean of its heads, or the softmax of the sum
of their scores, which is one dot product of full width.

Coverage acts in the last layer: words are copied with its attention, and its queries do not depend on its own weights,
so that the scores of all steps come at once and only the softmax goes step by step.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from nutgraf.errors import PresetError
from nutgraf.model.coverage import Coverage
from nutgraf.model.decoder import Decoder, DecoderContext, DecoderState
from nutgraf.model.decoder._cache import KeyValueCache, LSTMState, Pair
from nutgraf.model.decoder._length_encoding import LengthEncoding
from nutgraf.model.layers import FeedForward, LayersConfig, Residual, Size, final_norm
from nutgraf.model.multi_head import MultiHead
from nutgraf.model.ops.attention import attend, reweighted, scaled_scores, softmax_weights, zero_empty_sources
from nutgraf.model.records import DecoderOutput, EncoderOutput


@dataclass(frozen=True)
class StackConfig(LayersConfig):
    """Options of every decoder of transformer layers."""

    copy_attention: Literal["first", "mean", "summed"] = "first"
    """Heads of the last cross-attention that words are copied with: the first, the mean of all, or all as one."""


class AttentionLayer(nn.Module):
    """A layer of self-attention and cross-attention alone."""

    def __init__(self, config: StackConfig, size: Size) -> None:
        super().__init__()
        self.self_attention = MultiHead(size)
        self.cross_attention = MultiHead(size)
        self.self_attention_residual = Residual(size, config.norm)
        self.cross_attention_residual = Residual(size, config.norm)

    def attend_to_past(self, states: Float[Tensor, "batch steps d_model"]) -> Float[Tensor, "batch steps d_model"]:
        """Return each word's attention to itself and the words before it."""
        return self.self_attention.merge(attend(*self.self_attention.project(states), causal=True))

    def query(self, states: Float[Tensor, "batch steps d_model"]) -> Float[Tensor, "batch heads steps head_dim"]:
        """Return the queries of the cross-attention."""
        return self.cross_attention.project_query(self.cross_attention_residual.sublayer_input(states))

    def leave(
        self,
        states: Float[Tensor, "batch steps d_model"],
        context: Float[Tensor, "batch steps d_model"],
        recurrent: LSTMState | None = None,
    ) -> Float[Tensor, "batch steps d_model"]:
        """Return the layer's states after its cross-attention; `recurrent` is the state of its LSTM in search."""
        return self.cross_attention_residual.add(states, context)


class TransformerLayer(AttentionLayer):
    """A layer of self-attention, cross-attention and feed-forward."""

    def __init__(self, config: StackConfig, size: Size) -> None:
        super().__init__(config, size)
        self.feed_forward = FeedForward(size, config.ffn_dim, config.activation)
        self.feed_forward_residual = Residual(size, config.norm)

    def leave(
        self,
        states: Float[Tensor, "batch steps d_model"],
        context: Float[Tensor, "batch steps d_model"],
        recurrent: LSTMState | None = None,
    ) -> Float[Tensor, "batch steps d_model"]:
        """Return the layer's states after its cross-attention."""
        return self.feed_forward_residual(super().leave(states, context), self.feed_forward)


class TransformerStack(Decoder):
    """Transformer layers, the final normalization, and coverage in the last layer."""

    def __init__(self, config: StackConfig, context: DecoderContext, layers: Iterable[AttentionLayer]) -> None:
        super().__init__(config, context)
        width, given, covering = context.size.d_model, context.encoder_hidden_size, context.coverage
        if given != width:
            raise PresetError(f"This decoder reads states of its own width, {width}; the encoder's have {given}.")
        self.hidden_size, self.copy_features_dim, self.guided_keys_dim = width, 3 * width, width
        self.layers = nn.ModuleList(layers)
        self.norm = final_norm(context.size, config.norm)
        self.copy_attention = config.copy_attention
        acts = covering is not None and covering.mode != "loss_only"
        if acts and config.copy_attention == "summed":
            raise PresetError('copy_attention = "summed" takes no coverage into account; "mean" does.')
        self.coverage = Coverage(covering, context.size.num_heads) if covering is not None and acts else None
        self.length_encoding: LengthEncoding | None = None

    def first_input(
        self,
        embedded: Float[Tensor, "batch steps d_model"],
        encoder_output: EncoderOutput,
        state: KeyValueCache | None = None,
    ) -> Float[Tensor, "batch steps d_model"]:
        """Return the input of the first layer; with a state, that of the next word of every hypothesis."""
        if self.length_encoding is None:
            return embedded
        position = None if state is None else state.position
        return self.length_encoding(embedded, encoder_output.told_length, position)

    def forward(
        self, embedded: Float[Tensor, "batch steps d_model"], encoder_output: EncoderOutput, needs_attention: bool
    ) -> DecoderOutput:
        """Return the states of all steps at once."""
        states = self.first_input(embedded, encoder_output)
        for layer in self._layers():
            states = layer.self_attention_residual(states, layer.attend_to_past)
            cross = self._keys_and_values(layer, encoder_output), encoder_output.padding
            context, attention = self._attend_to_source(layer, states, *cross, needs_attention)
            states = layer.leave(states, context)
        return DecoderOutput(self.norm(states), embedded, context, attention)

    def start(self, encoder_output: EncoderOutput, beam_size: int) -> KeyValueCache:
        """Return the sources' keys and values, and an empty past."""
        pairs = [self._keys_and_values(layer, encoder_output) for layer in self._layers()]
        cross = [(key.contiguous(), value.contiguous()) for key, value in pairs]
        mask = encoder_output.key_padding_mask
        covered = None if self.coverage is None else self.coverage.start(mask, beam_size)
        recurrent = [LSTMState() for _ in pairs]
        return KeyValueCache(cross, encoder_output.padding, len(mask), beam_size, covered, recurrent)

    def step(
        self,
        embedded: Float[Tensor, "batch beams d_model"],
        encoder_output: EncoderOutput,
        state: DecoderState,
        needs_attention: bool,
    ) -> DecoderOutput:
        """Return the states after the next word of every hypothesis."""
        assert isinstance(state, KeyValueCache)
        state.advance()
        states = self.first_input(embedded, encoder_output, state)
        for number, layer in enumerate(self._layers()):

            def attend_to_past(normed: Tensor, layer: AttentionLayer = layer, number: int = number) -> Tensor:
                query, key, value = layer.self_attention.project(normed)
                keys, values = state.add(number, key, value)
                context = F.scaled_dot_product_attention(query, keys, values, attn_mask=state.bias)
                return layer.self_attention.merge(context)

            states = layer.self_attention_residual(states, attend_to_past)
            cross = state.cross[number], state.padding
            bias = None if encoder_output.source_bias is None else encoder_output.source_bias[:, None]
            context, attention = self._attend_to_source(layer, states, *cross, needs_attention, state, bias)
            states = layer.leave(states, context, state.recurrent[number])
        return DecoderOutput(self.norm(states), embedded, context, attention)

    def _layers(self) -> list[AttentionLayer]:
        return [layer for layer in self.layers if isinstance(layer, AttentionLayer)]

    def _keys_and_values(self, layer: AttentionLayer, encoder_output: EncoderOutput) -> Pair:
        """Return a layer's keys and values of the source; the last layer's keys may be guided."""
        key, value = layer.cross_attention.project_key_value(encoder_output.encoder_hidden_states)
        if encoder_output.guided_keys is not None and layer is self.layers[-1]:
            key = key + layer.cross_attention.split(encoder_output.guided_keys).to(key.dtype)
        return key, value

    def _attend_to_source(
        self,
        layer: AttentionLayer,
        states: Float[Tensor, "batch steps d_model"],
        cross: Pair,
        padding: Tensor | None,
        needs_attention: bool,
        state: KeyValueCache | None = None,
        bias: Float[Tensor, "batch 1 steps source"] | None = None,
    ) -> tuple[Float[Tensor, "batch steps d_model"], Float[Tensor, "batch steps source"] | None]:
        """Return a layer's context and, from the last layer, the attention to copy with if it is needed."""
        query, (key, value) = layer.query(states), cross
        last = layer is self.layers[-1]
        if last and self.coverage is not None and self.coverage.active:
            scores = scaled_scores(query, key)
            if padding is not None:
                # Not −∞: the coverage of a source that is all padding would be NaN, and with it the gradient of w.
                scores = scores.masked_fill(padding[:, None, None], torch.finfo(scores.dtype).min)
            if state is None:
                weights = self.coverage(scores)
            else:
                assert state.covered is not None
                weights, state.covered = self.coverage.step(scores, state.covered)
            weights = zero_empty_sources(weights, padding)
            weights = reweighted(weights, bias)
            context = layer.cross_attention.merge(weights.to(value.dtype) @ value)
            attention = weights[:, 0] if self.copy_attention == "first" else weights.mean(1)
            return context, attention if needs_attention else None
        if bias is None:
            found = attend(query, key, value, padding)
        else:
            found = reweighted(softmax_weights(query, key, padding), bias).to(value.dtype) @ value
        context = layer.cross_attention.merge(found)
        return context, self._attention_to_copy_with(query, key, padding, bias) if last and needs_attention else None

    def _attention_to_copy_with(
        self, query: Tensor, key: Tensor, padding: Tensor | None, bias: Tensor | None
    ) -> Float[Tensor, "batch steps source"]:
        if self.copy_attention == "first":
            query, key = query[:, :1], key[:, :1]
        elif self.copy_attention == "summed":
            heads = query.shape[1]
            query, key = (one.transpose(1, 2).flatten(2)[:, None] for one in (query * math.sqrt(heads), key))
        return reweighted(softmax_weights(query, key, padding), bias).mean(1)
