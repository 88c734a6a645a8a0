"""A pull towards the weights that a training began with: μ·‖θ − θ₀‖₁ is added to the loss.

MLS (Sarkhel et al. 2020) fine-tunes with an "L1-transfer of weights" and does not say what that is; this is one
reading, for a network that knows much and is shown little. A plain warm start is the default.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn


class L1ToInit:
    """Adds μ·sign(θ − θ₀), the gradient of the pull, to the gradients of a network.

    strength: μ. start: θ₀ by name; what the network has beside these weights, or in another size, is left alone.
    """

    def __init__(self, strength: float, network: nn.Module, start: Mapping[str, Tensor]) -> None:
        self.strength = strength
        self._pairs = [
            (weight, start[name].to(weight))
            for name, weight in network.named_parameters()
            if name in start and start[name].shape == weight.shape
        ]

    def __call__(self) -> None:
        """After the backward pass of a step. What had no part in the loss is not pulled."""
        for weight, start in self._pairs:
            if weight.grad is not None:
                weight.grad.add_(torch.sign(weight.detach() - start), alpha=self.strength)
