"""Words are generated or copied; each head says with which attention over the source.

    z = σ(v · s + b)                                       the probability of copying, `p_copy`
    P(w) = (1 − z) · softmax(W s + b)[w] + z · Σᵢ [xᵢ = w] · aᵢ

A label of the vocabulary may come both ways; one that only the source has, by copying; one that neither has is UNK.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from nutgraf.model.head import Head, HeadContext
from nutgraf.model.head._continuation import NOTHING, Continuation, following
from nutgraf.model.ops.log_probs import log_probs_at, log_softmax
from nutgraf.model.records import UNK, Batch, DecoderOutput, EncoderOutput, Trace, at_least_single
from nutgraf.presets.ranges import NonNegativeInt

FLOOR = -46.0
"""log 1e-20, for words without probability: their loss stays finite (CopyGeneratorLoss)."""


@dataclass(frozen=True)
class Config:
    """Copying from the source."""

    p_copy_input: Literal["state", "context_state_input"] = "state"
    """Input of the copy gate: the decoder's state (CopyGenerator), or context, state and input (See et al., Eq. 8)."""

    force_copy: bool = False
    """A word of the source is learned by copying alone."""

    continuation: NonNegativeInt = 0
    """Last words written that are compared with the source, so that copying goes on where it was (ours); 0: none."""


class Copying(Head):
    """Copies with the attention that the decoder provides."""

    needs_attention = True

    def __init__(self, config: Config, context: HeadContext) -> None:
        super().__init__(config, context)
        decoder = context.decoder
        self.config = config
        self.vocab_proj = nn.Linear(decoder.hidden_size, context.size.vocab_size)
        inputs = decoder.hidden_size if config.p_copy_input == "state" else decoder.copy_features_dim
        self.p_copy_proj = nn.Linear(inputs, 1)
        self.continuation = Continuation(config.continuation) if config.continuation else None

    def likelihood(self, decoded: DecoderOutput, batch: Batch) -> Trace:
        """Return `target_log_probs`, `mean_log_probs`, `p_copy` and `cross_attention`."""
        assert decoded.cross_attention is not None
        assert batch.target_extended is not None
        attention = at_least_single(decoded.cross_attention)
        if self.continuation is not None:
            recent = self.continuation.recent(batch.target_extended[:, :-1])
            attention = self.continuation(attention, batch.source_extended, recent)
        labels = batch.labels
        unknown = labels >= self.vocab_proj.out_features
        generated, mean = log_probs_at(decoded.hidden_states, self.vocab_proj, labels.masked_fill(unknown, UNK))
        here = batch.source_extended[:, None, :] == labels[:, :, None]
        copied = (attention * here).sum(-1).clamp_min(1e-20).log()
        logit = self._p_copy_logit(decoded)
        only_copied = unknown | (here.any(-1) & self.config.force_copy)
        by_generating = (F.logsigmoid(-logit) + generated).masked_fill(only_copied, FLOOR)
        log_probs = torch.logaddexp(by_generating, F.logsigmoid(logit) + copied).masked_fill(batch.labels_mask, 0)
        return Trace(target_log_probs=log_probs, mean_log_probs=mean, p_copy=logit.sigmoid(), cross_attention=attention)

    def distribution(
        self, decoded: DecoderOutput, encoder_output: EncoderOutput, written: Int[Tensor, "batch beams length"]
    ) -> Trace:
        """Return `log_probs`, `p_copy` and `cross_attention`."""
        assert decoded.cross_attention is not None
        attention, source = at_least_single(decoded.cross_attention), encoder_output.source_extended
        if self.continuation is not None:
            attention = self.continuation(attention, source, self.continuation.last(written))
        attention = permitted(attention, encoder_output, written)
        logit = self._p_copy_logit(decoded)
        log_probs = log_softmax(self.vocab_proj(decoded.hidden_states), encoder_output.num_oov, F.logsigmoid(-logit))
        p_copy = logit.sigmoid()
        add_copied(log_probs, attention * p_copy[..., None], encoder_output)
        return Trace(log_probs=log_probs, p_copy=p_copy, cross_attention=attention)

    def _p_copy_logit(self, decoded: DecoderOutput) -> Float[Tensor, "batch steps"]:
        state = self.config.p_copy_input == "state"
        logit: Tensor = self.p_copy_proj(decoded.hidden_states if state else decoded.copy_features)
        return at_least_single(logit.squeeze(-1))


def permitted(
    attention: Float[Tensor, "batch beams source"],
    encoder_output: EncoderOutput,
    written: Int[Tensor, "batch beams length"],
) -> Float[Tensor, "batch beams source"]:
    """Return the attention without places that must not be copied from, made to sum to one.

    Among them are pieces that would continue another word than the one last written.
    """
    if encoder_output.copyable is not None:
        attention = _hide(attention, ~encoder_output.copyable[:, None])
    if encoder_output.inside_word is None:
        return attention
    last = written[..., -1:] if written.shape[-1] else written.new_full((*written.shape[:2], 1), NOTHING)
    (follows,) = following(encoder_output.source_extended, last)
    return _hide(attention, encoder_output.inside_word[:, None] & ~follows)


def add_copied(
    log_probs: Float[Tensor, "batch beams extended"],
    copied: Float[Tensor, "batch beams source"],
    encoder_output: EncoderOutput,
) -> Float[Tensor, "batch beams source"]:
    """Add the probability of copying each place to that of its word; return the log probabilities of these words."""
    meet = encoder_output.canonical_positions[:, None].expand_as(copied)
    together = torch.zeros_like(copied).scatter_add_(-1, meet, copied).gather(-1, meet)
    # Only words of the source have two ways to come; a word that stands there twice gets the same number twice.
    words = encoder_output.source_extended[:, None].expand_as(copied)
    both = torch.logaddexp(log_probs.gather(-1, words), together.log())
    log_probs.scatter_(-1, words, both)
    return both


def _hide(
    attention: Float[Tensor, "batch beams source"], hidden: Bool[Tensor, "batch some source"]
) -> Float[Tensor, "batch beams source"]:
    """Return the attention to the other places, made to sum to one."""
    kept = attention.masked_fill(hidden, 0.0)
    return kept / kept.sum(-1, keepdim=True).clamp_min(1e-20)
