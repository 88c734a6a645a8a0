"""A trained re-ranker chooses among the hypotheses of a search (SimCLS; Liu and Liu 2021).

Ŝ = argmax over the hypotheses S of h(D, S)        h: the score of a summary against its document
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nutgraf.presets.ranges import Options

if TYPE_CHECKING:
    from nutgraf.decoding.search import Hypothesis


@dataclass(frozen=True)
class Config(Options):
    """Re-ranking: of all `beam_size` hypotheses, a system takes the one that a trained re-ranker scores highest."""

    model: str | None = None
    """Model folder of the re-ranker, which `nutgraf train reranker_small` makes; a relative name is looked for in the
    network's own model folder first."""


def by_score(found: Sequence[Hypothesis], scores: Sequence[float]) -> list[Hypothesis]:
    """Return hypotheses by falling score of a re-ranker, complete ones first; among equals, the order stays.

    Args:
        found: Hypotheses of one document.
        scores: Score of each.
    """
    order = sorted(range(len(found)), key=lambda place: (not found[place].complete, -scores[place]))
    return [found[place] for place in order]
