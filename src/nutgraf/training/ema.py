"""Exponential moving average of the weights of a network in training.

    θ̄ ← d · θ̄ + (1 − d) · θ,    d = min(decay, (1 + t) / (10 + t))

after update t, counted from 1 since the average began. The second term of the minimum is the warm-up of TensorFlow's
`ExponentialMovingAverage`: without it the first weights, which know nothing, would count for long.

Weights are float32 in every precision of training, and so is their average. In several processes every one keeps its
own; they are equal, since the weights are.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor
from torch.optim.swa_utils import get_ema_multi_avg_fn

from nutgraf.checkpoint import weights
from nutgraf.model.network import Network


class WeightAverage:
    """The average of all weights of a network that learn; `steps` counts its updates."""

    def __init__(self, decay: float, network: Network) -> None:
        """Begin the average with the weights as they are."""
        learning = {name for name, weight in network.named_parameters() if weight.requires_grad}
        self.decay, self.steps, self._network = decay, 0, network
        self._weights = {name: weight for name, weight in weights(network).items() if name in learning}
        self._means = {name: weight.clone() for name, weight in self._weights.items()}

    @torch.no_grad()
    def go_on(self, steps: int) -> None:
        """Take the network's weights for the average after a number of updates."""
        self.steps = steps
        for name, weight in self._weights.items():
            self._means[name].copy_(weight)

    def update(self) -> None:
        """Take in the weights after an update."""
        self.steps += 1
        decay = min(self.decay, (1 + self.steps) / (10 + self.steps))
        get_ema_multi_avg_fn(decay)(list(self._means.values()), list(self._weights.values()), self.steps)

    def all_weights(self) -> dict[str, Tensor]:
        """Return the weights to use, by name: averages, and whatever does not learn as the network has it."""
        return {**weights(self._network), **self._means}

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Let the network compute with the average; afterwards it has its own weights again, to the last bit."""
        self._exchange()
        try:
            yield
        finally:
            self._exchange()

    @torch.no_grad()
    def _exchange(self) -> None:
        for name, weight in self._weights.items():
            held = weight.clone()
            weight.copy_(self._means[name])
            self._means[name].copy_(held)
