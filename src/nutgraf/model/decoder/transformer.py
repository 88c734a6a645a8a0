"""The Transformer's decoder (Vaswani et al. 2017, Sec. 3.1); "pre" and "post" as in `encoder/transformer.py`.

What a head copies with is the last layer's attention over the source: its first head, as in OpenNMT-py (Gehrmann et al.
2018 speak of one head chosen at random, and before training all are alike), or the mean of its heads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from nutgraf.model.attention._multi_head import MultiHead, attend, softmax_weights
from nutgraf.model.decoder import Decoder, State
from nutgraf.model.layers import FeedForward, Norm, Residual, Size, final_norm
from nutgraf.model.records import Decoded, Memory


@dataclass(frozen=True)
class Config:
    """feed_forward: width within the feed-forward part. pointing: which heads of the last layer copy."""

    layers: int = 4
    feed_forward: int = 2048
    norm: Norm = "pre"
    pointing: Literal["first", "mean"] = "first"

    def __post_init__(self) -> None:
        if self.layers < 1 or self.feed_forward < 1:
            raise ValueError("layers and feed_forward are at least 1")


@dataclass
class Cache(State):
    """Keys and values of each layer: of the words so far, [batch · beams, heads, words, head_width], and of the source,
    [batch, heads, source, head_width]."""

    beams: int
    own: list[tuple[Tensor, Tensor] | None]
    source: list[tuple[Tensor, Tensor]]

    def reorder(self, parents: Int[Tensor, "batch beams"]) -> None:
        """Hypothesis b of a document goes on from its hypothesis `parents[document, b]`."""
        first = torch.arange(parents.shape[0], device=parents.device)[:, None] * self.beams
        rows = (first + parents).flatten()
        self.own = [None if pair is None else (pair[0][rows], pair[1][rows]) for pair in self.own]

    def keep(self, documents: Int[Tensor, " kept"]) -> None:
        """Only these documents go on."""
        beams = torch.arange(self.beams, device=documents.device)
        rows = (documents[:, None] * self.beams + beams).flatten()
        self.own = [None if pair is None else (pair[0][rows], pair[1][rows]) for pair in self.own]
        self.source = [(key[documents], value[documents]) for key, value in self.source]


class Transformer(Decoder):
    """Attention to what was written, attention to the source, feed-forward, by turns."""

    def __init__(self, config: Config, size: Size) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer(config, size) for _ in range(config.layers))
        self.norm = final_norm(size, config.norm)
        self.pointing = config.pointing

    def forward(self, embedded: Float[Tensor, "batch steps width"], memory: Memory, weights: bool) -> Decoded:
        """All steps at once, each seeing those before it."""
        mask = memory.mask if bool(memory.mask.any()) else None
        states = embedded
        for layer in self._layers():
            states = layer.around_own(states, layer.attend_own)
            query = layer.query(states)
            key, value = layer.source.project_memory(memory.states)
            context = layer.source.merge(attend(query, key, value, mask))
            states = layer.leave(states, context)
        attention = self._point(query, key, memory) if weights else None
        return Decoded(self.norm(states), embedded, context, attention)

    def start(self, memory: Memory, beams: int, longest: int) -> Cache:
        """The sources' keys and values, and nothing written."""
        layers = self._layers()
        return Cache(beams, [None] * len(layers), [layer.source.project_memory(memory.states) for layer in layers])

    def step(
        self, embedded: Float[Tensor, "batch beams width"], memory: Memory, state: State, weights: bool
    ) -> Decoded:
        """The next word of every hypothesis."""
        assert isinstance(state, Cache)
        batch, beams, width = embedded.shape
        states = embedded
        for number, layer in enumerate(self._layers()):

            def look_back(normed: Tensor, layer: Layer = layer, number: int = number) -> Tensor:
                query, key, value = layer.own.project(normed.reshape(batch * beams, 1, width))
                before = state.own[number]
                if before is not None:
                    key, value = torch.cat([before[0], key], 2), torch.cat([before[1], value], 2)
                state.own[number] = key, value
                return layer.own.merge(attend(query, key, value)).view(batch, beams, width)

            states = layer.around_own(states, look_back)
            query = layer.query(states)
            key, value = state.source[number]
            context = layer.source.merge(attend(query, key, value, memory.mask))
            states = layer.leave(states, context)
        attention = self._point(query, key, memory) if weights else None
        return Decoded(self.norm(states), embedded, context, attention)

    def _layers(self) -> list[Layer]:
        return [layer for layer in self.layers if isinstance(layer, Layer)]

    def _point(self, query: Tensor, key: Tensor, memory: Memory) -> Float[Tensor, "batch steps source"]:
        if self.pointing == "first":
            query, key = query[:, :1], key[:, :1]
        return softmax_weights(query, key, memory.mask).mean(1)


class Layer(nn.Module):
    """`own` looks at the words before, `source` at the source."""

    def __init__(self, config: Config, size: Size) -> None:
        super().__init__()
        self.own = MultiHead(size)
        self.source = MultiHead(size)
        self.feed_forward = FeedForward(size, config.feed_forward)
        self.around_own = Residual(size, config.norm)
        self.around_source = Residual(size, config.norm)
        self.around_feed_forward = Residual(size, config.norm)

    def attend_own(self, states: Float[Tensor, "batch steps width"]) -> Float[Tensor, "batch steps width"]:
        """Each word's mean of those before it and itself."""
        return self.own.merge(attend(*self.own.project(states), causal=True))

    def query(self, states: Float[Tensor, "batch steps width"]) -> Float[Tensor, "batch heads steps head_width"]:
        """What looks at the source."""
        asked = self.around_source.norm(states) if self.around_source.first else states
        return self.source.project_query(asked)

    def leave(
        self, states: Float[Tensor, "batch steps width"], context: Float[Tensor, "batch steps width"]
    ) -> Float[Tensor, "batch steps width"]:
        """The layer's states, once it has looked at the source."""
        around = self.around_source
        states = around.dropout.added(states, context)
        states = states if around.first else around.norm(states)
        changed: Tensor = self.around_feed_forward(states, self.feed_forward)
        return changed
