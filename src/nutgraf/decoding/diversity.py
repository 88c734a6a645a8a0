"""Diverse beam search.

Vijayakumar et al., *Diverse Beam Search for Improved Description of Complex Scenes* (AAAI 2018).

Beams are divided into groups. In each step the groups choose one after the other, and a token counts less in a group by
λ for each hypothesis of an earlier group that has just taken it: the paper's Hamming diversity (Algorithm 1). The
penalty decides what is chosen in this step alone; the scores of hypotheses stay those of the network. An end is never
penalized, since it finishes a hypothesis and is not taken by one that goes on. What several groups find is returned
once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from nutgraf.presets.ranges import NonNegativeFloat, Range


@dataclass(frozen=True)
class Config:
    """Diverse beam search; the best of what all groups find is returned."""

    num_beam_groups: Annotated[int, Range(ge=1)] = 4
    """Groups into which the beams are divided; with one, this is beam search."""

    diversity_penalty: NonNegativeFloat = 0.5
    """Strength λ: what a token's log probability loses for each hypothesis of an earlier group that takes it in the
    same step; 0.2 to 0.8 in the paper."""
