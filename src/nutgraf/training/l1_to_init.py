"""Penalty towards the weights that a training began with: μ·‖θ − θ₀‖₁ is added to the loss.

MLS (Sarkhel et al. 2020) fine-tunes with an "L1-transfer of weights" and does not say what that is; this is one
reading, for a network that knows much and is shown little. Without it the weights are a plain initialization.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn


class L1ToInit:
    """Adds μ·sign(θ − θ₀), the gradient of the penalty, to the gradients of a network."""

    def __init__(self, strength: float, network: nn.Module, start: Mapping[str, Tensor]) -> None:
        self.strength = strength
        self._pairs = [
            (weight, start[name].to(weight))
            for name, weight in network.named_parameters()
            if name in start and start[name].shape == weight.shape
        ]

    def __call__(self) -> None:
        """Add the gradient, after the backward pass; parameters without a gradient are left alone."""
        for weight, start in self._pairs:
            if weight.grad is not None:
                weight.grad.add_(torch.sign(weight.detach() - start), alpha=self.strength)
