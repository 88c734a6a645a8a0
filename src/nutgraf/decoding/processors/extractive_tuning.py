"""ABS+'s features of overlap with the source (Rush, Chopra and Weston 2015, Sec. 5, "Extractive Tuning").

    s(y) = Σₜ log p(yₜ) + α · f(yₜ)          f: is yₜ a word of the source; does it end a bigram, or a trigram, of the
                                             source; does it stand in the source somewhere before the word yₜ₋₁

The weight of the log probability is one, as in the authors' code. The sums are scores: they say which hypothesis is
better, and not how likely it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn import functional as F

from nutgraf.decoding.processors import Hypotheses, LogitsProcessor, SearchContext
from nutgraf.model.records import PAD

NOTHING = -1
"""Stands before the first word and equals none."""


@dataclass(frozen=True)
class Config:
    """Weights of the features; 0 leaves a feature out."""

    unigram: float = 0.0
    """Weight of words that the source has."""

    bigram: float = 0.0
    """Weight of words that end a bigram of the source."""

    trigram: float = 0.0
    """Weight of words that end a trigram of the source."""

    reordered: float = 0.0
    """Weight of words that stand in the source somewhere before the word that the summary has before them."""


EXAMPLES = (Config(unigram=1.0, bigram=0.5, trigram=0.25, reordered=-0.5), Config(unigram=2.0))


class ExtractiveTuning(LogitsProcessor):
    """Adds a weight for each feature of a word."""

    rescores = True

    def __init__(self, config: Config, context: SearchContext) -> None:
        super().__init__(config, context)
        self.weights = torch.tensor(
            [config.unigram, config.bigram, config.trigram, config.reordered], device=context.source.device
        )

    def __call__(self, log_probs: Float[Tensor, "batch beams extended"], hypotheses: Hypotheses) -> None:
        """Add the weights of the features to the log probabilities of the source's words."""
        source = self.context.source[list(hypotheses.documents)]
        found = features(source, hypotheses.ids).to(log_probs.dtype)
        bonus = (self.weights.to(log_probs.dtype)[:, None, None, None] * found).sum(0)
        words = source[:, None].expand_as(bonus)
        # A word that stands there twice gets the same number twice.
        log_probs.scatter_(-1, words, log_probs.gather(-1, words) + bonus)


def features(
    source: Int[Tensor, "batch source"], written: Int[Tensor, "batch beams length"]
) -> Bool[Tensor, "4 batch beams source"]:
    """Return which features each word of the source would have as the next word of each hypothesis.

    They are unigram, bigram, trigram and reordered bigram; all are false at padding.
    """
    last, second = F.pad(written, (2, 0), value=NOTHING)[..., -2:].flip(-1).unbind(-1)
    before, earlier = (F.pad(source, (back, 0), value=PAD)[:, None, : source.shape[1]] for back in (1, 2))
    bigram = before == last[..., None]
    trigram = bigram & (earlier == second[..., None])
    here = source[:, None] == last[..., None]
    after = here.flip(-1).cumsum(-1).flip(-1) - here.long() > 0
    present = (source != PAD)[:, None]
    places = torch.stack([present.expand_as(bigram), bigram & present, trigram & present, after & present])
    same = (source[:, :, None] == source[:, None]).to(torch.float32)
    return places.to(torch.float32) @ same > 0
