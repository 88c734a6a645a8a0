"""A recurrent encoder: LSTMs in both directions (See, Liu and Manning 2017, Sec. 2.1)."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from nutgraf.model.encoder._recurrent import RecurrentConfig as Config
from nutgraf.model.encoder._recurrent import RecurrentEncoder, mark, pausing_weights, side_by_side
from nutgraf.model.records import FinalState

_INPUT, _FORGET = 0, 1
"""Numbers of two of torch's gates i, f, g, o; with the one shut and the other open, a cell keeps what it holds."""


EXAMPLES = (
    Config(hidden_size=7),
    Config(num_layers=2, hidden_size=7),
    Config(hidden_size=13, bidirectional=False),
)


class Recurrent(RecurrentEncoder):
    """LSTM layers; a word's state is both directions' hidden states side by side."""

    layer = nn.LSTM

    def read(
        self,
        layer: nn.Module,
        given: Float[Tensor, "batch source inputs"],
        key_padding_mask: Bool[Tensor, "batch source"] | None,
    ) -> tuple[Float[Tensor, "batch source hidden"], FinalState]:
        """Return the states, and the cell and hidden state at each direction's own end."""
        assert isinstance(layer, nn.LSTM)
        if key_padding_mask is None:
            states, (hidden, cell) = layer(given)
            return states, (side_by_side(cell), side_by_side(hidden))
        size, directions = layer.hidden_size, 2 if layer.bidirectional else 1
        marked, weights = mark(given, key_padding_mask), pausing_weights(layer, opened=_FORGET, closed=_INPUT)
        nothing = given.new_zeros(directions, len(given), size)
        states, _, cell = torch.lstm(
            marked, (nothing, nothing), weights, True, 1, 0.0, layer.training, layer.bidirectional, True
        )
        states = states.masked_fill(key_padding_mask[..., None], 0)
        last = (~key_padding_mask).sum(1).sub(1).clamp_min(0)
        hidden = torch.cat([states[torch.arange(len(last), device=last.device), last, :size], states[:, 0, size:]], -1)
        return states, (side_by_side(cell), hidden)
