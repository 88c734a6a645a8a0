"""Give marked words at least a share of the attention, in each row of each head.

    A = softmax(QKᵀ/√d + b)        b_ij = logit(max(ψ, p_i)) − logit(p_i) for marked j, else 0
    p_i = Σ_marked softmax(QKᵀ/√d)_ij                    the share that they have by themselves

Multiplying the odds p/(1 − p) of the marked words by e^b gives them the share p' with logit(p') = logit(p) + b, so the
share is ψ exactly. SpotLight (Venkateswaran and Contractor 2025, *Spotlight Your Instructions*) has the same aim with
b = ln(ψ/p), which reaches ψ / (1 + ψ − p): less than it asks for. Within the marked words, and within the others,
attention keeps its proportions. A row that sees no marked word is left as it is.

p is the output of attention to values that are 1 at marked keys and 0 elsewhere, so that any kernel measures it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch

from nutgraf.model.ops.low_rank_bias import LowRankBias
from nutgraf.presets.ranges import ShareBelowOne
from nutgraf.steering import Form, ShareOf, Where
from nutgraf.steering.marks import Marks, Window


@dataclass(frozen=True)
class Config(Where):
    """A least share of attention."""

    share: ShareBelowOne = 0.2
    """Least share ψ of each row's attention that falls on marked words together."""


EXAMPLES = (Config(), Config(share=0.7, highlighted_heads=(0,)))


class Share(Form):
    """A least share of attention; words are marked where their weight is above 0."""

    config: Config

    depends_on_attention: ClassVar[bool] = True

    def bias(self, marks: Marks, window: Window, share_of: ShareOf) -> LowRankBias:
        """Return a bias for each row of each head, the same for all marked keys."""
        marked = marks.marked(window)
        natural = share_of(marked)
        natural = natural.to(torch.promote_types(natural.dtype, torch.float32))
        least = torch.tensor(self.config.share)
        lifted = (natural > 0) & (natural < least)
        return LowRankBias((torch.logit(least) - torch.logit(natural)).where(lifted, 0), marked)
