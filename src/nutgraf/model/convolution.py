"""Convolutions over words, as in the convolutional networks of Gehring et al. 2017 (Sec. 3.2, 3.4, 3.5 and 4.2).

    W = g · v / ‖v‖               weight normalisation (Salimans and Kingma 2016): a length g for each output
    GLU([a; b]) = a ⊗ σ(b)        half of the convolution's outputs, gated by the other half

A convolution is a linear map of windows: the k vectors around a word, or up to it, side by side. So one matrix serves
whole texts as well as the next word of a text.
"""

from __future__ import annotations

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional as F

from nutgraf.model.ops.dropout import Dropout

HALF = math.sqrt(0.5)
"""Factor that keeps the variance of a sum of two independent numbers."""


class WeightNormLinear(nn.Module):
    """x ↦ Wx + b with weight normalization: v gives the directions of the rows of W, g their lengths.

    At first the outputs vary `gain` times as much as the inputs, of which dropout leaves the share `kept` (Sec. 3.5).
    """

    def __init__(self, inputs: int, outputs: int, kept: float = 1.0, gain: float = 1.0) -> None:
        super().__init__()
        self.direction = nn.Parameter(torch.randn(outputs, inputs) * math.sqrt(gain * kept / inputs))
        self.magnitude = nn.Parameter(self.direction.detach().norm(dim=1, keepdim=True))
        self.bias = nn.Parameter(torch.zeros(outputs))

    @property
    def weight(self) -> Float[Tensor, "outputs inputs"]:
        """The matrix W."""
        return torch._weight_norm(self.direction, self.magnitude)

    def forward(self, states: Float[Tensor, "*rows inputs"]) -> Float[Tensor, "*rows outputs"]:
        """Transform each row."""
        return F.linear(states, self.weight, self.bias)

    def plain(self) -> nn.Linear:
        """Return the same map without weight normalization, which cannot be trained."""
        linear = nn.Linear(1, 1, device="meta")
        linear.weight = nn.Parameter(self.weight.detach(), requires_grad=False)
        linear.bias = nn.Parameter(self.bias.detach(), requires_grad=False)
        return linear


class GatedConvolution(nn.Module):
    """dropout, convolution and GLU: a word has as many numbers after it as before."""

    def __init__(self, channels: int, kernel_size: int, dropout: float) -> None:
        super().__init__()
        self.channels, self.kernel_size = channels, kernel_size
        # GLU leaves a quarter of the variance, so four times as much goes in.
        self.conv = WeightNormLinear(kernel_size * channels, 2 * channels, kept=1 - dropout, gain=4.0)
        self.dropout = Dropout(dropout)

    def forward(
        self,
        states: Float[Tensor, "batch steps channels"],
        before: int,
        padding: Bool[Tensor, "batch steps"] | None = None,
    ) -> Float[Tensor, "batch steps channels"]:
        """Convolve whole texts; beyond a text and at padding are zeros.

        A window begins `before` words ahead of the word itself, which are at least half of its others.
        """
        states = product_precision(states)
        states = self.dropout(states if padding is None else states.masked_fill(padding[..., None], 0))
        # A line of an image: only there torch takes the channels as they lie, side by side.
        image = states[:, None].permute(0, 3, 1, 2)
        weight = self.conv.weight.view(-1, 1, self.kernel_size, self.channels).permute(0, 3, 1, 2)
        convolved = F.conv2d(image, weight, self.conv.bias, padding=(0, before)).permute(0, 2, 3, 1).squeeze(1)
        return F.glu(convolved[:, : states.shape[1]], -1)

    def next(self, window: Float[Tensor, "*rows kernel_size channels"]) -> Float[Tensor, "*rows channels"]:
        """Convolve one window of each text, without dropout."""
        return F.glu(self.conv(window.flatten(-2)), -1)


def product_precision(states: Float[Tensor, "batch words width"]) -> Float[Tensor, "batch words width"]:
    """Return the states in the precision of matrix products: that of autocast, if it is on."""
    device = states.device.type
    return states.to(torch.get_autocast_dtype(device)) if torch.is_autocast_enabled(device) else states
