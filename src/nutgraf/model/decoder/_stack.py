"""Layers of attention to what was written and to the source, one above the other, as the decoders that are made of them
share them; "pre" and "post" as in the encoder's layers.

What a head copies with is the last layer's attention over the source: its first head, as in OpenNMT-py (Gehrmann et al.
2018 speak of one head chosen at random, and before training all are alike), the mean of its heads, or the softmax of
the sum of their scores, which is one dot product of full width.

Coverage acts in the last layer: its attention is what is copied with, and its queries know nothing of its own weights,
so that the scores of all steps come at once and only the softmax walks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional as F

from nutgraf.errors import PresetError
from nutgraf.model import coverage
from nutgraf.model.attention._multi_head import MultiHead, attend, scaled_scores, softmax_weights
from nutgraf.model.coverage import Coverage
from nutgraf.model.decoder import Decoder, State
from nutgraf.model.decoder._cache import Cache, Carried, Pair
from nutgraf.model.layers import Activation, FeedForward, Norm, Residual, Size, final_norm
from nutgraf.model.records import Decoded, Memory


@dataclass(frozen=True)
class StackConfig:
    """Options of every decoder of transformer layers."""

    num_layers: int = 4
    """Layers."""

    ffn_dim: int = 2048
    """Inner width of the feed-forward sub-layer."""

    norm: Norm = "pre"
    """Layer normalization before each sub-layer and at the end ("pre"), or after each ("post")."""

    activation: Activation = "relu"
    """Activation function of the feed-forward sub-layer."""

    copy_attention: Literal["first", "mean", "summed"] = "first"
    """Heads of the last cross-attention that words are copied with: the first, the mean of all, or all as one."""

    def __post_init__(self) -> None:
        if self.num_layers < 1 or self.ffn_dim < 1:
            raise ValueError("num_layers and ffn_dim are at least 1")


class Looking(nn.Module):
    """A layer of two attentions: `own` looks at the words before, `source` at the source."""

    def __init__(self, config: StackConfig, size: Size) -> None:
        super().__init__()
        self.own = MultiHead(size)
        self.source = MultiHead(size)
        self.around_own = Residual(size, config.norm)
        self.around_source = Residual(size, config.norm)

    def attend_own(self, states: Float[Tensor, "batch steps width"]) -> Float[Tensor, "batch steps width"]:
        """Each word's mean of those before it and itself."""
        return self.own.merge(attend(*self.own.project(states), causal=True))

    def query(self, states: Float[Tensor, "batch steps width"]) -> Float[Tensor, "batch heads steps head_dim"]:
        """What looks at the source."""
        asked = self.around_source.norm(states) if self.around_source.first else states
        return self.source.project_query(asked)

    def leave(
        self,
        states: Float[Tensor, "batch steps width"],
        context: Float[Tensor, "batch steps width"],
        carried: Carried | None = None,
    ) -> Float[Tensor, "batch steps width"]:
        """The layer's states, once it has looked at the source. carried: of its LSTM, if it has one, in search."""
        around = self.around_source
        states = around.dropout.added(states, context)
        left: Tensor = states if around.first else around.norm(states)
        return left


class Layer(Looking):
    """Two attentions, one feed-forward."""

    def __init__(self, config: StackConfig, size: Size) -> None:
        super().__init__(config, size)
        self.feed_forward = FeedForward(size, config.ffn_dim, config.activation)
        self.around_feed_forward = Residual(size, config.norm)

    def leave(
        self,
        states: Float[Tensor, "batch steps width"],
        context: Float[Tensor, "batch steps width"],
        carried: Carried | None = None,
    ) -> Float[Tensor, "batch steps width"]:
        """The layer's states, once it has looked at the source."""
        changed: Tensor = self.around_feed_forward(super().leave(states, context), self.feed_forward)
        return changed


