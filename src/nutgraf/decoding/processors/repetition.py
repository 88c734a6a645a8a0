"""No repeated n-grams (Paulus, Xiong and Socher 2018, Sec. 2.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from jaxtyping import Bool, Float
from torch import Tensor

from nutgraf.decoding.processors import NEVER, Hypotheses, LogitsProcessor, SearchContext
from nutgraf.presets.ranges import NonNegativeInt


@dataclass(frozen=True)
class Config:
    """No repeated n-grams. Those that hold a full stop or the separator `<sep>` are exempt: they may come again."""

    no_repeat_ngram_size: NonNegativeInt = 3
    """Length of the n-grams that no summary repeats; 0: all may be repeated."""

    on_repeat: Literal["forbid", "drop"] = "forbid"
    """What to do then: "forbid" the last token of a repeated n-gram, or "drop" the hypothesis that has one (OpenNMT-py
    of 2018)."""


class Repetition(LogitsProcessor):
    """Forbids repeated n-grams."""

    def __init__(self, config: Config, context: SearchContext) -> None:
        super().__init__(config, context)
        self.exempt = context.table(context.limits.exempt)

    def __call__(self, log_probs: Float[Tensor, "batch beams extended"], hypotheses: Hypotheses) -> None:
        """Forbid what would repeat an n-gram, or all tokens of a hypothesis that has repeated one."""
        size = self.config.no_repeat_ngram_size
        if size and self.config.on_repeat == "forbid" and hypotheses.length >= size:
            self._forbid(log_probs, hypotheses, size)
        elif size and self.config.on_repeat == "drop" and hypotheses.length > size:
            log_probs[self._repeated(hypotheses, size)] = NEVER

    def _forbid(self, log_probs: Tensor, hypotheses: Hypotheses, size: int) -> None:
        ngrams = hypotheses.ids.unfold(-1, size, 1)
        last = hypotheses.ids[..., None, hypotheses.length - size + 1 :]
        row, beam, place = (ngrams[..., :-1] == last).all(-1).nonzero(as_tuple=True)
        if not len(place):
            return
        found = ngrams[row, beam, place]
        counts = ~self.exempt[found].any(-1)
        log_probs[row[counts], beam[counts], found[counts, -1]] = NEVER

    def _repeated(self, hypotheses: Hypotheses, size: int) -> Bool[Tensor, "batch beams"]:
        ngrams = hypotheses.ids.unfold(-1, size, 1)
        last = ngrams[..., -1:, :]
        repeated = (ngrams[..., :-1, :] == last).all(-1).any(-1)
        return repeated & ~self.exempt[last[..., 0, :]].any(-1)
