"""The decoder of the pointer-generator, and of networks that change its attention to words.

See, Liu and Manning 2017, Sec. 2.1–2.3; their code where the paper is silent.

    x̂ₜ = W_x [x; context] + b                     the word before and the context before
    sₜ = LSTM(x̂ₜ, sₜ₋₁)                           s₀ = ReLU(W [the encoder's final state] + b), cell and hidden alike
    aₜ, contextₜ = attention by [cell; hidden]     `_recurrence.py`, with coverage
    statesₜ = W₁ [hidden; contextₜ] + b₁           words are generated from these

Where the encoder has no final state, the mean of its states stands for it. With a desired length ℓ, c₀ = ℓ · v for a
learned vector v, whatever the source (LenInit; Kikuchi et al. 2016).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from nutgraf.model.decoder import DecoderContext
from nutgraf.model.decoder._recurrence import CellState, RecurrentDecoder, Step
from nutgraf.model.ops.dropout import Dropout
from nutgraf.model.records import EncoderOutput
from nutgraf.presets.ranges import PositiveFloat, PositiveInt


@dataclass(frozen=True)
class LSTMConfig:
    """An LSTM decoder with additive attention."""

    hidden_size: PositiveInt = 256
    """Width of the hidden state."""

    attention_dim: PositiveInt = 512
    """Width in which additive attention compares states and source."""

    length_unit: PositiveFloat | None = None
    """Words in one unit of the desired length; unset: the network is not told a length."""


class LSTMDecoder(RecurrentDecoder):
    """One LSTM, with attention to the source after each word."""

    def __init__(self, config: LSTMConfig, context: DecoderContext) -> None:
        super().__init__(config, context)
        size, source = context.size, context.encoder_hidden_size
        self.hidden_size, self.copy_features_dim = config.hidden_size, source + 2 * config.hidden_size + size.d_model
        self.inputs_dim, self.length_unit = size.d_model, config.length_unit
        self.needs_length = config.length_unit is not None
        if self.length_unit is None:
            self.cell_init = nn.Linear(source, config.hidden_size)
        else:
            self.length_cell = nn.Parameter(torch.zeros(config.hidden_size))
        self.hidden_init = nn.Linear(source, config.hidden_size)
        self.in_proj = nn.Linear(size.d_model + source, size.d_model)
        self.lstm = nn.LSTMCell(size.d_model, config.hidden_size)
        self.cross_attention = self.attention_by(2 * config.hidden_size, config.attention_dim, context)
        self.out_proj = nn.Linear(config.hidden_size + source, config.hidden_size)
        self.dropout = Dropout(size.dropout)

    def first_state(self, encoder_output: EncoderOutput) -> tuple[Float[Tensor, "batch hidden"], ...]:
        """Return cell and hidden state before the first word."""
        final_cell, final_hidden = encoder_output.final_state_or_mean
        if self.length_unit is None:
            cell = F.relu(self.cell_init(final_cell))
        else:
            cell = (encoder_output.told_length / self.length_unit)[:, None] * self.length_cell
        return cell, F.relu(self.hidden_init(final_hidden))

    def next_state(
        self, embedded: Float[Tensor, "batch beams d_model"], last: Step
    ) -> tuple[Float[Tensor, "batch beams d_model"], CellState]:
        """Return the merged inputs, and the next cell and hidden state."""
        cell, hidden = last.state
        merged: Tensor = self.in_proj(torch.cat([embedded, last.context], -1)).to(cell.dtype)
        after_hidden, after_cell = self.lstm(merged.flatten(0, 1), (hidden.flatten(0, 1), cell.flatten(0, 1)))
        return merged, (after_cell.view_as(cell), after_hidden.view_as(hidden))

    def read_out(
        self,
        inputs: Float[Tensor, "batch steps d_model"],
        state: CellState,
        context: Float[Tensor, "batch steps context"],
    ) -> Float[Tensor, "batch steps readout"]:
        """Return W₁ [hidden; context] + b₁."""
        return self.out_proj(self.dropout(torch.cat([state[1], context], -1)))
