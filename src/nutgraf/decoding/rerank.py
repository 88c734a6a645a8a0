"""A trained re-ranker chooses among the hypotheses of a search (SimCLS; Liu and Liu 2021).

Ŝ = argmax over the hypotheses S of h(D, S)        h: the score of a summary against its document
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Config:
    """Re-ranking: of all `beam_size` hypotheses, a system takes the one that a trained re-ranker scores highest."""

    model: str | None = None
    """Model folder of the re-ranker, which `nutgraf train reranker_small` makes; a relative name is looked for in the
    network's own model folder first."""
