"""An encoder of gated recurrent units in both directions (Cho et al. 2014), as SEASS has it (Zhou et al. 2017).

zᵢ = σ(W_z [xᵢ; hᵢ₋₁])        rᵢ = σ(W_r [xᵢ; hᵢ₋₁])        ĥᵢ = tanh(W_h [xᵢ; rᵢ ∘ hᵢ₋₁])

SEASS mixes them as hᵢ = (1 − zᵢ) ∘ hᵢ₋₁ + zᵢ ∘ ĥᵢ, torch with z and 1 − z changing places: the same layer, for the
weights of z may have either sign. In torch's, r multiplies the product with h rather than h.
"""

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

_UPDATE = 1
"""Number of the gate z among torch's r, z, n; open, it keeps the state."""


@dataclass(frozen=True)
class Config:
    """A GRU encoder."""

    num_layers: int = 1
    """Number of GRU layers."""

    hidden_size: int = 256
    """Width of one direction's hidden state."""

    bidirectional: bool = True
    """The GRU reads in both directions."""

    def __post_init__(self) -> None:
        if self.num_layers < 1 or self.hidden_size < 1:
            raise ValueError("num_layers and hidden_size are at least 1")


EXAMPLES = (Config(num_layers=2, hidden_size=7), Config(hidden_size=13, bidirectional=False))


class GRU(Encoder):
    """GRU layers; a word's state is both directions' hidden states side by side."""

    def __init__(self, config: Config, size: Size) -> None:
        super().__init__(config, size)
        self.hidden_size = config.hidden_size * (2 if config.bidirectional else 1)
        inputs = [size.d_model] + [self.hidden_size] * (config.num_layers - 1)
        self.layers = nn.ModuleList(
            nn.GRU(width, config.hidden_size, batch_first=True, bidirectional=config.bidirectional) for width in inputs
        )
        self.dropout = Dropout(size.dropout)

    def forward(
        self, embedded: Float[Tensor, "batch source d_model"], batch: Batch, needs_graph: bool = False
    ) -> EncoderOutput:
        """Return the states of the last layer, 0 at padding, and its final state: each direction's at its own end.

        A GRU has no cell; its hidden state stands for both.
        """
        states = embedded
        for layer in self.layers:
            assert isinstance(layer, nn.GRU)
            states, final = _read(layer, states, batch.padding)
            states = self.dropout(states)
        return replace(EncoderOutput.of(batch, states), final_state=(final, final))


def _read(
    gru: nn.GRU, given: Float[Tensor, "batch source inputs"], key_padding_mask: Bool[Tensor, "batch source"] | None
) -> tuple[Float[Tensor, "batch source hidden"], Float[Tensor, "batch hidden"]]:
    """Return the states, and the hidden state at each direction's own end."""
    if key_padding_mask is None:
        states, ends = gru(given)
        return states, side_by_side(ends)
    nothing = given.new_zeros(2 if gru.bidirectional else 1, len(given), gru.hidden_size)
    marked, weights = mark(given, key_padding_mask), pausing_weights(gru, opened=_UPDATE)
    states, ends = torch.gru(marked, nothing, weights, True, 1, 0.0, gru.training, gru.bidirectional, True)
    return states.masked_fill(key_padding_mask[..., None], 0), side_by_side(ends)
