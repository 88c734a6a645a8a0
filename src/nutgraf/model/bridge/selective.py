"""A selective gate on the encoder's states.

    g_t = σ(W h_t + U f_t + b)        h′_t = h_t ∘ g_t

f is one of

    ngrams      a convolution over the words around: f = ReLU(C [h_{t−k/2} … h_{t+k/2}] + c)   (Amaravarapu and Khare
                2021)
    sentence    one vector of the whole text, as in SEASS (Zhou et al. 2017): the final state of a recurrent encoder;
                for other encoders the mean of the states

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
from nutgraf.model.records import EncoderOutput
from nutgraf.presets.ranges import PositiveInt


@dataclass(frozen=True)
class Config:
    """A selective gate."""

    context: Literal["ngrams", "sentence"] = "ngrams"
    """Second input of the gate, beside the state itself: the words around it, or one vector of the whole text."""

    kernel_size: PositiveInt = 3
    """Words of an n-gram, an odd number."""

    bias: float = 0.0
    """Initial bias of the gate: 0 begins half open; 2 or 3 suits a network that was trained without a gate."""

    def __post_init__(self) -> None:
        if self.kernel_size % 2 == 0:
            raise ValueError("kernel_size is an odd number")


EXAMPLES = (Config(kernel_size=1), Config(kernel_size=5), Config(context="sentence"))


class Selective(Bridge):
    """A selective gate on the encoder's states."""

    def __init__(self, config: Config, encoder_hidden_size: int) -> None:
        super().__init__(config, encoder_hidden_size)
        width = encoder_hidden_size
        self.state_proj = nn.Linear(width, width, bias=False)
        self.context_proj = nn.Linear(width, width, bias=False)
        self.bias = nn.Parameter(torch.full((width,), float(config.bias)))
        conv = nn.Conv1d(width, width, config.kernel_size, padding=config.kernel_size // 2)
        self.ngram_conv = conv if config.context == "ngrams" else None

    def forward(self, encoder_output: EncoderOutput) -> EncoderOutput:
        """Return the encoded sources with gated states, and `gate`."""
        states, values = encoder_output.encoder_hidden_states, encoder_output.values
        if self.ngram_conv is None:
            context = encoder_output.final_state_or_mean[1][:, None]
        else:
            context = self._ngrams(self.ngram_conv, encoder_output)
        gate = torch.sigmoid(self.state_proj(states) + self.context_proj(context) + self.bias)
        return replace(
            encoder_output,
            encoder_hidden_states=states * gate,
            values=None if values is None else values * gate,
            gate=gate.mean(-1).float(),
        )

    def _ngrams(self, conv: nn.Conv1d, encoder_output: EncoderOutput) -> Float[Tensor, "batch source hidden"]:
        """Convolve the states; beyond the end of a text are zeros, padded or not."""
        states = encoder_output.encoder_hidden_states.masked_fill(encoder_output.key_padding_mask[..., None], 0.0)
        return torch.relu(conv(states.transpose(1, 2))).transpose(1, 2)
