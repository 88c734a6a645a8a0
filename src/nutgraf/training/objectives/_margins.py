"""The margin ranking loss, over summaries of which it is known which are better than which.

Zhong et al. 2020, *Extractive Summarization as Text Matching* (MatchSum); SimCLS and BRIO take it over.

    L = Σᵢ Σⱼ>ᵢ max(0, sⱼ − sᵢ + (j − i) · λ)          s₁ is the score of the best, s₂ that of the second best, …
"""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor


def margin_ranking(scores: Float[Tensor, "batch candidates"], margin: float) -> Float[Tensor, ""]:
    """Return the loss, summed over all pairs of candidates of each document.

    Args:
        scores: Scores, those of the best candidates first; −∞ where a document has fewer of them.
        margin: Margin λ between neighbours.
    """
    there = scores > -torch.inf
    places = torch.arange(scores.shape[1], device=scores.device)
    ahead = places[:, None] - places  # of row j over column i
    known = scores.masked_fill(~there, 0.0)
    losses = (known[:, :, None] - known[:, None] + margin * ahead).relu()
    return losses[(ahead > 0) & there[:, :, None] & there[:, None]].sum()
