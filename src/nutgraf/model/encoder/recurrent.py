"""A recurrent encoder: LSTMs in both directions (See, Liu and Manning 2017, Sec. 2.1)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from nutgraf.model.encoder import Encoder
from nutgraf.model.encoder._paused import mark, pausing_weights, side_by_side
from nutgraf.model.layers import Size
from nutgraf.model.ops.dropout import Dropout
from nutgraf.model.records import Batch, EncoderOutput

_INPUT, _FORGET = 0, 1
"""Numbers of two of torch's gates i, f, g, o; with the one shut and the other open, a cell keeps what it holds."""


@dataclass(frozen=True)
class Config:
    """An LSTM encoder."""

    num_layers: int = 1
    """Number of LSTM layers."""

    hidden_size: int = 256
    """Width of one direction's hidden state."""

    bidirectional: bool = True
    """The LSTM reads in both directions."""

    def __post_init__(self) -> None:
        if self.num_layers < 1 or self.hidden_size < 1:
            raise ValueError("num_layers and hidden_size are at least 1")


EXAMPLES = (
    Config(hidden_size=7),
    Config(num_layers=2, hidden_size=7),
    Config(hidden_size=13, bidirectional=False),
)


class Recurrent(Encoder):
    """LSTM layers; a word's state is both directions' hidden states side by side."""

    def __init__(self, config: Config, size: Size) -> None:
        super().__init__(config, size)
        self.hidden_size = config.hidden_size * (2 if config.bidirectional else 1)
        inputs = [size.d_model] + [self.hidden_size] * (config.num_layers - 1)
        self.layers = nn.ModuleList(
            nn.LSTM(width, config.hidden_size, batch_first=True, bidirectional=config.bidirectional) for width in inputs
        )
        self.dropout = Dropout(size.dropout)

    def forward(
        self, embedded: Float[Tensor, "batch source d_model"], batch: Batch, needs_graph: bool = False
    ) -> EncoderOutput:
        """Return the states of the last layer, 0 at padding, and its final state: each direction's at its own end."""
        states = embedded
        for layer in self.layers:
            assert isinstance(layer, nn.LSTM)
            states, final_state = _read(layer, states, batch.padding)
            states = self.dropout(states)
        return replace(EncoderOutput.of(batch, states), final_state=final_state)


def _read(
    lstm: nn.LSTM, given: Float[Tensor, "batch source inputs"], key_padding_mask: Bool[Tensor, "batch source"] | None
) -> tuple[Float[Tensor, "batch source hidden"], tuple[Tensor, Tensor]]:
    """Return the states, and the cell and hidden state at each direction's own end."""
    if key_padding_mask is None:
        states, (hidden, cell) = lstm(given)
        return states, (side_by_side(cell), side_by_side(hidden))
    size, directions = lstm.hidden_size, 2 if lstm.bidirectional else 1
    marked, weights = mark(given, key_padding_mask), pausing_weights(lstm, opened=_FORGET, closed=_INPUT)
    nothing = given.new_zeros(directions, len(given), size)
    states, _, cell = torch.lstm(
        marked, (nothing, nothing), weights, True, 1, 0.0, lstm.training, lstm.bidirectional, True
    )
    states = states.masked_fill(key_padding_mask[..., None], 0)
    last = (~key_padding_mask).sum(1).sub(1).clamp_min(0)
    hidden = torch.cat([states[torch.arange(len(last)), last, :size], states[:, 0, size:]], -1)
    return states, (side_by_side(cell), hidden)
