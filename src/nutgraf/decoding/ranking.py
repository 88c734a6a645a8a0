"""Scores of hypotheses: log probability with length and coverage penalty.

Wu et al. 2016, Eq. 14, with the summary coverage penalty of Gehrmann et al. 2018 in place of theirs.

    length penalty     ((5 + |Y|) / 6)^α            |Y| counts the tokens, the end among them
                       |Y|^α                        "power" (Gehring et al. 2017, Sec. 4.3): with α = 1 the score is a
                                                    token's mean log probability
    coverage penalty   β · (Σⱼ max(covⱼ, 1) − n)    covⱼ = Σₜ aₜⱼ, over the n places of the source
    score              (log P − coverage) / length  stepwise: the penalty also steers the search
                       log P / length − coverage    else
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from jaxtyping import Float
from torch import Tensor

Form = Literal["gnmt", "power"]


@dataclass(frozen=True)
class Hypothesis:
    """One summary found by a search.

    Attributes:
        ids: Tokens over the extended vocabulary, without BOS and EOS.
        log_prob: Log probability of all tokens, by the network alone.
        score: Log probability with what processors add to it, after length and coverage penalty.
        complete: True if the network ended it; others are returned only where there are too few of these.
        probabilities: Probability of each token.
        copied_shares: Share of each token's probability that comes from copying.
        source_positions: Position in the source that each token was copied from; −1 for a generated one.
        p_copy: Probability of copying rather than generating, before each token is known.
    """

    ids: tuple[int, ...]
    log_prob: float
    score: float
    complete: bool
    probabilities: tuple[float, ...]
    copied_shares: tuple[float, ...]
    source_positions: tuple[int, ...]
    p_copy: tuple[float, ...]


@dataclass(frozen=True)
class Ranking:
    """Length and coverage penalty.

    Attributes:
        length: Exponent α; 0: no length penalty.
        coverage: Weight β; 0: no coverage penalty.
        stepwise: Apply the coverage penalty at each step, too.
        form: Form of the length penalty.
    """

    length: float = 0.0
    coverage: float = 0.0
    stepwise: bool = False
    form: Form = "gnmt"

    def penalty(self, covered: Float[Tensor, "*hypotheses source"]) -> Float[Tensor, "*hypotheses"]:
        """Return the coverage penalty. Padding, which has no attention, adds nothing."""
        if self.coverage == 0:
            return covered.new_zeros(covered.shape[:-1])
        return self.coverage * (covered - 1).relu().sum(-1)

    def score(
        self, log_prob: Float[Tensor, "*hypotheses"], penalty: Float[Tensor, "*hypotheses"], length: int
    ) -> Float[Tensor, "*hypotheses"]:
        """Return the scores of hypotheses of one length."""
        divisor: float = ((5 + length) / 6 if self.form == "gnmt" else length) ** self.length
        return (log_prob - penalty) / divisor if self.stepwise else log_prob / divisor - penalty


def by_score(found: Sequence[Hypothesis], scores: Sequence[float]) -> list[Hypothesis]:
    """Return hypotheses by falling score of another kind, complete ones first; among equals, the order stays.

    Args:
        found: Hypotheses of one document.
        scores: Score of each, of a re-ranker, or its expected gain.
    """
    order = sorted(range(len(found)), key=lambda place: (not found[place].complete, -scores[place]))
    return [found[place] for place in order]
