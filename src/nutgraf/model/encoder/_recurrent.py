"""Encoders of recurrent layers, one above the other: their options, and what they have in common."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar

from jaxtyping import Bool, Float
from torch import Tensor, nn

from nutgraf.model.encoder import Encoder
from nutgraf.model.layers import Size
from nutgraf.model.ops.dropout import Dropout
from nutgraf.model.records import Batch, EncoderOutput, FinalState
from nutgraf.presets.ranges import PositiveInt


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
