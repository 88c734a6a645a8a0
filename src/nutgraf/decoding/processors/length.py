"""Shortest and longest summary: `[decoding] min_length` and `max_length`, which every search keeps."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from nutgraf.decoding.processors import NEVER, Hypotheses, LogitsProcessor, SearchContext
from nutgraf.model.records import EOS
from nutgraf.presets.family import NoOptions


class Length(LogitsProcessor):
    """Forbids an early end, and ends what is long enough."""

    def __init__(self, config: NoOptions, context: SearchContext) -> None:
        super().__init__(config, context)
        self.min_length, self.max_length = context.min_length, context.max_length

    def __call__(self, log_probs: Float[Tensor, "batch beams extended"], hypotheses: Hypotheses) -> None:
        """Forbid the end below `min_length`, except where the budget in words is spent; at `max_length`, all else."""
        if hypotheses.length < self.min_length:
            log_probs[..., EOS].masked_fill_(~hypotheses.full, NEVER)
        if hypotheses.length == self.max_length:
            log_probs[..., :EOS] = NEVER
            log_probs[..., EOS + 1 :] = NEVER

    def forced(self, hypotheses: Hypotheses) -> Bool[Tensor, "batch beams"] | None:
        """Return True for all hypotheses at `max_length`."""
        return torch.ones_like(hypotheses.full) if hypotheses.length == self.max_length else None
