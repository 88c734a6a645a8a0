"""The convolutional decoder (Gehring et al. 2017, Sec. 3.2–3.5), which can be told how long its text should become
(Liu, Luo and Zhu 2018).

    h⁰ = (W e + b) · ℓ/100                                   ℓ: the desired length, at every word
    c  = GLU(W · window(hˡ⁻¹) + b)                           the window ends with the word itself
    q  = (W c + b + e) · √½                                  what looks at the source, in every layer
    a  = softmax over the m words of the source of q · z     z, v: the encoder's states and values
    hˡ = ((W (Σ a v) · √m + b + c) · √½ + hˡ⁻¹) · √½         each W and b its own

A mean of m independent vectors has an m-th of their variance, hence √m (Sec. 3.5). A length that is told is not
enforced: it is what the network was given in training.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from nutgraf.errors import PresetError
from nutgraf.model import coverage
from nutgraf.model.attention._multi_head import attend, softmax_weights
from nutgraf.model.convolution import HALF, Gated, Normed, multiplied
from nutgraf.model.decoder import Decoder, State
from nutgraf.model.dropout import Dropout
from nutgraf.model.layers import Size
from nutgraf.model.records import Decoded, Memory


@dataclass(frozen=True)
class Config:
    """A convolutional decoder."""

    num_layers: int = 8
    """Convolutional layers, each with an attention to the source."""

    channels: int = 512
    """Width of the layers."""

    kernel_size: int = 3
    """Words a convolution sees: the last ones, up to the word itself."""

    output_dim: int = 256
    """Width of the states that words are generated from."""

    length_unit: float | None = None
    """Words in one unit of the desired length; unset: the network is not told a length."""

    copy_attention: Literal["last", "mean"] = "last"
    """Cross-attention that words are copied with: that of the last layer, or the mean of all."""

    def __post_init__(self) -> None:
        for name in ("num_layers", "channels", "kernel_size", "output_dim"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is at least 1")
        if self.length_unit is not None and self.length_unit <= 0:
            raise ValueError("length_unit is above 0, or absent")


@dataclass(frozen=True)
class Source:
    """What every layer looks at. guided: the keys of the last one. root: of the number of words."""

    keys: Float[Tensor, "batch 1 source width"]
    guided: Float[Tensor, "batch 1 source width"]
    values: Float[Tensor, "batch 1 source width"]
    mask: Bool[Tensor, "batch source"] | None
    root: Float[Tensor, "batch 1 1"]

    @classmethod
    def of(cls, memory: Memory) -> Source:
        """In the precision in which it will be multiplied."""
        keys = multiplied(memory.states)[:, None]
        guided = keys if memory.guide is None else multiplied(memory.states + memory.guide)[:, None]
        values = keys if memory.values is None else multiplied(memory.values)[:, None]
        root = (~memory.mask).sum(1).to(memory.states.dtype).sqrt()[:, None, None]
        return cls(keys, guided, values, memory.mask if bool(memory.mask.any()) else None, root)

    def keep(self, documents: Int[Tensor, " kept"]) -> Source:
        """That of some of the documents."""
        return Source(
            self.keys[documents],
            self.guided[documents],
            self.values[documents],
            None if self.mask is None else self.mask[documents],
            self.root[documents],
        )


class Windows(State):
    """What each layer needs of the words before, for every hypothesis: all of a window but its last vector."""

    def __init__(self, source: Source, before: list[Float[Tensor, "batch beams before channels"]]) -> None:
        self.source, self.before = source, before

    def complete(self, layer: int, states: Float[Tensor, "batch beams channels"]) -> Tensor:
        """The windows that end with the new words; the next ones begin a word later."""
        window = torch.cat([self.before[layer], states[:, :, None]], 2)
        self.before[layer] = window[:, :, 1:]
        return window

    def reorder(self, parents: Int[Tensor, "batch beams"]) -> None:
        """Hypothesis b of a document goes on from its hypothesis `parents[document, b]`."""
        rows = torch.arange(len(parents), device=parents.device)[:, None]
        self.before = [part[rows, parents] for part in self.before]

    def keep(self, documents: Int[Tensor, " kept"]) -> None:
        """Only these documents go on."""
        self.source = self.source.keep(documents)
        self.before = [part[documents] for part in self.before]


class Convolutional(Decoder):
    """Each layer looks at some words before, and at the source."""

    def __init__(self, config: Config, size: Size, source: int, covering: coverage.Config | None) -> None:
        super().__init__()
        if source != size.d_model:
            raise PresetError(
                f"A convolutional decoder reads states as wide as words, {size.d_model}; the encoder's have {source}."
            )
        if covering is not None:
            raise PresetError("A convolutional decoder keeps no coverage; leave [model.coverage] out.")
        self.config = config
        self.width, self.keys, self.seen = config.output_dim, size.d_model, 2 * size.d_model + config.output_dim
        self.inner = Normed(size.d_model, config.channels, kept=1 - size.dropout)
        self.layers = nn.ModuleList(Layer(config, size) for _ in range(config.num_layers))
        self.outer = Normed(config.channels, config.output_dim)
        self.dropout = Dropout(size.dropout)

    def forward(self, embedded: Float[Tensor, "batch steps width"], memory: Memory, weights: bool) -> Decoded:
        """All steps at once, each seeing those before it."""

        def convolve(number: int, layer: Layer, states: Tensor) -> Tensor:
            changed: Tensor = layer.convolution(states, self.config.kernel_size - 1)
            return changed

        return self._decode(embedded, memory, Source.of(memory), convolve, weights)

    def start(self, memory: Memory, beams: int, longest: int) -> Windows:
        """Before the first word stand zeros."""
        shape = len(memory.states), beams, self.config.kernel_size - 1, self.config.channels
        return Windows(Source.of(memory), [memory.states.new_zeros(shape) for _ in self.layers])

    def step(
        self, embedded: Float[Tensor, "batch beams width"], memory: Memory, state: State, weights: bool
    ) -> Decoded:
        """The next word of every hypothesis."""
        assert isinstance(state, Windows)

        def convolve(number: int, layer: Layer, states: Tensor) -> Tensor:
            return layer.convolution.next(state.complete(number, states))

        return self._decode(embedded, memory, state.source, convolve, weights)

    def _decode(
        self,
        embedded: Float[Tensor, "batch steps width"],
        memory: Memory,
        source: Source,
        convolve: Callable[[int, Layer, Tensor], Tensor],
        weights: bool,
    ) -> Decoded:
        """The layers, one after the other; `convolve` makes the windows of one and goes through its convolution."""
        states = self.inner(embedded).to(embedded.dtype)
        if self.config.length_unit is not None:
            states = states * memory.length_in(self.config.length_unit)[:, None, None]
        found: list[Tensor] = []
        for number, layer in enumerate(self.layers):
            assert isinstance(layer, Layer)
            keys = source.guided if layer is self.layers[-1] else source.keys
            convolved = convolve(number, layer, states)
            query = layer.query(convolved, embedded)
            context = attend(query, keys, source.values, source.mask).squeeze(1)
            if weights and (self.config.copy_attention == "mean" or layer is self.layers[-1]):
                found.append(softmax_weights(query, keys, source.mask).squeeze(1))
            states = (layer.leave(convolved, context * source.root) + states) * HALF
        attention = torch.stack(found).mean(0) if weights else None
        return Decoded(self.dropout(self.outer(states)), embedded, context, attention)


class Layer(nn.Module):
    """A gated convolution, and attention to the source by one head."""

    def __init__(self, config: Config, size: Size) -> None:
        super().__init__()
        self.convolution = Gated(config.channels, config.kernel_size, size.dropout)
        self.asked = Normed(config.channels, size.d_model)
        self.brought = Normed(size.d_model, config.channels)

    def query(
        self, convolved: Float[Tensor, "batch steps channels"], embedded: Float[Tensor, "batch steps width"]
    ) -> Float[Tensor, "batch 1 steps width"]:
        """What looks at the source. Attention will divide scores by √width, and these should not be divided."""
        query = (self.asked(convolved) + embedded) * (HALF * math.sqrt(embedded.shape[-1]))
        return multiplied(query)[:, None]

    def leave(
        self, convolved: Float[Tensor, "batch steps channels"], context: Float[Tensor, "batch steps width"]
    ) -> Float[Tensor, "batch steps channels"]:
        """What was convolved, and what was brought."""
        changed: Tensor = (self.brought(context) + convolved) * HALF
        return changed
