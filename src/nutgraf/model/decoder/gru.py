"""SEASS's decoder, a gated recurrent unit with a maxout readout (Zhou et al. 2017; their code where it is silent).

    sₜ = GRU([xₜ; contextₜ₋₁], sₜ₋₁)              s₀ = tanh(W_d [the encoder's final state] + b)
    aₜ, contextₜ = attention by sₜ                `_recurrence.py`
    rₜ = W_r [xₜ; contextₜ; sₜ]                   statesₜ = the maximum of each `maxout_pool_size` neighbours of rₜ

The paper begins with the backward GRU's final state alone. Here W_d reads those of both directions, of which that is a
case; where the encoder has no final state, the mean of its states stands for it.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from nutgraf.errors import PresetError
from nutgraf.model.decoder import DecoderContext
from nutgraf.model.decoder._recurrence import CellState, RecurrentDecoder, Step
from nutgraf.model.ops.dropout import Dropout
from nutgraf.model.records import EncoderOutput
from nutgraf.presets.ranges import PositiveInt


@dataclass(frozen=True)
class Config:
    """A GRU decoder with additive attention and a maxout readout."""

    hidden_size: PositiveInt = 512
    """Width of the hidden state, and of the readout before its maximum."""

    attention_dim: PositiveInt = 512
    """Width in which additive attention compares states and source."""

    maxout_pool_size: PositiveInt = 2
    """Numbers of the readout of which the largest is taken; divides `hidden_size`."""

    temporal_attention: bool = False
    """Attention to a place is divided by what it had before (Nallapati et al. 2016)."""

    def __post_init__(self) -> None:
        if self.hidden_size % self.maxout_pool_size:
            raise ValueError("maxout_pool_size divides hidden_size")


EXAMPLES = (
    Config(hidden_size=21, attention_dim=13, maxout_pool_size=3),
    Config(hidden_size=11, attention_dim=13, maxout_pool_size=1, temporal_attention=True),
)


class GRU(RecurrentDecoder):
    """One GRU, with attention to the source after each word, and a maxout readout."""

    def __init__(self, config: Config, context: DecoderContext) -> None:
        super().__init__(config, context)
        size, source, width = context.size, context.encoder_hidden_size, config.hidden_size
        self.pool_size, self.inputs_dim = config.maxout_pool_size, size.d_model
        self.hidden_size, self.copy_features_dim = width // self.pool_size, source + width + size.d_model
        self.hidden_init = nn.Linear(source, width)
        self.gru = nn.GRUCell(size.d_model + source, width)
        self.cross_attention = self.attention_by(width, config.attention_dim, context)
        self.temporal = config.temporal_attention
        if self.temporal and context.coverage is not None:
            raise PresetError("Temporal attention takes the place of coverage: leave [model.coverage] out.")
        self.readout = nn.Linear(size.d_model + source + width, width)
        self.dropout = Dropout(size.dropout)

    def first_state(self, encoder_output: EncoderOutput) -> tuple[Float[Tensor, "batch hidden"], ...]:
        """Return the hidden state before the first word."""
        return (torch.tanh(self.hidden_init(encoder_output.final_state_or_mean[1])),)

    def next_state(
        self, embedded: Float[Tensor, "batch beams d_model"], last: Step
    ) -> tuple[Float[Tensor, "batch beams d_model"], CellState]:
        """Return the embedded words, and the next hidden state."""
        [hidden] = last.state
        given = torch.cat([embedded, last.context], -1)
        return embedded, (self.gru(given.flatten(0, 1), hidden.flatten(0, 1)).view_as(hidden),)

    def read_out(
        self,
        inputs: Float[Tensor, "batch steps d_model"],
        state: CellState,
        context: Float[Tensor, "batch steps context"],
    ) -> Float[Tensor, "batch steps readout"]:
        """Return the maxout of W_r [x; context; s]."""
        read = self.readout(self.dropout(torch.cat([inputs, context, *state], -1)))
        return torch.amax(read.unflatten(-1, (-1, self.pool_size)), -1)
