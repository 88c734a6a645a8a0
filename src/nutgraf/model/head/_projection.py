"""Log probabilities of wanted words under a softmax over a large vocabulary, without keeping all of them."""

from __future__ import annotations

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from nutgraf.model.records import PADDING


def log_probs_at(
    states: Float[Tensor, "batch steps width"], words: nn.Linear, wanted: Int[Tensor, "batch steps"]
) -> tuple[Float[Tensor, "batch steps"], Float[Tensor, "batch steps"]]:
    """log softmax(W s + b) at the wanted words, and its mean over the vocabulary without PADDING, which has none."""
    log_probs = log_softmax(words(states))
    chosen = log_probs.gather(-1, wanted[..., None]).squeeze(-1)
    return chosen, log_probs[..., PADDING + 1 :].mean(-1)


def log_softmax(logits: Float[Tensor, "batch steps vocabulary"]) -> Float[Tensor, "batch steps vocabulary"]:
    """In single precision; PADDING is never said."""
    never = torch.arange(logits.shape[-1], device=logits.device) == PADDING
    return logits.float().masked_fill(never, -float("inf")).log_softmax(-1)
