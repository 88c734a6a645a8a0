"""LSTMs over the words of sections, one section after the other (DAA; Cohan et al. 2018, and their program).

In each section one LSTM reads from its first word to its last and one from its last to its first; both go on in the
next section with the state that they have come to. So the first reads the text as it stands, the second its sections
in their order, each from its end. A text without sections is one section, and the encoder then is `recurrent`'s.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from nutgraf.model.encoder import Encoder
from nutgraf.model.layers import Size
from nutgraf.model.ops.dropout import Dropout
from nutgraf.model.records import Batch, EncoderOutput
from nutgraf.model.segments import Segments, states_at
from nutgraf.presets.ranges import PositiveInt


@dataclass(frozen=True)
class Config:
    """LSTMs in both directions over the words of sections."""

    hidden_size: PositiveInt = 256
    """Width of one direction's hidden state."""


EXAMPLES = (Config(hidden_size=7),)


class DAA(Encoder):
    """LSTMs over the words of sections; a word's state is both directions' hidden states side by side."""

    needs_sections = True

    def __init__(self, config: Config, size: Size) -> None:
        super().__init__(config, size)
        self.hidden_size = 2 * config.hidden_size
        self.forward_lstm = nn.LSTM(size.d_model, config.hidden_size, batch_first=True)
        self.backward_lstm = nn.LSTM(size.d_model, config.hidden_size, batch_first=True)
        self.dropout = Dropout(size.dropout)

    def forward(
        self, embedded: Float[Tensor, "batch source d_model"], batch: Batch, needs_graph: bool = False
    ) -> EncoderOutput:
        """Return the states of the words; padding is read last, and changes none of them."""
        segments = Segments.of(batch.sections, batch.key_padding_mask)
        places = torch.arange(embedded.shape[1], device=embedded.device).expand_as(segments.number)
        turned = segments.first.gather(1, segments.number) + segments.last.gather(1, segments.number) - places
        turned = torch.where(batch.key_padding_mask, places, turned)
        forward, _ = self.forward_lstm(embedded)
        backward, _ = self.backward_lstm(states_at(embedded, turned))
        states = torch.cat([forward, states_at(backward, turned)], -1)
        return EncoderOutput.of(batch, self.dropout(states))
