"""An LSTM that reads a padded text (Hochreiter and Schmidhuber 1997), in one direction or in both."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn


class PaddedLSTM(nn.Module):
    """An LSTM whose states are as wide as its input; of two directions each gives one half of them.

    The padding of a text is read after the text in either direction, so that nothing of it gets into a word's state.
    """

    def __init__(self, width: int, bidirectional: bool) -> None:
        super().__init__()
        hidden_size = width // 2 if bidirectional else width
        self.forward_lstm = nn.LSTM(width, hidden_size, batch_first=True)
        self.backward_lstm = nn.LSTM(width, hidden_size, batch_first=True) if bidirectional else None

    def forward(
        self, given: Float[Tensor, "batch source width"], key_padding_mask: Bool[Tensor, "batch source"] | None
    ) -> Float[Tensor, "batch source width"]:
        """Return the hidden state at each word."""
        states: Tensor = self.forward_lstm(given)[0]
        if self.backward_lstm is None:
            return states
        turned: Tensor = self.backward_lstm(turn(given, key_padding_mask))[0]
        return torch.cat([states, turn(turned, key_padding_mask)], -1)


def turn(
    given: Float[Tensor, "batch source width"], key_padding_mask: Bool[Tensor, "batch source"] | None
) -> Float[Tensor, "batch source width"]:
    """Reverse each text and leave its padding behind it; done twice, it changes nothing."""
    if key_padding_mask is None:
        return given.flip(1)
    length = (~key_padding_mask).sum(1, keepdim=True)
    position = torch.arange(given.shape[1], device=given.device)
    order = torch.where(key_padding_mask, position, length - 1 - position)
    return given.gather(1, order[..., None].expand_as(given))
