"""The margin ranking loss of a re-ranker's scores (SimCLS; Liu and Liu 2021, "Contrastive Training").

    L = Σᵢ max(0, h(D, Sᵢ) − h(D, Ŝ)) + Σᵢ Σⱼ>ᵢ max(0, h(D, Sⱼ) − h(D, Sᵢ) + (j − i) · λ)

Ŝ is the reference, and S₁, S₂, … are the candidates by falling ROUGE: no candidate should have a higher score than the
reference, and each a higher one than those behind it, the more so the farther they are apart.
"""

from __future__ import annotations

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from nutgraf.errors import PresetError
from nutgraf.model.network import Network
from nutgraf.model.records import Batch, Trace
from nutgraf.presets.ranges import NonNegativeFloat
from nutgraf.training.objectives import Objective
from nutgraf.training.objectives._margins import margin_ranking


@dataclass(frozen=True)
class Config:
    """Margin ranking of candidates (SimCLS)."""

    weight: float = 1.0
    """Factor of the loss."""

    margin: NonNegativeFloat = 0.01
    """Margin λ between the scores of neighbours in the order."""


class MarginRanking(Objective):
    """Margin ranking of candidates."""

    config: Config

    def __call__(self, network: Network, batch: Batch, trace: Trace) -> Float[Tensor, ""]:
        """Return the loss, summed over the examples of the batch.

        Raises PresetError if the network scores no candidates.
        """
        if trace.candidate_scores is None:
            raise PresetError(
                'The objective "margin_ranking" needs a network that scores candidates: system = "reranker".'
            )
        reference, candidates = trace.candidate_scores[:, :1], trace.candidate_scores[:, 1:]
        below = (candidates - reference).relu().sum()
        return self.config.weight * (below + margin_ranking(candidates, self.config.margin))
