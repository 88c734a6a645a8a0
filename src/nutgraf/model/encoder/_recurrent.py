"""Encoders of recurrent layers, one above the other: their options, and what they have in common.

The layers pause at padding: further columns of the input mark it, and their weights hold the state. Packed sequences
have the same effect, but are several times slower to train.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from nutgraf.model.encoder import Encoder
from nutgraf.model.layers import Size
from nutgraf.model.ops.dropout import Dropout
from nutgraf.model.records import Batch, EncoderOutput, FinalState
from nutgraf.presets.ranges import PositiveInt

CLOSED, MARKS = 1e4, 8
"""Input that closes a gate entirely, and columns that give it: several, since products of odd widths are slow."""


@dataclass(frozen=True)
class RecurrentConfig:
    """Recurrent layers."""

    num_layers: PositiveInt = 1
    """Number of recurrent layers."""

    hidden_size: PositiveInt = 256
    """Width of one direction's hidden state."""

    bidirectional: bool = True
    """The layers read in both directions."""


class RecurrentEncoder(Encoder):
    """Recurrent layers; a word's state is both directions' hidden states side by side."""

    layer: ClassVar[type[nn.LSTM] | type[nn.GRU]]
    """Kind of the layers."""

    def __init__(self, config: RecurrentConfig, size: Size) -> None:
        super().__init__(config, size)
        self.hidden_size = config.hidden_size * (2 if config.bidirectional else 1)
        inputs = [size.d_model] + [self.hidden_size] * (config.num_layers - 1)
        self.layers = nn.ModuleList(
            self.layer(width, config.hidden_size, batch_first=True, bidirectional=config.bidirectional)
            for width in inputs
        )
        self.dropout = Dropout(size.dropout)

    def forward(
        self, embedded: Float[Tensor, "batch source d_model"], batch: Batch, needs_graph: bool = False
    ) -> EncoderOutput:
        """Return the states of the last layer, 0 at padding, and its final state: each direction's at its own end."""
        states = embedded
        for layer in self.layers:
            states, final_state = self.read(layer, states, batch.padding)
            states = self.dropout(states)
        return replace(EncoderOutput.of(batch, states), final_state=final_state)

    @abstractmethod
    def read(
        self,
        layer: nn.Module,
        given: Float[Tensor, "batch source inputs"],
        key_padding_mask: Bool[Tensor, "batch source"] | None,
    ) -> tuple[Float[Tensor, "batch source hidden"], FinalState]:
        """Return the states of a layer, and the cell and hidden state at each direction's own end."""


def mark(
    given: Float[Tensor, "batch source inputs"], key_padding_mask: Bool[Tensor, "batch source"]
) -> Float[Tensor, "batch source marked"]:
    """Return the input, 0 at padding, and the columns that mark it."""
    marks = key_padding_mask[..., None].expand(-1, -1, MARKS).to(given.dtype)
    return torch.cat([given.masked_fill(key_padding_mask[..., None], 0), marks], -1)


def pausing_weights(layer: nn.RNNBase, opened: int, closed: int | None = None) -> list[Tensor]:
    """Return the weights of a layer for a marked input."""
    size = layer.hidden_size

    def with_marks(weight: Tensor) -> Tensor:
        pause = weight.new_zeros(len(weight), MARKS)
        pause[opened * size : (opened + 1) * size] = CLOSED
        if closed is not None:
            pause[closed * size : (closed + 1) * size] = -CLOSED
        return torch.cat([weight, pause], 1)

    return [with_marks(one) if name.startswith("weight_ih") else one for name, one in layer.named_parameters()]


def side_by_side(ends: Float[Tensor, "directions batch one"]) -> Float[Tensor, "batch hidden"]:
    """Put the directions side by side."""
    return torch.cat(ends.unbind(0), -1)