class Stack(Decoder):
    """Layers, what ends them, and coverage in the last."""

    def __init__(
        self, config: StackConfig, size: Size, source: int, covering: coverage.Config | None, layers: Iterable[Looking]
    ) -> None:
        super().__init__()
        if source != size.d_model:
            raise PresetError(
                f"This decoder reads states of its own width, {size.d_model}; the encoder's have {source}."
            )
        self.width, self.seen, self.keys = size.d_model, 3 * size.d_model, size.d_model
        self.layers = nn.ModuleList(layers)
        self.norm = final_norm(size, config.norm)
        self.copy_attention = config.copy_attention
        heard = covering is not None and covering.mode != "loss_only"
        if heard and config.copy_attention == "summed":
            raise PresetError('copy_attention = "summed" takes no coverage into account; "mean" does.')
        self.coverage = Coverage(covering, size.num_heads) if covering is not None and heard else None

    def begin(
        self, embedded: Float[Tensor, "batch steps width"], state: Cache | None = None
    ) -> Float[Tensor, "batch steps width"]:
        """What the first layer is given of the embedded words; with a state, of the next word of every hypothesis."""
        return embedded

    def forward(self, embedded: Float[Tensor, "batch steps width"], memory: Memory, weights: bool) -> Decoded:
        """All steps at once, each seeing those before it."""
        mask = memory.mask if bool(memory.mask.any()) else None
        states = self.begin(embedded)
        for layer in self._layers():
            states = layer.around_own(states, layer.attend_own)
            context, attention = self._look(layer, states, self._source(layer, memory), mask, weights)
            states = layer.leave(states, context)
        return Decoded(self.norm(states), embedded, context, attention)

    def start(self, memory: Memory, beams: int, longest: int) -> Cache:
        """The sources' keys and values, and nothing written."""
        pairs = [self._source(layer, memory) for layer in self._layers()]
        covered = None if self.coverage is None else self.coverage.start(memory.mask, beams)
        carried = [Carried() for _ in pairs]
        return Cache(
            [(key.contiguous(), value.contiguous()) for key, value in pairs], memory.mask, beams, covered, carried
        )

    def step(
        self, embedded: Float[Tensor, "batch beams width"], memory: Memory, state: State, weights: bool
    ) -> Decoded:
        """The next word of every hypothesis."""
        assert isinstance(state, Cache)
        state.advance()
        states = self.begin(embedded, state)
        for number, layer in enumerate(self._layers()):

            def look_back(normed: Tensor, layer: Looking = layer, number: int = number) -> Tensor:
                query, key, value = layer.own.project(normed)
                keys, values = state.add(number, key, value)
                return layer.own.merge(F.scaled_dot_product_attention(query, keys, values, attn_mask=state.bias))

            states = layer.around_own(states, look_back)
            context, attention = self._look(layer, states, state.source[number], state.mask, weights, state)
            states = layer.leave(states, context, state.carried[number])
        return Decoded(self.norm(states), embedded, context, attention)

    def _layers(self) -> list[Looking]:
        return [layer for layer in self.layers if isinstance(layer, Looking)]

    def _source(self, layer: Looking, memory: Memory) -> Pair:
        """What a layer looks at; the last one may be guided."""
        key, value = layer.source.project_memory(memory.states)
        if memory.guide is not None and layer is self.layers[-1]:
            key = key + layer.source.split(memory.guide).to(key.dtype)
        return key, value

    def _look(
        self,
        layer: Looking,
        states: Float[Tensor, "batch steps width"],
        source: Pair,
        mask: Bool[Tensor, "batch source"] | None,
        weights: bool,
        state: Cache | None = None,
    ) -> tuple[Float[Tensor, "batch steps width"], Float[Tensor, "batch steps source"] | None]:
        """What a layer finds in the source; where, if it is the last one and weights are wanted."""
        query, (key, value) = layer.query(states), source
        last = layer is self.layers[-1]
        if last and self.coverage is not None and self.coverage.acts:
            scores = scaled_scores(query, key, mask)
            if state is None:
                seen = self.coverage(scores)
            else:
                assert state.covered is not None
                seen, state.covered = self.coverage.step(scores, state.covered)
            context = layer.source.merge(seen.to(value.dtype) @ value)
            return context, (seen[:, 0] if self.copy_attention == "first" else seen.mean(1)) if weights else None
        context = layer.source.merge(attend(query, key, value, mask))
        return context, self._point(query, key, mask) if last and weights else None

    def _point(self, query: Tensor, key: Tensor, mask: Tensor | None) -> Float[Tensor, "batch steps source"]:
        if self.copy_attention == "first":
            query, key = query[:, :1], key[:, :1]
        elif self.copy_attention == "summed":
            heads = query.shape[1]
            query, key = (one.transpose(1, 2).flatten(2)[:, None] for one in (query * math.sqrt(heads), key))
        return softmax_weights(query, key, mask).mean(1)
