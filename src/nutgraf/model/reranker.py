"""A re-ranker: a network that scores summaries against their document, and writes none.

SimCLS: Liu and Liu 2021, *SimCLS: A Simple Framework for Contrastive Learning of Abstractive Summarization*,
"Reference-free Evaluation".

    h(D, S) = cos(e(D), e(S))                          e: one encoder for documents and summaries
    P(S₁ before S₂ before …) = Πᵢ eʰⁱ/τ / Σⱼ≥ᵢ eʰʲ/τ   the probability of an order (Plackett and Luce)

e is the mean of the encoder's states; the paper takes RoBERTa's state of its first token, which an encoder that was not
pre-trained in that way has no use for. The paper has no probabilities; they make the validation loss comparable, and
`likelihood` an objective (ListMLE; Xia et al. 2008). What the paper learns from is `margin_ranking`.

The target of a batch holds the summaries one after the other, each between BOS and EOS: the reference, and then the
candidates, the best first.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from nutgraf.model.encoder import encoders
from nutgraf.model.initialization import initialize
from nutgraf.model.layers import Embedding
from nutgraf.model.records import BOS, PAD, Batch, Phrases, Trace, at_least_single
from nutgraf.model.source import SourceConfig, SourceNetwork
from nutgraf.presets.ranges import PositiveFloat, ShareBelowOne


@dataclass(frozen=True)
class Config(SourceConfig):
    """The network where `system = "reranker"`. The slot `encoder` has a section of its own."""

    dropout: ShareBelowOne = 0.1
    """Dropout rate of embeddings and sub-layers."""

    temperature: PositiveFloat = 0.05
    """Divisor τ of the scores where they make probabilities; it does not change which candidate is chosen."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.segments:
            raise ValueError(
                f"the encoder {self.encoder.kind!r} looks at {self.segments[0]}, of which a candidate has none"
            )


class Reranker(SourceNetwork):
    """Scores summaries of a document."""

    config: Config

    def __init__(self, config: Config, vocab_size: int) -> None:
        super().__init__()
        self.config = config
        size = config.size(vocab_size)
        self.source_embedding = Embedding(config.embedding, size, config.max_positions)
        self.second_segment = None
        self.encoder = encoders.build(config.encoder, size)
        initialize(self, config.initialization)

    def forward(self, batch: Batch) -> Trace:
        """Return the scores, and at the last token of each candidate the log probability that it is the next in order.

        The log probabilities of all other tokens are 0, those of the reference among them.
        """
        scores = self.scores(batch)
        there = scores[:, 1:] > -torch.inf
        ranks = (scores[:, 1:] / self.config.temperature).masked_fill(~there, torch.finfo(scores.dtype).min)
        chosen = (ranks - ranks.flip(1).logcumsumexp(1).flip(1))[there]
        log_probs = scores.new_zeros(batch.labels.shape)
        return Trace(target_log_probs=log_probs.masked_scatter(self._ends(batch), chosen), candidate_scores=scores)

    def scores(self, batch: Batch) -> Float[Tensor, "batch summaries"]:
        """Return the score of each summary of the target, from −1 to 1; −∞ where a document has fewer of them."""
        assert batch.target is not None
        summaries, document = separated(batch.target)
        no = summaries == PAD
        documents = self._encoded(batch)[document]
        found = F.cosine_similarity(documents, self._encoded(Batch(summaries, summaries, no, Phrases.none())), dim=-1)
        there = _there(batch.target)
        return found.new_full(there.shape, -torch.inf).masked_scatter(there, found)

    def _encoded(self, batch: Batch) -> Float[Tensor, "batch hidden"]:
        """Return the mean of the states of each text, at least in single precision."""
        states = at_least_single(self.encoder(self.source_embedding(batch.source), batch).encoder_hidden_states)
        present = ~batch.key_padding_mask[..., None]
        return states.masked_fill(~present, 0).sum(1) / present.sum(1).clamp_min(1)

    def _ends(self, batch: Batch) -> Tensor:
        """Return True at the last token of each candidate, among the labels."""
        assert batch.target is not None
        following = F.pad(batch.target, (0, 1), value=PAD)[:, 1:]
        last = ((following == BOS) | (following == PAD)) & (batch.target != PAD)
        return (last & ((batch.target == BOS).cumsum(1) > 1))[:, 1:]


def separated(
    target: Int[Tensor, "batch target"],
) -> tuple[Int[Tensor, "summaries longest"], Int[Tensor, " summaries"]]:
    """Return the summaries of all documents, with EOS and without BOS, and the document of each."""
    document, start = (target == BOS).nonzero(as_tuple=True)
    inside = ((target != BOS) & (target != PAD)).nonzero(as_tuple=True)
    which = ((target == BOS).flatten().cumsum(0).view_as(target) - 1)[inside]
    length = torch.bincount(which, minlength=len(document))
    summaries = target.new_full((len(document), max(1, int(length.max()))), PAD)
    summaries[which, inside[1] - start[which] - 1] = target[inside]
    return summaries, document


def _there(target: Int[Tensor, "batch target"]) -> Tensor:
    """Return True for each summary that a document has, up to the largest number."""
    counts = (target == BOS).sum(1)
    return torch.arange(int(counts.max()), device=target.device) < counts[:, None]
