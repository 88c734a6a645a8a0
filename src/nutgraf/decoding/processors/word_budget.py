"""A budget in words that no summary exceeds: where it is spent, a word may be finished but none begun."""

from __future__ import annotations

from jaxtyping import Bool, Float
from torch import Tensor

from nutgraf.decoding.processors import NEVER, Hypotheses, LogitsProcessor, SearchContext
from nutgraf.model.records import EOS
from nutgraf.presets.family import NoOptions


class WordBudget(LogitsProcessor):
    """Forbids new words where the budget is spent."""

    def __init__(self, config: NoOptions, context: SearchContext) -> None:
        super().__init__(config, context)
        self.begins, self.first = context.begins_word(), ~context.table([EOS])

    def __call__(self, log_probs: Float[Tensor, "batch beams extended"], hypotheses: Hypotheses) -> None:
        """Forbid tokens that begin a word; the first token always begins one."""
        if hypotheses.any_full:
            begins = self.begins if hypotheses.length else self.first
            log_probs.masked_fill_(hypotheses.full[..., None] & begins, NEVER)

    def forced(self, hypotheses: Hypotheses) -> Bool[Tensor, "batch beams"] | None:
        """Return True for hypotheses without words left."""
        return hypotheses.full if hypotheses.any_full else None
