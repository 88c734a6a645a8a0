"""An encoder of gated recurrent units in both directions (Cho et al. 2014), as SEASS has it (Zhou et al. 2017).

zᵢ = σ(W_z [xᵢ; hᵢ₋₁])        rᵢ = σ(W_r [xᵢ; hᵢ₋₁])        ĥᵢ = tanh(W_h [xᵢ; rᵢ ∘ hᵢ₋₁])

SEASS mixes them as hᵢ = (1 − zᵢ) ∘ hᵢ₋₁ + zᵢ ∘ ĥᵢ, torch with z and 1 − z changing places: the same layer, for the
weights of z may have either sign. In torch's, r multiplies the product with h rather than h.
"""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from nutgraf.model.encoder._recurrent import RecurrentConfig as Config
from nutgraf.model.encoder._recurrent import RecurrentEncoder, mark, pausing_weights, side_by_side
from nutgraf.model.records import FinalState

_UPDATE = 1
"""Number of the gate z among torch's r, z, n; open, it keeps the state."""


EXAMPLES = (Config(num_layers=2, hidden_size=7), Config(hidden_size=13, bidirectional=False))


class GRU(RecurrentEncoder):
    """GRU layers; a word's state is both directions' hidden states side by side."""

    layer = nn.GRU

    def read(
        self,
        layer: nn.Module,
        given: Float[Tensor, "batch source inputs"],
        key_padding_mask: Bool[Tensor, "batch source"] | None,
    ) -> tuple[Float[Tensor, "batch source hidden"], FinalState]:
        """Return the states, and the hidden state at each direction's own end, which stands for the cell, too."""
        assert isinstance(layer, nn.GRU)
        if key_padding_mask is None:
            states, ends = layer(given)
            return states, (side_by_side(ends),) * 2
        nothing = given.new_zeros(2 if layer.bidirectional else 1, len(given), layer.hidden_size)
        marked, weights = mark(given, key_padding_mask), pausing_weights(layer, opened=_UPDATE)
        states, ends = torch.gru(marked, nothing, weights, True, 1, 0.0, layer.training, layer.bidirectional, True)
        return states.masked_fill(key_padding_mask[..., None], 0), (side_by_side(ends),) * 2
