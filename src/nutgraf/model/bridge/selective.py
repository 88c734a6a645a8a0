"""A gate that lets through what matters of each state.

    g_t = σ(W h_t + U f_t + b)        h′_t = h_t ∘ g_t

What f is:

    ngrams      a convolution over the words around: f = ReLU(C [h_{t−k/2} … h_{t+k/2}] + c)   (Amaravarapu and Khare
                2021)
    sentence    one vector of the whole text, as in SEASS (Zhou et al. 2017): the state in which a recurrent encoder
                ends; of another encoder, which ends in none, the mean of its states

Amaravarapu and Khare have the gate at the decoder's attention. Here it stands before the decoder, which is the same
function: every layer takes both keys and values from gated states. Their "0 or 1" is a number from 0 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn

from nutgraf.model.bridge import Bridge
from nutgraf.model.layers import Size
from nutgraf.model.records import Memory


@dataclass(frozen=True)
class Config:
    """A selective gate."""

    context: Literal["ngrams", "sentence"] = "ngrams"
    """Second input of the gate, beside the state itself: the words around it, or one vector of the whole text."""

    kernel_size: int = 3
    """Words of an n-gram, an odd number."""

    bias: float = 0.0
    """Initial bias of the gate: 0 begins half open; 2 or 3 suits a network that was trained without a gate."""

    def __post_init__(self) -> None:
        if self.kernel_size < 1 or self.kernel_size % 2 == 0:
            raise ValueError("kernel_size is an odd number, at least 1")


class Selective(Bridge):
    """Gates the states, and says of each how much it let through."""

    def __init__(self, config: Config, size: Size, source: int) -> None:
        super().__init__()
        self.state = nn.Linear(source, source, bias=False)
        self.beside = nn.Linear(source, source, bias=False)
        self.bias = nn.Parameter(torch.full((source,), float(config.bias)))
        around = nn.Conv1d(source, source, config.kernel_size, padding=config.kernel_size // 2)
        self.ngrams = around if config.context == "ngrams" else None

    def forward(self, memory: Memory) -> Memory:
        """The memory with gated states and `gate`."""
        beside = memory.ends[1][:, None] if self.ngrams is None else self._ngrams(self.ngrams, memory)
        gate = torch.sigmoid(self.state(memory.states) + self.beside(beside) + self.bias)
        values = None if memory.values is None else memory.values * gate
        return replace(memory, states=memory.states * gate, values=values, gate=gate.mean(-1).float())

    def _ngrams(self, around: nn.Conv1d, memory: Memory) -> Float[Tensor, "batch source width"]:
        """Beyond its end a text goes on with zeros, padded or not."""
        states = memory.states.masked_fill(memory.mask[..., None], 0.0)
        return torch.relu(around(states.transpose(1, 2))).transpose(1, 2)
