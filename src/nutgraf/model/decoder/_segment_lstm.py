"""LSTMs in both directions over one vector for each sentence or section."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from nutgraf.model.records import FinalState


class SegmentLSTM(nn.Module):
    """Reads the vectors of a source's segments; a source has few, so that packed sequences cost little."""

    def __init__(self, width: int, hidden_size: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(width, hidden_size, batch_first=True, bidirectional=True)

    def forward(
        self, vectors: Float[Tensor, "batch segments width"], padding: Bool[Tensor, "batch segments"]
    ) -> tuple[Float[Tensor, "batch segments hidden"], FinalState]:
        """Return the hidden state at each segment, and cell and hidden state at each direction's own end.

        A source without segments is read as one segment of zeros.
        """
        given = vectors.masked_fill(padding[..., None], 0).to(self.lstm.get_parameter("weight_ih_l0").dtype)
        lengths = (~padding).sum(1).clamp_min(1).cpu()
        with torch.autocast(vectors.device.type, enabled=False):
            packed, (hidden, cell) = self.lstm(
                pack_padded_sequence(given, lengths, batch_first=True, enforce_sorted=False)
            )
        states, _ = pad_packed_sequence(packed, batch_first=True, total_length=padding.shape[1])
        return states, (torch.cat(cell.unbind(0), -1), torch.cat(hidden.unbind(0), -1))
