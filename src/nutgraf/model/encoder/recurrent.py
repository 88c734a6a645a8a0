"""A recurrent encoder: LSTMs that read a source from both ends (See, Liu and Manning 2017, Sec. 2.1)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from nutgraf.model.dropout import Dropout
from nutgraf.model.encoder import Encoder
from nutgraf.model.layers import Size
from nutgraf.model.records import Encoded, Phrases

SHUT, MARKS = 1e4, 8
"""What shuts a gate, or opens it, entirely; and how many numbers say so, since products of odd widths are slow."""


@dataclass(frozen=True)
class Config:
    """An LSTM encoder."""

    num_layers: int = 1
    """LSTM layers."""

    hidden_size: int = 256
    """Width of one direction's hidden state."""

    bidirectional: bool = True
    """The LSTM reads in both directions."""

    def __post_init__(self) -> None:
        if self.num_layers < 1 or self.hidden_size < 1:
            raise ValueError("num_layers and hidden_size are at least 1")


class Recurrent(Encoder):
    """A word's state is what both directions have there, side by side; `final` is where they end, each at its own end
    of the source."""

    def __init__(self, config: Config, size: Size) -> None:
        super().__init__()
        self.width = config.hidden_size * (2 if config.bidirectional else 1)
        below = [size.d_model] + [self.width] * (config.num_layers - 1)
        self.layers = nn.ModuleList(
            nn.LSTM(width, config.hidden_size, batch_first=True, bidirectional=config.bidirectional) for width in below
        )
        self.dropout = Dropout(size.dropout)

    def forward(
        self,
        embedded: Float[Tensor, "batch source width"],
        mask: Bool[Tensor, "batch source"] | None,
        phrases: Phrases,
        graph: bool = False,
    ) -> Encoded:
        """The states of the last layer, and where it ends. Padding stands at the end; its states are 0."""
        states = embedded
        for layer in self.layers:
            assert isinstance(layer, nn.LSTM)
            states, final = _read(layer, states, mask)
            states = self.dropout(states)
        return Encoded(states, final=final)


def _read(
    lstm: nn.LSTM, given: Float[Tensor, "batch source given"], mask: Bool[Tensor, "batch source"] | None
) -> tuple[Float[Tensor, "batch source width"], tuple[Tensor, Tensor]]:
    """The states, and the cell and hidden state at each direction's own end.

    Padding is told by numbers of its own, which open the gate that keeps the cell and shut the one that adds to it: so
    a cell goes through padding as it is. Packed sequences say the same, but are several times slower to train.
    """
    if mask is None:
        states, (hidden, cell) = lstm(given)
        return states, (_beside(cell), _beside(hidden))
    size, directions = lstm.hidden_size, 2 if lstm.bidirectional else 1
    pause = given.new_zeros(4 * size, MARKS)
    pause[:size], pause[size : 2 * size] = -SHUT, SHUT
    weights = [
        torch.cat([one, pause.to(one.dtype)], 1) if name.startswith("weight_ih") else one
        for name, one in lstm.named_parameters()
    ]
    marks = mask[..., None].expand(-1, -1, MARKS).to(given.dtype)
    marked = torch.cat([given.masked_fill(mask[..., None], 0), marks], -1)
    nothing = given.new_zeros(directions, len(given), size)
    states, _, cell = torch.lstm(
        marked, (nothing, nothing), weights, True, 1, 0.0, lstm.training, lstm.bidirectional, True
    )
    states = states.masked_fill(mask[..., None], 0)
    last = (~mask).sum(1).sub(1).clamp_min(0)
    hidden = torch.cat([states[torch.arange(len(last)), last, :size], states[:, 0, size:]], -1)
    return states, (_beside(cell), hidden)


def _beside(ends: Float[Tensor, "directions batch hidden"]) -> Float[Tensor, "batch width"]:
    """Where the directions end, side by side."""
    return torch.cat(ends.unbind(0), -1)
