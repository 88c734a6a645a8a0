"""Coverage (See, Liu and Manning 2017, Eq. 10–13) in attention of several heads.

    e^m_ti = q^m_t · k^m_i / √d + w^m · c_ti        a^m_t = softmax(e^m_t)        aₜ = the mean over m of a^m_t
    c₁ = 0        cₜ₊₁ = cₜ + aₜ                    loss = Σₜ Σᵢ min(aₜᵢ, cₜᵢ)

See et al. put w · c into the tanh of their additive attention; a scaled dot product has none, and it is added to the
score. Each head has one w. It begins at zero, so that the numbers of a network that has not learned yet are those of
the network without coverage.

A network may be trained without it at first and with it at the end: modules that wait for the second phase of training
have a method `enter(phase)`, which is called with 1 and then with 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from nutgraf.model.ops.coverage import coverage_walk


@dataclass(frozen=True)
class Config:
    """Coverage in the decoder's attention (See et al. 2017)."""

    mode: Literal["exact", "one_pass", "loss_only"] = "exact"
    """Step by step, or of the attention as it would be without coverage ("one_pass"), or known to the loss alone."""

    per_head: bool = False
    """Each head accumulates its own attention instead of the mean of all heads."""


class Coverage(nn.Module):
    """Attention of several heads with coverage. `active` is False in the first phase of training."""

    def __init__(self, config: Config, heads: int) -> None:
        super().__init__()
        self.config = config
        self.weight = nn.Parameter(torch.zeros(heads))
        self.active = True

    def enter(self, phase: int) -> None:
        """Begin a phase of training: coverage waits for the second one."""
        self.active = phase > 1

    def forward(self, scores: Float[Tensor, "batch heads steps source"]) -> Float[Tensor, "batch heads steps source"]:
        """Return the weights of all steps from their scores without coverage."""
        if self.config.mode == "exact":
            return coverage_walk(scores, self.weight, per_head=self.config.per_head)
        plain = self._pooled(torch.softmax(scores, -1))
        return torch.softmax(scores + self._weight * (plain.cumsum(2) - plain), -1)

    def start(self, padding: Bool[Tensor, "batch source"], beam_size: int) -> Float[Tensor, "batch pools beams source"]:
        """Return the coverage before the first step: zeros for every hypothesis."""
        pools = len(self.weight) if self.config.per_head else 1
        return self.weight.new_zeros(len(padding), pools, beam_size, padding.shape[1])

    def step(
        self,
        scores: Float[Tensor, "batch heads beams source"],
        covered: Float[Tensor, "batch pools beams source"],
    ) -> tuple[Float[Tensor, "batch heads beams source"], Float[Tensor, "batch pools beams source"]]:
        """Return the weights of the next step of every hypothesis, and the coverage after it."""
        weights = torch.softmax(scores + self._weight * covered, -1)
        attended = weights if self.config.mode == "exact" else torch.softmax(scores, -1)
        return weights, covered + self._pooled(attended)

    @property
    def _weight(self) -> Float[Tensor, "heads 1 1"]:
        return self.weight[:, None, None]

    def _pooled(self, weights: Float[Tensor, "batch heads steps source"]) -> Tensor:
        return weights if self.config.per_head else weights.mean(1, keepdim=True)
