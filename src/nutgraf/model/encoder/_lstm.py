"""An LSTM that reads a padded text (Hochreiter and Schmidhuber 1997), in one direction or in both."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn


class Reading(nn.Module):
    """States as wide as what is read; with two directions each makes one half of them. A text's padding is read after
    the text in either direction, so that nothing of it gets into a word's state."""

    def __init__(self, width: int, bidirectional: bool) -> None:
        super().__init__()
        hidden_size = width // 2 if bidirectional else width
        self.forwards = nn.LSTM(width, hidden_size, batch_first=True)
        self.backwards = nn.LSTM(width, hidden_size, batch_first=True) if bidirectional else None

    def forward(
        self, given: Float[Tensor, "batch source width"], mask: Bool[Tensor, "batch source"] | None
    ) -> Float[Tensor, "batch source width"]:
        """The hidden state at each word."""
        states: Tensor = self.forwards(given)[0]
        if self.backwards is None:
            return states
        turned: Tensor = self.backwards(turn(given, mask))[0]
        return torch.cat([states, turn(turned, mask)], -1)


def turn(
    given: Float[Tensor, "batch source width"], mask: Bool[Tensor, "batch source"] | None
) -> Float[Tensor, "batch source width"]:
    """Each text from its last word to its first, its padding behind it as before. Done twice it changes nothing."""
    if mask is None:
        return given.flip(1)
    length = (~mask).sum(1, keepdim=True)
    place = torch.arange(given.shape[1], device=given.device)
    order = torch.where(mask, place, length - 1 - place)
    return given.gather(1, order[..., None].expand_as(given))
