"""Continued copying: words that follow in the source on those just written are likelier to be copied. No paper has it.

    a′ᵢ ∝ aᵢ · exp(Σ_k b_k · [the k last words written stand right before place i]),   k = 1 … `words`

Raising attention after its softmax by a factor is adding the logarithm of the factor before it. A transformer learns
the same of its positions alone, but needs thousands of steps for it; here `words` numbers know it from the start, and
training says how much it is worth.
"""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

FIRST_BONUS = 2.0
"""Each further word in common makes a place e² times as likely before anything is learned."""

NOTHING = -1
"""Stands before the first word and equals none."""


class Continuation(nn.Module):
    """Raises attention where the source continues the last words written; `words` of them are compared."""

    def __init__(self, words: int) -> None:
        super().__init__()
        self.bonus = nn.Parameter(torch.full((words,), FIRST_BONUS))

    def forward(
        self,
        attention: Float[Tensor, "batch steps source"],
        source: Int[Tensor, "batch source"],
        recent: Int[Tensor, "batch steps words"],
    ) -> Float[Tensor, "batch steps source"]:
        """Raise the attention where the source continues `recent`, the words last written, the last one first."""
        raised = sum(
            bonus * follows.to(attention.dtype)
            for bonus, follows in zip(self.bonus, following(source, recent), strict=True)
        )
        assert isinstance(raised, Tensor)
        weights = attention * raised.exp()
        return weights / weights.sum(-1, keepdim=True).clamp_min(torch.finfo(weights.dtype).tiny)

    def recent(self, written: Int[Tensor, "batch steps"]) -> Int[Tensor, "batch steps words"]:
        """Return the last words at each step of a text, that step's own first."""
        words = self.bonus.shape[0]
        return F.pad(written, (words - 1, 0), value=NOTHING).unfold(1, words, 1).flip(-1)

    def last(self, written: Int[Tensor, "batch beams length"]) -> Int[Tensor, "batch beams words"]:
        """Return the last words of each text, the last one first."""
        words = self.bonus.shape[0]
        return F.pad(written, (max(0, words - written.shape[-1]), 0), value=NOTHING)[..., -words:].flip(-1)


def following(
    source: Int[Tensor, "batch source"], recent: Int[Tensor, "batch steps words"]
) -> list[Bool[Tensor, "batch steps source"]]:
    """For k = 1, 2, …: True where the k last words stand right before a place of the source."""
    found: list[Tensor] = []
    for back in range(recent.shape[-1]):
        before = F.pad(source, (back + 1, 0), value=NOTHING - 1)[:, : source.shape[1]]
        same = before[:, None, :] == recent[:, :, back, None]
        found.append(found[-1] & same if found else same)
    return found
